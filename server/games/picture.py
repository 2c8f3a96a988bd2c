"""Picture: a table as it is drawn: which cards lie where, whose they are, and what is said beside each seat."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Role(StrEnum):
    """How the cards of a place lie."""

    HAND = "hand"
    ROW = "row"
    PILE = "pile"
    TRICK = "trick"
    SUPPLY = "supply"
    BADGE = "badge"
    """Written beside the seat in small: cards given away, for one."""


class Place(NamedTuple):
    """Cards that lie together: those that are seen, first to last, and how many more lie there face down."""

    name: str
    owner: int | None
    """The seat; None: the table."""
    role: Role
    cards: tuple[str, ...] = ()
    hidden: int = 0
    counts: tuple[int, ...] = ()
    """Of a trick, whose each card is; of a supply, how many there are of each."""
    winner: int | None = None
    """Of a finished trick, whose it is."""


class Picture(NamedTuple):
    """A table: its places, what is said beside each seat, and what is said of all."""

    places: tuple[Place, ...]
    beside: tuple[tuple[str, ...], ...]
    facts: tuple[str, ...] = ()


class Face(NamedTuple):
    """What is printed on a card of a game's own."""

    kind: str
    cost: int | None
    text: str
