"""View: what one seat may know, as attributes; and the codecs that its fields are made of.

A page declares its fields in the order of the wire, those that stay for a whole hand first::

    class SedmaView(View):
        FIELDS = {"tally": TABLE, "phase": SYMBOL, "hand": CARDS, "trick": TRICK, "stock": NUMBER}

A field whose value is None is left out of STATE, and reads as None where STATE lacks it. A hyphen in a key is an
underscore in the attribute: ``(chosen-by NAME)`` is ``state.chosen_by``. A page names the phases before the cards in
``BIDDING``; one that does not list ``phase`` has it first.
"""

from __future__ import annotations

from itertools import islice

from croupier.protocol.sexp import texts, write
from croupier.protocol.views.known import Known, never_changed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, ClassVar, Self

    from croupier.protocol.sexp import Sexp
    from croupier.protocol.views.known import Settled

    Play = tuple[Sexp, ...]
    Writer = tuple[int, str, str, Callable[[Any], str], bool]

MAX_LEGAL = 64
SETTLED = "_settled"
"""The attribute of a view that has its `Settled` fields, if it has any."""


class Field:
    """How one kind of field is written, all behind its key, and read back from the forms behind its key.

    ``lasting`` says that what is written of a frozen value stays the same: nothing else is looked at, or within it.
    """

    __slots__ = ("lasting", "read", "write")

    def __init__(
        self, write: Callable[[Any], str], read: Callable[[tuple[Any, ...]], Any], *, lasting: bool = False
    ) -> None:
        self.write = write
        self.read = read
        self.lasting = lasting


class Trick:
    """The cards on the table: who led, and the cards in the order they fell; false while there are none."""

    __slots__ = ("cards", "leader")

    def __init__(self, leader: str | None = None, cards: tuple[str, ...] = ()) -> None:
        self.leader = leader
        self.cards = cards

    def __bool__(self) -> bool:
        return bool(self.cards)

    def __len__(self) -> int:
        return len(self.cards)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trick) and (self.leader, self.cards) == (other.leader, other.cards)

    def __hash__(self) -> int:
        return hash((self.leader, self.cards))

    def __repr__(self) -> str:
        return f"Trick({self.leader!r}, {self.cards!r})"


class Entries(dict[str, "Any"]):
    """What belongs to each name, never changed once it is made: it is written once."""

    text = ""
    """How it is written, once it has been."""


never_changed(Trick)
never_changed(Entries)
_text_of = texts.__getitem__


def _forms(value: Iterable[Sexp]) -> str:
    return "".join([" " + (item if item.__class__ is str else write(item)) for item in value])


def _remembered(value: Iterable[Sexp]) -> str:
    text = " ".join(map(_text_of, value))
    return " " + text if text else ""


def written_once(value: Mapping[str, Any], as_text: Callable[[Iterable[Any]], str]) -> str:
    """Write what belongs to each name; of `Entries` once."""
    if value.__class__ is not Entries:
        return as_text(value.items())
    if not value.text:
        value.text = as_text(value.items())
    return value.text


def _write_entries(value: Mapping[str, Any]) -> str:
    return written_once(value, _remembered)


def _words(value: Iterable[str]) -> str:
    text = " ".join(value)
    return " " + text if text else ""


def _write_trick(trick: Trick) -> str:
    return f" {trick.leader} {' '.join(trick.cards)}" if trick.cards else ""


class _Shared:
    """Write what several seats see one after the other once, and of a tuple that has grown what is new."""

    def __init__(self, write: Callable[[Any], str]) -> None:
        self._write = write
        self._last: tuple[tuple[Any, ...], str] = ((), "")

    def __call__(self, value: Any) -> str:
        """Write the value."""
        if value.__class__ is not tuple:
            return self._write(value)
        last, text = self._last
        if value is not last:
            same = len(last) if value[: len(last)] == last else 0
            text = (text if same else "") + self._write(value[same:])
            self._last = value, text
        return text


def _read_trick(forms: tuple[str, ...]) -> Trick:
    return Trick(forms[0], forms[1:]) if forms else Trick()


ATOM = Field(lambda value: f" {value}", lambda forms: forms[0], lasting=True)
"""One symbol or integer."""
NUMBER = ATOM
SYMBOL = ATOM
FLAG = Field(lambda value: " yes" if value else " no", lambda forms: forms[0] == "yes", lasting=True)
"""``yes`` or ``no``: a bool."""
CARDS = Field(_words, lambda forms: forms, lasting=True)
"""Any number of cards or other symbols: a tuple of str."""
SYMBOLS = CARDS
FORMS = Field(_forms, lambda forms: forms, lasting=True)
"""Any s-expressions: a tuple of them."""
PLAYS = Field(_remembered, lambda forms: forms, lasting=True)
"""Plays that come again and again: a tuple of them."""
TABLE = Field(_write_entries, lambda forms: {form[0]: form[1] for form in forms}, lasting=True)
"""``(NAME N) ...`` or ``(NAME WORD) ...``: a dict from name to number or word."""
TRICK = Field(_write_trick, _read_trick, lasting=True)
"""``LEADER C ...`` or nothing: a Trick."""
TRICKS = Field(
    _Shared(lambda value: "".join([f" ({trick.leader} {' '.join(trick.cards)})" for trick in value])),
    lambda forms: tuple([Trick(form[0], form[1:]) for form in forms]),
    lasting=True,
)
"""``(LEADER C C ...) ...``: a tuple of Trick."""

HEAD = {"game": SYMBOL, "options": TABLE, "players": SYMBOLS}
PHASE = {"phase": SYMBOL}
TAIL = {"clock": NUMBER, "bank": NUMBER, "legal": PLAYS}


class once:  # noqa: N801  (a decorator, in small letters like `property`)
    """An attribute of a view that is found out when it is first asked for, and stays.

    `functools.cached_property` is the same; to load it costs a bot more than all else that it loads.
    """

    __slots__ = ("_find", "_name")

    def __init__(self, find: Callable[[Any], Any]) -> None:
        self._find = find

    def __set_name__(self, page: type, name: str) -> None:
        self._name = name

    def __get__(self, view: Any, page: type) -> Any:
        found = view.__dict__[self._name] = self._find(view)
        return found


def _attributes(fields: Mapping[str, Field]) -> dict[str, tuple[str, Field]]:
    """Return each field's key and codec by the name of its attribute."""
    return {key.replace("-", "_"): (key, codec) for key, codec in fields.items()}


def _writers(attributes: Mapping[str, tuple[str, Field]]) -> tuple[Writer, ...]:
    """Return each field's place and attribute, what it begins with, how it is written, and whether that is lasting."""
    return tuple(
        [
            (place, name, f" ({key}", field.write, field.lasting)
            for place, (name, (key, field)) in enumerate(attributes.items())
        ]
    )


class View:
    """What one seat may know.

    First ``game``, ``options`` (a dict) and ``players`` (oneself first, then clockwise), then the fields of the game's
    page, last ``clock`` and ``bank`` (milliseconds) and ``legal`` (a tuple of plays).

    ``legal`` is None where the seat is not on turn or has more than 64 plays; `legal_plays` lists them then too.
    The plain View serves games without a page here: every field is the tuple of what stands behind its key.
    """

    players: Any
    clock: Any
    bank: Any
    legal: Any

    GAME: ClassVar[str] = ""
    CLASSIC: ClassVar[bool] = False
    """Whether the classic dialect has words for this game."""
    BIDDING: ClassVar[tuple[str, ...]] = ()
    """The phases in which an agent's `tryBid` is asked; in all others it is `tryPlay`."""
    FIELDS: ClassVar[Mapping[str, Field]] = {}
    _ALL: ClassVar[dict[str, tuple[str, Field]]] = _attributes(HEAD | PHASE | TAIL)
    NAMES: ClassVar[tuple[str, ...]] = tuple(_ALL)
    """The fields' attributes, in the order of the wire."""
    WRITERS: ClassVar[tuple[Writer, ...]] = _writers(_ALL)
    """Of each field its place and attribute, what it begins with, how it is written, and whether that is lasting."""
    _settled: Settled | None = None

    def __init_subclass__(cls) -> None:
        cls._ALL = _attributes({**HEAD, **({} if "phase" in cls.FIELDS else PHASE), **cls.FIELDS, **TAIL})
        cls.NAMES = tuple(cls._ALL)
        cls.WRITERS = _writers(cls._ALL)

    def __init__(self, **fields: Any) -> None:
        self.__dict__ = fields

    @classmethod
    def showing(cls, fields: dict[str, Any]) -> Self:
        """Return the view of these values by attribute, and of what is `SETTLED`; the dict is its own from now on."""
        view = cls.__new__(cls)
        view.__dict__ = fields
        return view

    @classmethod
    def keys(cls) -> tuple[str, ...]:
        """Return the keys of STATE in their order on the wire."""
        return tuple([key for key, _ in cls._ALL.values()])

    @classmethod
    def of(cls, fields: Mapping[Any, tuple[Any, ...]]) -> Self:
        """Return the view whose fields are still as read, to be decoded when they are asked for."""
        view = cls.__new__(cls)
        view.__dict__["_raw"] = fields
        return view

    def __getattr__(self, name: str) -> Any:
        """Return a settled field, or decode one that was read; it is found without a call from then on."""
        settled = self._settled
        if settled is not None and name in settled:
            value = self.__dict__[name] = settled[name]
            return value
        raw = self.__dict__.get("_raw", {})
        key, codec = self._ALL.get(name) or (name if name in raw else name.replace("_", "-"), None)
        if key not in raw:
            if codec is None:
                raise AttributeError(f"{type(self).__name__} has no field {name}")
            return None
        value = raw[key] if codec is None else codec.read(raw[key])
        self.__dict__[name] = value
        return value

    def values(self) -> dict[str, Any]:
        """Return all fields that were given a value, by attribute."""
        fields = {**(self._settled or {}), **self.__dict__}
        fields.pop(SETTLED, None)
        return fields

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def __str__(self) -> str:
        """Write STATE."""
        return self.text(Known())

    def text(self, known: Known) -> str:
        """Write STATE; a field that is as it was when ``known`` was last used is not written anew."""
        settled = self._settled
        if settled is not None and (settled is known.settled or known.still(type(self), settled)):
            return known.told(self.__dict__, known.moving)
        if "_raw" in self.__dict__:
            return write(tuple((key, *forms) for key, forms in self.__dict__["_raw"].items()))
        return known.told_whole(type(self), self.__dict__ if settled is None else self.values(), settled)

    @property
    def me(self) -> str:
        """One's own name."""
        name: str = self.players[0]
        return name

    def legal_plays(self) -> Iterable[Play]:
        """List the legal plays; a game whose ``legal`` may be left out overrides this to list them from the view."""
        legal: tuple[Play, ...] | None = self.legal
        if legal is None:
            raise LookupError("STATE lists no legal plays")
        return legal


def listed(legal: Iterable[Play]) -> tuple[Play, ...] | None:
    """Return the plays as STATE lists them: None where there are more than 64."""
    plays = legal if isinstance(legal, tuple) else tuple(islice(legal, MAX_LEGAL + 1))
    return plays if len(plays) <= MAX_LEGAL else None
