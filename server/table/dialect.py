"""Dialect: how the replies of a dialect are framed, read and written; which there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol import json_dialect, sexp
from croupier.protocol.notifications import CLASSIC, JSON, NATIVE

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.protocol.sexp import Sexp


class Dialect(NamedTuple):
    """The pair that encloses a reply and what it is called, how a stranger's is read, and how a play is written."""

    pair: str
    bracket: str
    read: Callable[[bytes], Sexp]
    write: Callable[[Sexp], str]

    def spell(self, play: str) -> str:
        """Write a play that is given as an s-expression."""
        return self.write(sexp.parse(play))

    def begins(self, received: bytes) -> bool:
        """Return whether these bytes begin as a reply does."""
        return received.lstrip().startswith(self.pair[0].encode("ascii"))


ENTER_AS = {
    NATIVE: "if it speaks s-expressions, enter it as COMMAND alone",
    CLASSIC: "if it is a client of the class server, enter it as classic:COMMAND",
    JSON: "if it speaks JSON, enter it as json:COMMAND",
}
"""What to tell a bot's author that may speak another dialect than it is entered with."""
_LISTS = Dialect("()", "parenthesis", sexp.read, sexp.write)
_ARRAYS = Dialect("[]", "bracket", json_dialect.read_play, json_dialect.write_play)
DIALECTS = {NATIVE: _LISTS, CLASSIC: _LISTS, JSON: _ARRAYS}


def advise_on(received: bytes, dialect: str) -> str:
    """Return how to enter a bot whose reply begins as in another dialect; nothing where it begins in no known way."""
    if DIALECTS[dialect].begins(received):
        return ""
    if received.startswith((b"[", b"{")):
        return f"; {ENTER_AS[JSON]}" if dialect != JSON else ""
    return f"; {ENTER_AS[NATIVE]}" if DIALECTS[NATIVE].begins(received) else ""
