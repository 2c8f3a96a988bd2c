"""Playing on from a moment: the new record has the old lines to there, and the players know what they would."""

import re
from pathlib import Path

import pytest
import trio
from command_line import croupier
from games import record_of
from scripted import ScriptedSeat

from croupier.server import games
from croupier.server.deals import Key
from croupier.server.records.replay import Invalid, Replay, judge
from croupier.server.records.sent import Wire
from croupier.server.table.referee import Referee
from croupier.server.viewer import moment, page_data

GAMES = [("hearts", 4), ("skat", 3), ("skat", 4), ("doppelkopf", 4), ("jass", 4), ("sedma", 4), ("dominion", 3)]
GAMES += [("recycle:whist", 4), ("recycle:kuhn-poker", 2)]
NAMES = ("ada", "bob", "cleo", "dan")
GOLDEN = Path(__file__).parents[2] / "golden"


def record(game, seats):
    options = games.find(game).read_options({})
    return record_of(game, ["random"] * seats, options=options, names=NAMES[:seats])


async def play_on(text, number, deal):
    """Play a record on by first legal plays; return its referee and the new record."""
    begun = moment.game_at(text, games.find, number)
    begun = begun._replace(record=[*begun.record, moment.HERE])
    seats = [ScriptedSeat(name) for name in begun.game.players]
    referee = Referee(type(begun.game), begun.game.options, seats, deal, begun=begun)
    await referee.play()
    return referee, begun, "\n".join(referee.record) + "\n"


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_the_new_record_begins_as_the_old_one_and_replays(game, seats):
    """From the deal, from the middle and from the last decision."""
    text = record(game, seats)
    moments = page_data(Replay(text), "", seat=0)["moments"]
    last = max(number for number, (_, line, seat) in enumerate(moments) if line and seat >= 0)
    for number in {0, last // 2, last - 1}:
        referee, begun, new = trio.run(play_on, text, number, Key.from_seed("on").deal(1))
        kept = new.partition(f"{moment.HERE}\n")[0]
        assert text.startswith(kept)
        assert kept.splitlines() == begun.record[:-1]
        assert moments[number][1] <= len(begun.record)
        assert judge(new).valid, judge(new)
        for seat in referee.seats:
            asked = sum(f"(play {seat.name} " in line or f"(defense {seat.name} " in line for line in begun.record)
            lines = [*Wire(Replay(new), seat.name).lines()]
            questions = [at for at, line in enumerate(lines) if line.startswith(("(request", "(attacked"))]
            missed = set(questions[:asked])
            assert seat.sent == [line for at, line in enumerate(lines) if at not in missed]


def test_the_key_of_a_record_goes_on_with_its_shuffles():
    """Players who play as before get the same cards: the later shuffles are those that the key gives."""
    folder = GOLDEN
    text = record("dominion", 3)
    assert moment.key_of(text, games.find) is None
    for path in folder.glob("*.record"):
        known = moment.key_of(path.read_text(), games.find)
        assert (known is not None) == ("(key " in path.read_text())


@pytest.mark.parametrize("by_deal", [False, True])
@pytest.mark.parametrize("number", [0, 3, 10])
async def test_the_same_key_gives_the_same_game(number, by_deal, tmp_path):
    """A game of many shuffles played by the same rule from a moment is the game itself, to its last line."""
    key = Key(Key.from_seed("same").secret, by_deal=by_deal)
    rules = games.find("dominion")
    whole = Referee(rules, {}, [ScriptedSeat(name) for name in NAMES[:2]], key.deal(7))
    await whole.play()
    text = "\n".join([*whole.record, f"(key {key.secret.hex()})"]) + "\n"
    known = moment.key_of(text, games.find)
    assert known.by_deal is by_deal
    _, _, new = await play_on(text, number, known.deal(7))
    assert _timeless(new) == _timeless(text)
    assert text.count("(shuffle (reshuffle") > 2
    forged = text.replace(key.secret.hex(), Key.from_seed("other").secret.hex())
    assert moment.key_of(forged, games.find) is None


def _timeless(text):
    return [line for line in text.splitlines() if not line.startswith(("(time", "(key", ";"))]


FAULTY = """(record 1)
(game sedma)
(players ann bob cleo dan)
(deal 1 0)
(shuffle deal c7 d8 h9 sT cJ dQ hK sA c8 d9 hT sJ cQ dK hA s7 c9 dT hJ sQ cK dA h7 s8 cT dJ hQ sK cA d7 h8 s9)
(play ann (play d8))
(fault bob crashed "it went away" "" "")
(stand-in bob)
(play bob (play cJ))
(play cleo (play c8))
"""


async def test_behind_a_fault_the_stand_in_goes_on():
    """The fault stays in the record and in the score, and nobody is asked there any more."""
    for number in (2, 3, 4):
        referee, begun, new = await play_on(FAULTY, number, Key.from_seed("on").deal(1))
        assert begun.stand_ins == {1}
        assert not referee.seats[1].sent
        assert judge(new).valid
        assert new.count("(fault bob") == new.count("(stand-in bob)") == 1


@pytest.mark.parametrize(
    ("text", "number", "why"),
    [
        (FAULTY, 5, "there is no #5; the moments are #0, the deal, to #4"),
        (FAULTY.partition("(stand-in")[0] + "(end forfeit)\n", 2, "at #2 the game is over"),
        (FAULTY.partition("(stand-in")[0] + "(end forfeit)\n", 3, "at #3 the game is over"),
    ],
)
def test_where_nobody_can_play_on_it_is_said(text, number, why):
    """A moment that is not there, or behind which there is nothing."""
    with pytest.raises((moment.NoMoment, Invalid)) as problem:
        moment.game_at(text, games.find, number)
    assert str(problem.value) == why


def test_a_bot_takes_a_seat(tmp_path):
    """The command writes a record beside the old one, under another name; its prefix is the old one's."""
    bots = ["random"] * 4
    croupier("play", "hearts", *bots, "--record", tmp_path, "--seed", "x")
    old = (tmp_path / "deal-1.record").read_text()
    words = ["play", "hearts", "duck", "random", "random", "random", "--record", tmp_path]
    croupier(*words, "--play-on", f"{tmp_path / 'deal-1.record'}#17", "--seed", "y")
    new = (tmp_path / "deal-1-from-17.record").read_text()
    kept, _, said = new.partition(moment.HERE)
    assert old.startswith(kept)
    assert len(re.findall(r"^\(play ", kept, re.MULTILINE)) == 17
    assert f"SHA-256 is {Key.from_seed('y').commitment}" in said
    assert "(key " not in new
    assert (tmp_path / "deal-1.record").read_text() == old
    out, _ = croupier("replay", tmp_path / "deal-1-from-17.record")
    assert "valid" in out
    croupier(*words, "--from", f"{tmp_path / 'deal-1.record'}#17")
    new = (tmp_path / "deal-1-from-17.record").read_text()
    assert re.search(r"\(key [0-9a-f]{64}\)$", old)[0] in new
    croupier("replay", tmp_path / "deal-1-from-17.record")


@pytest.mark.parametrize(
    ("game", "moment_", "more", "why"),
    [
        ("hearts", "hearts.record", [], "name a record and a moment"),
        ("hearts", "hearts.record#x", [], "name a record and a moment"),
        ("hearts", "nowhere.record#1", [], "nowhere.record: No such file"),
        ("hearts", "hearts.record#9999", [], "there is no #9999"),
        ("jass", "hearts.record#1", [], "is a game of hearts, not of jass"),
        ("hearts", "hearts.record#1", ["-o", "pass=none"], "with the options that it has"),
        ("hearts", "hearts.record#1", ["--deals", "2"], "with the options that it has"),
        ("skat", "skat-3.record#1", [], "3 players sat there"),
    ],
)
def test_a_wrong_call_is_one_sentence(game, moment_, more, why):
    """What to do instead stands in it."""
    _, errors = croupier("play", game, *["random"] * 4, "--play-on", GOLDEN / moment_, *more, code=2)
    assert why in errors
    assert errors.count("\n") == 1
