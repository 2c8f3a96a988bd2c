"""Agents for games from files."""

from random import Random

from croupier.agents.recycle import Option, RecycleAgent
from croupier.protocol import views
from croupier.protocol.sexp import parse
from croupier.server.games.game import Dice
from croupier.server.games.recycle import load

HAND, PILE = ("ann", "iloc", "HAND"), ("table", "vloc", "PILE")
PLAYED = Option(3, (("set", "table", "SUIT", "HEARTS"), ("move", 7, HAND, PILE), ("move", "DEFAULT", PILE, HAND)))


def test_an_option_tells_its_actions():
    """Cards by where they come from and go to, values by their store, and how to take it."""
    assert PLAYED.play == ("choose", 3)
    assert PLAYED.moved() == [7, "DEFAULT"]
    assert PLAYED.moved(source="HAND") == [7]
    assert PLAYED.moved(target="HAND") == ["DEFAULT"]
    assert PLAYED.value("SUIT") == "HEARTS"
    assert PLAYED.value("RANK") is None
    assert len(PLAYED.having("move")) == 2


def test_a_strategy_sees_options_and_state():
    """What it chooses is played; None leaves the decision to the next hook."""
    game = load("kuhn-poker")(("ann", "bob"), {}, Dice(Random(1)))
    state = views.read(parse(str(game.view(0))))

    class Bold(RecycleAgent):
        def tryOption(self, state, options):
            return next(option for option in options if option.value("BETS") == 1)

    assert Bold().tryPlay(state) == ("choose", 2)
    assert RecycleAgent().tryPlay(state) is None
    assert RecycleAgent().choose(state) == ("choose", 1)


class Shedder(RecycleAgent):
    """Choose what leaves the fewest cards in the player's own lists that others cannot see."""

    def tryOption(self, state, options):
        mine = (state.me, "iloc")

        def kept(option):
            return sum((there[:2] == mine) - (here[:2] == mine) for _, _, here, there, *_ in option.having("move"))

        return min(options, key=kept)


def test_shedding_pays_at_crazy_eights():
    """A player who always plays a card if possible keeps fewer points than one who plays at random."""
    shedder, totals = Shedder(), [0, 0, 0, 0]
    for seed in range(30):
        rng = Random(seed)
        game = load("crazy-eights")(("ann", "bob", "carl", "dora"), {}, Dice(rng))
        while game.turn is not None:
            seat = game.turn
            state = views.read(parse(str(game.view(seat)))) if seat == 0 else None
            game.play(seat, game.sample(rng) if state is None else shedder.tryPlay(state))
        totals = [total + score for total, score in zip(totals, game.scores(), strict=True)]
    assert totals[0] < min(totals[1:]) / 1.5
