"""Endgames: what the last tricks are worth is what trying everything says."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from needs import NUMBA
from plain import without_numba

from croupier.agents.search import perfect_lines
from croupier.agents.search.endgame import AFTER_PLAYS, IN_PLAYOUTS, Endgame
from croupier.agents.search.playout import Playout
from croupier.agents.search.world import worths
from croupier.server import games
from croupier.server.games.game import Dice
from croupier.server.games.world import world_of

NAMES = ("alice", "bob", "carol", "dave")
TRICKS = {
    "hearts": [{}, {"moon": "shooter-down"}, {"jack": 10, "queen-breaks": "yes"}, {"break": "no"}],
    "skat": [{}, {"scoring": "seeger-fabian"}],
    "doppelkopf": [{}, {"dulle": "second"}, {"nines": "no", "schweinchen": "yes"}],
    "jass": [{}, {"trump": "u"}, {"trump": "o"}, {"undertrump": "free-with-only-trumps", "factors": "schieber"}],
    "sedma": [{}],
}
COMPILED, PLAIN = AFTER_PLAYS
EVERY = [(name, options) for name, each in TRICKS.items() for options in each]


def endings(name, cards, options=None, number=40):
    """Play random games up to ``cards`` cards before their end."""
    rules = games.find(name)
    for seed in range(number):
        rng = Random(f"{name} {seed}")
        game = rules(NAMES[: rules.SEATS[0]], options or {}, Dice(rng))
        world = world_of(game)
        while game.turn is not None and (world.left() is None or world.left() > cards):
            game.play(game.turn, game.sample(rng))
        if game.turn is not None:
            yield world


def tried(world, asker):
    """Return the scores if each tries everything and takes what is best for itself.

    What is equally good for a player is chosen against who asks, then by the points of the last players.
    """
    game = world.game
    if game.turn is None:
        return world
    ends = []
    for play in game.legal():
        after = world.copy()
        after.game.play(game.turn, play)
        ends.append(tried(after, asker))

    def liking(end):
        worth = worths(end)
        return round(worth[game.turn], 6), -round(worth[asker], 6), [-score for score in reversed(end.game.scores())]

    return max(ends, key=liking)


@pytest.mark.parametrize(("name", "options"), EVERY, ids=str)
def test_the_end_is_worth_what_trying_everything_says(name, options):
    """Bounds, positions looked up and equivalent cards change nothing, from any card of a trick, after any card."""
    met = 0
    for cards in (5, 6):
        for world in endings(name, cards, options):
            end, turn = Endgame.of(world), world.game.turn
            if end is None:
                continue
            assert worths(end.after()) == pytest.approx(worths(tried(world, turn)))
            for play in world.game.legal():
                after = world.copy()
                after.game.play(turn, play)
                assert end.values(play) == pytest.approx(worths(tried(after, turn)))
                met += 1
    assert met > 50


def nulls(cards):
    """Play Nulls until this many cards are left, the declarer from below; most are lost before."""
    for seed in range(400):
        rng = Random(f"null {seed}")
        game = games.find("skat")(NAMES[:3], {}, Dice(rng))
        world = world_of(game)
        while game.turn is not None and (world.left() is None or world.left() > cards):
            plays = list(game.legal())
            if game.phase == "bid":
                plays = [("pass",) if game.calls else plays[0]]
            elif game.phase == "declare":
                plays = [play for play in plays if "null" in play]
            elif game.phase == "play" and game.turn == game.declarer:
                plays = sorted(plays, key=lambda play: "789TJQKA".index(play[1][1]))[:1]
            game.play(game.turn, rng.choice(plays))
        if game.turn is not None:
            yield world


def test_a_null_is_decided_by_the_first_trick_of_its_declarer():
    """It is over then, so that nothing else is counted."""
    met = {True: 0, False: 0}
    for world in nulls(6):
        turn, end = world.game.turn, Endgame.of(world)
        expected = worths(tried(world, turn))
        assert worths(end.after()) == pytest.approx(expected)
        for play in world.game.legal():
            after = world.copy()
            after.game.play(turn, play)
            assert end.values(play) == pytest.approx(worths(tried(after, turn)))
        met[expected[world.game.declarer] > 0] += 1
    assert min(met.values()) > 5


def test_the_longest_ends_are_solved_as_their_parts_are():
    """A perfect line keeps its worth from card to card, although each solution begins with an empty table."""
    for name in TRICKS:
        for world in endings(name, PLAIN.alone if name == "hearts" else PLAIN.in_camps, number=4):
            end = Endgame.of(world)
            expected = None if end is None else worths(end.after())
            while end is not None:
                turn = world.game.turn
                if name != "hearts":  # where it may depend on who asks
                    assert worths(end.after()) == pytest.approx(expected)
                best = max(world.game.legal(), key=lambda play: end.value(play, turn))
                assert name == "hearts" or end.values(best) == pytest.approx(expected)
                world.game.play(turn, best)
                end = Endgame.of(world) if world.game.turn is not None else None


def lines():
    """Return perfect lines of ends that Python can solve."""
    found = []
    for name in TRICKS:
        for world in endings(name, PLAIN.alone if name == "hearts" else PLAIN.in_camps, number=6):
            hand = world.open_cards()
            found.append(None if hand is None else perfect_lines.PerfectLines(hand).begin_with(None))
    return found


@NUMBA
def test_without_numba_the_answers_are_the_same():
    """One source: a process in which numba compiles nothing finds the same lines."""
    assert perfect_lines.COMPILED
    assert without_numba(__file__) == [False, lines()]


def test_threads_that_solve_at_the_same_time_find_the_same_lines():
    """Though they work in one place, and though Python changes between them as often as it can."""
    alone, often = lines(), sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(3) as threads:
            together = [threads.submit(lines) for _ in range(3)]
            assert [each.result() for each in together] == [alone] * 3
    finally:
        sys.setswitchinterval(often)


def test_what_cannot_be_solved_is_left_to_playouts():
    """A far end, a game without tricks, a hand that a target score may cut short, an order that may still change."""
    far = games.find("jass")(NAMES, {"trump": "o"}, Dice(Random(1)))
    assert Endgame.of(world_of(far)) is None
    assert Endgame.of(world_of(games.find("dominion")(NAMES[:2], {}, Dice(Random(1))))) is None
    unsolved = {
        "jass": [{"score-to": 100}, {"undertrump": "lower-of-two"}],
        "doppelkopf": [{"dulle": "second-but-last-trick"}],
        "sedma": [{"rounds": "many"}],
    }
    for name, each in unsolved.items():
        for options in each:
            assert all(Endgame.of(world) is None for world in endings(name, 5, options, number=3))
    for world in endings("skat", 6, {"all-pass": "ramsch"}):
        assert (Endgame.of(world) is None) == (world.game.declarer is None)


def test_more_is_solved_where_it_is_compiled():
    """The limits are those of the machine code or of Python."""
    limits = COMPILED if perfect_lines.COMPILED else PLAIN
    for name, limit in {"hearts": limits.alone, "skat": limits.in_camps, "doppelkopf": limits.by_worth}.items():
        for world in endings(name, limit + 2, number=6):
            while world.left() > limit:
                assert Endgame.of(world) is None
                world.game.play(world.game.turn, world.game.sample(Random(1)))
            assert (Endgame.of(world) is None) == (world.open_cards() is None)


@NUMBA
@pytest.mark.parametrize("name", [name for name in TRICKS if name != "hearts"])
def test_a_playout_ends_perfectly(name):
    """Where the end of a playout is near enough, it is worth what the solver says; without numba it never is."""
    for world in endings(name, IN_PLAYOUTS.compiled.in_camps, number=6):
        end, seat = Endgame.of(world), world.game.turn
        if end is not None and world.routine() is None:
            expected = worths(end.after())[seat]
            assert Playout(None).finish(world.copy(), seat, Random(1)) == pytest.approx(expected)


if __name__ == "__main__":
    print(json.dumps([perfect_lines.COMPILED, lines()]))
