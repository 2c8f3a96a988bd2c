"""XSkat's transcripts become records whose tricks, card points and outcome are those that XSkat wrote down."""

import json
from pathlib import Path

import pytest
from msgspec import convert
from tests.support.command_line import croupier

from croupier.server.commands.json_documents import Verdicts
from croupier.server.records.readers import xskat
from croupier.server.records.readers.foreign import NoGame
from croupier.server.records.replay import Replay

FILE = Path(__file__).parents[3] / "corpus/transcripts/xskat.log"
TEXT = FILE.read_text(encoding="ascii")
SUIT, GRAND, PASSED, NULL, OUVERT, WON, HELD = TEXT.split(f"{'=' * 40}\n")[:-1]
"""Games that XSkat played: a suit after picking up; Grands, Nulls and three who pass; forehand who holds 20."""


def replayed(text):
    """Return the one game of a text, its replay, and how they differ."""
    (game,) = xskat.read(text)
    assert not isinstance(game, NoGame), game.why
    replay = Replay(game.record)
    for _ in replay.steps():
        pass
    return game, replay, game.differences(replay.game)


@pytest.mark.parametrize(
    ("text", "value", "contract"),
    [
        (SUIT, 10 * (4 + 1 + 1), "hearts"),
        (GRAND, -2 * 24 * (4 + 1 + 1), "grand hand"),
        (NULL, -2 * 35, "null hand"),
        (OUVERT, 59, "null hand ouvert"),
        (WON, 24 * (1 + 1 + 1 + 1), "grand hand"),
        (HELD, 11 * (1 + 1), "spades"),
    ],
)
def test_a_game_comes_out_as_it_was_written_down(text, value, contract):
    """Values by the official rules: base value times matadors, game, hand and schneider; a lost game twice."""
    _, replay, differences = replayed(text)
    assert not differences
    assert replay.game.results[0].value == value
    assert sorted([replay.game.contract.game, *replay.game.contract.words]) == sorted(contract.split())


def test_three_who_pass():
    """Such a game has no tricks, and its forehand is the one whose word is marked."""
    game, replay, differences = replayed(PASSED)
    assert not differences
    assert game.values == {"passed": True}
    assert replay.game.players[0] == "Computer2"


def test_the_auction_ends_at_the_last_bid_with_the_declarer():
    """The transcript has no auction: the record gets the shortest one, in which forehand holds and the others bid."""
    calls = " ".join([f"{name[-1]}:{said}" for name, said in replayed(HELD)[1].game.calls])
    assert calls == "2:20 1:hold 2:pass 3:pass"
    assert replayed(HELD.replace("Last bid: 20", "Last bid: 18"))[1].game.calls[-1] == ("Computer1", 18)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("Won with: 96", "Won with: 97", "points is 96, recorded as 97"),
        ("Won with: 96", "Lost with: 96", "won is True, recorded as False"),
    ],
)
def test_what_differs_is_said(old, new, why):
    """Card points and outcome are compared."""
    assert why in replayed(SUIT.replace(old, new))[2]


def test_the_winner_of_each_trick_is_compared():
    """The capitals of a trick moved to another card name another winner; the next leader shows it."""
    first = next(line for line in SUIT.splitlines()[3:] if "_" in line)
    moved = "".join(letter.swapcase() if letter.isalpha() else letter for letter in first.replace("_", " "))
    (game,) = xskat.read(SUIT.replace(first, moved))
    assert isinstance(game, NoGame)
    assert "is no trick: three cards, of which one is in capitals" in game.why


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (SUIT[: len(SUIT) // 2], "it is no whole game in English"),
        (SUIT.replace("Won with: 96 points", "Kontra"), "Kontra is no line of a plain game in English"),
        (SUIT.replace("Computer3 played", "Nobody played"), "Nobody is not the name of one of the three columns"),
        (SUIT.replace("Last bid: 18\n", ""), "it has no line of bid"),
        (SUIT.replace("Skat was: Heart Q", "Skat was: Heart A"), "are not the 32 cards of the pack"),
        (SUIT.replace("Heart", "H\bHeart"), "run xskat with -unfmt"),
        (PASSED.replace("_Pass_", " Pass "), "none of them is marked as forehand"),
        (PASSED.replace("Skat is", "Im Skat ist"), "is no line of a plain game in English"),
        ("nothing of the kind\n", "it is no whole game in English"),
    ],
)
def test_what_is_no_game_is_refused_with_the_reason(text, why):
    """A game that is cut off, of a variant, in German, or formatted for a printer."""
    (game,) = xskat.read(text)
    assert isinstance(game, NoGame)
    assert why in game.why


def test_a_bad_game_between_good_ones_costs_only_itself(tmp_path):
    """The command names its line, writes the others as records, and knows the format by its text."""
    rule = f"{'=' * 40}\n"
    log = tmp_path / "xskat.log"
    log.write_text(rule.join([SUIT, SUIT[:200] + "\n", OUVERT, ""]), encoding="ascii")
    said, _ = croupier("replay", "--from", "xskat", log, "--record", tmp_path / "records", "--json", code=1)
    convert(json.loads(said), Verdicts)
    verdicts = json.loads(said)["records"]
    assert [verdict["valid"] for verdict in verdicts] == [True, False, True]
    assert verdicts[1]["line"] == SUIT.count("\n") + 2
    assert len(list((tmp_path / "records").iterdir())) == 2
    assert "--from xskat reads this" in croupier("replay", "--from", "iss", log, code=1)[0]
