"""Orderings: who wins a trick, composed from small comparisons and compiled to a lookup.

An `Ordering` compares two things, the one played earlier first, and answers LESS, GREATER or UNDECIDED. Orderings
compose with ``|``: the first that decides counts. Composition is associative and `undecided` is its neutral element.
So a chain that ends undecided says that two cards are incomparable, like a club and a diamond when hearts were led::

    when(jacks, by(suit, SUITS_LOW_TO_HIGH)) | when(of(trump), by(rank, TEN_HIGH)) | when(of(led), by(rank, TEN_HIGH))

`compile_order` relies on two laws. Exchanging the two cards reverses the answer, except for equal cards where
`first_wins` or `second_wins` decides. GREATER is transitive, and so is UNDECIDED.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cmp_to_key
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from croupier.protocol.cards import RANKS as ACE_HIGH
from croupier.protocol.cards import TEN_HIGH, rank, suit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

T = TypeVar("T")
S = TypeVar("S")


class Compared(IntEnum):
    """The answer of an ordering about the earlier card, compared with the later one."""

    LESS = -1
    UNDECIDED = 0
    GREATER = 1


LESS, UNDECIDED, GREATER = Compared


class Ordering(Generic[T]):
    """A comparison of an earlier thing with a later one; UNDECIDED counts as false."""

    __slots__ = ("_compare",)

    def __init__(self, compare: Callable[[T, T], Compared]) -> None:
        self._compare = compare

    def __call__(self, earlier: T, later: T) -> Compared:
        """Return which of the two is greater."""
        return self._compare(earlier, later)

    def __or__(self, other: Ordering[T]) -> Ordering[T]:
        """Compose lexically: use the other ordering where this one is undecided."""
        return Ordering(lambda earlier, later: self(earlier, later) or other(earlier, later))

    def on(self, projection: Callable[[S], T]) -> Ordering[S]:
        """Apply the ordering to things through a projection to what it compares (contravariantly)."""
        return Ordering(lambda earlier, later: self(projection(earlier), projection(later)))


def _sign(difference: int) -> Compared:
    return GREATER if difference > 0 else LESS if difference < 0 else UNDECIDED


undecided: Ordering[Any] = Ordering(lambda _earlier, _later: UNDECIDED)
"""The neutral element."""

first_wins: Ordering[Any] = Ordering(lambda earlier, later: GREATER if earlier == later else UNDECIDED)
"""Prefer the first of two equal cards; undecided about others."""

second_wins: Ordering[Any] = Ordering(lambda earlier, later: LESS if earlier == later else UNDECIDED)
"""Prefer the second of two equal cards; used through ``on``, of two cards that are equal in the projection."""


def ranking(low_to_high: Sequence[T]) -> Ordering[T]:
    """Order by index in a list; things not in the list are lowest, and equal."""
    places = {value: place for place, value in enumerate(low_to_high)}
    return Ordering(lambda earlier, later: _sign(places.get(earlier, -1) - places.get(later, -1)))


def by(projection: Callable[[S], T], low_to_high: Sequence[T]) -> Ordering[S]:
    """Order by the index of the projection in a list: ``by(rank, TEN_HIGH)``."""
    return ranking(low_to_high).on(projection)


def when(holds: Callable[[T], bool], ordering: Ordering[T]) -> Ordering[T]:
    """Put things for which the predicate holds above all others, ordered by ``ordering``; undecided about others."""

    def compare(earlier: T, later: T) -> Compared:
        one, other = holds(earlier), holds(later)
        return ordering(earlier, later) if one and other else _sign(one - other)

    return Ordering(compare)


def of(what: str) -> Callable[[str], bool]:
    """Return a predicate for the cards of a suit (``of("h")``), of a rank (``of("J")``), or one card (``of("hT")``)."""
    return lambda card: what in card


SUITS_LOW_TO_HIGH = "dhsc"
"""The order of jacks and queens of trump."""

jacks = of("J")
queens = of("Q")


def hearts(led: str) -> Ordering[str]:
    """Return the order of Hearts, and every game without trumps: the suit led, ace high."""
    return when(of(led), by(rank, ACE_HIGH))


def farbspiel(trump: str, led: str) -> Ordering[str]:
    """Return the order of a suit game of Skat: the jacks by suit, then trumps, then the suit led."""
    return (
        when(jacks, by(suit, SUITS_LOW_TO_HIGH))
        | when(of(trump), by(rank, TEN_HIGH))
        | when(of(led), by(rank, TEN_HIGH))
    )


def grand(led: str) -> Ordering[str]:
    """Return the order of a Grand: the jacks by suit, then the suit led."""
    return when(jacks, by(suit, SUITS_LOW_TO_HIGH)) | when(of(led), by(rank, TEN_HIGH))


null = hearts
"""The order of a Null: as in Hearts, with the ten between nine and jack."""


def doppelkopf(led: str, dullen: Ordering[str] = first_wins, trump: str = "d") -> Ordering[str]:
    """Return the order of Doppelkopf by the tournament rules and of suit solos; of two equal cards the first wins."""
    return (
        when(of("hT"), dullen)
        | when(queens, by(suit, SUITS_LOW_TO_HIGH) | first_wins)
        | when(jacks, by(suit, SUITS_LOW_TO_HIGH) | first_wins)
        | when(of(trump), by(rank, TEN_HIGH) | first_wins)
        | when(of(led), by(rank, TEN_HIGH) | first_wins)
    )


def second_ten_of_hearts(led: str) -> Ordering[str]:
    """Return the order of Doppelkopf where the second ten of hearts beats the first."""
    return doppelkopf(led, dullen=second_wins)


def schweinchen(normal: Ordering[str]) -> Ordering[str]:
    """Put both aces of diamonds above everything, once they were announced."""
    return when(of("dA"), first_wins) | normal


class Compiled:
    """A compiled ordering: the winner of a trick is looked up.

    ``holds[led][card]`` is the strength of the best card so far, ``takes[led][card]`` that of a later card, which takes
    the trick if it is greater. Both are keyed by the card that was led. Incomparable cards have the same strength. The
    two tables are one object where `second_wins` has no effect.
    """

    __slots__ = ("holds", "takes")

    def __init__(self, holds: dict[str, dict[str, int]], takes: dict[str, dict[str, int]]) -> None:
        self.holds = holds
        self.takes = takes

    def winner(self, trick: Sequence[str]) -> int:
        """Return the index in the trick, from 0, of the winning card."""
        takes = self.takes[trick[0]]
        if len(trick) == 3:  # most tricks have three or four cards; spelled out, comparing them is twice as fast
            one, two, three = trick
            if takes[two] > (best := takes[one]):
                return 2 if takes[three] > takes[two] else 1
            return 2 if takes[three] > best else 0
        if len(trick) != 4:
            worths = [takes[card] for card in trick]
            return worths.index(max(worths))
        one, two, three, four = trick
        best, winner = takes[one], 0
        if (worth := takes[two]) > best:
            best, winner = worth, 1
        if (worth := takes[three]) > best:
            best, winner = worth, 2
        return 3 if takes[four] > best else winner


class LateCompiled(Compiled):
    """A table in which the second of two equal cards may win, so that the strengths to take and to hold differ."""

    __slots__ = ()

    def winner(self, trick: Sequence[str]) -> int:
        """Return the index in the trick, from 0, of the winning card."""
        holds, takes = self.holds[trick[0]], self.takes[trick[0]]
        best = winner = -1
        for place, card in enumerate(trick):
            if takes[card] > best:
                best, winner = holds[card], place
        return winner


def compile_order(pack: Iterable[str], order: Callable[[S], Ordering[str]], led: Callable[[str], S]) -> Compiled:
    """Return a table of which card of a trick wins, for each card that may be led.

    ``led`` returns the suit of the card led, and ``order`` the ordering that holds when that suit is led: for example
    ``compile_order(PACK_52, hearts, led=suit)``. In a game where trumps are a suit of their own, ``led`` returns that.
    """
    cards = list(dict.fromkeys(pack))
    rows = {what: _worth(cards, order(what)) for what in dict.fromkeys(map(led, cards))}
    holds, takes = ({card: rows[led(card)][which] for card in cards} for which in (0, 1))
    if any(hold is not take for hold, take in rows.values()):
        return LateCompiled(holds, takes)
    return Compiled(holds, holds)


def _worth(cards: list[str], ordering: Ordering[str]) -> tuple[dict[str, int], dict[str, int]]:
    """Return even strengths that compare like the cards; a later card has one more where the second of two wins."""

    def compare(one: str, other: str) -> int:
        return ordering(one, other) - ordering(other, one)

    low_to_high = sorted(cards, key=cmp_to_key(compare))
    holds = dict.fromkeys(low_to_high[:1], 0)
    for lower, card in pairwise(low_to_high):
        holds[card] = holds[lower] + (2 if ordering(card, lower) is GREATER else 0)
    takes = {card: worth + (ordering(card, card) is LESS) for card, worth in holds.items()}
    return holds, holds if holds == takes else takes
