"""Columns: how each kind of field becomes one array of a fixed shape.

A column turns the values of a field into the bytes of a row, and the rows of many seats into one array. Seats are
counted from the observer, who is 0, clockwise.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from croupier.protocol.views.view import Trick
    from croupier.server.games.hands import Hand, Pack

    Array = np.ndarray[Any, Any]
    Seats = Mapping[str, int]
    """Each player's seat, counted from the observer."""

MOST_TOKENS = 256
"""The tokens of a sequence; of a longer one the last are kept."""


class Vocabulary:
    """The words and cards of a game, with their numbers. A word that the page does not list is `other`."""

    def __init__(self, words: Sequence[str], cards: Sequence[str], seats: int) -> None:
        self.words = {word: number for number, word in enumerate(words)}
        self.cards = {str(card): number for number, card in enumerate(cards)}
        self.seats = seats
        self.other = len(words)


class Sizes(NamedTuple):
    """The facts about a game on which shapes depend. ``pack`` is that of a game of tricks, None of all others."""

    vocabulary: Vocabulary
    pack: Pack | None
    trick: int
    """The most cards in a trick."""
    tricks: int
    """The most tricks in a hand."""


class Column(ABC):
    """One array of an observation: ``shape`` and ``dtype`` without the batch, and ``about``, the meaning of its cells.

    ``most`` is the greatest value of a cell, None where only the dtype bounds it.
    """

    dtype: ClassVar[Any] = np.uint8
    most: int | None = 1
    shape: tuple[int, ...]
    about: str

    @abstractmethod
    def row(self, value: Any, seats: Seats) -> bytes:
        """Return the bytes of a field's value in a view, which is not None."""

    @property
    def empty(self) -> bytes:
        """The bytes of a field that is not stated: zeros."""
        return bytes(int(np.prod(self.shape)) * np.dtype(self.dtype).itemsize)

    def batch(self, rows: Sequence[bytes]) -> Array:
        """Return the array of many rows, of shape (rows, *shape)."""
        joined = bytearray().join(rows)
        return np.frombuffer(joined, self.dtype).reshape(len(rows), *self.shape)


class Number(Column):
    """A number: whether it is stated, and the number."""

    dtype = np.int32
    most = None
    shape = (2,)
    about = "1 if the number is known, and the number"

    def row(self, value: Any, seats: Seats) -> bytes:
        """Return the number."""
        return np.array((1, value), self.dtype).tobytes()


class Flag(Column):
    """Yes or no."""

    shape = (1,)
    about = "1 for yes"

    def row(self, value: Any, seats: Seats) -> bytes:
        """Return 1 for yes."""
        return b"\1" if value else b"\0"


class Word(Column):
    """One of the words of the page."""

    about = "1 at the word"

    def __init__(self, sizes: Sizes) -> None:
        words = sizes.vocabulary
        self.shape = (words.other + 1,)
        self._words = words.words
        self._rows = [_one_hot(number, words.other + 1) for number in range(words.other + 1)]

    def row(self, value: Any, seats: Seats) -> bytes:
        """Return 1 at the place of the word."""
        return self._rows[self._words.get(value, -1)]


class Words(Word):
    """Any number of the words of the page."""

    about = "1 at each word"

    def row(self, value: Any, seats: Seats) -> bytes:
        """Return 1 at the place of each word."""
        return _at([self._words.get(word, self.shape[0] - 1) for word in value], self.shape[0])


class Player(Column):
    """One player."""

    about = "1 at the player's seat"

    def __init__(self, sizes: Sizes) -> None:
        self.shape = (sizes.vocabulary.seats,)

    def row(self, value: Any, seats: Seats) -> bytes:
        """Return 1 at the seat."""
        return _at([seats[value]] if value in seats else [], len(seats))


class Players(Player):
    """Any number of players."""

    about = "1 at each player's seat"

    def row(self, value: Any, seats: Seats) -> bytes:
        """Return 1 at each seat."""
        return _at([seats[name] for name in value], len(seats))


class Table(Column):
    """A number or a word of each player."""

    dtype = np.int32
    most = None
    about = "by seat: 1 if there is a value, and the value; a word by its number from 1"

    def __init__(self, sizes: Sizes) -> None:
        self.shape = (sizes.vocabulary.seats, 2)
        self._words = sizes.vocabulary
        self._known: dict[tuple[Any, ...], bytes] = {}

    def row(self, value: Any, seats: Seats) -> bytes:
        """Return the values by seat."""
        return self.by_seat(tuple(map(value.get, seats)))

    def by_seat(self, values: tuple[Any, ...]) -> bytes:
        """Return the bytes of one value for each seat, None for none. Kept, because the same few recur."""
        row = self._known.get(values)
        if row is None:
            if len(self._known) > _MOST_KEPT:
                self._known.clear()
            cells = [(0, 0) if value is None else (1, self._number(value)) for value in values]
            row = self._known[values] = np.array(cells, self.dtype).tobytes()
        return row

    def _number(self, value: Any) -> int:
        return value if isinstance(value, int) else 1 + self._words.words.get(value, self._words.other)


_MOST_KEPT = 4096


class CardCounts(Column):
    """Cards, as the number of each."""

    dtype = np.int16
    most = None
    about = "how many of each card"

    def __init__(self, sizes: Sizes) -> None:
        self._cards = sizes.vocabulary.cards
        self.shape = (len(self._cards),)

    def row(self, value: Any, seats: Seats) -> bytes:
        """Return the counts of a sequence of cards, or of a dict from card to number."""
        counts = np.zeros(self.shape, self.dtype)
        for card, number in value.items() if isinstance(value, dict) else ((card, 1) for card in value):
            counts[self._cards[card]] += number
        return counts.tobytes()


class PackedCards(Column):
    """The cards of a game of tricks. A row has the bits of a `Hand`; one pass unpacks those of the whole batch."""

    about = CardCounts.about

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        self._copies = 2 if max(pack.masks.values()) > max(pack.units.values()) else 1
        self._bits = len(pack.units) * self._copies
        self._bytes = -(-self._bits // 8)
        self.shape = (len(pack.units),)
        self.most = self._copies

    def row(self, value: Any, seats: Seats) -> bytes:
        """Return the bits of a sequence of cards."""
        return self.of_hand(self._pack.hand(value))

    def of_hand(self, hand: Hand) -> bytes:
        """Return the bits of a hand."""
        return hand.to_bytes(self._bytes, "little")

    @property
    def empty(self) -> bytes:
        """The bits of no cards."""
        return bytes(self._bytes)

    def batch(self, rows: Sequence[bytes]) -> Array:
        """Unpack the bits: one for each card, or two whose number is how many there are."""
        packed = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), self._bytes)
        bits = np.unpackbits(packed, axis=1, count=self._bits, bitorder="little")
        return bits if self._copies == 1 else bits[:, ::2] + 2 * bits[:, 1::2]


class CardsByPlayer(Column):
    """Cards of each player."""

    about = "by seat, how many of each card"

    def __init__(self, sizes: Sizes) -> None:
        self._cards = sizes.vocabulary.cards
        self.shape = (sizes.vocabulary.seats, len(self._cards))
        self.most = None

    def row(self, value: Any, seats: Seats) -> bytes:
        """Return the counts of each player's cards."""
        counts = np.zeros(self.shape, self.dtype)
        for name, cards in value.items():
            for card in cards:
                counts[seats[name], self._cards[card]] += 1
        return counts.tobytes()


class TrickCards(Column):
    """A trick: its leader's seat from 1, then its cards in the order of play, by their numbers from 1."""

    about = "the leader's seat from 1, then the cards in the order of play by their numbers from 1"

    def __init__(self, sizes: Sizes) -> None:
        self._cards = {card: number + 1 for card, number in sizes.vocabulary.cards.items()}
        self._number = self._cards.__getitem__
        self.length = 1 + sizes.trick
        self.shape = (1 + sizes.trick,)
        self.most = max(len(self._cards), sizes.vocabulary.seats)
        if self.most > np.iinfo(np.uint8).max:
            raise ValueError(f"a trick of a pack of {len(self._cards)} different cards has no array: the most are 255")
        self._none = bytes(self.length)
        self._finished: dict[tuple[str, ...], bytes] = {}

    def row(self, value: Trick, seats: Seats) -> bytes:
        """Return the leader and the cards."""
        return self.of_cards(seats[value.leader], value.cards) if value.leader is not None else self._none

    def of_cards(self, leader: int, cards: Iterable[str]) -> bytes:
        """Return the row of a trick that this seat, counted from the observer, has led."""
        return bytes((leader + 1, *map(self._number, cards))).ljust(self.length, b"\0")

    def of_finished(self, leader: int, cards: tuple[str, ...]) -> bytes:
        """Return the same for a finished trick. The bytes of its cards are kept, because all seats need them."""
        row = self._finished.get(cards)
        if row is None:
            if len(self._finished) > _MOST_KEPT:
                self._finished.clear()
            row = self._finished[cards] = self.of_cards(0, cards)[1:]
        return bytes((leader + 1,)) + row


class TrickList(Column):
    """The finished tricks of a hand, one row each, the first of the hand first."""

    about = f"trick by trick: {TrickCards.about}"

    def __init__(self, sizes: Sizes) -> None:
        self.trick = TrickCards(sizes)
        self.size = sizes.tricks * (1 + sizes.trick)
        self.shape = (sizes.tricks, 1 + sizes.trick)
        self.most = self.trick.most

    def row(self, value: Iterable[Trick], seats: Seats) -> bytes:
        """Return the tricks in their order."""
        return b"".join([self.trick.row(trick, seats) for trick in value]).ljust(self.size, b"\0")


class Tokens(Column):
    """Any s-expressions, as tokens: the kind of each, and its value.

    The kinds are 1 for a number, 2 a word, 3 a player, 4 a card, 5 an opening and 6 a closing parenthesis; 0 is no
    token. The values are the number itself, the word's place on the page, the seat from the observer, the card's place.
    """

    dtype = np.int32
    most = None
    about = "token by token: its kind, and its value"

    def __init__(self, sizes: Sizes, most: int = MOST_TOKENS) -> None:
        self._words = sizes.vocabulary
        self.shape = (most, 2)

    def row(self, value: Any, seats: Seats) -> bytes:
        """Return the tokens of a form, or of a sequence of forms."""
        forms = value if isinstance(value, tuple) else (value,)
        tokens = [token for form in forms for token in self._tokens(form, seats)][-self.shape[0] :]
        row = np.zeros(self.shape, self.dtype)
        row[: len(tokens)] = tokens or 0
        return row.tobytes()

    def _tokens(self, form: Any, seats: Seats) -> Iterator[tuple[int, int]]:
        if isinstance(form, tuple):
            yield 5, 0
            for part in form:
                yield from self._tokens(part, seats)
            yield 6, 0
        elif isinstance(form, int):
            yield 1, form
        elif form in seats:
            yield 3, seats[form]
        elif form in self._words.cards:
            yield 4, self._words.cards[form]
        else:
            yield 2, self._words.words.get(form, self._words.other)


def _one_hot(place: int, size: int) -> bytes:
    return _at([place], size)


def _at(places: Iterable[int], size: int) -> bytes:
    row = bytearray(size)
    for place in places:
        row[place] = 1
    return bytes(row)
