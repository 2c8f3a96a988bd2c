"""The probe: who plays by more than its own cards is found, who does not is never accused."""

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from croupier.agents.bundled import names as bundled_names
from croupier.protocol.notifications import BLIND, OPEN
from croupier.server import entries, games, probing
from croupier.server.deals import Key
from croupier.server.probing import Heard, Probe, SeatedGame
from croupier.server.processes.sandbox import SandboxSettings
from croupier.server.processes.temporary_folder import temporary_folder
from croupier.server.table import probed_seat
from croupier.server.table.faults import Kind
from croupier.server.table.played_game import Probed, probed_by_player
from croupier.server.table.referee import Terms
from croupier.server.table.scripted_seat import Mismatch
from croupier.server.table.table import Table

BOTS = Path(__file__).parent.parent / "bots"
NATIVE_GAMES = {"dominion": {"turns": 6}, "hearts": {}, "skat": {}, "doppelkopf": {}, "jass": {}, "sedma": {}}
SAMPLE = {"gops": 2, "rummy": 2, "hearts": 4, "leduc-poker": 2, "spades": 4, "go-fish": 2}
SETTINGS = SandboxSettings("none")
TERMS = Terms(time=60)


@pytest.fixture(autouse=True)
def few_looks(monkeypatch):
    """Look twice, which is enough for the bots of most tests."""
    monkeypatch.setattr(probing, "LOOKS", 2)


def program(name, *words, file="peeker.py", sight="own", **more):
    """Enter a program of tests/bots."""
    entry = entries.of_command([sys.executable, str(BOTS / file), *map(str, words)], name, **more)
    return entries.with_sight(entry, sight)


def table_of(game, *bots, seats=None):
    """Return the bots, and random ones up to the number of seats."""
    number = seats or games.find(game).SEATS[0]
    return entries.distinct([*bots, *(entries.of_bundled("random") for _ in range(number - len(bots)))])


def probe(game, bots, deals=1, worlds=1, options=None, terms=TERMS, begun=bool, over=bool):
    """Play some deals in one seating, and ask again; return what is found of each bot, and the games.

    ``begun`` is called before the games, ``over`` after them.
    """

    async def play():
        rules = games.find(game)
        chosen = rules.read_options(options or {})
        key, places = Key.from_seed("probe"), range(len(bots))
        begun()
        with temporary_folder() as folder:
            async with Table(bots, folder, 60.0, sandboxing=SETTINGS) as table:
                played = [await table.play(rules, chosen, key.deal(each), terms) for each in range(1, deals + 1)]
        over()
        seated = [SeatedGame(key.deal(one.deal), places, one.seating, one) for one in played]
        return await Probe(bots, rules, chosen, terms, worlds, 60.0, SETTINGS).ask(seated)

    played = trio.run(play)
    return probed_by_player(played), played


def verdicts(found):
    """Return each bot's verdict by its name."""
    return {name: each.verdict for name, each in found.items()}


def find_peeker(game, seats=None, options=None):
    """Seat one that peeks beside one that does not; return the verdicts after the games that it takes, at most 20."""
    bots = table_of(game, program("peeker", "peek", sight=OPEN), program("honest", sight=OPEN), seats=seats)
    for deals in (2, 20):
        found, _ = probe(game, bots, deals, options=options)
        if found["peeker"].proofs:
            break
    return verdicts(found)


@pytest.mark.parametrize("game", NATIVE_GAMES)
def test_an_open_bot_that_plays_by_the_others_cards_is_found(game):
    """In every game, and nobody else is accused: neither an open bot that ignores what it is told, nor ours."""
    found = find_peeker(game, options=NATIVE_GAMES[game])
    assert found.pop("peeker") == "sees more"
    assert set(found.values()) == {"own cards"}


@pytest.mark.parametrize("game", SAMPLE)
def test_a_peeker_is_found_in_games_from_a_file(game):
    """By the worlds of RECYCLE."""
    found = find_peeker(f"recycle:{game}", SAMPLE[game])
    assert found.pop("peeker") == "sees more"
    assert set(found.values()) == {"own cards"}


@pytest.mark.soak
@pytest.mark.parametrize("game", games.library())
def test_a_peeker_is_found_in_every_game_of_the_library(game):
    """And nobody else is accused."""
    found = find_peeker(f"recycle:{game}")
    assert found.pop("peeker") == "sees more"
    assert set(found.values()) == {"own cards"}


@pytest.mark.parametrize("game", ["hearts", "skat"])
def test_a_bot_that_listens_to_its_partner_is_found(game, tmp_path):
    """It is told nothing: the partner writes its cards into a file. In other worlds these are other cards."""
    teller = program("teller", "tell", tmp_path / "cards", file="colluder.py")
    listener = program("listener", "listen", tmp_path / "cards", file="colluder.py")
    found, _ = probe(game, table_of(game, teller, listener), deals=2)
    assert verdicts(found)["listener"] == "sees more"
    assert verdicts(found)["teller"] == "own cards", "its own answers are those of its cards"


def test_a_partner_that_is_told_all_hands_tells_those_of_the_other_world(tmp_path):
    """An open bot elsewhere is told the deal of its world, or it could pass on the real one."""
    teller = program("teller", "tell-all", tmp_path / "cards", file="colluder.py", sight=OPEN)
    listener = program("listener", "listen", tmp_path / "cards", file="colluder.py")
    found, _ = probe("sedma", table_of("sedma", teller, listener), deals=2)
    assert verdicts(found)["listener"] == "sees more"


@pytest.mark.parametrize("game", ["dominion", "hearts", "skat", "doppelkopf", "jass", "sedma"])
def test_no_bundled_bot_is_accused(game):
    """Those that are deterministic have no changed answer; one that thinks against the clock may play at random."""
    bots = [name for name in bundled_names(game) if name != "search"]
    seats = games.find(game).SEATS[0]
    for first in range(0, len(bots), seats):
        seated = [entries.of_bundled(bots[(first + each) % len(bots)]) for each in range(seats)]
        found, _ = probe(game, entries.distinct(seated), deals=2)
        assert set(verdicts(found).values()) == {"own cards"}
        assert not sum(each.changed for each in found.values())


def test_a_bot_that_searches_is_not_accused():
    """It looks at the clock, so that it may answer differently in any world."""
    bots = table_of("sedma", entries.of_bundled("search", args=("--ms", "5")))
    found, _ = probe("sedma", bots, deals=3, worlds=2)
    assert verdicts(found)["search"] in {"own cards", "at random"}


def test_a_bot_that_plays_at_random_is_not_judged():
    """It is found out by the same world; both counts are told."""
    found, _ = probe("hearts", table_of("hearts", program("chance", "chance", sight=OPEN)), deals=2)
    assert verdicts(found)["chance"] == "at random"
    assert re.match(r"plays at random: [12] of 2 answers changed in the same world, \d of 2", found["chance"].words)


def test_a_bot_that_seldom_tosses_a_coin_is_not_accused(monkeypatch):
    """Its first answer in another world may look guilty, so it is asked again in both."""
    looks = []
    real = Probe._look_again

    async def look(self, *what):
        looks.append(await real(self, *what))
        return looks[-1]

    monkeypatch.setattr(Probe, "_look_again", look)
    monkeypatch.setattr(probing, "LOOKS", 8)
    bots = table_of("hearts", program("seldom", "seldom", sight=OPEN))
    for _ in range(30):
        found, _ = probe("hearts", bots, worlds=4)
        assert verdicts(found)["seldom"] in {"own cards", "at random"}
        if looks:
            break
    assert looks == [Probed(again=1, changed_again=1)]


def test_a_bot_that_remembers_earlier_games_is_asked_about_them_first():
    """A fresh process is sent all that the bot's process was sent, from its first game on."""
    found, _ = probe("hearts", table_of("hearts", program("memory", "count")), deals=3)
    assert found["memory"].changed == found["memory"].changed_again == 0


def test_a_blind_bot_is_told_the_same_imagined_deal_again():
    """It may play by it: no player's cards are in it."""
    found, _ = probe("hearts", table_of("hearts", program("blind", "peek", sight=BLIND)), deals=2)
    assert verdicts(found)["blind"] == "own cards"
    assert found["blind"].asked == found["blind"].again > 20


def test_where_no_world_can_be_imagined_a_bot_is_not_asked(monkeypatch):
    """That is counted, and the rest of the game is asked about."""
    real, calls = probed_seat.imagined_deal, []

    def refuse_every_other(*what):
        calls.append(what)
        return None if len(calls) % 2 else real(*what)

    monkeypatch.setattr(probed_seat, "imagined_deal", refuse_every_other)
    found, _ = probe("sedma", table_of("sedma", program("honest", sight=OPEN)))
    assert found["honest"].skipped == found["honest"].asked == found["honest"].again // 2
    assert found["honest"].words == "0 of 4 answers changed; 4 not asked, as no other world could be imagined"


def test_a_bot_that_was_never_asked_gets_no_verdict():
    """Nothing is known of it."""
    assert Probed().verdict == Probed().words == "not asked"


CHANGED = Mismatch(6, "(play c2)", "(play c3)", late=False)
LATE = Mismatch(6, "(play c2)", "the fault timeout", late=True)


@pytest.mark.parametrize(
    ("first", "other", "found"),
    [
        (Heard(9), Heard(9), (9, 0)),
        (Heard(9), Heard(5, CHANGED), (6, 1)),
        (Heard(5, CHANGED), Heard(9), (6, 1)),
        (Heard(5, CHANGED), Heard(5, CHANGED), (6, 0)),
        (Heard(5, CHANGED), Heard(5, CHANGED._replace(found="(play c4)")), (6, 1)),
        (Heard(5, CHANGED), Heard(3, CHANGED), (4, 1)),
        (Heard(9), Heard(5, LATE), (5, 0)),
        (Heard(5, LATE), Heard(9), (5, 0)),
        (Heard(9), Heard(7, None, 2), (7, 0)),
        (Heard(9), Heard(4, CHANGED, 2), (5, 1)),
        (Heard(5, CHANGED), Heard(7, None, 2), (5, 0)),
    ],
)
def test_answers_are_compared_up_to_the_first_that_differs(first, other, found):
    """A late one, and one at which the bot may have been skipped, count for nothing."""
    assert first.compare(other) == found


def test_a_bot_that_goes_by_what_is_outside_of_the_game_is_said_to_stray(tmp_path):
    """It answers differently from its game, but the same each time and in each world."""
    file = tmp_path / "cards"
    listener = program("listener", "listen", file, file="colluder.py")
    bots = table_of("hearts", listener)
    found, _ = probe("hearts", bots, begun=lambda: file.write_text("known then"), over=file.unlink)
    assert verdicts(found)["listener"] == "strayed"
    assert "1 were otherwise in its games" in found["listener"].words


def test_the_bank_in_state_is_what_it_was():
    """The probe subtracts the recorded times, so that every byte but the others' cards is the same."""
    bots = table_of("hearts", program("banker", "bank"))
    found, played = probe("hearts", bots, terms=replace_terms(bank=5.0))
    assert found["banker"].changed == found["banker"].changed_again == 0
    assert found["banker"].asked == len(played[0].thinking[0])


def replace_terms(**changes):
    """Return other terms."""
    return TERMS._replace(**changes)


def test_a_bot_is_asked_up_to_its_fault_and_the_fault_is_no_change():
    """Its process is not asked again after it, as in the game."""
    found, played = probe("hearts", table_of("hearts", program("broken", "crash")), deals=2)
    assert [fault.fault.kind for game in played for fault in game.faults] == [Kind.CRASHED] * 2
    assert found["broken"] == Probed(asked=8, again=8)


def test_a_player_that_was_withdrawn_is_not_asked():
    """A stand-in has played for it."""
    bots = table_of("hearts", replace(program("gone"), withdrawn="it is gone"), program("honest"))
    found, _ = probe("hearts", bots)
    assert verdicts(found)["gone"] == "not asked"
    assert verdicts(found)["honest"] == "own cards"
