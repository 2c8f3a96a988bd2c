"""The Internet Skat Server's logs become records that come out with the values written down there."""

from random import Random

import pytest
from tests.support.skat_table import THREE

from croupier.protocol.skat import PACK
from croupier.server.games.game import Dice
from croupier.server.games.skat.game import Skat
from croupier.server.records.readers import iss
from croupier.server.records.readers.foreign import Foreign, NoGame, player_names
from croupier.server.records.replay import Replay

LETTERS = {"clubs": "C", "spades": "S", "hearts": "H", "diamonds": "D", "grand": "G", "null": "N"}
ANNOUNCED = {"schneider": "S", "schwarz": "Z", "ouvert": "O"}
CALLS = {"hold": "y", "pass": "p", "pick-up": "s"}
DEAL = ".".join(card.upper() for card in PACK)


def word(game, play):
    """Write a play as the server does, an empty text for (hand)."""
    match play:
        case ("bid", value):
            return str(value)
        case ("declare", name, *rest):
            cards = [card.upper() for card in rest if card in PACK]
            hand = "" if game.picked_up else "H"
            letters = "".join(letter for said, letter in ANNOUNCED.items() if said in rest)
            return ".".join([LETTERS[name] + hand + letters, *cards])
        case ("play", card):
            return card.upper()
        case (said,):
            return CALLS.get(said, "")


def logged(seed):
    """Play at random; return the game and its log, with its result."""
    rng = Random(seed)
    game = Skat(THREE, {}, Dice(rng))
    dealt = [card for hand in [*game.hands, game.skat] for card in game.PACK.cards[hand]]
    words = [".".join(card.upper() for card in dealt)]
    while game.turn is not None:
        play = game.sample(rng)
        if text := word(game, play):
            words += [str(game.turn), text]
        game.play(game.turn, play)
    result = game.results[0]
    if result is None:
        return game, node(" ".join(words), "passed")
    bid = "overbid" if result.overbid else "bidok"
    outcome = f"d:{game.declarer} v:{result.value} {bid} p:{result.points} t:{result.tricks}"
    return game, node(" ".join(words), outcome)


def node(moves, result=""):
    """Write one game of a collection."""
    return f"(;GM[Skat]PC[Internet Skat Server]ID[7]P0[fore]P1[middle]P2[rear]MV[w {moves} ]R[{result}] ;)\n"


def replayed(foreign):
    """Play the record again."""
    replay = Replay(foreign.record)
    for _ in replay.steps():
        pass
    return replay


@pytest.mark.parametrize("seed", range(60))
def test_a_game_that_ended_comes_out_as_recorded(seed):
    """Value, card points, tricks and overbid of the replayed record are the server's."""
    game, text = logged(seed)
    (foreign,) = iss.read(text)
    replay = replayed(foreign)
    assert foreign.stopped == ""
    assert foreign.differences(replay.game) == []
    assert tuple(replay.scores.values()) == game.scores()


def test_a_log_without_a_result_is_replayed_all_the_same():
    """Where the server wrote no outcome down there is nothing to compare."""
    _, text = logged(2)
    (foreign,) = iss.read(text[: text.index("R[")] + ";)")
    assert foreign.values == {}
    assert foreign.differences(replayed(foreign).game) == []


def test_several_games_are_read_one_after_the_other():
    """A collection is a game a node."""
    text = "".join(logged(seed)[1] for seed in range(3))
    assert len(list(iss.read(text))) == 3


def test_a_wrong_value_is_told():
    """Where the server wrote something else than the rules give, both are named."""
    _, text = logged(1)
    (foreign,) = iss.read(text)
    changed = foreign._replace(values={"value": 17, "passed": False})
    assert any("recorded as 17" in line for line in changed.differences(replayed(foreign).game))


def test_two_words_may_declare():
    """Some logs name the game first and what is put down in a second word."""
    for words in ("0 C.CJ.CA", "0 C 0 CJ.CA"):
        (foreign,) = iss.read(node(f"{DEAL} 1 p 2 p 0 18 0 s w DK.DQ {words}", "d:0 v:0 p:0 t:0"))
        assert "(play fore (declare clubs cJ cA))" in foreign.record


def test_an_ouvert_game_says_hand_by_itself():
    """Announcements after no pick-up are from the hand, with or without the letter for it."""
    for letters in ("CO", "COH"):
        (foreign,) = iss.read(node(f"{DEAL} 1 p 2 p 0 18 0 {letters}"))
        assert "(play fore (hand))\n(play fore (declare clubs ouvert))" in foreign.record


BEFORE = f"{DEAL} 1 p 2 p 0 18 0 s w DK.DQ 0 C.CQ.C9"


@pytest.mark.parametrize(
    ("words", "result", "why", "agrees"),
    [
        ("0 SC 1 RE 2 RE", "d:0 v:60 bidok p:120 t:10", "fore claimed", True),
        ("0 CJ 0 SC 1 RE 2 RE", "d:0 v:60 bidok p:120 t:10", "fore claimed", True),
        ("1 RE 2 RE", "d:0 v:60 bidok p:120 t:10", "middle and rear gave up", True),
        ("0 RE", "d:0 v:-120 bidok p:3 t:0", "fore gave up", True),
        ("0 CJ w TI.2", "d:0 v:60 bidok p:120 t:10", "rear ran out of time", True),
        ("w LE.0", "d:0 v:-120 bidok p:3 t:0", "fore left the table", True),
        ("0 CJ w LE.1", "d:0 v:48 bidok p:120 t:10", "middle left the table", False),
        ("0 CJ", "d:0 v:48 bidok p:120 t:10", "the log ends after 1 cards", False),
    ],
)
def test_a_game_that_stopped_says_why(words, result, why, agrees):
    """A claim, a resignation, a time-out: the rest goes to one side, and the value is reckoned from that."""
    (foreign,) = iss.read(node(f"{BEFORE} {words}", result))
    replay = replayed(foreign)
    assert why in foreign.stopped
    assert "(end" not in foreign.record
    assert replay.scores is None
    assert (foreign.differences(replay.game) == []) is agrees


def test_a_game_that_stopped_in_the_auction_has_no_value():
    """A player who leaves before a game is declared leaves nothing to score."""
    (foreign,) = iss.read(node(f"{DEAL} 1 18 w LE.2", "d:-1 penalty v:0 p:0 t:0"))
    assert foreign.stopped == "rear left the table"
    assert foreign.differences(replayed(foreign).game) == []


def test_the_server_ends_an_announced_schwarz_with_the_first_trick_lost():
    """Its levels stand whatever follows, so that the value is known."""
    (foreign,) = iss.read(node(f"{DEAL} 1 18 0 y 1 p 2 p 0 GO 0 C7 1 HJ 2 DJ", "d:0 v:-432 p:0 t:0"))
    assert "schwarz was announced" in foreign.stopped
    assert foreign.differences(replayed(foreign).game) == []


def test_a_null_without_a_defender_left_is_won():
    """Where both defenders give up against a Null, the declarer has no trick."""
    (foreign,) = iss.read(node(f"{DEAL} 1 p 2 p 0 18 0 NOH 1 RE 2 RE", "d:0 v:59 bidok p:0 t:0"))
    assert foreign.differences(replayed(foreign).game) == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("hello", "there is no game here"),
        ("(;GM[Go]SZ[9];)", "no game of Skat"),
        (node("CJ.SJ 1 p"), "32 cards"),
        (node(f"{DEAL} 5 p"), "5 p is nobody's move"),
        (node(f"{DEAL} 1 X9"), "X9 declares no game"),
        (node(f"{DEAL} 1 18 0 y", "v:60 p:x t:10"), "R has p:x"),
        ("(;P0[a];)", "no game of Skat"),
        (node(DEAL)[:-20], "it is cut off"),
    ],
)
def test_what_is_no_log_of_the_server_is_none(text, why):
    """What is wrong with a game is said beside its line."""
    (found,) = iss.read(f"\n{text}")
    assert found[:2] == ("game 1", 2)
    assert why in found.why


def test_one_bad_game_costs_no_other():
    """A game that is cut off, and text between two games, are pieces of their own."""
    fine = logged(1)[1]
    found = list(iss.read(f"{fine}{fine[:150]}\n{fine}between\n\n{fine.strip()}{fine}"))
    assert [isinstance(game, Foreign) for game in found] == [True, False, True, False, True, True]
    assert [game.line for game in found if isinstance(game, NoGame)] == [2, 4]


def test_an_empty_collection_has_no_games():
    """Nothing is read from nothing."""
    assert list(iss.read(" \n")) == []


def test_names_become_players_names():
    """Whatever people call themselves, players have plain and different names."""
    assert player_names(["zoot", "zoot", "Käthe K.", "nil", "", "9lives"]) == (
        "zoot",
        "zoot-2",
        "K-the-K-",
        "player-4-nil",
        "player-5",
        "player-6-9lives",
    )
