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

from croupier.protocol.sexp import parse, texts, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, ClassVar, Self

    from croupier.protocol.sexp import Sexp

    Play = tuple[Sexp, ...]

MAX_LEGAL = 64


class Field:
    """The codec of a kind of field: ``write`` returns the text after its key, ``read`` takes the forms after it.

    ``to_json`` returns the value in the JSON dialect, in dicts, lists, tuples and atoms; ``of_json`` reads that back.
    By default it is the array of the forms.
    """

    __slots__ = ("of_json", "read", "to_json", "write")

    def __init__(
        self,
        write: Callable[[Any], str],
        read: Callable[[tuple[Any, ...]], Any],
        to_json: Callable[[Any], Any] | None = None,
        of_json: Callable[[Any], Any] | None = None,
    ) -> None:
        self.write = write
        self.read = read
        self.to_json = to_json or (lambda value: parse(f"({write(value)})"))
        self.of_json = of_json or (lambda value: read(form_of_json(value)))

    def renamed(self) -> Field:
        """Return a kind of its own that is written alike; what it contains is different, and so are its numbers."""
        return Field(self.write, self.read, self.to_json, self.of_json)


def form_of_json(value: Any) -> Any:
    """Return the form that a value of the JSON dialect stands for: arrays become tuples."""
    return tuple(map(form_of_json, value)) if isinstance(value, list) else value


class Trick:
    """The cards on the table: who led, and the cards in the order played; false while there are none."""

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


_text_of = texts.__getitem__


def _forms(value: Iterable[Sexp]) -> str:
    return "".join([" " + (item if item.__class__ is str else write(item)) for item in value])


def _write_parts(value: Iterable[Sexp]) -> str:
    text = " ".join(map(_text_of, value))
    return " " + text if text else ""


def _write_entries(value: Mapping[str, Any]) -> str:
    return _write_parts(value.items())


def _words(value: Iterable[str]) -> str:
    text = " ".join(value)
    return " " + text if text else ""


def _write_trick(trick: Trick) -> str:
    return f" {trick.leader} {' '.join(trick.cards)}" if trick.cards else ""


def _write_tricks(tricks: Iterable[Trick]) -> str:
    return "".join([f" ({trick.leader} {' '.join(trick.cards)})" for trick in tricks])


def _read_trick(forms: tuple[str, ...]) -> Trick:
    return Trick(forms[0], forms[1:]) if forms else Trick()


def _json_trick(trick: Trick) -> dict[str, Any]:
    return {"leader": trick.leader, "cards": trick.cards}


def _trick_of_json(value: Mapping[str, Any]) -> Trick:
    return Trick(value["leader"], tuple(value["cards"]))


ATOM = Field(lambda value: f" {value}", lambda forms: forms[0], lambda value: value, lambda value: value)
"""One symbol or integer."""
NUMBER = ATOM.renamed()
"""One integer."""
SYMBOL = ATOM.renamed()
"""One word, of the page's ``WORDS``."""
PLAYER = ATOM.renamed()
"""A player's name."""
FLAG = Field(lambda value: " yes" if value else " no", lambda forms: forms[0] == "yes", bool, bool)
"""``yes`` or ``no``: a bool."""
CARDS = Field(_words, lambda forms: forms, tuple, tuple)
"""Any number of cards: a tuple of str."""
SYMBOLS = CARDS.renamed()
"""Any number of words, of the page's ``WORDS``: a tuple of str."""
PLAYERS = CARDS.renamed()
"""Any number of players' names: a tuple of str."""
FORMS = Field(_forms, lambda forms: forms, tuple, form_of_json)
"""Any s-expressions: a tuple of them."""
PLAYS = Field(_write_parts, lambda forms: forms, tuple, form_of_json)
"""Plays, which occur again and again and are therefore looked up: a tuple of them."""
TABLE = Field(_write_entries, lambda forms: {form[0]: form[1] for form in forms}, dict, dict)
"""``(NAME N) ...`` or ``(NAME WORD) ...``: a dict from name to number or word."""
TRICK = Field(_write_trick, _read_trick, _json_trick, _trick_of_json)
"""``LEADER C ...`` or nothing: a Trick."""
TRICKS = Field(
    _write_tricks,
    lambda forms: tuple([Trick(form[0], form[1:]) for form in forms]),
    lambda tricks: list(map(_json_trick, tricks)),
    lambda value: tuple(map(_trick_of_json, value)),
)
"""``(LEADER C C ...) ...``: a tuple of Trick."""

HEAD = {"game": SYMBOL, "options": TABLE, "players": PLAYERS}
PHASE = {"phase": SYMBOL}
TAIL = {"clock": NUMBER, "bank": NUMBER, "legal": PLAYS}


class once:  # noqa: N801  (a decorator, in small letters like `property`)
    """An attribute of a view that is computed at its first access and kept.

    `functools.cached_property` does the same, but importing functools takes longer than everything else that a bot
    loads.
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


class View:
    """The knowledge of one seat.

    The first fields are ``game``, ``options`` (a dict) and ``players`` (this seat's own name first, then clockwise).
    Then come the fields of the game's page, and last ``clock`` and ``bank`` (milliseconds) and ``legal`` (a tuple of
    plays).

    ``legal`` is None if it is not the seat's turn or there are more than 64 plays; `legal_plays` lists them then too.
    The plain View serves games without a page here: every field is the tuple of the forms after its key.
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
    WORDS: ClassVar[tuple[str, ...]] = ()
    """The words that fields and plays contain in addition to cards and names, in the order of their numbers."""
    _ALL: ClassVar[dict[str, tuple[str, Field]]] = _attributes(HEAD | PHASE | TAIL)
    NAMES: ClassVar[tuple[str, ...]] = tuple(_ALL)
    """The fields' attributes, in the order of the wire."""

    def __init_subclass__(cls) -> None:
        cls._ALL = _attributes({**HEAD, **({} if "phase" in cls.FIELDS else PHASE), **cls.FIELDS, **TAIL})
        cls.NAMES = tuple(cls._ALL)

    def __init__(self, **fields: Any) -> None:
        self.__dict__ = fields

    @classmethod
    def showing(cls, fields: dict[str, Any]) -> Self:
        """Return the view with these values by attribute; the view owns the dict from now on."""
        view = cls.__new__(cls)
        view.__dict__ = fields
        return view

    @classmethod
    def codecs(cls) -> Mapping[str, tuple[str, Field]]:
        """Return each field's key and codec by the name of its attribute, in the order of the wire."""
        return cls._ALL

    @classmethod
    def keys(cls) -> tuple[str, ...]:
        """Return the keys of STATE in their order on the wire."""
        return tuple([key for key, _ in cls._ALL.values()])

    @classmethod
    def of(cls, fields: Mapping[Any, tuple[Any, ...]]) -> Self:
        """Return a view of fields that are decoded only when they are accessed."""
        view = cls.__new__(cls)
        view.__dict__["_raw"] = fields
        return view

    def __getattr__(self, name: str) -> Any:
        """Decode a field at its first access and keep it in the instance, so that Python does not call this again."""
        raw = self.__dict__.get("_raw", {})
        key, codec = self._ALL.get(name) or (name if name in raw else name.replace("_", "-"), None)
        if key not in raw:
            if codec is None:
                raise AttributeError(f"{type(self).__name__} has no field {name}{self._instead_of(name)}")
            return None
        value = raw[key] if codec is None else codec.read(raw[key])
        self.__dict__[name] = value
        return value

    def _instead_of(self, name: str) -> str:
        """Return a hint: the field that was probably meant, or the fields that exist."""
        if name.startswith("__"):  # asked for by copy and pickle, which expect that it does not exist
            return ""
        from difflib import get_close_matches  # noqa: PLC0415  importing it takes longer than all else

        keys = self.NAMES if self.FIELDS else self.__dict__.get("_raw", self.NAMES)
        fields = [key.replace("-", "_") for key in keys]
        near = get_close_matches(name.lower(), [*fields, "me", "legal_plays"], n=1)
        return f" (did you mean {near[0]}?)" if near else f"; its fields: {', '.join(fields)}"

    def values(self) -> dict[str, Any]:
        """Return all fields that have a value, by attribute."""
        return dict(self.__dict__)

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
            return write(tuple([(key, *forms) for key, forms in have["_raw"].items()]))
        fields = [
            f"({key}{codec.write(value)})"
            for name, (key, codec) in self._ALL.items()
            if (value := have.get(name)) is not None
        ]
        return f"({' '.join(fields)})"

    @property
    def me(self) -> str:
        """The seat's own name."""
        name: str = self.players[0]
        return name

    def legal_plays(self) -> Iterable[Play]:
        """List the legal plays; a page whose ``legal`` may be left out overrides this to list them from the view.

        Raise LookupError if STATE lists none.
        """
        legal: tuple[Play, ...] | None = self.legal
        if legal is None:
            raise LookupError("STATE lists no legal plays")
        return legal


def list_legal(legal: Iterable[Play]) -> tuple[Play, ...] | None:
    """Return the plays as STATE lists them: None if there are none, or more than 64."""
    size = getattr(legal, "__len__", None)
    if size is not None and not 0 < size() <= MAX_LEGAL:
        return None
    plays = legal if isinstance(legal, tuple) else tuple(islice(legal, MAX_LEGAL + 1))
    return plays if 0 < len(plays) <= MAX_LEGAL else None
