"""Bots that are told all hands before each question, or imagined deals in their place."""

import json
import shlex
import sys
from pathlib import Path

import pytest
from command_line import croupier

from croupier.protocol import json_dialect, notifications
from croupier.protocol.full_deal import FullDeal
from croupier.protocol.notifications import BLIND, CLASSIC, OPEN, Open, Request
from croupier.protocol.sexp import Malformed, parse
from croupier.server import games
from croupier.server.imagining import imagined_deal, true_deal
from croupier.server.laws.trial import Trial

PEEKER = shlex.join([sys.executable, str(Path(__file__).parents[2] / "bots" / "peeker.py"), "peek"])


NEEDS_DEALS = """from croupier.agents import Agent, drive
class Needing(Agent):
    deal = None
    def opened(self, deal):
        self.deal = deal
    def choose(self, state):
        deal, self.deal = self.deal, None
        return state.legal_plays()[len(deal.players) % 1]
drive(Needing())
"""


def played(tmp_path, *words, game="skat", bots=("random", "random"), options=("--probe", 1)):
    """Play a game with an open bot; return the folder with its record, and the lines that the bot was sent."""
    croupier("play", game, *words, *bots, "--record", tmp_path / "games", "--wire", tmp_path, "--seed", "a", *options)
    wire = (tmp_path / "peeker.wire").read_text().splitlines()
    return tmp_path / "games" / "deal-1.record", [line[2:] for line in wire if line.startswith("> ")]


def notes(lines):
    """Read lines of either dialect."""
    return [json_dialect.read(line) if line.startswith("{") else notifications.read(parse(line)) for line in lines]


@pytest.mark.parametrize("prefix", ["open:", "open:json:"])
def test_each_question_is_preceded_by_all_cards(prefix, tmp_path):
    """In both dialects: what every player sees, the reader first, and the piles that nobody sees."""
    _, lines = played(tmp_path, f"{prefix}{PEEKER}")
    told = notes(lines)
    asked = [number for number, note in enumerate(told) if isinstance(note, Request)]
    assert len(asked) > 9
    for number in asked:
        state, before = told[number].view, told[number - 1]
        assert isinstance(before, Open)
        assert list(before.deal.players) == list(state.players)
        assert list(before.deal.players[state.me].hand) == list(state.hand)
        hands = [view.hand for view in before.deal.players.values()]
        assert len({card for hand in hands for card in hand}) == sum(map(len, hands))


def test_a_bot_that_is_not_open_is_told_no_deal(tmp_path):
    """Nothing else is sent to it."""
    _, lines = played(tmp_path, PEEKER)
    assert not [note for note in notes(lines) if isinstance(note, Open)]


@pytest.mark.parametrize(("options", "line"), [(("--probe", 1), "(open peeker)"), (("--blind",), "(blind peeker)")])
@pytest.mark.parametrize("prefix", ["open:", "open:json:"])
def test_the_record_says_so_and_what_was_sent_follows_from_it(prefix, options, line, tmp_path):
    """`replay --sent` prints the deals too, also imagined ones, which follow from STATE."""
    record, lines = played(tmp_path, f"{prefix}{PEEKER}", options=options)
    assert line in record.read_text().splitlines()
    sent, _ = croupier("replay", record, "--sent", "peeker")
    assert sent.splitlines() == lines


def test_a_blind_bot_is_told_cards_that_need_not_be_the_others(tmp_path):
    """They agree with what it sees, in each deal."""
    _, blind = played(tmp_path / "blind", f"open:{PEEKER}", game="hearts", bots=["duck"] * 3, options=("--blind",))
    first = next(note.deal for note in notes(blind) if isinstance(note, Open))
    _, seen = played(tmp_path / "open", f"open:{PEEKER}", game="hearts", bots=["duck"] * 3)
    real = next(note.deal for note in notes(seen) if isinstance(note, Open))
    me, *others = first.players
    assert first.players[me].hand == real.players[me].hand
    assert all(first.players[name].hand != real.players[name].hand for name in others)


@pytest.mark.parametrize(("words", "said"), [((), "told all hands"), (("--blind",), "told imagined deals")])
def test_the_table_names_such_a_bot(words, said):
    """In words and in JSON."""
    call = ("play", "skat", f"open:{PEEKER}", "random", "random", "--probe", 1, *words)
    assert f"peeker is {said}" in croupier(*call)[0]
    assert json.loads(croupier(*call, "--json")[0])["sights"] == {"peeker": BLIND if words else OPEN}


@pytest.mark.parametrize(
    ("bots", "options", "said"),
    [
        (("open:random", "random", "random"), (), "random is told all hands: add --blind"),
        (("random", "random", "random"), ("--blind",), "none here is seated as open:COMMAND"),
        (("human", "random", "random"), ("--probe", 1), "people are not asked twice"),
        (("open:human", "random", "random"), ("--blind",), "a person is shown no other hands"),
        (("random", "random", "random"), ("--probe", 0), "--probe 0: write a whole number, 1 or more"),
        (("open:classic:random", "random", "random"), ("--blind",), "the classic dialect has no words for all hands"),
    ],
)
def test_a_wrong_call_is_refused(bots, options, said):
    """With what is wrong, in one line."""
    assert said in croupier("play", "skat", *bots, *options, code=2)[1]


def test_a_probe_of_a_continued_game_is_refused(tmp_path):
    """Its beginning was played by others."""
    croupier("play", "skat", "random", "random", "random", "--record", tmp_path)
    call = ("play", "skat", "random", "random", "random", "--play-on", f"{tmp_path}/deal-1.record#3", "--probe", 1)
    assert "--probe asks about whole games" in croupier(*call, code=2)[1]


def test_check_asks_an_open_bot_as_a_table_does(tmp_path):
    """It is told a deal before each question, of which this one makes its plays."""
    bot = tmp_path / "bot.py"
    bot.write_text(NEEDS_DEALS)
    call = ("check", "sedma", f"open:{shlex.join([sys.executable, str(bot)])}", "--positions", 20, "--out", tmp_path)
    assert "failed" not in croupier(*call)[0]


def test_programs_that_ask_over_http_tell_no_hands():
    """A bot that needs them is not served."""
    assert "leave open: out" in croupier("bridge", "jass-service", "open:random", code=2)[1]


POSITIONS = [("skat", 3), ("hearts", 4), ("dominion", 3), ("sedma", 4), ("recycle:rummy", 2)]


@pytest.mark.parametrize(("name", "seats"), POSITIONS)
def test_a_full_deal_reads_back_from_both_dialects(name, seats):
    """Field by field and pile by pile."""
    for game, _ in Trial(games.find(name), seats, {}).decisions(2, most=30):
        deal = true_deal(game, game.turn)
        both = notifications.read(parse(Open(deal).write())), json_dialect.read(json_dialect.write(Open(deal)))
        assert [str(note.deal) for note in both] == [str(deal)] * 2


@pytest.mark.parametrize(("name", "seats"), POSITIONS)
def test_an_imagined_deal_follows_from_the_state_and_the_seed(name, seats):
    """The same again is the same, so that a bot can be asked again; another seed gives another world."""
    games_ = [game for game, _ in Trial(games.find(name), seats, {}).decisions(2, most=12)]
    for game in games_:
        assert str(imagined_deal(game, game.turn, "a")) == str(imagined_deal(game, game.turn, "a"))
    differ = [str(imagined_deal(game, game.turn, "a")) != str(imagined_deal(game, game.turn, "b")) for game in games_]
    assert any(differ)


@pytest.mark.parametrize("text", ["(open)", "(open 3)", "(open ((players) (seen)))", "(open ((players 3) (unseen)))"])
def test_a_deal_of_another_shape_is_malformed(text):
    """As any notification is."""
    with pytest.raises(Malformed):
        notifications.read(parse(text))


@pytest.mark.parametrize("deal", ["3", "{}", '{"players": {"a": 3}, "unseen": []}', '{"players": {}, "unseen": [3]}'])
def test_a_deal_of_another_shape_is_malformed_in_json(deal):
    """As any notification is."""
    with pytest.raises(Malformed):
        json_dialect.read(f'{{"type": "open", "deal": {deal}}}')


def test_the_classic_dialect_has_no_words_for_it():
    """Nothing is sent."""
    assert Open(FullDeal({}, ())).write(CLASSIC) == ""
