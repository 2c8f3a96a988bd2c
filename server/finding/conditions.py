"""Conditions: the requirements on a game to be found, such as ``score>20``, ``fault`` or ``play=(play sQ)``."""

from __future__ import annotations

import operator
import re
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Self

from croupier.protocol.sexp import Malformed, read, write
from croupier.server.names import good_name, nearest
from croupier.server.table.faults import Kind, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.server.games.game import Play

_SHAPE = re.compile(r"\s*([a-z]+)\s*(?:(!=|<=|>=|=|<|>)\s*(.*?))?\s*", re.DOTALL)
_NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,6})?", re.ASCII)
_COMPARED: dict[str, Callable[[float, float], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class BadCondition(ValueError):
    """An invalid condition; the message says why, and what would be valid."""


class Sort(Enum):
    """The type of a field's values."""

    NUMBER = "a number"
    NAME = "a player's name"
    WORD = "a word"
    FAULT = "a kind of fault"
    OUTCOME = "how a game ends"
    WORDS = "the words of a contract"
    PLAY = "a play as it stands in a record"


class GameField(NamedTuple):
    """A field to ask about, of one player or of the game, with an example."""

    sort: Sort
    of_player: bool
    example: str


FIELDS = {
    "player": GameField(Sort.NAME, True, "player=alice"),
    "score": GameField(Sort.NUMBER, True, "score>20"),
    "rank": GameField(Sort.NUMBER, True, "rank=1"),
    "fault": GameField(Sort.FAULT, True, "fault=timeout"),
    "thought": GameField(Sort.NUMBER, True, "thought>900"),
    "play": GameField(Sort.PLAY, True, "play=(play sQ)"),
    "with": GameField(Sort.NAME, False, "with=bob"),
    "game": GameField(Sort.WORD, False, "game=skat"),
    "deal": GameField(Sort.NUMBER, False, "deal=17"),
    "outcome": GameField(Sort.OUTCOME, False, "outcome=forfeit"),
    "faults": GameField(Sort.NUMBER, False, "faults=0"),
    "margin": GameField(Sort.NUMBER, False, "margin<5"),
    "decisions": GameField(Sort.NUMBER, False, "decisions>200"),
    "contract": GameField(Sort.WORDS, False, "contract=grand"),
}
_CLOSED = {Sort.FAULT: [kind.value for kind in Kind], Sort.OUTCOME: [outcome.value for outcome in Outcome]}


class Condition(NamedTuple):
    """One condition: a field, a comparison, and a value."""

    field: str
    comparison: str
    value: str | float | Play

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a condition; raise BadCondition."""
        found = _SHAPE.fullmatch(text)
        if not found or found[1] not in FIELDS:
            raise BadCondition(f"a condition is about one of {', '.join(FIELDS)}, such as score>20")
        name, comparison, given = found[1], found[2], found[3]
        field = FIELDS[name]
        if comparison is None and field.sort is Sort.FAULT:
            return cls(name, "!=", "")
        if not given:
            raise BadCondition(f"{name} is compared with {field.sort.value}, such as {field.example}")
        if field.sort is Sort.NUMBER:
            return cls(name, comparison, _number(name, given))
        single = field.sort in {Sort.PLAY, Sort.WORDS}
        if comparison != "=" and (single or comparison != "!="):
            raise BadCondition(f"{name} takes = {'alone' if single else 'or !='}, such as {field.example}")
        return cls(name, comparison, _value(name, field, given))

    def holds(self, known: object) -> bool:
        """Return whether a known value fulfils it; None, an unknown value, fulfils no condition."""
        if isinstance(self.value, float):
            return isinstance(known, int | float) and _COMPARED[self.comparison](known, self.value)
        return known is not None and (known == self.value) == (self.comparison == "=")


def _number(name: str, given: str) -> float:
    if not _NUMBER.fullmatch(given):
        raise BadCondition(f"{name} is compared with a number, and {given!r:.60} is none")
    return float(given)


def _value(name: str, field: GameField, given: str) -> str | Play:
    if field.sort is Sort.PLAY:
        return _play(given)
    if field.sort is Sort.NAME and not good_name(given):
        raise BadCondition(f"{name}: nobody can be called {given!r:.60}; a bot with this title may be {nearest(given)}")
    known = _CLOSED.get(field.sort, [given])
    if given not in known:
        raise BadCondition(f"{name} is one of {', '.join(known)}, not {given!r:.60}")
    return " ".join(given.split())


def _play(given: str) -> Play:
    """Read a play, with or without its outer parentheses."""
    try:
        play = read((given if given.startswith("(") else f"({given})").encode())
    except Malformed as problem:
        raise BadCondition(
            f"play is compared with a play as it stands in a record, such as (play sQ): {problem}"
        ) from None
    if not isinstance(play, tuple) or not play:
        raise BadCondition(f"play is compared with a play as it stands in a record, not {given!r:.60}")
    return play


class Query(NamedTuple):
    """Conditions that must all hold; those about a player must hold for the same player."""

    of_player: tuple[Condition, ...]
    of_game: tuple[Condition, ...]

    @classmethod
    def of(cls, conditions: list[Condition]) -> Self:
        """Sort conditions into those about a player and those about the game."""
        return cls(
            tuple(each for each in conditions if FIELDS[each.field].of_player),
            tuple(each for each in conditions if not FIELDS[each.field].of_player),
        )

    def about(self, field: str) -> list[Condition]:
        """List the conditions about a field."""
        return [each for each in (*self.of_player, *self.of_game) if each.field == field]

    @property
    def plays(self) -> list[str]:
        """The plays that the player must have made, as a record has them."""
        return [write(each.value) for each in self.about("play") if isinstance(each.value, tuple)]

    @property
    def contract(self) -> set[str]:
        """The words that the contract must contain."""
        return {word for each in self.about("contract") for word in str(each.value).lower().split()}
