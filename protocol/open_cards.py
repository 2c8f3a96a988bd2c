"""Open cards: the rest of a hand of tricks in numbers, as the rules state it and the exact solver reads it.

Each copy of a card has a number, and a set of cards is an integer with one bit per card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NumberedCards:
    """What a contract says of its cards; lists are by number. In each suit the weaker cards come first.

    There is one object per contract, and the solver keeps its own form of it.
    """

    faces: Sequence[str]
    suits: Sequence[int]
    """The cards that follow a card that is led."""
    duties: Sequence[int]
    """Those of them of which a player must have one to be bound to follow."""
    overs: Sequence[int]
    """The cards that may be played beside them if they beat all cards of their kind in the trick."""
    higher: Sequence[int]
    """The cards that beat a card in that way."""
    free: int
    """A hand of nothing else may play any card; 0 without such a rule."""
    above: Sequence[int]
    """The cards that would take the trick that a card leads."""
    kinds: Sequence[int]
    """Two cards with the same kind differ only in strength."""
    values: Sequence[int]
    """What a card adds to the gain of a trick's winner."""
    takes: Sequence[Sequence[int]]
    """By card led and card, the strength with which a card takes a trick."""
    holds: Sequence[Sequence[int]]
    """By card led and card, the strength with which it holds the trick against later cards."""
    trick_gain: int
    """What the winner of any trick gains besides."""
    last_gain: int
    """What the winner of the last trick gains besides."""
    barred: int
    """The cards that may not be led before they are broken, if the hand has others."""
    breakers: int
    """The cards that break them."""
    counted: int
    """The cards of which a player who takes all has swept."""
    foxes: int
    """The cards that bring a special point if the other camp takes them."""
    charlies: int
    """The cards that bring a special point if they take the last trick."""
    large: int
    """The gain with which a trick brings a special point; 0 in games without special points."""


class OpenCards(NamedTuple):
    """A hand from some card on. Lists are by player, clockwise among those who play.

    Two camps play for the sum of what the first gains, or for the ``worths`` of that sum. Without camps, each plays for
    the lead of its own gains over those of the others.
    """

    cards: NumberedCards
    hands: Sequence[int]
    turn: int
    trick: Sequence[int]
    """The cards of the unfinished trick."""
    camps: Sequence[bool] | None
    """Which players are in the first camp."""
    bounds: tuple[int, int] | None = None
    """The least and the greatest value that are to be told apart; None for all that can be gained."""
    gained: int = 0
    """What the first camp has gained, where there are ``worths``."""
    worths: Sequence[int] = ()
    """The worth of each sum to the first camp; empty if it is the sum itself. Each special point adds one."""
    broken: bool = False
    low_wins: bool = False
    sweeper: int | None = None
    """The only player who has taken counted cards, None if there is none."""
    divided: bool = False
    """Whether several players have taken counted cards."""
    sweeps: Sequence[Sequence[int]] = ()
    """What is added to each player's gains in the end if this one has swept."""
