"""A game as lines of text: hands, plays, tricks and their points, RECYCLE's choices in words."""

from random import Random

import dominion_table
import pytest

from croupier.protocol.sexp import read
from croupier.server import games
from croupier.server.games.game import Dice
from croupier.server.games.recycle.broadcast import say_choice, say_table
from croupier.server.table.commentary import Commentary, in_words


def begun(name, seats=4, **options):
    rules = games.find(name)
    return rules(["ada", "bob", "cy", "di"][:seats], rules.read_options(options), Dice(Random(5)))


def told(game, plays=10_000):
    """Play a game at random; return its lines."""
    rng, commentary = Random(7), Commentary(game)
    lines = [*commentary.opening()]
    while game.turn is not None and plays:
        seat, play, plays = game.turn, game.sample(rng), plays - 1
        lines.append(f"{game.players[seat]}: {commentary.before(seat, play)}")
        lines += commentary.after(game.play(seat, play))
    return lines


@pytest.mark.parametrize(
    ("name", "seats", "tricks", "points"),
    [("hearts", 4, 13, 26), ("sedma", 4, 8, 90), ("jass", 4, 9, 157), ("doppelkopf", 4, 12, 240)],
)
def test_every_trick_is_told_with_its_points(name, seats, tricks, points):
    """The points of a hand's tricks are all its points: none is lost with the last, when the hand is over."""
    lines = [line for line in told(begun(name, seats)) if " takes " in line]
    assert len(lines) == tricks
    assert sum(int(line.split()[-2]) for line in lines) == points


def test_who_takes_a_trick_leads_the_next():
    """The winner that is told is the game's own."""
    lines = told(begun("hearts", **{"pass": "none"}))
    for place, line in enumerate(lines[:-2]):
        if " takes " in line and lines[place + 1].count(":"):
            assert lines[place + 1].startswith(f"{line.split()[0]}: ")


def test_the_last_trick_is_told_before_the_next_deal():
    """A hand's last trick is its own, though the next hand is dealt with it; then come score and hands."""
    lines = told(begun("hearts", **{"pass": "none", "score-to": 30}))
    dealt = lines.index("deal 2")
    assert " takes " in lines[dealt - 2]
    assert lines[dealt - 1].startswith("score (ada ")
    assert [" holds " in line for line in lines[dealt + 1 : dealt + 6]] == [True] * 4 + [False]


def test_hands_are_told_again_only_where_they_changed():
    """After the deal and after giving in Hearts; once where nothing is given; of the declarer in Skat."""
    assert sum(" holds " in line for line in told(begun("hearts"), plays=10)) == 8
    assert sum(" holds " in line for line in told(begun("sedma"), plays=10)) == 4
    assert begun("skat", 3).phase != "play"
    assert sum(" holds " in line for line in told(begun("skat", 3), plays=1)) == 3


def test_a_game_without_tricks_tells_its_plays():
    """Dominion has neither tricks nor hands that are dealt once."""
    lines = told(begun("dominion", 2), plays=20)
    assert sum(line.startswith(("ada: ", "bob: ")) for line in lines) == 20
    assert not any(" takes " in line for line in lines)


def test_a_turn_of_dominion_begins_with_its_hand():
    """Of who is on turn, once a turn: neither to who is attacked nor when the attack has been met."""
    game = dominion_table.table("militia estate copper", "moat copper copper copper copper")
    commentary = Commentary(game)
    assert [*commentary.opening()] == ["alice holds copper estate militia"]
    for play, hand in [("act militia", []), ("moat", []), ("add copper", []), ("clean estate", ["bob"])]:
        commentary.before(game.turn, tuple(play.split()))
        assert [line.split()[0] for line in commentary.after(dominion_table.do(game, play))] == hand


def test_a_choice_is_said_in_words():
    """A RECYCLE choice says what it does with which card, to its chooser and to those who hear of it."""
    game = begun("recycle:hearts")
    words = in_words(game.view(game.turn), ("choose", 1))
    assert " from ada HAND to ada TRICK" in words
    assert words.startswith("LEAD is ")
    assert say_choice(game.public(game.turn, ("choose", 1))) == words
    assert not any("choose" in line for line in told(game))


def test_a_program_is_told_with_its_hands_and_with_what_it_does_by_itself():
    """The winner of a trick gets its cards, though no choice says so; the hands are dealt, the scores counted."""
    lines = told(begun("recycle:hearts"))
    assert [line.split()[:3] for line in lines[:4]] == [[name, "HAND", "holds"] for name in ("ada", "bob", "cy", "di")]
    won = [line.split(" WON gets ")[1].split(", ") for line in lines if " WON gets " in line]
    assert [len(cards) for cards in won] == [4] * 13
    assert len({card for cards in won for card in cards}) == 52
    assert "SCORE is " in lines[-2]


def test_what_a_choice_says_is_not_told_again():
    """Only what the program did by itself; a card that was drawn unseen is named, as all is open to who is told."""
    lines = told(begun("recycle:rummy", 2), plays=40)
    drawn = [line for line in lines if " from STOCK to " in line]
    assert drawn
    assert not any("a card from" in line for line in drawn)
    assert not any(" HAND gets " in line for line in lines)


def test_a_seat_is_shown_its_own_side_of_a_table():
    """Its cards by what is on them, the others' by their number, point maps by what they award."""
    game = begun("recycle:hearts")
    lines = [*say_table(game.view(0))]
    (mine,) = [line for line in lines if line.startswith("ada HAND holds ")]
    assert len(mine.split(", ")) == 13
    assert {f"{name} HAND holds 13 cards" for name in ("bob", "cy", "di")} < set(lines)
    assert "PENALTY: HEARTS 1, Q SPADES 13" in lines


def test_a_card_that_is_not_seen_stays_hidden_in_words():
    """Drawing from a stock names the back of the card alone."""
    play = read(b"(choose (set table PASSES 0) (move DEFAULT (table iloc STOCK) (p iloc HAND)))")
    assert say_choice(play) == "PASSES is 0, a card from STOCK to p HAND"


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("(set (team a b) MAKER 1)", "a/b MAKER is 1"),
        ("(set a WORTH)", "a WORTH is changed"),
        ("(move B (a iloc HAND) (table vloc PILE 2) bottom)", "a B from a HAND to PILE 2 (at the bottom)"),
        ("(swap (a iloc HAND) (b iloc HAND))", "swap a HAND b HAND"),
        ("(shuffle (table iloc STOCK))", "shuffle STOCK"),
        ("(remember B (table mem BEST))", "remember a B BEST"),
        ("(cycle next a)", "cycle next a"),
        ("(pass)", "pass"),
    ],
)
def test_each_action_has_words(action, words):
    """What an action does, owner and place in plain words."""
    assert say_choice(read(f"(choose {action})".encode())) == words
