"""Schedules: sets, seatings and the formats whose tables are known beforehand."""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations, groupby, permutations

import pytest

from croupier.server.deals import Key
from croupier.server.tournaments.formats.fixed import Gauntlet, OneAgainstMany, Paired, RoundRobin
from croupier.server.tournaments.formats.roster import Roster
from croupier.server.tournaments.formats.schedule import Layout, NoResults, ScheduleError, cut

KEY = Key.from_seed("schedule")
PARTNERS = ((0, 2), (1, 3))
FOUR = tuple("abcd")


def batches(schedule):
    """List all batches of a tournament whose format needs no results."""
    return [batch for batches in schedule.rounds(NoResults()) for batch in batches]


@pytest.mark.parametrize(
    ("seats", "every", "count"),
    [(2, False, 2), (2, True, 2), (3, False, 3), (3, True, 6), (4, False, 4), (4, True, 24)],
)
def test_a_set_is_every_seating_that_matters_once(seats, every, count):
    """Two play both ways; three and four in rotation, or in every order."""
    for seatings in Layout(seats, every=every).circles(FOUR[:seats]):
        assert len(seatings) == len(set(seatings)) == count


@pytest.mark.parametrize(
    "table",
    [Layout(2), Layout(3), Layout(4), Layout(4, every=True), Layout(4, PARTNERS), Layout(4, PARTNERS, every=True)],
)
def test_everybody_has_every_seat_equally_often_in_a_set(table):
    """So the luck of the seat is the same for all."""
    for seatings in table.circles(FOUR[: table.seats]):
        counts = Counter((name, seat) for seating in seatings for seat, name in enumerate(seating))
        assert len(set(counts.values())) == 1
        assert len(counts) == table.seats**2


@pytest.mark.parametrize("every", [False, True])
def test_partners_stay_together_in_all_seatings(every):
    """A set never changes who plays with whom."""
    for seating in chain(*Layout(4, PARTNERS, every=every).circles(FOUR)):
        assert {frozenset(seating[::2]), frozenset(seating[1::2])} == {frozenset("ac"), frozenset("bd")}


def test_copies_fill_a_partnership_and_play_both_ways_round():
    """Where one bot plays both partners, a set is two games."""
    table = Layout(4, PARTNERS, copies=True)
    assert table.pairings("ab") == [("a", "b", "a", "b")]
    assert table.circles(("a", "b", "a", "b")) == ((("a", "b", "a", "b"), ("b", "a", "b", "a")),)


@pytest.mark.parametrize(("table", "ways"), [(Layout(2), 1), (Layout(3), 2), (Layout(4), 6), (Layout(4, PARTNERS), 2)])
def test_over_all_ways_around_the_table_everybody_sits_next_to_everybody_equally_often(table, ways):
    """As many deals as there are ways have each once; so a bot that plays before a weak one gains nothing by it."""
    names = FOUR[: table.seats]
    batch = RoundRobin(names, table, 3 * ways, KEY).batch(0, names, range(1, 3 * ways + 1))
    for start in range(0, 3 * ways, ways):
        assert len(set(map(frozenset, batch.seatings[start : start + ways]))) == ways
    left = Counter(
        (name, seating[(seat + 1) % table.seats]) for seating, _ in batch.games() for seat, name in enumerate(seating)
    )
    partners = {frozenset("ac"), frozenset("bd")} if table.partners else set()
    assert len({count for pair, count in left.items() if frozenset(pair) not in partners}) == 1
    assert len(left) == table.seats * (table.seats - 1) - 2 * len(partners)


def test_the_key_draws_who_sits_next_to_whom_and_names_do_not():
    """Nobody can choose a name that seats it behind a weak bot, or know the order before the key is known."""

    def ways(key, names):
        batch = RoundRobin(names, Layout(4), 12, key).batch(0, tuple(names), range(1, 13))
        circles = [set(seatings) for seatings in Layout(4).circles(batch.pairing)]
        return [circles.index(set(seatings)) for seatings in batch.seatings]

    assert ways(KEY, "abcd") == ways(KEY, "wxyz")
    assert ways(KEY, "abcd") != ways(Key.from_seed("another"), "abcd")


def test_four_strangers_are_partners_in_three_ways():
    """Each is everybody's partner once."""
    sides = [{frozenset(pairing[::2]), frozenset(pairing[1::2])} for pairing in Layout(4, PARTNERS).pairings("abcd")]
    assert len(sides) == 3
    assert frozenset().union(*sides) == {frozenset(pair) for pair in combinations("abcd", 2)}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_round_robin_has_every_table_on_the_same_deals(seats):
    """Every choice of entries plays deals 1 to N."""
    played = {}
    for batch in batches(RoundRobin("abcdef", Layout(seats), 30, KEY)):
        played.setdefault(frozenset(batch.pairing), []).extend(batch.deals)
    assert set(played) == {frozenset(members) for members in combinations("abcdef", seats)}
    assert all(deals == list(range(1, 31)) for deals in played.values())


def test_a_batch_plays_all_its_deals_in_a_seating_before_the_next():
    """No process may meet a deal twice, so they are replaced between seatings: as seldom as can be."""
    [batch] = batches(RoundRobin("ab", Layout(2), 3, KEY))
    games = list(batch.games())
    assert sorted(deal for _, deal in games[:3]) == sorted(deal for _, deal in games[3:]) == [1, 2, 3]
    assert {(*seats, deal) for seats, deal in games} == {(*seats, deal) for seats in ("ab", "ba") for deal in (1, 2, 3)}


def test_who_is_seated_alike_plays_one_deal_after_another():
    """Each time that the deals come; which of them is the next, and which seating, is drawn."""
    batch, *_ = batches(RoundRobin("abcd", Layout(4), 960, KEY))
    games = list(batch.games())
    for turn in range(4):
        listed = games[60 * turn : 60 * (turn + 1)]
        assert sorted(deal for _, deal in listed) == list(batch.deals)
        together = [[deal for _, deal in alike] for _, alike in groupby(listed, lambda game: game[0])]
        assert len(together) == len({seating for seating, _ in listed}) > 12
        assert sum(deals != sorted(deals) for deals in together if len(deals) > 1) > 4
        assert [seating for seating, _ in listed] != sorted(seating for seating, _ in listed)


def test_nobody_can_tell_a_deal_by_when_it_comes():
    """The key draws for every table in which order deals come, and which of their seatings is the first."""
    schedule = RoundRobin("abcde", Layout(4), 40, KEY)
    first = Counter()
    orders = []
    for batch in batches(schedule):
        orders += batch.orders
        first.update(seatings[0].index(min(batch.pairing)) for seatings in batch.seatings)
    longest = [order for order in orders if len(order) > 10]
    assert len(set(longest)) == len(longest) > 30
    assert set(first) == {0, 1, 2, 3}
    assert min(first.values()) > 25


def games_of(schedule):
    """Return all games of a tournament whose format needs no results."""
    return {(batch.pairing, seating, deal) for batch in batches(schedule) for seating, deal in batch.games()}


def test_another_order_of_entries_and_a_newcomer_change_nothing_for_the_others():
    """So that a changed file plays only what is missing: who came first counts, not who is listed first."""
    beginning = Roster.beginning("abcd")
    roster = beginning.change("edcba", 0)
    before = games_of(RoundRobin("abcd", Layout(3), 40, KEY, roster=beginning))
    assert before < games_of(RoundRobin("edcba", Layout(3), 40, KEY, roster=roster))


def test_batches_are_large_but_leave_some_for_every_worker():
    """Ten deals at least, six hundred at most, sixteen of them where that is possible."""
    assert [len(piece) for piece in cut(range(1, 26), 1)] == [10, 10, 5]
    assert len(cut(range(1, 1001), 1)) == 16
    assert {len(piece) for piece in cut(range(1, 6001), 5)} == {600}


def test_the_first_entry_of_a_gauntlet_sits_at_every_table():
    """The others meet only it, or each other with it."""
    pairings = {batch.pairing for batch in batches(Gauntlet("abcde", Layout(3), 10, KEY))}
    assert {frozenset(pairing) for pairing in pairings} == {frozenset({"a", *two}) for two in combinations("bcde", 2)}


def test_one_sits_in_each_seat_against_many_in_all_others():
    """Every ordered pair of entries is a pairing of as many games as there are seats."""
    found = batches(OneAgainstMany("abc", Layout(4), 5, KEY))
    alone = {tuple(sorted(Counter(batch.pairing).items(), key=lambda item: item[1])) for batch in found}
    assert alone == {((one, 1), (many, 3)) for one, many in permutations("abc", 2)}
    assert all(len(seatings) == 4 for batch in found for seatings in batch.seatings)


def test_one_against_one_is_not_played_twice():
    """At a table of two A against B and B against A are the same set."""
    assert len(batches(OneAgainstMany("abc", Layout(2), 5, KEY))) == 3


@pytest.mark.parametrize("kind", [RoundRobin, Gauntlet, OneAgainstMany, Paired])
def test_planned_counts_the_games(kind):
    """A progress bar can say how many there will be."""
    schedule = kind("abcde", Layout(4), 60, KEY)
    assert schedule.planned_games() == sum(len(list(batch.games())) for batch in batches(schedule))


@pytest.mark.parametrize("kind", [RoundRobin, Gauntlet, Paired])
def test_more_tables_than_anybody_can_play_are_refused_at_once(kind):
    """A thousand bots two by two are planned without drawing a table, by fours they are told so."""
    names = [f"b{number}" for number in range(1000)]
    assert kind(names, Layout(2), 100, KEY).planned_games() == 200 * kind(names, Layout(2), 100, KEY).tables
    with pytest.raises(ScheduleError, match="take balanced"):
        kind(names, Layout(4), 100, KEY)


def test_too_few_entries_are_refused_with_what_to_do():
    """Three bots cannot fill a table of four, except by one against many."""
    with pytest.raises(ScheduleError, match="one-against-many"):
        RoundRobin("abc", Layout(4), 1, KEY)
    OneAgainstMany("ab", Layout(4), 1, KEY)
