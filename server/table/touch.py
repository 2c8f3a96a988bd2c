"""Touch: which cards a legal play names, so that a card on the table can stand for the play."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from croupier.server.games.picture import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.games.picture import Picture

_ROLES = {Role.HAND, Role.ROW, Role.SUPPLY}
"""How cards lie that each can be pointed at; of a pile only the top is seen."""


def in_reach(picture: Picture, seat: int) -> frozenset[str]:
    """Return the cards that a player can point at: his own and those of the table."""
    return frozenset(
        card for place in picture.places if place.owner in {seat, None} and place.role in _ROLES for card in place.cards
    )


def named(words: str, cards: frozenset[str]) -> tuple[str, ...]:
    """Return the cards that a play names in the words that say it, as often as it names them."""
    single = [word for word in re.split(r"[\s,()]+", words) if word in cards]
    return (*single, *(card for card in sorted(cards) if " " in card and card in words))


def numbers(offered: Sequence[str], cards: frozenset[str]) -> dict[str, int]:
    """Return the number, from 1, of the play that a card stands for: the only one that names it, and it alone."""
    naming: dict[str, list[int]] = {}
    alone: dict[int, bool] = {}
    for number, words in enumerate(offered, 1):
        found = named(words, cards)
        alone[number] = len(found) == 1
        for card in found:
            naming.setdefault(card, []).append(number)
    return {card: plays[0] for card, plays in naming.items() if len(plays) == 1 and alone[plays[0]]}
