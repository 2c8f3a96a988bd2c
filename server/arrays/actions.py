"""Actions: plays as numbers. One rule holds for every game.

A play in the game's table, `Game.numbered_plays`, has a fixed number: its place there. Any other legal play is a
candidate: the numbers after the table's stand for the candidates of the moment, in the order in which the game lists
them, at most `Game.most_candidates`. The array ``candidates`` has the features of each.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, islice
from operator import gt, lt
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from croupier.protocol.choosing import Choosing
from croupier.protocol.sexp import write

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from croupier.protocol.views.view import Play
    from croupier.server.arrays.columns import Array, Seats, Vocabulary
    from croupier.server.games.game import Game
    from croupier.server.games.hands import Hand


class Legal(NamedTuple):
    """The legal plays of a moment: a hand whose cards may be played, numbers of the table, and the candidates."""

    hand: Hand = 0
    numbers: Sequence[int] = ()
    candidates: Sequence[Play] = ()
    described: Sequence[Any] = ()
    """What each candidate does: the play itself, or in a game from a file a choice with its actions."""
    seats: Seats = MappingProxyType({})


class Features:
    """The features of a candidate: the words of the play, the cards and players in it, its last card, its numbers.

    The words are counted, in the order of the page's ``WORDS`` with one place for any other; then the players by seat
    from the observer, and the cards. Then comes the number of the last card, from 1, if the cards are not in the order
    of the pack, as where one is exchanged for a lower one. The last feature is the sum of the numbers.
    """

    dtype = np.int16

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._words = vocabulary
        self._players = vocabulary.other + 1
        self._cards = self._players + vocabulary.seats
        self._last = self._cards + len(vocabulary.cards)
        self._number = self._last + 1
        self.size = self._number + 1
        names = [*vocabulary.words, "any other word", *(f"seat {seat}" for seat in range(vocabulary.seats))]
        self.names = [*names, *vocabulary.cards, "last card out of order", "sum of the numbers"]

    def fill(self, legal: Legal, into: Array) -> None:
        """Write the features of some candidates into an array of shape (candidates, features) of zeros."""
        plays = legal.described
        if isinstance(plays, Choosing):
            places = [self._place(card, legal.seats) for card in plays.cards]
            if all(map(lt, places, places[1:])):
                self._fill_chosen(plays, np.array(places), legal.seats, into)
                return
        for row, play in zip(into, plays, strict=False):
            self._fill_play(row, play, legal.seats)

    def _fill_play(self, row: Array, play: Play, seats: Seats) -> None:
        cards = []
        for atom in _atoms(play):
            if isinstance(atom, int):
                row[self._number] += atom
                continue
            place = self._place(atom, seats)
            row[place] += 1
            if place >= self._cards:
                cards.append(place)
        if any(map(gt, cards, cards[1:])):
            row[self._last] = cards[-1] - self._cards + 1

    def _place(self, atom: str, seats: Seats) -> int:
        if atom in self._words.cards:
            return self._cards + self._words.cards[atom]
        if atom in seats:
            return self._players + seats[atom]
        return self._words.words.get(atom, self._words.other)

    def _fill_chosen(self, plays: Choosing, places: Array, seats: Seats, into: Array) -> None:
        """Write the features of all choices of some sorted, different cards at once: there are hundreds."""
        forms, count = plays.forms, min(len(plays), len(into))
        chosen = _choices(len(plays.cards), len(plays[0]) - sum(map(len, forms[0])), len(forms))[:count]
        into.reshape(-1)[_row_starts(count, self.size) + places[chosen]] = 1
        for number, (before, behind) in enumerate(forms):
            for word in (*before, *behind):
                into[number : count : len(forms), self._place(str(word), seats)] += 1


# cached because a game has few sizes, and their arrays are large
@lru_cache(64)
def _choices(cards: int, size: int, forms: int) -> Array:
    """Return the places of the cards of each choice, as `Choosing` orders them."""
    return np.repeat(np.array([*combinations(range(cards), size)], np.intp).reshape(-1, size), forms, axis=0)


@lru_cache(64)
def _row_starts(rows: int, width: int) -> Array:
    """Return the place in a flat array at which each row begins. Cached as above."""
    return np.arange(0, rows * width, width)[:, None]


def _atoms(form: Any) -> Iterator[Any]:
    for part in form:
        if isinstance(part, tuple):
            yield from _atoms(part)
        else:
            yield part


class Actions:
    """The actions of a game: a table of plays, and room for candidates with their features."""

    def __init__(self, game: Game, features: Any) -> None:
        self.table: tuple[Play, ...] = tuple(game.numbered_plays())
        self.most = game.most_candidates()
        self.features = features
        self.size = len(self.table) + self.most
        self._numbers: Mapping[Play, int] = {play: number for number, play in enumerate(self.table)}
        pack = getattr(game, "PACK", None)
        self._cards = {} if pack is None else {self._numbers[play]: mask for play, mask in pack.played.items()}
        """The bits of a hand for the action that plays a card."""
        if not self.size:
            raise ValueError(f"{game.NAME} has neither a table of plays nor room for candidates")

    def sort(self, plays: Iterable[Play], seats: Seats, hand: Hand = 0, choices: Sequence[Any] | None = None) -> Legal:
        """Return the legal plays, each as its number in the table or as a candidate.

        ``hand`` are cards that may be played as well. ``choices`` describe the plays of a game from a file.
        """
        if isinstance(plays, Choosing) and plays and plays[0] not in self._numbers:
            return Legal(hand, (), plays[: self.most] if len(plays) > self.most else plays, plays, seats)
        known: list[int] = []
        others: list[Play] = []
        for play in islice(plays, _MOST_LISTED):
            number = self._numbers.get(play)
            if number is not None:
                known.append(number)
            elif len(others) < self.most:
                others.append(play)
        return Legal(hand, known, others, others if choices is None else choices[: len(others)], seats)

    def is_legal(self, action: int, legal: Legal) -> bool:
        """Return whether the mask allows an action."""
        place = action - len(self.table)
        if place >= 0:
            return place < len(legal.candidates)
        return action >= 0 and (action in legal.numbers or bool(legal.hand & self._cards.get(action, 0)))

    def told(self, legal: Legal) -> str:
        """Return the legal actions in words, with their plays."""
        numbers = [number for number in range(self.size) if self.is_legal(number, legal)]
        plays = [f"{number} {write(self.play(number, legal))}" for number in numbers[:_MOST_TOLD]]
        more = len(numbers) - len(plays)
        return ", ".join(plays) + (f" and {more} more" if more else "") or "none"

    def play(self, action: int, legal: Legal) -> Play:
        """Return the play of an action that the mask allows."""
        place = action - len(self.table)
        return self.table[action] if place < 0 else legal.candidates[place]

    def masks(self, legals: Sequence[Legal], into: Array) -> None:
        """Write 1 at each legal action into an array of shape (rows, actions) of zeros, except for ``hand``."""
        first = len(self.table)
        for row, legal in zip(into, legals, strict=True):
            if legal.numbers:
                row[legal.numbers] = 1
            if legal.candidates:
                row[first : first + len(legal.candidates)] = 1

    def candidates(self, legals: Sequence[Legal]) -> Array:
        """Return the features of the candidates, of shape (rows, candidates, features)."""
        features = np.zeros((len(legals), self.most, self.features.size), self.features.dtype)
        for row, legal in zip(features, legals, strict=True):
            if legal.candidates:
                self.features.fill(legal, row)
        return features


_MOST_TOLD = 10
_MOST_LISTED = 5000
"""A Cellar may have millions of plays; those after this many are no candidates."""
