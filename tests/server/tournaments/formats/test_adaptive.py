"""Formats that look at results: Swiss, knockout and ladder."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice

import pytest

from croupier.server.deals import Key
from croupier.server.tournaments.formats import FORMATS
from croupier.server.tournaments.formats.balanced import Balanced
from croupier.server.tournaments.formats.knockout import Knockout, bracket
from croupier.server.tournaments.formats.ladder import Ladder
from croupier.server.tournaments.formats.roster import Roster
from croupier.server.tournaments.formats.schedule import Layout
from croupier.server.tournaments.formats.swiss import Swiss

KEY = Key.from_seed("adaptive")


class Strongest:
    """Results in which the higher number always scores more; ``until`` deals have been played."""

    def __init__(self, until=10**9):
        self.until = until

    def scores(self, pairing, deals):
        """Score each bot its number."""
        return {name: float(name[1:]) for name in pairing} if deals[-1] <= self.until else None


class Drawn:
    """Results in which the place in the list decides, whatever it is called."""

    def __init__(self, names):
        self.names = names

    def scores(self, pairing, deals):
        """Score each entry a number that its place and the deals give."""
        return {name: float((self.names.index(name) * 7 + deals[0]) % 11) for name in pairing}


class Equal:
    """Results in which everybody scores the same."""

    def scores(self, pairing, deals):
        """Score nothing."""
        return dict.fromkeys(pairing, 0.0)


def bots(count):
    """Name some entries."""
    return [f"b{number}" for number in range(count)]


@pytest.mark.parametrize(("count", "seats"), [(8, 2), (9, 2), (16, 4), (30, 4), (10, 3)])
def test_a_swiss_finds_the_best(count, seats):
    """The bot that wins every match has most points, except for what sitting out once may cost."""
    points = Swiss(bots(count), Layout(seats), 10, KEY).points(Strongest())
    assert points[f"b{count - 1}"] >= max(points.values()) - (seats - 1) / 2 * (count % seats > 0)


@pytest.mark.parametrize("count", [8, 9, 12])
def test_a_swiss_has_no_rematch_while_there_is_another_opponent(count):
    """Nobody meets anybody twice in a few rounds two by two."""
    meetings = Counter(
        frozenset(batch.pairing)
        for batches in Swiss(bots(count), Layout(2), 10, KEY, 4).rounds(Strongest())
        for batch in batches
    )
    assert set(meetings.values()) == {1}


def test_sixteen_at_tables_of_four_meet_nobody_twice_in_four_rounds_nor_in_five():
    """Rounds drawn for themselves often leave no fourth: what comes is drawn with them, however many are asked for."""
    four, five = ([*Swiss(bots(16), Layout(4), 10, KEY, count).rounds(Strongest())] for count in (4, 5))
    met = Counter(frozenset(pair) for batches in five for batch in batches for pair in combinations(batch.pairing, 2))
    assert set(met.values()) == {1}
    assert five[:4] == four


def test_nobody_sits_out_of_a_swiss_twice_before_all_have():
    """Byes go round, and are worth half a win: what one gets on average."""
    schedule = Swiss(bots(5), Layout(2), 10, KEY, 5)
    idle = [
        next(iter(set(bots(5)) - {name for batch in batches for name in batch.pairing}))
        for batches in schedule.rounds(Strongest())
    ]
    assert sorted(idle) == bots(5)
    assert sum(schedule.points(Strongest()).values()) == 5 * 2.5


def test_a_swiss_half_played_has_the_points_of_its_finished_rounds():
    """The table can be shown at any time."""
    schedule = Swiss(bots(8), Layout(2), 10, KEY, 5)
    assert sum(schedule.points(Strongest(until=25)).values()) == 8


@pytest.mark.parametrize(("count", "seats"), [(2, 2), (8, 2), (9, 2), (30, 2), (5, 4), (30, 4), (7, 3)])
def test_the_strongest_wins_a_knockout(count, seats):
    """Whatever the numbers, one is left."""
    schedule = Knockout(bots(count), Layout(seats), 10, KEY)
    points = schedule.points(Strongest())
    best = max(points.values())
    assert [name for name, rounds in points.items() if rounds == best] == [f"b{count - 1}"]


def test_eight_play_quarter_finals_half_finals_and_a_final():
    """First against last by the order of the list."""
    rounds = list(Knockout(bots(8), Layout(2), 10, KEY).rounds(Strongest()))
    assert [len(batches) for batches in rounds] == [4, 2, 1]
    assert {frozenset(batch.pairing) for batch in rounds[0]} == {frozenset((f"b{n}", f"b{7 - n}")) for n in range(4)}


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("count", range(4, 40))
def test_a_bracket_never_leaves_too_few_for_a_table(count, size):
    """After any round there is a full table or a winner."""
    stage = bracket(tuple(bots(count)), size)
    stay = len(stage.idle) + stage.stay * len(stage.tables)
    assert stay == 1 if count == size else size <= stay < count
    assert sorted([*stage.idle, *(name for table in stage.tables for name in table)]) == sorted(bots(count))


def test_a_tied_match_is_played_on_with_new_deals_and_then_decided_by_lot():
    """It ends, and the same way every time."""
    schedule = Knockout(bots(2), Layout(2), 10, KEY)
    rounds = list(schedule.rounds(Equal()))
    assert [batches[0].deals[0] for batches in rounds] == [1, 11, 21, 31]
    assert schedule.points(Equal()) == schedule.points(Equal())
    assert sorted(schedule.points(Equal()).values()) == [0, 1]


@pytest.mark.parametrize(("count", "seats"), [(2, 2), (7, 2), (8, 2), (9, 4), (5, 4), (10, 3)])
def test_on_a_ladder_the_strongest_climb(count, seats):
    """In the end the top table is that of the best, and everybody has played."""
    rounds = list(islice(Ladder(bots(count), Layout(seats), 1, KEY).rounds(Strongest()), 60))
    top = rounds[-2][0].pairing
    assert f"b{count - 1}" in top
    assert {name for batches in rounds for batch in batches for name in batch.pairing} == set(bots(count))


def test_a_ladder_never_ends_unless_told_and_never_repeats_a_deal():
    """Every round has deals of its own."""
    rounds = list(islice(Ladder(bots(4), Layout(2), 10, KEY).rounds(Strongest()), 1000))
    assert len({batches[0].deals for batches in rounds}) == 1000
    assert len(list(Ladder(bots(4), Layout(2), 10, KEY, 7).rounds(Strongest()))) == 7


@pytest.mark.parametrize("kind", [Swiss, Knockout, Ladder])
def test_the_same_results_plan_the_same_rounds(kind):
    """What is stored decides, so that a continued tournament goes on as it would have."""

    def plan():
        return list(islice(kind(bots(9), Layout(2), 30, KEY).rounds(Strongest()), 5))

    assert plan() == plan()
    waiting = list(kind(bots(9), Layout(2), 30, KEY).rounds(Strongest(until=30)))
    assert waiting == plan()[:2]


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("kind", FORMATS.values())
def test_what_an_entry_is_called_decides_nothing(kind, seats):
    """Under other names the same places of the list sit in the same seats with the same deals, in every format."""
    numbers = [4, 9, 1, 6, 0, 8, 3, 7, 2, 5]

    def seatings(names):
        schedule = kind(names, Layout(seats), 3, KEY, roster=Roster.beginning(names))
        return [
            (tuple(map(names.index, seating)), deal)
            for batches in islice(schedule.rounds(Drawn(names)), 8)
            for batch in batches
            for seating, deal in batch.games()
        ]

    assert seatings([f"b{number}" for number in numbers]) == seatings([f"x{9 - number}" for number in numbers])


def test_one_who_comes_late_is_called_what_he_likes():
    """Where he plays the rounds that he missed does not follow from his name either."""

    def places(late):
        roster = Roster.beginning(bots(9)).change([*bots(9), late], 2)
        batches = Balanced([*bots(9), late], Layout(4), 3, KEY, 3, roster).rounds(Equal())
        return [tuple(name.replace(late, "?") for name in batch.pairing) for each in batches for batch in each]

    assert places("a") == places("zed")


@pytest.mark.parametrize("kind", [Swiss, Knockout])
def test_everybody_at_a_table_of_a_round_is_somebody_else(kind):
    """No one plays at two tables of a round."""
    for batches in kind(bots(13), Layout(4), 10, KEY).rounds(Strongest()):
        members = [name for batch in batches for name in batch.pairing]
        assert len(members) == len(set(members))
        assert all(len(set(pair)) == 2 for batch in batches for pair in combinations(batch.pairing, 2))
