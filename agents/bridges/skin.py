"""Skin: other words for the cards and words of a game, derived from a key and translated back."""

from __future__ import annotations

import hashlib
import re
import string

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

_LETTERS = string.ascii_letters + string.digits + "-_"
_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvwyz" for vowel in "aeiou"]
_END = "x"
"""Ends each word of a skin, and no word that is left unchanged."""
_WORD = re.compile(r"(?<!')\b[A-Za-z][A-Za-z0-9_-]*")
CARD = re.compile(r"[cdhs][2-9TJQKA]")
"""A French-suited or a German-suited card, as the protocol writes it."""
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten"} | {rank: rank for rank in "98765432"}
_NAMES = {*SUITS.values(), *(f"{rank}s" for rank in RANKS.values())} | {*RANKS.values()} - {"ten"}
CARD_WORDS = frozenset(_NAMES | {name.removesuffix("s") for name in _NAMES} | {"acorns", "leaves", "bells"})
"""The names of cards in prose; "ten" alone is also a number."""


class NoWord(ValueError):
    """A word that this skin has not made; the message names it."""


class Skin:
    """A bijection between words: each letter becomes a syllable that depends on its position and the key.

    Cards of one suit begin alike in a skin too, and no list of a game's words is needed.
    """

    def __init__(self, key: str) -> None:
        self._key = key
        self._rows: list[dict[str, str]] = []

    def encode(self, word: str) -> str:
        """Return the skin's word for a word of letters, digits, hyphens and underscores."""
        return "".join(self._row(place)[letter] for place, letter in enumerate(word)) + _END

    def decode(self, word: str) -> str:
        """Return the original of a skin's word; raise NoWord."""
        letters = []
        for place in range(0, len(word) - 1, 2):
            row = {syllable: letter for letter, syllable in self._row(place // 2).items()}
            letters.append(row.get(word[place : place + 2], ""))
        plain = "".join(letters)
        if not plain or self.encode(plain) != word:
            raise NoWord(f"{word} is no word of this game")
        return plain

    def text(self, text: str, words: Collection[str]) -> str:
        """Return a text with these words replaced, and the cards with their names in prose."""

        def replaced(found: re.Match[str]) -> str:
            word = found[0]
            if word in words or CARD.fullmatch(word):
                return self.encode(word)
            low = word.lower()
            if low not in words and low not in CARD_WORDS:
                return word
            return self.encode(low) if word == low else self.encode(low).capitalize()

        return _WORD.sub(replaced, text)

    def legend(self) -> str:
        """Return how cards are written, suit by suit and rank by rank."""
        suits = [f"{self.encode(suit)[:2]} {self.encode(name)}" for suit, name in SUITS.items()]
        ranks = [
            f"{self.encode('c' + rank)[2:4]} {name if name == rank else self.encode(name)}"
            for rank, name in RANKS.items()
        ]
        return (
            f"A card is written as two letters for its suit, two for its rank, and {_END}. Suits: {', '.join(suits)}."
            f" Ranks: {', '.join(ranks)}."
        )

    def _row(self, place: int) -> dict[str, str]:
        """Return the syllables of all letters at a position."""
        while len(self._rows) <= place:
            drawn = {self._draw(len(self._rows), each): each for each in _SYLLABLES}
            self._rows.append({letter: drawn[draw] for letter, draw in zip(_LETTERS, sorted(drawn), strict=False)})
        return self._rows[place]

    def _draw(self, place: int, syllable: str) -> bytes:
        return hashlib.sha256(f"{place} {syllable} {self._key}".encode(errors="surrogatepass")).digest()
