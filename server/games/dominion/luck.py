"""Luck: what the order of a shuffle is worth to its player, beyond what its cards let expect.

The cards come in hands of five. A hand is worth something for each price that its coins reach, as a table says that was
fitted once to games between the bundled bots; what is expected of it is the mean over all hands that the same cards
could give. So the luck of a shuffle has mean 0 over all orders, whoever plays and however, and whatever the table says.
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
"""What a card brings to a hand, actions by rule of thumb; all others nothing."""
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
"""Victory points for each price that a hand reaches: of the first deck, after the first reshuffle, after the second and
so on, the last for all that follow; in the next two hands, and in those behind them."""
_LATE = len(WORTH) - 1
SOON = 2
_PLACE = 8
"""Bytes for a number of ways: five of thousands of cards can be drawn in fewer than 2 to the 64."""
_DEAREST_FIRST = range(MOST, -1, -1)
_coins = COINS.__getitem__


def _total(gains: Iterable[float]) -> float:
    """Add from left to right: since Python 3.12 sum() rounds otherwise, and luck is recomputed to the last bit."""
    return reduce(add, gains, 0)


def _by_coins(value: Sequence[float]) -> list[float]:
    """List what a hand is worth by the coins that it brings, from none on."""
    reached = range(HAND * MOST + 1)
    return [_total(gain for price, gain in zip(PRICES, value, strict=True) if coins >= price) for coins in reached]


_WORTH = tuple([(_by_coins(soon), _by_coins(later)) for soon, later in WORTH])


def luck(label: Label, order: Sequence[str], held: Sequence[str], seats: int) -> list[float]:
    """Return by how many points an order favours each seat: half of it is its player's, half is what the others lose.

    ``held`` is the beginning of the hand that is being drawn, if one is; the first of the order fill it up.
    """
    found = gain(label.number or 0, order, held)
    shares = [-found / (2 * (seats - 1))] * seats
    if label.seat is not None:
        shares[label.seat] = found / 2
    return shares


def gain(reshuffles: int, order: Sequence[str], held: Sequence[str]) -> float:
    """Return by how many points an order is better for its player than the mean of all orders of these cards."""
    coins = list(map(_coins, order))
    begun = sum(map(_coins, held))
    coming = _coming(min(reshuffles, _LATE), tuple(sorted(coins)), len(held), begun)
    found = 0.0
    for hand, worth, expected in coming:
        found += worth[sum(coins[hand])] - expected
    return found


@lru_cache(4096)
def _coming(reshuffles: int, coins: tuple[int, ...], held: int, begun: int) -> Sequence[Coming]:
    """List the hands that so many cards, sorted by their coins, fill behind those that are held, as far as they go.

    Of each hand: its place in the order, what it is worth by the coins that come there, and what is expected of it.
    Behind those that come soon each is worth as much as the others.
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


@lru_cache(4096)
def _ways(numbers: tuple[int, ...], drawn: int) -> Sequence[int]:
    """Count the ways to draw so many of these cards, by their coins from 0 on."""
    return unpack(f"<{HAND * MOST + 1}Q", _power(numbers, drawn).to_bytes(_PLACE * (HAND * MOST + 1), "little"))


@lru_cache(4096)
def _powers(numbers: tuple[int, ...]) -> Sequence[int]:
    """Count the ways to draw none of these cards, one, and so on up to a hand."""
    return [_power(numbers, drawn) for drawn in range(HAND + 1)]


def _power(numbers: tuple[int, ...], drawn: int) -> int:
    """Count the ways to draw so many of these cards, the dearest first: for each number of coins `_PLACE` bytes.

    It is the power ``drawn`` of x in the product of (1 + x y^each)^number over all coins that a card brings, as an
    integer, of y each `_PLACE` bytes a power. What the dearer cards have of it is kept.
    """
    if not numbers:
        return int(not drawn)
    dearer = numbers[:-1]
    few = _few(MOST - len(dearer), numbers[-1])
    return sum(map(mul, few, _powers(dearer)[drawn::-1]))


@lru_cache(4096)
def _few(each: int, number: int) -> Sequence[int]:
    """Count the ways to draw none, one and so on up to a hand of so many cards that bring so many coins each."""
    return [comb(number, taken) << 8 * _PLACE * each * taken for taken in range(min(number, HAND) + 1)]
