"""Dialect: how the replies of each dialect are framed, read and written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol import json_dialect, sexp
from croupier.protocol.notifications import CLASSIC, JSON, NATIVE

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.protocol.sexp import Sexp


class Dialect(NamedTuple):
    """A dialect: the pair that encloses a reply and its name, and the functions that read a reply and write a play."""

    pair: str
    bracket: str
    read: Callable[[bytes], Sexp]
    write: Callable[[Sexp], str]

    def spell(self, play: str) -> str:
        """Write a play, given as an s-expression."""
        return self.write(sexp.parse(play))

    def begins(self, received: bytes) -> bool:
        """Return whether these bytes begin like a reply."""
        return received.lstrip().startswith(self.pair[0].encode("ascii"))


ENTER_AS = {
    NATIVE: "if it speaks s-expressions, enter it as COMMAND alone",
    CLASSIC: "if it is a client of the class server, enter it as classic:COMMAND",
    JSON: "if it speaks JSON, enter it as json:COMMAND",
}
"""The advice to an author whose bot may speak another dialect than it is entered with."""
_LISTS = Dialect("()", "parenthesis", sexp.read, sexp.write)
_ARRAYS = Dialect("[]", "bracket", json_dialect.read_play, json_dialect.write_play)
DIALECTS = {NATIVE: _LISTS, CLASSIC: _LISTS, JSON: _ARRAYS}


def advise_on(received: bytes, dialect: str) -> str:
    """Return how to enter a bot whose reply looks like another dialect; empty if it looks like none."""
    if DIALECTS[dialect].begins(received):
        return ""
    if received.startswith((b"[", b"{")):
        return f"; {ENTER_AS[JSON]}" if dialect != JSON else ""
    return f"; {ENTER_AS[NATIVE]}" if DIALECTS[NATIVE].begins(received) else ""
