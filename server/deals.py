"""Deals: one secret key decides every shuffle of a tournament, and can prove it afterwards.

Every shuffle is Fisher-Yates over SHAKE-256 of (key, public text, deal number, label), with rejection sampling. The
key's SHA-256 is the commitment: published before the first deal, checked against the key when it is revealed.

In a tournament each deal has its own key: SHAKE-256 of (key, public text, deal number). A machine that plays a deal
receives only that deal's key, which reveals nothing about other deals. The shuffles themselves cannot be sent, because
a game may ask for labels that are not known beforehand. Older tournaments, and games outside of one, use the key
itself.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter
from functools import lru_cache
from itertools import chain, count, islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from croupier.server.games.game import Deal, Label

    Watch = Callable[[Label, Sequence[str]], None]

KEY_BYTES = 32
_BLOCK = 512
_ONE_ROUND = 136
"""The bytes of one SHAKE-256 block, usually enough for a pack of cards."""
_BYTE = 256
_FAIR = (0, *[_BYTE - _BYTE % places for places in range(1, _BYTE + 1)])
"""For n places: the largest multiple of n up to 256. Bytes at or above it are rejected, to keep the modulo unbiased."""


class Key:
    """A tournament's secret, 32 random bytes or from a ``--seed``, and a public text fixed after the commitment.

    ``later`` are further secrets by first deal, for deals played after the first secret was revealed. With ``by_deal``
    each deal has a key of its own.
    """

    def __init__(
        self, secret: bytes, public: str = "", later: Mapping[int, bytes] | None = None, *, by_deal: bool = False
    ) -> None:
        self.secret = secret
        self.public = public
        self.later = dict(later or {})
        self.by_deal = by_deal
        self.commitment = hashlib.sha256(secret).hexdigest()
        """SHA-256 of the secret, in hexadecimal, which is published first."""
        self._begun = _with_length(secret) + _frame(public)
        """The common beginning of all purposes."""

    @classmethod
    def fresh(cls, public: str = "") -> Key:
        """Return a new random key."""
        return cls(secrets.token_bytes(KEY_BYTES), public)

    @classmethod
    def from_seed(cls, seed: str, public: str = "") -> Key:
        """Return the key of a reproducible run from any text."""
        return cls(hashlib.sha256(b"croupier seed " + seed.encode()).digest(), public)

    def deal(self, number: int) -> KeyedDeal:
        """Return the deal of this number."""
        key = self.of(number)
        if not self.by_deal:
            return KeyedDeal(key.secret, number, key.commitment, key.public)
        return KeyedDeal(bytes(islice(key.stream("deal", number), KEY_BYTES)), number, key.commitment)

    def of(self, number: int) -> Key:
        """Return the key of a deal: the last of those that begin at or before it."""
        first = max((first for first in self.later if first <= number), default=None)
        return self if first is None else Key(self.later[first], self.public)

    def stream(self, *what: object) -> Iterator[int]:
        """Return an endless stream of bytes for a purpose; different purposes are independent."""
        return _bytes(self.purpose(*what))

    def purpose(self, *what: object) -> bytes:
        """Return the hash input for the bytes of a purpose."""
        return _purpose(self._begun, *what)


def _purpose(begun: bytes, *what: object) -> bytes:
    """Return the hash input for the bytes of a purpose; further parts of the purpose may be appended."""
    return b"".join([begun, *map(_frame, map(str, what))])


def _bytes(purpose: bytes) -> Iterator[int]:
    return chain(_block(purpose, 0, _ONE_ROUND), chain.from_iterable(_more(purpose)))


def _more(purpose: bytes) -> Iterator[bytes]:
    """Yield the rest of the first block, then further blocks."""
    yield _block(purpose, 0, _BLOCK)[_ONE_ROUND:]
    for number in count(1):
        yield _block(purpose, number, _BLOCK)


def _block(purpose: bytes, number: int, length: int) -> bytes:
    return hashlib.shake_256(purpose + number.to_bytes(8, "big")).digest(length)


def _with_length(part: bytes) -> bytes:
    """Put its length before a byte string, so that different lists of parts never join to the same bytes."""
    return len(part).to_bytes(4, "big") + part


# cached because every shuffle frames the same few labels and numbers
@lru_cache(4096)
def _frame(part: str) -> bytes:
    return _with_length(part.encode())


class KeyedDeal:
    """The shuffles of one deal number under a secret; ``commitment`` is what its tournament has published."""

    def __init__(self, secret: bytes, number: int, commitment: str, public: str = "") -> None:
        self.number = number
        self.commitment = commitment
        self._from = (secret, number, commitment, public)
        self._begun = _with_length(secret) + _frame(public)
        self._shuffles = _purpose(self._begun, "shuffle", number)

    def __reduce__(self) -> tuple[type[KeyedDeal], tuple[bytes, int, str, str]]:
        """Pickle the arguments, not the derived fields."""
        return KeyedDeal, self._from

    def shuffle(self, label: Label, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the cards shuffled; their given order does not matter."""
        mixed = sorted(cards)
        left, fair, numbers = len(mixed), _FAIR, _bytes(self._shuffles + _hash_label(label))
        while left > _BYTE:
            place = _below(left, numbers)
            left -= 1
            mixed[left], mixed[place] = mixed[place], mixed[left]
        # the same steps inlined for up to 256 cards, where one byte is enough: a shuffle takes a tenth less time
        for value in numbers if left > 1 else ():
            if value < fair[left]:
                place = value % left
                left -= 1
                card = mixed[left]
                mixed[left] = mixed[place]
                mixed[place] = card
                if left == 1:
                    break
        return tuple(mixed)

    def draw(self, label: Label, bound: int) -> int:
        """Return a number from 0 to bound-1, drawn on its own."""
        return _below(bound, _bytes(_purpose(self._begun, "draw", self.number) + _hash_label(label)))

    def stand_in(self, seat: int) -> int:
        """Return a seed for the stand-in of a seat, which plays the same in every game of this deal."""
        return self.seed("stand-in", seat)

    def seed(self, purpose: str, *what: object) -> int:
        """Return a seed of 64 bits for a purpose."""
        return int.from_bytes(bytes(islice(_bytes(_purpose(self._begun, purpose, self.number, *what)), 8)))

    def chance(self, purpose: str, names: Sequence[str]) -> int:
        """Return a byte for a purpose of the tournament; other names give another byte."""
        return next(_bytes(_purpose(self._begun, purpose, self.number, *names)))


# cached because each table of a deal shuffles under the same labels
@lru_cache(4096)
def _hash_label(label: Label) -> bytes:
    return b"".join([_frame("" if part is None else str(part)) for part in label])


def _below(bound: int, numbers: Iterator[int]) -> int:
    """Return an unbiased integer from 0 to bound-1, rejecting values that would favor the small ones."""
    width = 1 if bound <= 256 else 2 if bound <= 65_536 else 4
    ceiling = 256**width - 256**width % bound
    while True:
        value = 0
        for _ in range(width):
            value = value << 8 | next(numbers)
        if value < ceiling:
            return value % bound


class RecordedDeal:
    """A deal that passes on another's shuffles, reports each to ``watch``, and keeps those since the last `new`."""

    def __init__(self, deal: Deal, watch: Watch | None = None) -> None:
        self.deal = deal
        self._watch = watch
        self.fresh: list[tuple[Label, tuple[str, ...]]] = []
        """The shuffles since `new` was last called."""

    def shuffle(self, label: Label, cards: Sequence[str]) -> tuple[str, ...]:
        """Shuffle and remember."""
        order = self.deal.shuffle(label, cards)
        self.fresh.append((label, order))
        if self._watch is not None:
            self._watch(label, order)
        return order

    def draw(self, label: Label, bound: int) -> int:
        """Draw a number and keep it, as a shuffle of which only one card was drawn."""
        number = self.deal.draw(label, bound)
        self.fresh.append((label, (str(number),)))
        return number

    def new(self) -> list[tuple[Label, tuple[str, ...]]]:
        """Return the shuffles since the last call, in order."""
        new, self.fresh = self.fresh, []
        return new


class WrongShuffle(ValueError):
    """The cards of a listed shuffle are not those of the pile that is shuffled."""


class Listed:
    """A deal whose shuffles are given in order, as in a record, whatever their labels. It reports each to ``watch``."""

    def __init__(self, watch: Watch | None = None) -> None:
        self.orders: list[tuple[str, ...]] = []
        self._watch = watch

    def shuffle(self, label: Label, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the next order in the list; raise WrongShuffle if it is not an order of these cards."""
        order = self._next(label, f"of {len(cards)} cards")
        if wrong := Counter(order) - Counter(cards):
            raise WrongShuffle(f"the shuffle has {_list_counts(wrong)} too many: not the pile that is shuffled")
        if missing := Counter(cards) - Counter(order):
            raise WrongShuffle(f"the shuffle lacks {_list_counts(missing)}: not the pile that is shuffled")
        return self._tell(label, order)

    def draw(self, label: Label, bound: int) -> int:
        """Return the next number in the list; raise WrongShuffle if it is not below the bound."""
        order = self._next(label, f"of a number below {bound}")
        if len(order) != 1 or not order[0].isdecimal() or len(order[0]) > 10 or int(order[0]) >= bound:
            raise WrongShuffle(
                f"one number from 0 to {bound - 1} is drawn here ({label.word}), not {' '.join(order)[:60]}"
            )
        return int(order[0])

    def _tell(self, label: Label, order: tuple[str, ...]) -> tuple[str, ...]:
        """Report a shuffle to ``watch``, and return it."""
        if self._watch is not None:
            self._watch(label, order)
        return order

    def _next(self, label: Label, of: str) -> tuple[str, ...]:
        if not self.orders:
            raise WrongShuffle(f"a shuffle ({label.word}) {of} is missing")
        return self.orders.pop(0)


class Continued(Listed):
    """A deal whose first shuffles are given; after the list, the deal ``on`` continues, if there is one."""

    def __init__(self, watch: Watch | None = None) -> None:
        super().__init__(watch)
        self.on: Deal | None = None

    def shuffle(self, label: Label, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the next order of the list, or of the deal that continues it."""
        return super().shuffle(label, cards) if self.on is None else self.on.shuffle(label, cards)

    def draw(self, label: Label, bound: int) -> int:
        """Return the next number of the list, or of the deal that continues it."""
        return super().draw(label, bound) if self.on is None else self.on.draw(label, bound)


class Proven(Listed):
    """A deal whose listed shuffles must be those that a key gives."""

    def __init__(self, keyed: KeyedDeal, watch: Watch | None = None) -> None:
        super().__init__(watch)
        self.keyed = keyed

    def shuffle(self, label: Label, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the next order of the list; raise WrongShuffle if the key gives another."""
        if self.orders and self.orders[0] == self.keyed.shuffle(label, cards):
            return self._tell(label, self.orders.pop(0))
        super().shuffle(label, cards)  # raises if these are not even the same cards
        raise WrongShuffle(f"this is not the shuffle ({label.word}) that the key gives for deal {self.keyed.number}")

    def draw(self, label: Label, bound: int) -> int:
        """Return the next number in the list; raise WrongShuffle if the key gives another."""
        number = super().draw(label, bound)
        if number != self.keyed.draw(label, bound):
            raise WrongShuffle(f"this is not the number ({label.word}) that the key gives for deal {self.keyed.number}")
        return number


def _list_counts(cards: Counter[str]) -> str:
    return ", ".join(card if n == 1 else f"{n} {card}" for card, n in sorted(cards.items()))
