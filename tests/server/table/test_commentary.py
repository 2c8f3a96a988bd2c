"""A game as lines of text: hands, plays, tricks and their points, RECYCLE's choices in words."""

from random import Random

import pytest

from croupier.protocol.sexp import read
from croupier.server import games
from croupier.server.games.game import Dice
from croupier.server.table.commentary import Commentary, heard, in_words


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
    assert not any(" holds " in line or " takes " in line for line in lines)


def test_a_choice_is_said_in_words():
    """A RECYCLE choice says what it does with which card, to its chooser and to those who hear of it."""
    game = begun("recycle:hearts")
    words = in_words(game.view(game.turn), ("choose", 1))
    assert " from ada HAND to ada TRICK" in words
    assert words.startswith("LEAD is ")
    assert heard(game.public(game.turn, ("choose", 1))) == words
    assert not any("choose" in line for line in told(game))


def test_a_card_that_is_not_seen_stays_hidden_in_words():
    """Drawing from a stock names the back of the card alone."""
    play = read(b"(choose (set table PASSES 0) (move DEFAULT (table iloc STOCK) (p iloc HAND)))")
    assert heard(play) == "PASSES is 0, a DEFAULT from STOCK to p HAND"


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
    assert heard(read(f"(choose {action})".encode())) == words
