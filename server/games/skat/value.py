"""What a game of Skat is worth: matadors, levels, base values, overbids (rules of the ISkO, 2.4 and 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol.skat import BASE, NULL_VALUES, matadors

if TYPE_CHECKING:
    from collections.abc import Collection

    from croupier.server.games.skat.contract import Contract


class Settled(NamedTuple):
    """How a hand ended for the declarer: the signed value, and what it is made of."""

    value: int
    points: int
    tricks: int
    matadors: int = 0
    overbid: bool = False

    @property
    def won(self) -> bool:
        """Whether the declarer won."""
        return self.value > 0


def levels(contract: Contract, points: int, tricks: int, run: int) -> int:
    """Count the levels: matadors, game, each word, and schneider and schwarz if made on either side or announced."""
    schwarz = tricks in {0, 10} or "schwarz" in contract.words
    schneider = schwarz or points >= 90 or points <= 30 or "schneider" in contract.words
    return abs(run) + 1 + len(contract.words) + schneider + schwarz


def settle(contract: Contract, bid: int, points: int, tricks: int, run: int) -> Settled:
    """Value a suit game or a Grand at its end, ``run`` the matadors.

    A loss counts twice; an overbid, which is lost too, counts the next multiple of the base value that holds the bid.
    """
    base = contract.base
    value = base * levels(contract, points, tricks, run)
    if value < bid:
        return Settled(-2 * base * _multiple(base, bid), points, tricks, run, overbid=True)
    won = points >= 61 and _kept(contract, points, tricks)
    return Settled(value if won else -2 * value, points, tricks, run)


def _kept(contract: Contract, points: int, tricks: int) -> bool:
    """Whether every announced level was reached."""
    return (points >= 90 or "schneider" not in contract.words) and (tricks == 10 or "schwarz" not in contract.words)


def _multiple(base: int, bid: int) -> int:
    return -(-bid // base)


def settle_null(contract: Contract, bid: int, points: int, tricks: int) -> Settled:
    """Value a Null: won without a trick."""
    value = NULL_VALUES[contract.words]
    return Settled(value if tricks == 0 and value >= bid else -2 * value, points, tricks, overbid=value < bid)


def settle_impossible_null(contract: Contract, bid: int, cards: Collection[str]) -> Settled:
    """Charge a Null announced below the bid as the cheapest suit game or Grand that holds it (ISkO 3.6.2).

    Of the announcement only the hand carries over.
    """
    hand = "hand" in contract.words
    charged = min(
        base * max(abs(matadors(game, cards)) + 1 + hand, _multiple(base, bid)) for game, base in BASE.items()
    )
    return Settled(-2 * charged, 0, 0, overbid=True)
