"""Fate: the luck of one world, the same for every play that is tried in it, however differently it goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from random import Random


class CommonChance:
    """A deal in which each copy of a card draws its place in a shuffle once.

    Who shuffles one card more finds the others in the same order.
    """

    def __init__(self, rng: Random) -> None:
        self._random = rng.random
        self._drawn: dict[Hashable, dict[str, list[float]]] = {}
        self._numbers: dict[Hashable, float] = {}

    def shuffle(self, label: Hashable, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the cards in the order of what their copies drew under this label."""
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
        """Return a number below the bound, in the same proportion to it under the same label."""
        if label not in self._numbers:
            self._numbers[label] = self._random()
        return int(self._numbers[label] * bound)
