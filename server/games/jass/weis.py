"""Weis: the sequences and fours that a player of Jass may show before his first card."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol.cards import RANKS, SUITS, by_suit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

SIX_TO_ACE = RANKS[4:]
SEQUENCE = {3: 20, 4: 50}
LONG_SEQUENCE = 100
FOUR = {"J": 200, "9": 150, "A": 100, "K": 100, "Q": 100, "T": 100}


class Weis(NamedTuple):
    """One sequence or four of a kind; the fields compare in their order, and greater is better."""

    points: int
    length: int
    height: int
    """The rank of its best card: the highest, in Undenufe the lowest."""
    trumps: bool


def sequences(cards: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the runs of at least three adjacent ranks in a suit, six to ace, none a part of a longer one."""
    have = set(cards)
    runs = []
    for suit in SUITS:
        holds = "".join(rank if suit + rank in have else " " for rank in SIX_TO_ACE)
        runs += [tuple([suit + rank for rank in run]) for run in holds.split() if len(run) >= 3]
    return runs


def fours(cards: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the sets of all four jacks, nines, aces, kings, queens or tens."""
    have = set(cards)
    sets = [tuple([suit + rank for suit in SUITS]) for rank in FOUR]
    return [four for four in sets if have.issuperset(four)]


def is_shown(cards: Sequence[str]) -> bool:
    """Return whether every card belongs to a sequence or a four among them."""
    return {card for group in sequences(cards) + fours(cards) for card in group} == set(cards)


def weis(cards: Iterable[str], contract: str) -> list[Weis]:
    """Return the value of what a player shows; a card may count in one sequence and in one four."""
    cards = set(cards)
    runs = [_weis(run, SEQUENCE.get(len(run), LONG_SEQUENCE), contract) for run in sequences(cards)]
    sets = [_weis(four, FOUR[four[0][1]], contract) for four in fours(cards)]
    return runs + sets


def _weis(cards: tuple[str, ...], points: int, contract: str) -> Weis:
    places = [SIX_TO_ACE.index(card[1]) for card in cards]
    height = -min(places) if contract == "u" else max(places)
    return Weis(points, len(cards), height, cards[0][0] == cards[-1][0] == contract)


def showings(hand: Iterable[str]) -> list[tuple[str, ...]]:
    """List all that a hand may show, most cards first, nothing last, each with its cards sorted."""
    hand = set(hand)
    runs = [_runs(suit, hand) for suit in SUITS]
    sets = [[frozenset[str](), frozenset(four)] for four in fours(hand)]
    shown = {frozenset[str]().union(*parts) for parts in product(*runs, *sets)}
    return sorted(map(by_suit, map(tuple, shown)), key=lambda cards: (-len(cards), cards))


def _runs(suit: str, hand: set[str]) -> list[frozenset[str]]:
    """List the sets of a suit's cards in the hand that consist of sequences, including the empty one."""
    holds = sum(1 << place for place, rank in enumerate(SIX_TO_ACE) if suit + rank in hand)
    return [
        frozenset(suit + rank for place, rank in enumerate(SIX_TO_ACE) if runs >> place & 1)
        for runs in _RUNS
        if not runs & ~holds
    ]


_RUNS = [places for places in range(512) if all(len(run) >= 3 for run in f"{places:b}".split("0") if run)]
"""The sets among the nine ranks, one bit each, that consist of runs of three or more."""


def winning(shown: Mapping[int, Iterable[str]], contract: str) -> int | None:
    """Return the player with the best Weis among those who have shown; the first of equals; None if there are none."""
    best = {seat: max(found) for seat, cards in shown.items() if (found := weis(cards, contract))}
    return max(best, key=best.__getitem__) if best else None
