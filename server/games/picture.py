"""Picture: a table to be drawn: which cards are where, whose they are, and the notes beside each seat."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Role(StrEnum):
    """How the cards of a place are laid out."""

    HAND = "hand"
    ROW = "row"
    PILE = "pile"
    TRICK = "trick"
    SUPPLY = "supply"
    BADGE = "badge"
    """Written small beside the seat, such as cards given away."""


class Place(NamedTuple):
    """Cards in one place: the visible ones, first to last, and how many more are face down."""

    name: str
    owner: int | None
    """The seat; None for the table."""
    role: Role
    cards: tuple[str, ...] = ()
    hidden: int = 0
    counts: tuple[int, ...] = ()
    """The owner of each card of a trick; the number of each card of a supply."""
    winner: int | None = None
    """The winner of a finished trick."""


class Picture(NamedTuple):
    """A table: its places, the notes beside each seat, and the notes about all."""

    places: tuple[Place, ...]
    beside: tuple[tuple[str, ...], ...]
    facts: tuple[str, ...] = ()


class Face(NamedTuple):
    """The print on a card of a game's own."""

    kind: str
    cost: int | None
    text: str
