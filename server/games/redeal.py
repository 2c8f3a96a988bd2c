"""Redeal: deals hidden cards again at random, consistently with what a seat knows."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence
    from random import Random

    Homes = tuple[int, ...]
    """The indices of the piles in which a kind of cards may be."""
    Numbers = tuple[tuple[Homes, int], ...]
    """The number of cards of each kind."""
    Room = tuple[int, ...]


class Pile(NamedTuple):
    """A hidden pile: how many of its cards are unknown, and which cards may be among them."""

    size: int
    may: Container[str]


class ImpossibleError(ValueError):
    """No deal of the cards fits all piles."""


class Redeal:
    """The deals of some cards that fit hidden piles."""

    def __init__(self, cards: Sequence[str], piles: Sequence[Pile]) -> None:
        """Count them; raise ImpossibleError if there is none."""
        self._room = tuple([pile.size for pile in piles])
        if len(cards) != sum(self._room):
            raise ImpossibleError(f"{len(cards)} cards do not fill {sum(self._room)} places")
        self._kinds = _kinds(cards, piles)
        self._numbers = tuple([(homes, len(members)) for homes, members in self._kinds])
        if not _ways(self._numbers, self._room):
            raise ImpossibleError("no deal gives every pile what it may have")

    def deal(self, rng: Random) -> list[list[str]]:
        """Deal the cards to the piles at random; each deal that obeys the piles' limits is equally likely."""
        room = self._room
        piles: list[list[str]] = [[] for _ in room]
        for place, (homes, members) in enumerate(self._kinds):
            shuffled = members[:]
            rng.shuffle(shuffled)
            chosen = _draw(homes, self._numbers[place:], room, rng)
            for pile, number in enumerate(chosen):
                piles[pile] += [shuffled.pop() for _ in range(number)]
            room = _less(room, chosen)
        return piles


def _kinds(cards: Sequence[str], piles: Sequence[Pile]) -> list[tuple[Homes, list[str]]]:
    """Group the cards by the piles with room in which they may be, the most restricted first."""
    kinds: dict[Homes, list[str]] = {}
    for card in cards:
        homes = tuple([place for place, pile in enumerate(piles) if pile.size and card in pile.may])
        kinds.setdefault(homes, []).append(card)
    return sorted(kinds.items(), key=lambda kind: (len(kind[0]), kind[0]))


def _draw(homes: Homes, numbers: Numbers, room: Room, rng: Random) -> Room:
    """Draw how many cards of the first kind go to each pile, weighted by the number of deals that begin so."""
    if len(numbers) == 1:
        return room
    left = rng.randrange(_ways(numbers, room))
    for split in _splits(homes, numbers[0][1], room):
        left -= _orders(split) * _ways(numbers[1:], _less(room, split))
        if left < 0:
            return split
    raise ImpossibleError("fewer deals than were counted")


@lru_cache(maxsize=1 << 16)
def _ways(numbers: Numbers, room: Room) -> int:
    """Count the deals of cards of each kind to piles with this much room.

    Cached, because the recursion and later draws ask for the same counts.
    """
    if not numbers:
        return 1
    (homes, number), rest = numbers[0], numbers[1:]
    if not rest and any(size for place, size in enumerate(room) if place not in homes):
        return 0
    splits = [room] if not rest else _splits(homes, number, room)
    return sum(_orders(split) * _ways(rest, _less(room, split)) for split in splits)


def _splits(homes: Homes, number: int, room: Room) -> Iterator[Room]:
    """List the ways to divide ``number`` cards among their piles, as far as there is room."""
    if not homes:
        if not number:
            yield (0,) * len(room)
        return
    place, others = homes[0], homes[1:]
    if len(others) == 0:
        if number <= room[place]:
            yield tuple([number if other == place else 0 for other in range(len(room))])
        return
    for here in range(min(number, room[place]) + 1):
        for split in _splits(others, number - here, room):
            yield (*split[:place], here, *split[place + 1 :])


def _orders(split: Room) -> int:
    """Count the ways to assign single cards to piles of these sizes."""
    ways, left = 1, sum(split)
    for number in split:
        ways *= comb(left, number)
        left -= number
    return ways


def _less(room: Room, split: Room) -> Room:
    return tuple([size - number for size, number in zip(room, split, strict=True)])
