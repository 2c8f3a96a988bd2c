"""Balanced tables: as even as arithmetic lets them be."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest

from croupier.server.deals import Key
from croupier.server.tournaments.formats.balanced import Balanced
from croupier.server.tournaments.formats.roster import Roster
from croupier.server.tournaments.formats.schedule import Layout, NoResults
from croupier.server.tournaments.formats.social_golfer import FOUND, rotate

KEY = Key.from_seed("balanced")
PARTNERS = ((0, 2), (1, 3))
SLOW = 25
"""From this number on a search takes its time."""


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
    """The bot that has played most sits out."""
    assert all(spread(games) <= 1 for games, _ in histories(count, Layout(seats), 12))


@pytest.mark.parametrize("count", [9, 10, 31])
def test_two_by_two_the_meetings_are_never_more_than_one_apart(count):
    """The circle method is exact."""
    assert all(spread(met) <= 1 for _, met in histories(count, Layout(2), 45))


def test_thirty_bots_at_tables_of_four_for_ten_rounds():
    """Nobody meets anybody twice for nine rounds; after ten no pair has met three times, and few not at all.

    Ten rounds seat 28: ten bots play ten times, among 30 places at their tables but 29 others. So some pair must meet
    twice, while 420 meetings cannot reach all 435 pairs. Twenty pairs unmet would be the best possible.
    """
    after = [dict(Counter(met.values())) for _, met in histories(30, Layout(4), 10)]
    assert all(max(counts) == 1 for counts in after[:9])
    assert max(after[-1]) == 2
    assert after[-1][0] <= 34


@pytest.mark.parametrize(("count", "seats", "rounds"), [(16, 4, 5), (28, 4, 9), (15, 3, 7)])
def test_where_that_can_be_everybody_meets_everybody_once(count, seats, rounds):
    """Affine plane, schoolgirls and the like; from the next round on they meet again."""
    *_, (_, met) = histories(count, Layout(seats), rounds)
    assert set(met.values()) == {1}


@pytest.mark.parametrize("size", [3, 4])
def test_in_rounds_that_are_turned_nobody_meets_twice_or_sits_out_twice(size):
    """Each search that is said to succeed does."""
    for count in (count for count in FOUND[size] if count < SLOW):
        rounds = rotate(count, size)
        met = Counter(frozenset(pair) for each in rounds for table in each for pair in combinations(table, 2))
        games = Counter(member for each in rounds for table in each for member in table)
        assert set(met.values()) == {1}
        assert max(games.values()) - min(games.values()) <= 1


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
        return list(Balanced(bots(13), Layout(4), 5, Key.from_seed(seed), 4).rounds(NoResults()))

    assert plan("one") == plan("one")
    assert plan("one") != plan("two")


def tables(schedule):
    """List the pairings of each round."""
    return [sorted({batch.pairing for batch in batches}) for batches in schedule.rounds(NoResults())]


def played_by(name, rounds):
    """Count the tables at which an entry sits."""
    return sum(name in pairing for pairings in rounds for pairing in pairings)


@pytest.mark.parametrize(("seats", "partners"), [(4, ()), (4, PARTNERS), (2, ())])
def test_a_newcomer_moves_nobody_and_plays_every_round(seats, partners):
    """What was drawn stays; the rounds that it missed it plays at a table of its own, on their deals."""
    table = Layout(seats, partners)
    before = tables(Balanced(bots(12), table, 5, KEY, 3))
    roster = Roster.beginning(bots(12)).change([*bots(12), "late"], 2)
    schedule = Balanced([*bots(12), "late"], table, 5, KEY, 6, roster)
    after = tables(schedule)
    for old, new in zip(before[:2], after[:2], strict=True):
        assert set(old) < set(new)
        assert [("late" in pairing) for pairing in set(new) - set(old)] == [True]
    bench = (13 % seats) * 4
    assert 6 - bench <= played_by("late", after) <= 6
    games = sum(len(list(batch.games())) for round_ in schedule.rounds(NoResults()) for batch in round_)
    assert games == schedule.planned_games()


def test_another_change_moves_nothing_that_an_earlier_one_has_drawn():
    """Entries that come, leave or return before the same round are drawn for separately."""
    one = Roster.beginning(bots(9)).change([*bots(9), "ann"], 3)
    two = one.change([*bots(9), "ann", "ben"], 3)
    three = two.change([*bots(8), "ann", "ben"], 3)
    four = three.change([*bots(9), "ann", "ben"], 3)
    drawn = [tables(Balanced(bots(9), Layout(4), 5, KEY, 3, roster)) for roster in (one, two, three, four)]
    for earlier, later in pairwise(drawn):
        assert all(set(old) <= set(new) for old, new in zip(earlier, later, strict=True))
    assert [played_by("ben", rounds) for rounds in drawn] == [0, 3, 3, 3]
    assert [played_by("ann", rounds) for rounds in drawn] == [3, 3, 3, 3]


def test_who_has_left_is_drawn_no_more_and_the_rounds_before_stay():
    """Its tables of the rounds before are still in the plan: what of them has been played counts."""
    before = tables(Balanced(bots(12), Layout(4), 5, KEY, 4))
    roster = Roster.beginning(bots(12)).change(bots(11), 2)
    after = tables(Balanced(bots(11), Layout(4), 5, KEY, 4, roster))
    assert after[:2] == before[:2]
    assert played_by("bot11", after[2:]) == 0


def test_a_new_version_sits_where_the_old_one_sat():
    """On the same deals with the same opponents, whatever its name."""
    before = tables(Balanced(bots(12), Layout(4), 5, KEY, 3))
    roster = Roster.beginning(bots(12))
    roster = roster._replace(versions=roster.versions | {"bot3": "bot3-v2"})
    after = tables(Balanced([*bots(3), "bot3-v2", *bots(12)[4:]], Layout(4), 5, KEY, 3, roster))
    renamed = [sorted(tuple("bot3-v2" if name == "bot3" else name for name in each) for each in old) for old in before]
    assert after == renamed
