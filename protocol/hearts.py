"""Facts about Hearts that rules and agents share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

NOBODY, DIVIDED = -1, 4
"""Instead of the only seat with points: none has any; several have."""


class OpenHearts(NamedTuple):
    """A hand of Hearts from some card on. Lists are by seat, and a card's number is its place in `PACK_52`."""

    hands: Sequence[int]
    taken: Sequence[int]
    """The points of each seat so far."""
    trick: Sequence[int]
    """The cards of the unfinished trick."""
    leader: int
    """The seat that led it, or is to lead."""
    sweeper: int
    """The only seat with points: `NOBODY` if none has any, `DIVIDED` if several have."""
    broken: bool
    opening: bool
    """Whether this is the first trick."""
    bars: bool
    """Whether hearts must be broken before they are led."""
    queen_breaks: bool
    """Whether the queen of spades breaks them too."""
    safe: bool
    """Whether points are barred from the first trick."""
    two_leads: bool
    """Whether the two of clubs leads to it."""
    jack_taker: int
    """The seat that has taken the jack of diamonds, `NOBODY` if none has."""
