"""Hidden: deal anew what a seat cannot see, so that it may be so."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Container, Sequence
    from random import Random

HONEST_TRIES = 10


class Pile(NamedTuple):
    """A hidden pile: how many cards of it are not known, and which cards may be among them."""

    size: int
    may: Container[str]


class ImpossibleError(ValueError):
    """No deal of the cards gives every pile what it may have."""


def spread(cards: Sequence[str], piles: Sequence[Pile], rng: Random) -> list[list[str]]:
    """Deal the cards to the piles at random, none where it may not be.

    Deals are drawn at random and kept if they fit, which favours none that fit; where few do, one is built.
    """
    if len(cards) != sum(pile.size for pile in piles):
        raise ImpossibleError(f"{len(cards)} cards do not fill {sum(pile.size for pile in piles)} places")
    mixed = list(cards)
    for _ in range(HONEST_TRIES):
        rng.shuffle(mixed)
        dealt = _cut(mixed, piles)
        if all(card in pile.may for pile, held in zip(piles, dealt, strict=True) for card in held):
            return dealt
    return _built(mixed, piles, rng)


def _cut(cards: list[str], piles: Sequence[Pile]) -> list[list[str]]:
    dealt, start = [], 0
    for pile in piles:
        dealt.append(cards[start : start + pile.size])
        start += pile.size
    return dealt


def _built(cards: list[str], piles: Sequence[Pile], rng: Random) -> list[list[str]]:
    """Place the cards with the fewest possible piles first; where all of those are full, move others out of the way."""
    homes = {card: [place for place, pile in enumerate(piles) if card in pile.may] for card in cards}
    dealt: list[list[str]] = [[] for _ in piles]
    for card in sorted(cards, key=lambda card: len(homes[card])):
        free = [place for place in homes[card] for _ in range(piles[place].size - len(dealt[place]))]
        if free:
            dealt[rng.choice(free)].append(card)
        elif not _squeeze(card, dealt, piles, homes, set()):
            raise ImpossibleError(f"{card} can be nowhere")
    return dealt


def _squeeze(
    card: str, dealt: list[list[str]], piles: Sequence[Pile], homes: dict[str, list[int]], tried: set[int]
) -> bool:
    """Place a card by moving cards along a chain of piles that ends where there is room (Kuhn's augmenting path)."""
    for place in homes[card]:
        if place in tried:
            continue
        tried.add(place)
        if len(dealt[place]) < piles[place].size:
            dealt[place].append(card)
            return True
        for index, other in enumerate(dealt[place]):
            if _squeeze(other, dealt, piles, homes, tried):
                dealt[place][index] = card
                return True
    return False
