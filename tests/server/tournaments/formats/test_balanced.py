"""Balanced tables: as even as arithmetic lets them be."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from croupier.server.deals import Key
from croupier.server.tournaments.formats.balanced import Balanced
from croupier.server.tournaments.formats.schedule import Layout, NoResults

KEY = Key.seeded("balanced")
PARTNERS = ((0, 2), (1, 3))


def bots(count):
    """Name some entries."""
    return [f"bot{number}" for number in range(count)]


def histories(count, table, rounds, **more):
    """Yield games by bot and meetings by pair after each round."""
    schedule = Balanced(bots(count), table, 1, KEY, rounds, **more)
    games, met = Counter(dict.fromkeys(bots(count), 0)), Counter(dict.fromkeys(combinations(sorted(bots(count)), 2), 0))
    for batches in schedule.rounds(NoResults()):
        for batch in batches:
            games.update(batch.pairing)
            met.update(combinations(sorted(batch.pairing), 2))
        yield games, met


def spread(counts):
    """Return how far the most and the least are apart."""
    return max(counts.values()) - min(counts.values())


@pytest.mark.parametrize(("count", "seats"), [(9, 4), (13, 4), (30, 4), (10, 3), (11, 2)])
def test_after_any_round_nobody_has_played_two_games_more_than_another(count, seats):
    """Who has played most sits out."""
    assert all(spread(games) <= 1 for games, _ in histories(count, Layout(seats), 12))


@pytest.mark.parametrize("count", [9, 10, 31])
def test_two_by_two_the_meetings_are_never_more_than_one_apart(count):
    """The circle method is exact."""
    assert all(spread(met) <= 1 for _, met in histories(count, Layout(2), 45))


def test_thirty_bots_at_tables_of_four_for_ten_rounds():
    """Nobody meets anybody twice for six rounds; after ten no pair has met three times, and few not at all.

    Ten rounds seat 28: ten bots play ten times, among 30 places at their tables but 29 others, so that some pair must
    meet twice while 420 meetings cannot reach all 435 pairs. 20 pairs unmet would be the best that can be.
    """
    after = [dict(Counter(met.values())) for _, met in histories(30, Layout(4), 10)]
    assert all(max(counts) == 1 for counts in after[:6])
    assert max(after[-1]) == 2
    assert after[-1][0] <= 55


@pytest.mark.parametrize(("count", "seats", "most"), [(9, 4, 4), (12, 4, 3), (16, 4, 2), (9, 3, 1), (12, 3, 2)])
def test_meetings_stay_close_for_twenty_rounds(count, seats, most):
    """What the search finds at small tournaments, after every round."""
    assert all(spread(met) <= most for _, met in histories(count, Layout(seats), 20))


def test_all_tables_of_a_round_play_the_same_deals_and_no_other_round_does():
    """Equal luck for all who play a round, and no process meets a deal again."""
    schedule = Balanced(bots(10), Layout(4), 30, KEY, 3)
    deals = [{deal for batch in batches for deal in batch.deals} for batches in schedule.rounds(NoResults())]
    assert deals == [set(range(1, 31)), set(range(31, 61)), set(range(61, 91))]
    for batches in schedule.rounds(NoResults()):
        by_table = Counter(deal for batch in batches for deal in batch.deals)
        assert set(by_table.values()) == {2}


def test_partnerships_come_equally_often():
    """Among four who always sit together the three ways of being partners take turns."""
    pairings = Counter(
        frozenset((frozenset(batch.pairing[::2]), frozenset(batch.pairing[1::2])))
        for batches in Balanced(bots(4), Layout(4, PARTNERS), 1, KEY, 9).rounds(NoResults())
        for batch in batches
    )
    assert sorted(pairings.values()) == [3, 3, 3]


def test_one_key_gives_one_schedule_and_another_gives_another():
    """A continued tournament plans the same; nobody can choose the tables but by choosing the key."""

    def plan(seed):
        return list(Balanced(bots(13), Layout(4), 5, Key.seeded(seed), 4).rounds(NoResults()))

    assert plan("one") == plan("one")
    assert plan("one") != plan("two")


def test_a_newcomer_leaves_the_rounds_before_as_they_were_and_catches_up():
    """It plays from its round on, every round until it has as many games as the others."""
    before = list(Balanced(bots(12), Layout(4), 5, KEY, 3).rounds(NoResults()))
    schedule = Balanced([*bots(12), "late"], Layout(4), 5, KEY, 6, joined={"late": 3})
    after = list(schedule.rounds(NoResults()))
    assert after[:3] == before
    assert all(any("late" in batch.pairing for batch in batches) for batches in after[3:])
