"""Programs that are the same are not called different, in formats in which each meets other opponents."""

import pytest
from bench.identical import kuhn_poker

from croupier.server.tournaments.formats import Balanced, Ladder, Swiss


@pytest.mark.parametrize("kind", [Balanced, Swiss, Ladder])
def test_copies_of_a_program_are_alike_and_inside_their_intervals(kind):
    """Of five tournaments of 24 deterministic programs, each three times; on a ladder no interval is shown."""
    found = kuhn_poker(kind, 24, 5)
    assert (found.starred, found.found) == (0, 0)
    assert found.shown == 0 if kind is Ladder else found.shown > 0.9
    assert found.held > 0.87 or kind is Ladder


@pytest.mark.soak
@pytest.mark.parametrize("kind", [Balanced, Swiss, Ladder])
def test_two_hundred_programs(kind):
    """At most seven percent are called different, or are outside their interval."""
    found = kuhn_poker(kind, 200, 20)
    assert max(found.starred, found.found) <= 0.07
    assert found.held >= 0.93 or not found.shown
