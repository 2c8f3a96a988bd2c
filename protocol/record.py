"""A game's record: its lines as typed values.

A record is ASCII text, one s-expression a line: ``str(value)`` is the line, and `record_reader.read` gives the value
again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol.sexp import texts, write

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.protocol.sexp import Atom, Sexp

    Play = tuple[Sexp, ...]

VERSION = 1
MAX_STRING = 2048
PART = MAX_STRING // 4
"""How many characters of a program's line are one string, so that it is whole even if all are escaped."""


class Version(NamedTuple):
    """``(record 1)``: always the first line."""

    number: int

    def __str__(self) -> str:
        return f"(record {self.number})"


class GameLine(NamedTuple):
    """``(game hearts (pass none) ...)``: the game and its options."""

    name: str
    options: tuple[tuple[str, Atom], ...]

    def __str__(self) -> str:
        return texts["game", self.name, *self.options]


class Program(NamedTuple):
    """``(program SHA256)``: which RECYCLE program."""

    sha256: str

    def __str__(self) -> str:
        return f"(program {self.sha256})"


class Source(NamedTuple):
    """``(source NAME "text" ...)``: the next line of the program called NAME, for a record that carries it."""

    name: str
    parts: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(["(source", self.name, *map(quote, self.parts)]) + ")"

    @classmethod
    def lines(cls, name: str, program: bytes) -> list[Source]:
        """Return a program line by line, long lines in parts."""
        texts = program.decode("latin-1").split("\n")
        return [cls(name, tuple([text[at : at + PART] for at in range(0, len(text) or 1, PART)])) for text in texts]

    @classmethod
    def joined(cls, lines: Iterable[Source]) -> bytes:
        """Return the program whose lines these are."""
        return "\n".join("".join(line.parts) for line in lines).encode("latin-1")


class Players(NamedTuple):
    """``(players alice bob ...)``: clockwise, the first has seat 0."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        return texts["players", *self.names]


class Classic(NamedTuple):
    """``(classic bob ...)``: who of the players was spoken to in the classic dialect."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        return write(("classic", *self.names))


class DealLine(NamedTuple):
    """``(deal 17 COMMITMENT)``: the deal's number, and SHA-256 of the key or 0."""

    number: int
    commitment: str

    def __str__(self) -> str:
        return f"(deal {self.number} {self.commitment})"


class Manifest(NamedTuple):
    """``(manifest SHA256)``: what the tournament was bound to when the game was played."""

    sha256: str

    def __str__(self) -> str:
        return f"(manifest {self.sha256})"


class Shadow(NamedTuple):
    """``(shadow bob ...)``: nobody played this game; these were asked, and it goes as another of its deal."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        return write(("shadow", *self.names))


class Shuffled(NamedTuple):
    """``(shuffle LABEL C ...)``: a shuffle, top first."""

    label: Sexp
    cards: tuple[str, ...]

    def __str__(self) -> str:
        return f"(shuffle {' '.join((texts[self.label], *self.cards))})"


class Played(NamedTuple):
    """``(play alice PLAY)``: an accepted play."""

    name: str
    play: Play

    def __str__(self) -> str:
        return play_line(self.name, self.play)


class Attacked(NamedTuple):
    """``(attack alice bob)``: bob is attacked by alice's last play."""

    attacker: str
    defender: str

    def __str__(self) -> str:
        return f"(attack {self.attacker} {self.defender})"


class Defense(NamedTuple):
    """``(defense bob DEFENSE)``: his answer."""

    name: str
    defense: Play

    def __str__(self) -> str:
        return f"(defense {self.name} {texts[self.defense]})"


class Faulted(NamedTuple):
    """``(fault dave KIND "why" "request" "bytes")``; the strings are cut to 2 KiB each."""

    name: str
    kind: str
    why: str
    request: str
    received: str

    def __str__(self) -> str:
        return f"(fault {self.name} {self.kind} {quote(self.why)} {quote(self.request)} {quote(self.received)})"


class StandIn(NamedTuple):
    """``(stand-in dave)``: from here dave's plays are the stand-in's."""

    name: str

    def __str__(self) -> str:
        return f"(stand-in {self.name})"


class Score(NamedTuple):
    """``(score (alice 3) ...)``: the game's scores."""

    scores: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        return f"(score {' '.join([f'({name} {score})' for name, score in self.scores])})"


class End(NamedTuple):
    """``(end finished)``, or forfeit, void, interrupted."""

    outcome: str

    def __str__(self) -> str:
        return f"(end {self.outcome})"


class Time(NamedTuple):
    """``(time alice 12500)``: microseconds used; never part of a comparison."""

    name: str
    microseconds: int

    def __str__(self) -> str:
        return f"(time {self.name} {self.microseconds})"


class KeyLine(NamedTuple):
    """``(key HEX)``: the tournament's key, added when it is revealed."""

    secret: str

    def __str__(self) -> str:
        return f"(key {self.secret})"


Line = (
    Version | GameLine | Program | Source | Players | Classic | DealLine | Manifest | Shadow | Shuffled | Played
    | Attacked | Defense | Faulted | StandIn | Score | End | Time | KeyLine
)  # fmt: skip


def play_line(name: str, play: Play) -> str:
    """Return the line of an accepted play, without a `Played` for it: the referee writes one a decision."""
    return f"(play {name} {texts[play]})"


OUTCOMES = ("finished", "forfeit", "void", "interrupted")


def quote(text: str) -> str:
    """Write a string: at most 2 KiB of printable ASCII, the rest escaped."""
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
    return "\\" + char if char in '"\\' else "".join(f"\\x{byte:02x}" for byte in _bytes(char))


def _bytes(char: str) -> bytes:
    return char.encode("latin-1") if ord(char) < 256 else char.encode("utf-8", "replace")
