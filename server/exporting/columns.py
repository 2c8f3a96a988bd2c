"""Columns: the columns of a table, their kinds, and those that follow from the fields of a game's page."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.protocol.views.view import (
    ATOM,
    CARDS,
    FLAG,
    NUMBER,
    PLAYER,
    PLAYERS,
    SYMBOL,
    SYMBOLS,
    TAIL,
    TRICK,
    TRICKS,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.protocol.views import View
    from croupier.protocol.views.view import Field

SCHEMA = 1
"""The version of all tables: increased when a column is renamed or removed, or its meaning changes."""


class CannotExport(ValueError):
    """Games or values that cannot be in one table; the message says why, and what to do."""


class Kind(Enum):
    """The kind of a column's values; each may also be missing."""

    WORD = "text"
    NUMBER = "integer"
    REAL = "number"
    FLAG = "boolean"
    WORDS = "list of texts"
    NUMBERS = "list of integers"
    REALS = "list of numbers"
    TRICK = "`leader` (text) and `cards` (list of texts)"
    TRICKS = "list of `leader` and `cards`"
    JSON = "JSON"


class Column(NamedTuple):
    """A column: its name, the kind of its values, and their meaning."""

    name: str
    kind: Kind
    meaning: str


VERSION = Column("schema", Kind.NUMBER, f"the version of these columns, {SCHEMA}")
"""The first column of every table: CSV has no other place for it that every reader skips."""

_KINDS = {
    ATOM: Kind.WORD,
    SYMBOL: Kind.WORD,
    PLAYER: Kind.WORD,
    NUMBER: Kind.NUMBER,
    FLAG: Kind.FLAG,
    CARDS: Kind.WORDS,
    SYMBOLS: Kind.WORDS,
    PLAYERS: Kind.WORDS,
    TRICK: Kind.TRICK,
    TRICKS: Kind.TRICKS,
}
_ELSEWHERE = {"game", *TAIL}
"""STATE's fields that are columns under their own names, or that a record does not tell, such as the clock."""


class StateColumn(NamedTuple):
    """A column with a field of STATE: the field's attribute in the view, and what makes a value of it."""

    column: Column
    attribute: str
    convert: Callable[[Any], Any]


def state_columns(page: type[View]) -> list[StateColumn]:
    """Return a column for each field of a page, called ``state_`` and the field's attribute."""
    return [
        _of_field(attribute, key, codec)
        for attribute, (key, codec) in page.codecs().items()
        if attribute not in _ELSEWHERE
    ]


def _of_field(attribute: str, key: str, codec: Field) -> StateColumn:
    kind = _KINDS.get(codec, Kind.JSON)
    convert = str if kind is Kind.WORD else codec.to_json
    return StateColumn(Column(f"state_{attribute}", kind, f"STATE's `({key} ...)`"), attribute, convert)
