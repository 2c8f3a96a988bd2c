"""The formulas over leads, by games that can be counted by hand."""

from math import sqrt

import pytest
from analyses import moment, played

from croupier.server.analysis.basics import leads_course, stretch
from croupier.server.analysis.measures import changes, danger_line, decisiveness, drama, security


def test_danger_begins_halfway_to_the_second_place():
    """With two players at a half, with three at three quarters, with four at five sixths."""
    assert [danger_line(2), danger_line(3), danger_line(4)] == pytest.approx([1 / 2, 3 / 4, 5 / 6])


def test_drama_is_the_mean_root_of_what_the_winner_lacked():
    """Of two players the winner stood at .25, .5 and .9: in danger twice, by a quarter and on the very line."""
    game = played([5, 3], moments=[moment(0.25, 0.75), moment(0.5, 0.5), moment(0.9, 0.1)])
    assert drama(game) == pytest.approx((sqrt(0.25) + 0) / 2, abs=1e-4)
    assert security(game) == 1 / 3


def test_a_winner_who_was_never_in_danger_had_no_drama():
    """No drama, and safe all the time: on the line of four players, which no float is, he is not."""
    assert (
        security(played([5, 3, 2, 1], moments=[moment(1 - 5 / 10 / 3, 0, 0, 0), moment(1 - 0.4 / 3, 0, 0, 0)])) == 1 / 2
    )
    game = played([5, 3], moments=[moment(0.75, 0.25), moment(1.0, 0.0)])
    assert (drama(game), security(game)) == (0, 1)


def test_several_winners_are_averaged():
    """One was in danger at one of two moments, by .25, the other at both, by .25 and .09."""
    game = played([5, 5], moments=[moment(0.25, 0.41), moment(0.6, 0.25)])
    assert drama(game) == pytest.approx((0.5 + (0.3 + 0.5) / 2) / 2)
    assert security(game) == pytest.approx((0.5 + 0) / 2)


def test_a_game_is_decided_at_the_winners_first_choice_above_four_fifths():
    """At the second of his four; the others' choices and his leads at them do not count."""
    own = [moment(0.5, 0.5), moment(0.81, 0.1), moment(0.3, 0.7), moment(0.9, 0.1)]
    game = played([5, 3], moments=[own[0], moment(1.0, 0.0, seat=1), *own[1:]])
    assert decisiveness(game) == 2 / 4


def test_a_game_that_is_never_decided_is_decided_by_its_last_choice():
    """Four fifths are not enough; who never chose tells nothing."""
    assert decisiveness(played([5, 3], moments=[moment(0.8, 0.2), moment(0.8, 0.2)])) == 1
    assert decisiveness(played([5, 3], moments=[moment(0.8, 0.2, seat=1)])) is None


def test_the_lead_changes_when_another_seat_is_clearly_above():
    """Averaged over two choices of two players: .6, .5, .4 and .8 of the first seat's change the lead twice."""
    first = [0.6, 0.6, 0.4, 0.4, 0.6, 1.0]
    game = played([5, 3], moments=[moment(lead, 1 - lead) for lead in first])
    assert changes(game) == 2
    assert changes(played([5, 3], moments=game.moments[:3])) == 0


def test_leads_that_differ_by_little_are_nobodys():
    """What a few worlds make of an even game goes up and down by chance alone."""
    assert changes(played([5, 3], moments=[moment(0.52, 0.48), moment(0.46, 0.54)] * 5)) == 0
    assert changes(played([5, 3], moments=[])) == 0


def test_a_line_is_stretched_straight_between_its_values():
    """A line of one value, of as many as are wanted, and of fewer."""
    assert stretch([3], 3) == [3, 3, 3]
    assert stretch([0, 1], 5) == [0, 0.25, 0.5, 0.75, 1]
    assert stretch([4, 0, 2], 3) == [4, 0, 2]


def test_the_trend_follows_the_final_place():
    """The winner is on the first line, whatever its seat."""
    won, lost = [moment(0.5, 0.5), moment(1.0, 0.0)], [moment(0.5, 0.5), moment(0.0, 1.0)]
    assert leads_course([played([5, 3], moments=won), played([3, 5], moments=lost)], 2) == [[0.5, 1.0], [0.5, 0.0]]
