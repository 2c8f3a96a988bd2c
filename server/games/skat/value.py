"""The value of a game of Skat, and its score on the list.

A game's value depends on matadors, levels, base values and overbids (rules of the ISkO, 2.4 and 5). A hand scores the
declarer's value on the list, the league's bonus, or the points of a Ramsch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol.skat import BASE, NULL_VALUES, matadors

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from croupier.server.games.skat.contract import SkatContract

GAME_BONUS = 50
DEFENSE_BONUS = {3: 40, 4: 30}
"""The bonus of each opponent for a game that the declarer lost, by the number of players at the table."""


class HandResult(NamedTuple):
    """The result of a hand for the declarer: the signed value, and its parts."""

    value: int
    points: int
    tricks: int
    matadors: int = 0
    overbid: bool = False

    @property
    def won(self) -> bool:
        """Return whether the declarer won."""
        return self.value > 0


def levels(contract: SkatContract, points: int, tricks: int, run: int) -> int:
    """Count the levels: matadors, game, each word, and schneider and schwarz if made on either side or announced."""
    schwarz = tricks in {0, 10} or "schwarz" in contract.words
    schneider = schwarz or points >= 90 or points <= 30 or "schneider" in contract.words
    return abs(run) + 1 + len(contract.words) + schneider + schwarz


def settle(contract: SkatContract, bid: int, points: int, tricks: int, run: int) -> HandResult:
    """Return the value of a finished suit game or Grand; ``run`` is the number of matadors.

    A loss counts twice; an overbid, which is lost too, counts the next multiple of the base value that reaches the bid.
    """
    base = contract.base
    value = base * levels(contract, points, tricks, run)
    if value < bid:
        return HandResult(-2 * base * _multiple(base, bid), points, tricks, run, overbid=True)
    won = points >= 61 and _reaches_announced(contract, points, tricks)
    return HandResult(value if won else -2 * value, points, tricks, run)


def _reaches_announced(contract: SkatContract, points: int, tricks: int) -> bool:
    """Return whether every announced level was reached."""
    return (points >= 90 or "schneider" not in contract.words) and (tricks == 10 or "schwarz" not in contract.words)


def _multiple(base: int, bid: int) -> int:
    return -(-bid // base)


def settle_null(contract: SkatContract, bid: int, points: int, tricks: int) -> HandResult:
    """Return the value of a Null, which is won without a trick."""
    value = NULL_VALUES[contract.words]
    return HandResult(value if tricks == 0 and value >= bid else -2 * value, points, tricks, overbid=value < bid)


def settle_impossible_null(contract: SkatContract, bid: int, cards: Collection[str]) -> HandResult:
    """Charge a Null announced below the bid as the cheapest suit game or Grand that reaches it (ISkO 3.6.2).

    Of the announcement only the word hand counts.
    """
    hand = "hand" in contract.words
    charged = min(
        base * max(abs(matadors(game, cards)) + 1 + hand, _multiple(base, bid)) for game, base in BASE.items()
    )
    return HandResult(-2 * charged, 0, 0, overbid=True)


# The list


def classic(players: int, declarer: int, value: int) -> list[int]:
    """Score the signed value of the game for the declarer."""
    line = [0] * players
    line[declarer] = value
    return line


def seeger_fabian(players: int, declarer: int, value: int) -> list[int]:
    """Score the value and fifty for or against the declarer; a lost game pays all others, with a sitting dealer."""
    line = [0 if value > 0 else DEFENSE_BONUS[players]] * players
    line[declarer] = value + (GAME_BONUS if value > 0 else -GAME_BONUS)
    return line


SCORING = {"classic": classic, "seeger-fabian": seeger_fabian}


def ramsch(players: int, taken: Mapping[int, tuple[int, int]]) -> list[int]:
    """Charge those with the most card points; twice if somebody took no trick; all ten tricks win 120 instead.

    ``taken`` has the card points and the number of tricks of each of the three.
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
