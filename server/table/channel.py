"""Channel: a process's stdin and stdout as messages: updates are held back, replies framed, and all of it logged."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol.notifications import NATIVE
from croupier.protocol.sexp import MAX_BYTES, Flooded, Framer, Malformed
from croupier.server.table.dialect import DIALECTS, advise_on
from croupier.server.table.faults import Fault, Kind

if TYPE_CHECKING:
    from typing import TextIO

    from croupier.server.games.game import Play


class Reply(NamedTuple):
    """A play, or the fault instead of one, and the bytes received."""

    outcome: Play | Fault
    received: bytes


_replies: defaultdict[str, dict[bytes, Reply]] = defaultdict(dict)
"""Memo of replies by their parentheses and exact bytes, because bots repeat the same plays.

Only well-formed replies are kept, so a hit needs no check of its form.
"""
_MOST_REPLIES = 4096
_SHORT = 128


class Channel:
    """The messages to and from a bot.

    ``log``, if given, gets ``> `` with what was sent, ``< `` with what was answered, ``! `` with standard error.
    Updates wait for the next question, so that a decision costs one write and one read.
    """

    def __init__(self, log: TextIO | None = None, dialect: str = NATIVE) -> None:
        self._log = log
        self._dialect = dialect
        spoken = DIALECTS[dialect]
        self._read = spoken.read
        self._framer = Framer(pair=spoken.pair)
        self._replies = _replies[spoken.pair]
        self.rest = self._framer.drain
        """Discard all that has arrived and return it without the white space around it."""
        self._mail: list[str] = []
        self.post = self._mail.append
        """Hold a line back until the next question."""
        self.unsent = b""
        """The bytes that did not fit into the pipe; they go first in the next write."""

    def renew(self) -> None:
        """Discard everything meant for or received from the last process."""
        self._mail.clear()
        self.unsent = b""
        self._framer.drain()

    @property
    def waiting(self) -> int:
        """The number of lines that wait for the next question."""
        return len(self._mail)

    def flush(self) -> bytes:
        """Return all waiting lines as one write."""
        mail = self._mail
        mail.append("")
        text = "\n".join(mail)
        mail.clear()
        self.log(">", text)
        message = text.encode("ascii")
        if self.unsent:
            message, self.unsent = self.unsent + message, b""
        return message

    def recall(self, data: bytes) -> Reply | None:
        """Return the reply if the same bytes were a play before."""
        reply = self._replies.get(data)
        if self._log is not None and reply is not None:
            self.log("<", reply.received)
        return reply

    def take(self, data: bytes) -> Reply | None:
        """Take more bytes; return the reply when it is complete or cannot become one."""
        try:
            self._framer.feed(data)
            received = self._framer.take()
        except Malformed as problem:
            return self._spoil(Kind.MALFORMED, problem)
        except Flooded as flood:
            return self._spoil(Kind.FLOODED, flood)
        if received is None:
            return None
        self.log("<", received)
        try:
            play = self._read(received)
        except Malformed as problem:
            return Reply(Fault(Kind.MALFORMED, str(problem)), received)
        if not isinstance(play, tuple):
            return Reply(Fault(Kind.MALFORMED, "a reply is a list"), received)
        reply = Reply(play, received)
        if len(data) <= _SHORT and data.strip() == received:
            if len(self._replies) >= _MOST_REPLIES:
                self._replies.clear()
            self._replies[data] = reply
        return reply

    @property
    def has_begun(self) -> bool:
        """Return whether part of a reply has arrived."""
        return self._framer.inside

    def close(self, why: str) -> bytes:
        """Return the incomplete reply of a bot that is not going to finish it; log why."""
        rest = self._framer.drain()
        self.log("<", rest, f" [{why}]")
        return rest

    def _spoil(self, kind: Kind, problem: Exception) -> Reply:
        received = self._framer.drain()
        self.log("<", received[:MAX_BYTES])
        return Reply(Fault(kind, f"{problem}{advise_on(received, self._dialect)}"), received)

    def log(self, mark: str, text: str | bytes, why: str = "") -> None:
        """Write lines to the log, if there is one, with a bot's bytes unchanged; raise OSError with the log's name."""
        if self._log is None:
            return
        told = text if isinstance(text, str) else text.decode("utf-8", "surrogateescape")
        try:
            self._log.writelines([f"{mark} {line}\n" for line in f"{told}{why}".rstrip("\n").split("\n")])
        except OSError as problem:  # of a full disk; a failed write does not say to which file
            raise OSError(problem.errno, problem.strerror, self._log.name) from None
