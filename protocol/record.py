"""A game's record: its lines as typed values, written and read.

A record is ASCII text, one s-expression a line: ``str(value)`` is the line, and `read` gives the value again with the
line's number, counted physically from 1. Each kind of line is declared once, by its shape and the kinds of its fields.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from croupier.protocol.notifications import BLIND, CLASSIC, JSON, OPEN
from croupier.protocol.sexp import Malformed, check_levels, parse, texts, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from croupier.protocol.sexp import Atom, Sexp

    Play = tuple[Sexp, ...]

T = TypeVar("T")

VERSION = 1
OUTCOMES = ("finished", "forfeit", "void", "interrupted")
MAX_STRING = 2048
PART = MAX_STRING // 4
"""A program's line is split into strings of this many characters: a part fits even if all are escaped."""

_STRING_OR_COMMENT = re.compile(r'"((?:[^"\\]|\\["\\]|\\x[0-9a-fA-F]{2})*)"|;.*')
_HEX = re.compile(r"\(\s*(key|program|manifest|deal\s+-?\d+)\s+([0-9a-fA-F]+)\s*\)")
"""The lines that end in a hexadecimal word.

All its digits might be decimal, so it is kept from being read as a number.
"""
_SHORT = 64
"""Lines up to this length are remembered: the same few hundred plays occur in all records of a tournament."""
_REMEMBERED = 4096
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|[\"\\])")


class BadRecord(ValueError):
    """A line that no record may contain."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


class _Shape(ValueError):
    """A form that does not have the shape of its line."""


# Strings


def quote(text: str) -> str:
    """Write a string: at most 2 KiB of printable ASCII, with everything else escaped."""
    escaped = []
    size = 0
    for char in text:
        piece = char if " " <= char <= "~" and char not in '"\\' else _escape(char)
        size += len(piece)
        if size > MAX_STRING:
            break
        escaped.append(piece)
    return '"' + "".join(escaped) + '"'


def _escape(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    data = char.encode("latin-1") if ord(char) < 256 else char.encode("utf-8", "replace")
    return "".join(f"\\x{byte:02x}" for byte in data)


class _Quoted(str):
    """A string of a line, as opposed to a symbol."""

    __slots__ = ()

    @classmethod
    def of(cls, text: str) -> _Quoted:
        """Read the text between the quotes."""
        return cls(_ESCAPE.sub(lambda found: chr(int(found[1][1:], 16)) if found[1][0] == "x" else found[1], text))


# The kinds of fields: each reads a form, or raises an error if the form is not of its kind


def _only(*types: type) -> Callable[[Any], Any]:
    def read(form: Sexp) -> Sexp:
        if type(form) not in types:
            raise TypeError
        return form

    return read


_name, _number, _atom, _text, _list = _only(str), _only(int), _only(str, int), _only(_Quoted), _only(tuple)


def _word(form: Sexp) -> str:
    """Read a word that may be all digits."""
    return str(_atom(form))


def _play(form: Any) -> Play:
    """Read a play, which is not empty."""
    if _list(form) == ():
        raise TypeError
    play: Play = form
    return play


def _pair(value: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def read(form: Any) -> tuple[str, Any]:
        name, second = _list(form)
        return _name(name), value(second)

    return read


# The lines

_READERS: dict[str, tuple[str, Callable[[tuple[Sexp, ...]], Line]]] = {}


def _line(
    shape: str, *fields: Callable[[Any], Any], each: Callable[[Any], Any] | None = None, least: int = 0
) -> Callable[[type[T]], type[T]]:
    """Declare a kind of line.

    ``each`` is the kind of the items in its last field, of which there must be at least ``least``.
    """
    head, count = shape[1:-1].split(" ", 1)[0], len(fields)
    plain = fields.index(_text) if _text in fields else count

    def to_text(line: Any) -> str:
        values = line if each is None else (*line[:-1], *line[-1])
        strings = values[plain:] if each is _text or plain < count else ()
        return write((head, *values[: len(values) - len(strings)], *map(quote, strings)))

    def declare(line: type[T]) -> type[T]:
        make: Callable[..., Any] = line

        def from_forms(forms: tuple[Sexp, ...]) -> Any:
            own = [read(form) for read, form in zip(fields, forms[:count], strict=True)]
            if len(forms) < count + least or (each is None and len(forms) > count):
                raise ValueError
            return make(*own) if each is None else make(*own, tuple(map(each, forms[count:])))

        line.__str__ = to_text  # type: ignore[method-assign]  # as a class of values writes itself
        _READERS[head] = shape, from_forms
        return line

    return declare


@_line("(record 1)", _number)
class Version(NamedTuple):
    """``(record 1)``: always the first line."""

    number: int


@_line("(game NAME (OPTION VALUE) ...)", _name, each=_pair(_atom))
class GameLine(NamedTuple):
    """``(game hearts (pass none) ...)``: the game and its options."""

    name: str
    options: tuple[tuple[str, Atom], ...]


@_line("(program SHA256)", _word)
class Program(NamedTuple):
    """``(program SHA256)``: which RECYCLE program."""

    sha256: str


@_line('(source NAME "text" ...)', _name, each=_text, least=1)
class Source(NamedTuple):
    """``(source NAME "text" ...)``: the next line of the program called NAME, in a record that carries it."""

    name: str
    parts: tuple[str, ...]

    @classmethod
    def lines(cls, name: str, program: bytes) -> list[Source]:
        """Return a program as lines of a record, long lines in parts."""
        texts = program.decode("latin-1").split("\n")
        return [cls(name, tuple([text[at : at + PART] for at in range(0, len(text) or 1, PART)])) for text in texts]

    @classmethod
    def join(cls, lines: Iterable[Source]) -> bytes:
        """Return the program whose lines these are."""
        return "\n".join("".join(line.parts) for line in lines).encode("latin-1")


@_line("(players NAME ...)", each=_name)
class Players(NamedTuple):
    """``(players alice bob ...)``: clockwise, the first has seat 0."""

    names: tuple[str, ...]


@_line("(classic NAME ...)", each=_name)
class Classic(NamedTuple):
    """``(classic bob ...)``: the players who were spoken to in the classic dialect."""

    names: tuple[str, ...]


@_line("(json NAME ...)", each=_name)
class Json(NamedTuple):
    """``(json bob ...)``: the players who were spoken to in the JSON dialect."""

    names: tuple[str, ...]


@_line("(open NAME ...)", each=_name)
class Open(NamedTuple):
    """``(open bob ...)``: the players who were told all hands."""

    names: tuple[str, ...]


@_line("(blind NAME ...)", each=_name)
class Blind(NamedTuple):
    """``(blind bob ...)``: the players who were told imagined deals."""

    names: tuple[str, ...]


@_line("(deal NUMBER COMMITMENT)", _number, _word)
class DealLine(NamedTuple):
    """``(deal 17 COMMITMENT)``: the deal's number, and the SHA-256 of the tournament's key, or 0 without one."""

    number: int
    commitment: str


@_line("(manifest SHA256)", _word)
class Manifest(NamedTuple):
    """``(manifest SHA256)``: the manifest that bound the tournament when the game was played."""

    sha256: str


@_line("(shadow NAME ...)", each=_name)
class Shadow(NamedTuple):
    """``(shadow bob ...)``: this game was copied from another of its deal; only these players were asked."""

    names: tuple[str, ...]


@_line("(shuffle LABEL CARD ...)", lambda form: form, each=_word)
class Shuffled(NamedTuple):
    """``(shuffle LABEL C ...)``: a shuffle, top first."""

    label: Sexp
    cards: tuple[str, ...]


@_line("(play NAME PLAY)", _name, _play)
class Played(NamedTuple):
    """``(play alice PLAY)``: an accepted play."""

    name: str
    play: Play


@_line("(attack NAME NAME)", _name, _name)
class Attacked(NamedTuple):
    """``(attack alice bob)``: bob is attacked by alice's last play."""

    attacker: str
    defender: str


@_line("(defense NAME DEFENSE)", _name, _play)
class Defense(NamedTuple):
    """``(defense bob DEFENSE)``: his answer."""

    name: str
    defense: Play


@_line('(fault NAME KIND "why" "request" "bytes")', _name, _name, _text, _text, _text)
class Faulted(NamedTuple):
    """``(fault dave KIND "why" "request" "bytes")``; the strings are cut to 2 KiB each."""

    name: str
    kind: str
    why: str
    request: str
    received: str


@_line("(stand-in NAME)", _name)
class StandIn(NamedTuple):
    """``(stand-in dave)``: from here dave's plays are the stand-in's."""

    name: str


@_line("(score (NAME N) ...)", each=_pair(_number))
class Score(NamedTuple):
    """``(score (alice 3) ...)``: the game's scores."""

    scores: tuple[tuple[str, int], ...]


@_line(f"(end {'|'.join(OUTCOMES)})", lambda form: OUTCOMES[OUTCOMES.index(form)])
class End(NamedTuple):
    """``(end finished)``, or ``forfeit``, ``void``, ``interrupted``."""

    outcome: str


@_line("(time NAME MICROSECONDS)", _name, _number)
class Time(NamedTuple):
    """``(time alice 12500)``: microseconds used; never part of a comparison."""

    name: str
    microseconds: int


@_line("(key HEX)", _word)
class KeyLine(NamedTuple):
    """``(key HEX)``: the tournament's key, added when it is revealed."""

    secret: str


Line = (
    Version | GameLine | Program | Source | Players | Classic | Json | Open | Blind | DealLine | Manifest | Shadow
    | Shuffled | Played | Attacked | Defense | Faulted | StandIn | Score | End | Time | KeyLine
)  # fmt: skip

SPOKEN: dict[str, type[Classic | Json]] = {CLASSIC: Classic, JSON: Json}
"""The lines that name the players of other dialects than the native one."""
SIGHTS: dict[str, type[Open | Blind]] = {OPEN: Open, BLIND: Blind}
"""The lines that name the players who were told more than their own cards."""


def play_line(name: str, play: Play) -> str:
    """Return the line of an accepted play without making a `Played`, because the referee writes one per decision."""
    return f"(play {name} {texts[play]})"


# Reading


def read(text: str) -> Iterator[tuple[int, Line]]:
    """Yield each line's number and value; raise BadRecord at the first line that is not valid."""
    for number, line in enumerate(text.split("\n"), 1):
        try:
            value = _remembered(line) if len(line) <= _SHORT else _value(line)
            if value is not None:
                yield number, value
        except (Malformed, _Shape) as problem:
            raise BadRecord(number, str(problem)) from None


def _value(line: str) -> Line | None:
    """Return a line's value, None for a blank line or a comment."""
    strings: list[_Quoted] = []

    def keep(found: re.Match[str]) -> str:
        if found[1] is None:
            return ""
        strings.append(_Quoted.of(found[1]))
        return f" _{len(strings) - 1} "

    line = _STRING_OR_COMMENT.sub(keep, line).strip()
    if not line:
        return None
    check_levels(line.encode("ascii", "replace"))
    found = _HEX.fullmatch(line)
    form = parse(f"({found[1]})" if found else line)
    if not isinstance(form, tuple) or not form or not isinstance(form[0], str):
        raise _Shape("a record's line is a list that begins with a word such as play or shuffle")
    head, rest = form[0], (*form[1:], found[2]) if found else form[1:]
    if head not in _READERS:
        raise _Shape(f"{head} is no line of a record; the lines: {', '.join(_READERS)}")
    shape, reader = _READERS[head]
    try:
        return reader(_with_strings(rest, strings))
    except (TypeError, ValueError):
        raise _Shape(f"{write(form)[:80]} should look like {shape}") from None


def _with_strings(forms: tuple[Sexp, ...], strings: Sequence[_Quoted]) -> tuple[Sexp, ...]:
    """Put a line's strings, which are always at its end, into the places reserved for them."""
    before = len(forms) - len(strings)
    if forms[before:] != tuple([f"_{place}" for place in range(len(strings))]):
        raise ValueError
    return (*forms[:before], *strings)


_remembered = lru_cache(_REMEMBERED)(_value)
