"""The winner of a game of Doppelkopf, and its value."""

from __future__ import annotations

from itertools import product

import pytest

from croupier.server.games.doppelkopf.announcements import KONTRA, RE, STEPS
from croupier.server.games.doppelkopf.scoring import reaches, result, shares, special

NOTHING, CALL, NO90, NO60, NO30, BLACK = range(6)
SIDES = [RE, RE, KONTRA, KONTRA]
DULL = ("c9", "s9", "h9", "d9")


@pytest.mark.parametrize(
    ("points", "steps", "tricks", "winner", "value"),
    [
        ((190, 50), (NOTHING, NOTHING), (6, 6), RE, 3),
        ((28, 212), (NOTHING, NOTHING), (6, 6), KONTRA, -4),
        ((240, 0), (NOTHING, NOTHING), (12, 0), RE, 5),
        ((130, 110), (CALL, NOTHING), (6, 6), RE, 3),
        ((222, 18), (CALL, NOTHING), (6, 6), RE, 6),
        ((80, 160), (NOTHING, CALL), (6, 6), KONTRA, -4),
        ((120, 120), (NOTHING, CALL), (6, 6), RE, 3),
        ((120, 120), (CALL, CALL), (6, 6), KONTRA, -5),
        ((151, 89), (CALL, CALL), (6, 6), RE, 6),
        ((160, 80), (NO90, NOTHING), (6, 6), RE, 5),
        ((195, 45), (NO90, NOTHING), (6, 6), RE, 6),
        ((240, 0), (NO90, NOTHING), (12, 0), RE, 8),
        ((80, 160), (CALL, NO90), (6, 6), KONTRA, -7),
        ((125, 115), (NOTHING, NO60), (6, 6), RE, 7),
        ((100, 140), (NO60, NO60), (6, 6), None, -1),
    ],
)
def test_worked_examples(points, steps, tricks, winner, value):
    """The value counts the win, the limits, the calls, the denials, and what was reached against denials."""
    assert result(points, tricks, steps) == (winner, value)


@pytest.mark.parametrize(
    ("steps", "side", "least"),
    [
        ((NOTHING, NOTHING), RE, 121),
        ((NOTHING, NOTHING), KONTRA, 120),
        ((CALL, NOTHING), RE, 121),
        ((CALL, NOTHING), KONTRA, 120),
        ((CALL, CALL), RE, 121),
        ((CALL, CALL), KONTRA, 120),
        ((NOTHING, CALL), RE, 120),
        ((NOTHING, CALL), KONTRA, 121),
        ((NO90, NOTHING), RE, 151),
        ((NO60, NOTHING), RE, 181),
        ((NO30, NOTHING), RE, 211),
        ((NO90, NOTHING), KONTRA, 90),
        ((NO60, CALL), KONTRA, 60),
        ((NO30, CALL), KONTRA, 30),
        ((NOTHING, NO90), KONTRA, 151),
        ((CALL, NO60), KONTRA, 181),
        ((CALL, NO30), KONTRA, 211),
        ((NOTHING, NO90), RE, 90),
        ((NOTHING, NO60), RE, 60),
        ((NOTHING, NO30), RE, 30),
        ((NO90, NO60), RE, 151),
        ((NO90, NO60), KONTRA, 181),
    ],
)
def test_a_side_wins_from_so_many_points(steps, side, least):
    """One point less does not win; a side with a denial of its own is judged by that alone."""

    def with_points(points):
        return (points, 240 - points) if side == RE else (240 - points, points)

    assert reaches(side, with_points(least), (6, 6), steps)
    assert not reaches(side, with_points(least - 1), (6, 6), steps)


def test_black_needs_every_trick_and_one_trick_beats_it():
    """A trick without points is a trick."""
    assert result((240, 0), (12, 0), (BLACK, NOTHING)).winner == RE
    assert result((240, 0), (11, 1), (BLACK, NOTHING)).winner == KONTRA
    assert result((240, 0), (11, 1), (BLACK, NO90)).winner is None


def test_reaching_limits_against_denials_adds_up():
    """A side that makes 120, 90, 60 and 30 against black gets one for each."""
    assert result((110, 130), (6, 6), (BLACK, NOTHING)) == (KONTRA, -(1 + 2 + 4 + 4))
    assert result((205, 35), (6, 6), (BLACK, NOTHING)) == (KONTRA, -(1 + 2 + 4 + 1))


def test_two_never_win_and_somebody_wins_unless_both_denied():
    """Over all points and announcements there is at most one winner, and one at least where a side denied nothing."""
    for steps in product(range(6), repeat=2):
        for points in range(241):
            tricks = (0, 12) if points == 0 else (12, 0) if points == 240 else (6, 6)
            wins = [reaches(side, (points, 240 - points), tricks, steps) for side in (RE, KONTRA)]
            assert wins.count(True) <= 1
            assert any(wins) or min(steps) >= NO90


def test_without_a_winner_limits_and_denials_still_count():
    """Nobody gets the game, the calls or the steps; a side gets what the other stayed under, and what it reached."""
    assert result((170, 70), (6, 6), (NO60, NO60)) == (None, 1 + 2)


def test_special_points_of_an_ordinary_game():
    """Kontra's win, a trick of forty, a fox caught and Charlie's last trick count one each for who made them."""
    fat = ("cA", "cA", "cT", "cT")
    fox = ("dA", "d9", "dT", "cQ")
    charlie = ("cJ", "d9", "d9", "h9")
    assert special([(0, DULL, 0)], SIDES, RE, None) == 0
    assert special([(0, DULL, 0)], SIDES, KONTRA, None) == -1
    assert special([(0, fat, 0), (0, DULL, 0)], SIDES, RE, None) == 1
    assert special([(1, fat, 2), (0, DULL, 0)], SIDES, RE, None) == -1
    assert special([(0, fox, 3), (0, DULL, 0)], SIDES, RE, None) == -1
    assert special([(0, DULL, 0), (0, charlie, 0)], SIDES, RE, None) == 1
    assert special([(2, charlie, 2), (0, DULL, 0)], SIDES, RE, None) == 0
    assert special([(0, DULL, 0), (2, charlie, 2)], SIDES, RE, None) == -1


def test_a_fox_is_caught_only_by_the_other_side():
    """A partner's fox is worth nothing more, the own fox neither, two foxes of the other side two."""
    assert special([(0, ("dA", "cQ", "d9", "d9"), 1), (0, DULL, 0)], SIDES, RE, None) == 0
    assert special([(2, ("dA", "dA", "cQ", "d9"), 0), (0, DULL, 0)], SIDES, RE, None) == 2
    assert special([(3, ("dA", "cQ", "dA", "d9"), 0), (0, DULL, 0)], SIDES, RE, None) == 1


def test_schweinchen_cannot_be_caught():
    """The foxes of the player who announced Schweinchen are no foxes."""
    fox = ("dA", "d9", "dT", "cQ")
    assert special([(0, fox, 3), (0, DULL, 0)], SIDES, RE, 0) == 0


def test_one_alone_gets_or_pays_three_times():
    """Scores are zero-sum: three opponents pay the soloist, partners share alike."""
    assert shares(4, [KONTRA, RE, KONTRA, KONTRA]) == (-4, 12, -4, -4)
    assert shares(-4, [RE, KONTRA, KONTRA, KONTRA]) == (-12, 4, 4, 4)
    assert shares(3, SIDES) == (3, 3, -3, -3)


def test_the_penalty_is_worse_than_any_hand():
    """A solo lost black against black is the most that one hand can cost."""
    worst = min(
        3 * result(points, tricks, steps).value
        for steps in product(STEPS.values(), repeat=2)
        for points, tricks in [((0, 240), (0, 12)), ((1, 239), (1, 11)), ((29, 211), (1, 11))]
    )
    assert worst == -63
