"""Spelling: finds the play that a person means by typed text, or by pointing at a card."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from croupier.server.games.broadcast import Role, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.games.broadcast import Picture
    from croupier.server.games.game import Play

SUITS = {"c": "\u2663", "d": "\u2666", "h": "\u2665", "s": "\u2660"}
"""The suits' symbols on a capable terminal; a person may type them too."""
_LETTERS = str.maketrans({symbol: letter for letter, symbol in SUITS.items()})
_ROLES = {Role.HAND, Role.ROW, Role.SUPPLY}
"""The roles of cards that can each be pointed at; of a pile only the top is visible."""


def find_play(typed: str, plays: Sequence[Play], spoken: Sequence[Sequence[str]]) -> Play | None:
    """Find the play that was typed: by its number, by itself, or by words that only one play contains.

    ``spoken`` has each play in words, perhaps in several ways; it is empty where the play itself is words.
    """
    if typed.isdecimal():
        return plays[int(typed) - 1] if len(typed) < 10 and 0 < int(typed) <= len(plays) else None
    return _by_words(typed, plays) or _by_some_words(typed, plays, spoken)


def _by_words(typed: str, plays: Sequence[Play]) -> Play | None:
    """Find a play by its words in any order, and without the first word if that is unambiguous."""
    words = _words(typed)
    exact = [play for play in plays if _words(say(play)) == words]
    same = [play for play in plays if sorted(_words(say(play))) == sorted(words)]
    bare = [play for play in plays if len(play) > 1 and sorted(_words(say(play))[1:]) == sorted(words)]
    return next(iter(exact or same or (bare if len(bare) == 1 else ())), None)


def _by_some_words(typed: str, plays: Sequence[Play], spoken: Sequence[Sequence[str]]) -> Play | None:
    """Find the only play that contains all the typed words."""
    words = set(_words(typed))
    if not words:
        return None
    found = [play for play, ways in zip(plays, spoken, strict=True) if any(words <= set(_words(way)) for way in ways)]
    return found[0] if len(found) == 1 else None


def _words(text: str) -> list[str]:
    """Split a play into words; the order of the two characters of a card, h9 or 9h, does not matter."""
    words = text.translate(_LETTERS).replace("(", " ").replace(")", " ").replace(",", " ").lower().split()
    return ["".join(sorted(word)) if len(word) == 2 else word for word in map(_ten, words)]


def _ten(word: str) -> str:
    """Write 10 as T, as in cards' names."""
    return word.replace("10", "t") if len(word) == 3 and word.strip("cdhs") == "10" else word


# The meaning of a card


def in_reach(picture: Picture, seat: int) -> frozenset[str]:
    """Return the cards that a player can point at: those of the player and of the table."""
    return frozenset(
        card for place in picture.places if place.owner in {seat, None} and place.role in _ROLES for card in place.cards
    )


def named_cards(words: str, cards: frozenset[str]) -> tuple[str, ...]:
    """Return the cards that the words of a play name, as often as they name them."""
    single = [word for word in re.split(r"[\s,()]+", words) if word in cards]
    return (*single, *(card for card in sorted(cards) if " " in card and card in words))


def numbers(offered: Sequence[str], cards: frozenset[str]) -> dict[str, int]:
    """Return the number, from 1, of the play that a card stands for: the only one that names this card and no other."""
    naming: dict[str, list[int]] = {}
    alone: dict[int, bool] = {}
    for number, words in enumerate(offered, 1):
        found = named_cards(words, cards)
        alone[number] = len(found) == 1
        for card in found:
            naming.setdefault(card, []).append(number)
    return {card: plays[0] for card, plays in naming.items() if len(plays) == 1 and alone[plays[0]]}
