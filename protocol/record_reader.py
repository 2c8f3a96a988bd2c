"""Reading a game's record: each line's value with its number, counted physically from 1."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from croupier.protocol.record import (
    OUTCOMES,
    Attacked,
    Classic,
    DealLine,
    Defense,
    End,
    Faulted,
    GameLine,
    KeyLine,
    Manifest,
    Played,
    Players,
    Program,
    Score,
    Shadow,
    Shuffled,
    Source,
    StandIn,
    Time,
    Version,
)
from croupier.protocol.sexp import Malformed, check_levels, parse, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from croupier.protocol.record import Line, Play
    from croupier.protocol.sexp import Atom, Sexp

_STRING = re.compile(r'"((?:[^"\\]|\\["\\]|\\x[0-9a-fA-F]{2})*)"')
_HEX = re.compile(r"\(\s*(key|program|manifest|deal\s+-?\d+)\s+([0-9a-fA-F]+)\s*\)")
"""The lines that end in a word of hexadecimal digits, which might all be decimal ones."""
_SHORT = 64
"""Lines up to this length are remembered: the same few hundred plays stand in the records of a tournament's games."""
_REMEMBERED = 4096
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|[\"\\])")


class BadRecord(ValueError):
    """A line that no record may contain."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


def _unquote(text: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1][1:], 16)) if found[1][0] == "x" else found[1], text)


def read(text: str) -> Iterator[tuple[int, Line]]:
    """Yield each line's number and value; raise BadRecord at the first line that cannot be one."""
    for number, line in enumerate(text.split("\n"), 1):
        try:
            value = _remembered(line) if len(line) <= _SHORT else _value(line)
            if value is not None:
                yield number, value
        except (Malformed, _Shape) as problem:
            raise BadRecord(number, str(problem)) from None


def _value(line: str) -> Line | None:
    """Return what a line says, None if that is nothing."""
    form, strings = _form(line)
    return None if form is None else _line(form, strings)


_remembered = lru_cache(_REMEMBERED)(_value)


class _Shape(ValueError):
    """A form that has not the shape of its line."""


def _form(line: str) -> tuple[Sexp | None, list[str]]:
    """Return the line's form with its strings taken out and numbered, without its comment."""
    strings: list[str] = []

    def keep(found: re.Match[str]) -> str:
        strings.append(_unquote(found[1]))
        return f" _{len(strings) - 1} "

    if '"' in line:
        line = _STRING.sub(keep, line)
    line = line.partition(";")[0].strip()
    if not line:
        return None, strings
    check_levels(line.encode("ascii", "replace"))
    found = _HEX.fullmatch(line)
    form = parse(f"({found[1]})" if found else line)
    return (*form, found[2]) if found and isinstance(form, tuple) else form, strings


def _line(form: Sexp, strings: list[str]) -> Line:
    if not isinstance(form, tuple) or not form or not isinstance(form[0], str):
        raise _Shape("a record's line is a list that begins with a word such as play or shuffle")
    head, rest = form[0], form[1:]
    if head not in _READERS:
        raise _Shape(f"{head} is no line of a record; the lines: {', '.join(_READERS)}")
    if strings and head not in _WITH_STRINGS:
        raise _Shape("only a fault and a source have strings")
    shape, reader = _READERS[head]
    try:
        return reader(rest, strings) if head in _WITH_STRINGS else reader(rest)
    except (TypeError, ValueError, IndexError, AttributeError):
        raise _Shape(f"{write(form)[:80]} should look like {shape}") from None


def _name(form: Sexp) -> str:
    if not isinstance(form, str):
        raise TypeError
    return form


def _number(form: Sexp) -> int:
    if not isinstance(form, int):
        raise TypeError
    return form


def _atom(form: Sexp) -> Atom:
    if isinstance(form, tuple):
        raise TypeError
    return form


def _play(form: Sexp) -> Play:
    if not isinstance(form, tuple) or not form:
        raise TypeError
    return form


def _pair(form: Sexp) -> tuple[Sexp, Sexp]:
    if not isinstance(form, tuple):
        raise TypeError
    key, value = form
    return key, value


def _one(rest: tuple[Sexp, ...]) -> Sexp:
    (form,) = rest
    return form


def _two(rest: tuple[Sexp, ...]) -> tuple[Sexp, Sexp]:
    one, two = rest
    return one, two


def _version(rest: tuple[Sexp, ...]) -> Version:
    return Version(_number(_one(rest)))


def _game(rest: tuple[Sexp, ...]) -> GameLine:
    pairs = map(_pair, rest[1:])
    return GameLine(_name(rest[0]), tuple((_name(key), _atom(value)) for key, value in pairs))


def _program(rest: tuple[Sexp, ...]) -> Program:
    return Program(str(_atom(_one(rest))))


def _manifest(rest: tuple[Sexp, ...]) -> Manifest:
    return Manifest(str(_atom(_one(rest))))


def _source(rest: tuple[Sexp, ...], strings: list[str]) -> Source:
    if len(rest) != len(strings) + 1 or not strings:
        raise ValueError
    return Source(_name(rest[0]), tuple(strings))


def _players(rest: tuple[Sexp, ...]) -> Players:
    return Players(tuple(map(_name, rest)))


def _classic(rest: tuple[Sexp, ...]) -> Classic:
    return Classic(tuple(map(_name, rest)))


def _shadow(rest: tuple[Sexp, ...]) -> Shadow:
    return Shadow(tuple(map(_name, rest)))


def _deal(rest: tuple[Sexp, ...]) -> DealLine:
    number, commitment = _two(rest)
    return DealLine(_number(number), str(_atom(commitment)))


def _shuffle(rest: tuple[Sexp, ...]) -> Shuffled:
    return Shuffled(rest[0], tuple(str(_atom(card)) for card in rest[1:]))


def _played(rest: tuple[Sexp, ...]) -> Played:
    name, play = _two(rest)
    return Played(_name(name), _play(play))


def _attack(rest: tuple[Sexp, ...]) -> Attacked:
    attacker, defender = _two(rest)
    return Attacked(_name(attacker), _name(defender))


def _defense(rest: tuple[Sexp, ...]) -> Defense:
    name, defense = _two(rest)
    return Defense(_name(name), _play(defense))


def _fault(rest: tuple[Sexp, ...], strings: list[str]) -> Faulted:
    name, kind, *quoted = map(_name, rest)
    if quoted != [f"_{place}" for place in range(3)]:
        raise ValueError
    why, request, received = strings
    return Faulted(name, kind, why, request, received)


def _stand_in(rest: tuple[Sexp, ...]) -> StandIn:
    return StandIn(_name(_one(rest)))


def _score(rest: tuple[Sexp, ...]) -> Score:
    return Score(tuple((_name(name), _number(value)) for name, value in map(_pair, rest)))


def _end(rest: tuple[Sexp, ...]) -> End:
    outcome = _name(_one(rest))
    if outcome not in OUTCOMES:
        raise ValueError
    return End(outcome)


def _time(rest: tuple[Sexp, ...]) -> Time:
    name, microseconds = _two(rest)
    return Time(_name(name), _number(microseconds))


def _key(rest: tuple[Sexp, ...]) -> KeyLine:
    return KeyLine(str(_atom(_one(rest))))


_WITH_STRINGS = ("fault", "source")
_READERS: dict[str, tuple[str, Callable[..., Line]]] = {
    "record": ("(record 1)", _version),
    "game": ("(game NAME (OPTION VALUE) ...)", _game),
    "program": ("(program SHA256)", _program),
    "source": ('(source NAME "text" ...)', _source),
    "players": ("(players NAME ...)", _players),
    "classic": ("(classic NAME ...)", _classic),
    "deal": ("(deal NUMBER COMMITMENT)", _deal),
    "manifest": ("(manifest SHA256)", _manifest),
    "shadow": ("(shadow NAME ...)", _shadow),
    "shuffle": ("(shuffle LABEL CARD ...)", _shuffle),
    "play": ("(play NAME PLAY)", _played),
    "attack": ("(attack NAME NAME)", _attack),
    "defense": ("(defense NAME DEFENSE)", _defense),
    "fault": ('(fault NAME KIND "why" "request" "bytes")', _fault),
    "stand-in": ("(stand-in NAME)", _stand_in),
    "score": ("(score (NAME N) ...)", _score),
    "end": (f"(end {'|'.join(OUTCOMES)})", _end),
    "time": ("(time NAME MICROSECONDS)", _time),
    "key": ("(key HEX)", _key),
}
