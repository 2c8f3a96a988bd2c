"""View: what one seat may know, as attributes; and the codecs that its fields are made of.

A page declares its fields in the order of the wire::

    class SedmaView(View):
        FIELDS = {"hand": CARDS, "trick": TRICK, "stock": NUMBER}

A field whose value is None is left out of STATE, and reads as None where STATE lacks it. A hyphen in a key is an
underscore in the attribute: ``(chosen-by NAME)`` is ``state.chosen_by``. A page names the phases before the cards in
``BIDDING``.
"""

from __future__ import annotations

from itertools import islice

from croupier.protocol.sexp import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, ClassVar, Self

    from croupier.protocol.sexp import Sexp

    Play = tuple[Sexp, ...]

MAX_LEGAL = 64
MAX_TEXTS = 4096


class Field:
    """How one kind of field is written, all behind its key, and read back from the forms behind its key."""

    __slots__ = ("read", "write")

    def __init__(self, write: Callable[[Any], str], read: Callable[[tuple[Any, ...]], Any]) -> None:
        self.write = write
        self.read = read


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


def _forms(value: Iterable[Sexp]) -> str:
    return "".join([" " + (item if item.__class__ is str else write(item)) for item in value])


_texts: dict[Sexp, str] = {}


def _remembered(value: Iterable[Sexp]) -> str:
    """Write plays: the same few hundred are listed all day."""
    texts = _texts
    if len(texts) > MAX_TEXTS:
        texts.clear()
    try:
        return "".join([texts[play] for play in value])
    except KeyError:
        texts.update({play: " " + write(play) for play in value})
        return _remembered(value)


def _words(value: Iterable[str]) -> str:
    text = " ".join(value)
    return " " + text if text else ""


def _write_trick(trick: Trick) -> str:
    return f" {trick.leader}{_words(trick.cards)}" if trick.cards else ""


def _read_trick(forms: tuple[str, ...]) -> Trick:
    return Trick(forms[0], forms[1:]) if forms else Trick()


ATOM = Field(lambda value: f" {value}", lambda forms: forms[0])
"""One symbol or integer."""
NUMBER = ATOM
SYMBOL = ATOM
FLAG = Field(lambda value: " yes" if value else " no", lambda forms: forms[0] == "yes")
"""``yes`` or ``no``: a bool."""
CARDS = Field(_words, lambda forms: forms)
"""Any number of cards or other symbols: a tuple of str."""
SYMBOLS = CARDS
FORMS = Field(_forms, lambda forms: forms)
"""Any s-expressions: a tuple of them."""
PLAYS = Field(_remembered, lambda forms: forms)
"""Plays that come again and again: a tuple of them."""
TABLE = Field(
    lambda value: "".join([f" ({name} {entry})" for name, entry in value.items()]),
    lambda forms: {form[0]: form[1] for form in forms},
)
"""``(NAME N) ...`` or ``(NAME WORD) ...``: a dict from name to number or word."""
TRICK = Field(_write_trick, _read_trick)
"""``LEADER C ...`` or nothing: a Trick."""
TRICKS = Field(
    lambda value: "".join([f" ({trick.leader} {' '.join(trick.cards)})" for trick in value]),
    lambda forms: tuple([Trick(form[0], form[1:]) for form in forms]),
)
"""``(LEADER C C ...) ...``: a tuple of Trick."""

HEAD = {"game": SYMBOL, "options": TABLE, "players": SYMBOLS, "phase": SYMBOL}
TAIL = {"clock": NUMBER, "bank": NUMBER, "legal": PLAYS}


def _attributes(fields: Mapping[str, Field]) -> dict[str, tuple[str, Field]]:
    """Return each field's key and codec by the name of its attribute."""
    return {key.replace("-", "_"): (key, codec) for key, codec in fields.items()}


def _writers(attributes: Mapping[str, tuple[str, Field]]) -> tuple[tuple[str, str, Callable[[Any], str]], ...]:
    """Return each attribute's name, what its field begins with, and what writes the rest."""
    return tuple([(name, f"({key}", codec.write) for name, (key, codec) in attributes.items()])


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
    _ALL: ClassVar[dict[str, tuple[str, Field]]] = _attributes(HEAD | TAIL)
    _WRITERS: ClassVar[tuple[tuple[str, str, Callable[[Any], str]], ...]] = _writers(_ALL)

    def __init_subclass__(cls) -> None:
        cls._ALL = _attributes({**HEAD, **cls.FIELDS, **TAIL})
        cls._WRITERS = _writers(cls._ALL)

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)

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
        """Decode a field at its first use."""
        raw = self.__dict__.get("_raw", {})
        key, codec = self._ALL.get(name) or (name if name in raw else name.replace("_", "-"), None)
        if key not in raw:
            if codec is None:
                raise AttributeError(f"{type(self).__name__} has no field {name}")
            return None
        value = raw[key] if codec is None else codec.read(raw[key])
        self.__dict__[name] = value
        return value

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def __str__(self) -> str:
        """Write STATE."""
        have = self.__dict__
        if "_raw" in have:
            return write(tuple((key, *forms) for key, forms in have["_raw"].items()))
        fields = [
            f"{opening}{write_value(value)})"
            for name, opening, write_value in self._WRITERS
            if (value := have.get(name)) is not None
        ]
        return f"({' '.join(fields)})"

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
    plays = tuple(islice(legal, MAX_LEGAL + 1))
    return plays if len(plays) <= MAX_LEGAL else None
