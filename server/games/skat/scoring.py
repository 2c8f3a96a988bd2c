"""What a hand of Skat writes on the list: the declarer's value, the league's bonus, the points of a Ramsch."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

GAME_BONUS = 50
DEFENSE_BONUS = {3: 40, 4: 30}
"""What each of the others gets for a game that the declarer lost, by the players at the table."""


def classic(players: int, declarer: int, value: int) -> list[int]:
    """Write the signed value of the game for the declarer."""
    line = [0] * players
    line[declarer] = value
    return line


def seeger_fabian(players: int, declarer: int, value: int) -> list[int]:
    """Write the value and fifty for or against the declarer; a lost game pays all others, a dealer sitting out too."""
    line = [0 if value > 0 else DEFENSE_BONUS[players]] * players
    line[declarer] = value + (GAME_BONUS if value > 0 else -GAME_BONUS)
    return line


SCORING = {"classic": classic, "seeger-fabian": seeger_fabian}


def ramsch(players: int, taken: Mapping[int, tuple[int, int]]) -> list[int]:
    """Charge those with the most card points; twice if somebody took no trick; all ten tricks win 120 instead.

    ``taken`` has the card points and the tricks of each of the three.
    """
    line = [0] * players
    most = max(points for points, _ in taken.values())
    factor = 2 if any(tricks == 0 for _, tricks in taken.values()) else 1
    for seat, (points, tricks) in taken.items():
        if tricks == 10:
            line[seat] = 120
        elif points == most:
            line[seat] = -most * factor
    return line
