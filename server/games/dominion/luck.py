"""Luck: the value of a shuffle's order to its player, relative to the mean of all orders.

The cards come in hands of five. A hand has a value for each price that its coins reach, by a table that was fitted once
to games between the bundled bots. Its expected value is the mean over all hands that the same cards could give. So the
luck of a shuffle has mean 0 over all orders, for any players, any way of playing and any table.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from math import comb
from operator import add, mul
from struct import unpack
from typing import TYPE_CHECKING

from croupier.protocol.dominion import HAND, PILES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from croupier.server.games.game import Label

    Coming = tuple[slice, Sequence[float], float]

COINS = dict.fromkeys(PILES, 0) | (
    {"copper": 1, "silver": 2, "gold": 3, "mine": 1, "cellar": 1, "market": 2, "smithy": 3}
    | {"village": 1, "woodcutter": 2, "workshop": 1, "militia": 2, "moat": 2}
)  # fmt: skip
"""The coins that a card brings to a hand, for actions by rule of thumb; all other cards bring none."""
MOST = max(COINS.values())
PRICES = (3, 5, 6, 8)
_NOTHING = (0.0, 0.0, 0.0, 0.0)
WORTH = (
    ((0.55, -0.55, 0.0, 0.0), _NOTHING),
    ((1.5, 0.25, 1.6, 0.3), _NOTHING),
    ((0.5, 0.0, 1.0, 0.0), _NOTHING),
    ((0.3, 0.4, 1.4, 0.0), (0.0, 0.3, 0.4, 0.3)),
    ((1.2, 0.7, 0.2, 1.2), (0.2, 1.2, 0.0, 1.0)),
    ((1.2, 0.7, 0.2, 1.2), (0.2, 1.2, 0.0, 1.0)),
    ((0.1, 1.0, 0.0, 1.0), (0.0, 0.0, 0.3, 0.5)),
)
"""Victory points for each price that a hand reaches. A row per reshuffle, from none; the last is for all that follow.

In a row, first the values for the next two hands, then for later ones.
"""
_LATE = len(WORTH) - 1
SOON = 2
_PLACE = 8
"""Bytes for a number of ways: five of thousands of cards can be drawn in fewer than 2 to the 64 ways."""
_DEAREST_FIRST = range(MOST, -1, -1)
_coins = COINS.__getitem__


def _total(gains: Iterable[float]) -> float:
    """Add from left to right.

    Since Python 3.12 sum() rounds differently, but luck must be reproducible to the last bit.
    """
    return reduce(add, gains, 0)


def _by_coins(value: Sequence[float]) -> list[float]:
    """List the value of a hand by its coins, from none."""
    reached = range(HAND * MOST + 1)
    return [_total(gain for price, gain in zip(PRICES, value, strict=True) if coins >= price) for coins in reached]


_WORTH = tuple([(_by_coins(soon), _by_coins(later)) for soon, later in WORTH])


def luck(label: Label, order: Sequence[str], held: Sequence[str], seats: int) -> list[float]:
    """Return by how many points an order favors each seat: half of it is the player's gain, half the others' loss.

    ``held`` is the beginning of the hand that is being drawn, if any; the first cards of the order complete it.
    """
    found = gain(label.number or 0, order, held)
    shares = [-found / (2 * (seats - 1))] * seats
    if label.seat is not None:
        shares[label.seat] = found / 2
    return shares


def gain(reshuffles: int, order: Sequence[str], held: Sequence[str]) -> float:
    """Return how many points an order is better for its player than the mean of all orders of these cards."""
    coins = list(map(_coins, order))
    begun = sum(map(_coins, held))
    coming = _coming(min(reshuffles, _LATE), tuple(sorted(coins)), len(held), begun)
    found = 0.0
    for hand, worth, expected in coming:
        found += worth[sum(coins[hand])] - expected
    return found


@lru_cache(4096)
def _coming(reshuffles: int, coins: tuple[int, ...], held: int, begun: int) -> Sequence[Coming]:
    """List the hands that the sorted ``coins`` of a shuffle fill after the held cards, as far as they go.

    For each hand: its slice of the order, its value by the coins that come there, and its expected value. All hands
    after the next few have the same values.

    Cached, because the same decks are shuffled in all games of a deal.
    """
    soon, later = _WORTH[reshuffles]
    hands: list[Coming] = []
    numbers = tuple(map(coins.count, _DEAREST_FIRST))
    start, drawn, worth, expected = 0, HAND - held, soon[begun:], 0.0
    while drawn > 0 and start + drawn <= len(coins):
        if len(hands) <= SOON:
            expected = _total(map(mul, _ways(numbers, drawn), worth)) / comb(len(coins), drawn)
        hands.append((slice(start, start + drawn), worth, expected))
        start, drawn, worth = start + drawn, HAND, soon if len(hands) < SOON else later
    return hands


# cached because the same decks recur: hands of one shuffle, and shuffles of one deal
@lru_cache(4096)
def _ways(numbers: tuple[int, ...], drawn: int) -> Sequence[int]:
    """Count the ways to draw ``drawn`` of these cards, by their coins from 0."""
    return unpack(f"<{HAND * MOST + 1}Q", _power(numbers, drawn).to_bytes(_PLACE * (HAND * MOST + 1), "little"))


@lru_cache(4096)
def _powers(numbers: tuple[int, ...]) -> Sequence[int]:
    """Count the ways to draw none of these cards, one, and so on up to a hand. Cached for `_power`."""
    return [_power(numbers, drawn) for drawn in range(HAND + 1)]


def _power(numbers: tuple[int, ...], drawn: int) -> int:
    """Count the ways to draw ``drawn`` of these cards, most expensive first: `_PLACE` bytes per number of coins.

    It is the coefficient of x to the power ``drawn`` in the product of (1 + x y^each)^number over all coins that a card
    brings. It is written as an integer with `_PLACE` bytes per power of y. The factors of more expensive cards are
    cached.
    """
    if not numbers:
        return int(not drawn)
    dearer = numbers[:-1]
    few = _few(MOST - len(dearer), numbers[-1])
    return sum(map(mul, few, _powers(dearer)[drawn::-1]))


# cached for `_power`, which asks for the same small numbers again and again
@lru_cache(4096)
def _few(each: int, number: int) -> Sequence[int]:
    """Count the ways to draw none, one and so on up to a hand of ``number`` cards with ``each`` coins."""
    return [comb(number, taken) << 8 * _PLACE * each * taken for taken in range(min(number, HAND) + 1)]
