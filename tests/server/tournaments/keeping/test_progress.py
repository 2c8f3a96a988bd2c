"""How far a tournament is: what is counted of many games at once is what each of them says."""

import pytest

from croupier.server.table.faults import Fault, Kind, PlayerFault
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.keeping.progress import Advance
from croupier.server.tournaments.playing.withdrawals import LEAST_GAMES, Withdrawals

GAME = PlayedGame(("a", "b", "c"), 1, ("a", "b", "c"), (1, 2, 6), (1, 2, 3))
TURNED = GAME._replace(seating=("b", "c", "a"))
DOUBLE = GAME._replace(seating=("a", "b", "b"))
FAULTY = DOUBLE._replace(faults=(PlayerFault(1, Fault(Kind.ILLEGAL, "no")),))
VOID = GAME._replace(scores=(), ranks=())


@pytest.mark.parametrize(("low", "worse", "leader"), [(False, 2.0, "c"), (True, 6.0, "a")])
def test_games_are_counted_together_as_one_by_one(low, worse, leader):
    """An entry in two seats has their mean, or the worse of them if it committed a fault; a void game no scores."""
    games = [GAME, TURNED, GAME, DOUBLE, FAULTY, VOID, TURNED]
    together, singly = Advance(games=5), Advance(games=5)
    together.note(games, low_wins=low)
    for game in games:
        singly.note([game], low_wins=low)
    sums = {"a": (1 + 6 + 1 + 1 + 1 + 6.0, 6), "b": (2 + 1 + 2 + 4.0 + worse + 1, 6), "c": (6 + 2 + 6 + 2.0, 4)}
    assert together == singly == Advance(games=12, fresh=7, faults=1, sums=sums)
    assert together.leader(low_wins=low) == leader


def test_games_that_are_alike_count_as_often_for_withdrawals():
    """An entry that sits there twice has played each of them once."""
    gone = Withdrawals(0.5)
    gone.note(("a", "b", "b"), (1, 2), LEAST_GAMES - 1)
    assert not gone.absent("ab")
    gone.note(("a", "b", "b"), (), 1)
    assert [*gone.absent("ab")] == ["b"]
    assert (gone.played["b"], gone.faulted["b"]) == (LEAST_GAMES, LEAST_GAMES - 1)
