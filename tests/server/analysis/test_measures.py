"""The measures, by games that can be counted by hand."""

from random import Random

import pytest
from analyses import FOUR, moment, played, sample

from croupier.server.analysis.basics import Facts, basics
from croupier.server.analysis.measures import SAYS, convergence, fairness, figures, gain, order, spread
from croupier.server.analysis.tables import Table

PAIRS = Facts(4, ((0, 2), (1, 3)), low_wins=True)


def won_by_the_first(times, of):
    """Return games of four of which the first seat won some."""
    return [played([9, 0, 0, 0] if number < times else [0, 9, 0, 0]) for number in range(of)]


@pytest.mark.parametrize(("times", "fair"), [(25, 1), (10, 0.4), (0, 0), (100, 0), (40, 0.8)])
def test_fairness_is_one_where_the_first_seat_wins_its_share(times, fair):
    """Of four a quarter; less in proportion, and more in proportion to what is left."""
    found = fairness(sample(won_by_the_first(times, 100)))
    assert found.mean == pytest.approx(fair)
    assert 0 <= found.low <= fair <= found.high <= 1


def test_fairness_may_be_whole_where_the_share_is_a_little_off():
    """The bounds reach 1 wherever the first seat's true share may be its due."""
    assert fairness(sample(won_by_the_first(28, 100))).high == 1


def test_partners_are_due_half_of_the_wins():
    """Two sides of two: each seat wins half the games."""
    assert FOUR.due == 1 / 4
    assert PAIRS.due == 1 / 2


def test_convergence_is_above_a_half_where_options_dwindle():
    """Half a point for each option lost a choice; a single choice tells nothing."""
    assert convergence(sample([played([1, 0], options=[4, 3, 2])])).mean == pytest.approx(1)
    assert convergence(sample([played([1, 0], options=[1, 2, 3])])).mean == pytest.approx(0)
    assert convergence(sample([played([1, 0], options=[7])])).mean == 0.5


def test_order_is_the_way_from_chance_to_always():
    """Of four: at a quarter nothing, at five eighths a half, always one; a shared first place counts in parts."""
    games = [played([9, 0, 0, 0] if n < 5 else [0, 9, 0, 0], deal=n, place=0) for n in range(8)]
    assert order(sample(games)).mean == pytest.approx(0.5)
    assert order(sample([played([9, 9, 0, 0], deal=n, place=0) for n in range(9)])).mean == pytest.approx(1 / 3)


@pytest.mark.parametrize("facts", [FOUR, PAIRS])
def test_a_symmetrical_game_without_a_choice_has_no_order_and_is_fair(facts):
    """However often first places are shared, the bounds hold 0 and 1; a shared place is nobody's whole win."""
    dice = Random(1)
    games = []
    for deal in range(60):
        scores = [dice.randrange(2) for _ in range(4)]
        if facts.partners:
            scores[2:] = scores[:2]
        games += [played(scores, deal=deal, place=place) for place in range(4)]
    found = order(sample(games, facts))
    assert found.mean == pytest.approx(0)
    assert found.low <= 0 <= found.high
    assert fairness(sample([game for game in games if game.place == 0], facts)).high == 1


def test_the_gain_is_over_opponents_and_better_is_positive():
    """Low scores win here, and the partner's is no opponent's."""
    assert gain(sample([played([1, 5, 1, 7], place=2)], PAIRS)).mean == 5
    assert gain(sample([played([6, 1, 2, 3], place=0)])).mean == 4


def test_spread_is_the_mean_over_all_choices():
    """Not over games: the longer one counts for more."""
    long = played([1, 0], moments=[moment(best=1.0, worst=0.5), moment(best=0.5, worst=0.5)])
    short = played([1, 0], moments=[moment(best=0.7, worst=0.3)])
    assert spread(sample([long, short])).mean == pytest.approx(0.9 / 3)


def test_basics_count_what_ended_and_what_did_not():
    """A void game counts for nothing but that; a tie between partners is none; a shared win counts in parts."""
    games = [
        played([2, 1, 2, 1], options=[1, 3], ranks=[1, 3, 1, 3]),
        played([2, 2, 0, 0], options=[1, 1, 5, 1], ranks=[1, 1, 3, 3]),
        played([0, 0, 0, 0], options=[9] * 9, void="more than 500 choices"),
    ]
    known = basics(PAIRS, games)
    assert (known.games, known.length.mean, known.most) == (2, 3, 5)
    assert known.options.mean == pytest.approx(12 / 6)
    assert known.forced.mean == pytest.approx(4 / 6)
    assert (known.ties.mean, known.void.mean) == (0.5, pytest.approx(1 / 3))
    assert [seat.wins.mean for seat in known.seats] == [0.5, 0.25, 0.25, 0]
    assert [seat.score.mean for seat in known.seats] == [2, 1.5, 1, 0.5]


def test_every_number_is_told_in_words():
    """Whatever is measured stands in the list of what the numbers say, in its order."""
    games = {table: won_by_the_first(3, 9) for table in Table}
    numbers = figures(
        FOUR, {**games, Table.THINKING: [played([1, 0, 0, 0], moments=[moment(1.0, 0, 0, 0)])] * 5}
    ).numbers
    assert [name for name in SAYS if name in numbers] == list(numbers)
    assert set(SAYS) - set(numbers) == {"luck-deal", "luck-seat", "luck-player", "opponents"}


def test_games_of_which_none_ended_leave_their_number_alone():
    """No measure is made up of nothing."""
    numbers = figures(FOUR, {Table.RANDOM: [played([0, 0, 0, 0], void="no end")] * 3}).numbers
    assert numbers["void"].mean == 1
    assert numbers["length"].mean is None
