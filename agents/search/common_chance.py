"""CommonChance: the luck of one world, the same for every play that is tried in it, however the game goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from random import Random


class CommonChance:
    """A deal in which each copy of a card draws its place in a shuffle once.

    A shuffle with one card more leaves the other cards in the same order. So plays are compared under the same luck.
    """

    def __init__(self, rng: Random) -> None:
        self._random = rng.random
        self._drawn: dict[Hashable, dict[str, list[float]]] = {}
        self._numbers: dict[Hashable, float] = {}

    def shuffle(self, label: Hashable, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the cards ordered by the places that their copies drew under this label."""
        drawn = self._drawn.setdefault(label, {})
        places = []
        for card in sorted(set(cards)):
            draws, number = drawn.setdefault(card, []), cards.count(card)
            while len(draws) < number:
                draws.append(self._random())
            places += [(place, card) for place in draws[:number]]
        places.sort()
        return tuple([card for _, card in places])

    def draw(self, label: Hashable, bound: int) -> int:
        """Return a number from 0 below ``bound``; under the same label it is always the same fraction of its bound."""
        if label not in self._numbers:
            self._numbers[label] = self._random()
        return int(self._numbers[label] * bound)
