"""StandardError: a bot's standard error (stderr) during a game, split by the requests before it."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING

from croupier.server.terminal import printable

if TYPE_CHECKING:
    from croupier.server.processes.bot_process import BotProcess

GAME_CAP = 1 << 16
"""Bytes kept per game: half from its beginning, half from its end; the bytes between are counted."""
_HEAD = re.compile(r"-- (?:after request (\d{1,9})|before request 1|\d+ bytes are left out here)")


class StandardError:
    """Collects the standard error of one process after another; `take` precedes each piece with its request."""

    def __init__(self) -> None:
        self.seen = 0
        """How many bytes of the process's standard error have been read."""
        self._begin()

    def _begin(self) -> None:
        self._first: list[tuple[int, bytes]] = []
        self._last: deque[tuple[int, bytes]] = deque()
        self._room = GAME_CAP // 2
        self._held = 0
        self._lost = 0

    def renew(self) -> None:
        """Expect the empty standard error of a fresh process."""
        self.seen = 0

    def skip(self, process: BotProcess) -> None:
        """Ignore what the process has written so far."""
        self.seen = process.stderr_size()

    def look(self, process: BotProcess, request: int) -> str:
        """Read what the process has written since the last call, after ``requests`` requests; return it for the log."""
        size = process.stderr_size()
        new, self.seen = size - min(self.seen, size), size  # the file of a bot that writes too much is truncated
        if not new:
            return ""
        half = GAME_CAP // 2
        begun = process.errors_at(size - new, half)
        ended = process.errors_at(max(size - new + half, size - half), half)
        self._add(request, begun)
        self._lost += max(0, new - GAME_CAP)
        self._add(request, ended)
        return as_text(begun + ended)

    def _add(self, request: int, data: bytes) -> None:
        if begun := data[: self._room]:
            self._first.append((request, begun))
            self._room -= len(begun)
        if rest := data[len(begun) :]:
            self._last.append((request, rest))
            self._held += len(rest)
        while self._held > GAME_CAP // 2:
            self._shorten()

    def _shorten(self) -> None:
        """Drop the oldest bytes of the end, as many as are too many."""
        request, data = self._last.popleft()
        many = min(self._held - GAME_CAP // 2, len(data))
        self._held -= many
        self._lost += many
        if many < len(data):
            self._last.appendleft((request, data[many:]))

    def take(self) -> str:
        """Return all of it as text, empty if nothing was written, and start a new game."""
        if not self._first:
            return ""
        lines: list[str] = []
        at = -1
        for request, data in self._first:
            lines += self._piece(at, request, data)
            at = request
        if self._lost:
            lines.append(f"-- {self._lost} bytes are left out here")
            at = -1
        for request, data in self._last:
            lines += self._piece(at, request, data)
            at = request
        self._begin()
        return "".join(f"{line}\n" for line in lines)

    def _piece(self, before: int, request: int, data: bytes) -> list[str]:
        head = [] if request == before else [f"-- after request {request}" if request else "-- before request 1"]
        return [*head, *map(_no_head, as_text(data).splitlines())]


def _no_head(line: str) -> str:
    """Return a bot's line so that it cannot be mistaken for a head."""
    return f" {line}" if _HEAD.fullmatch(line) else line


def pieces(text: str) -> dict[int, str]:
    """Return the pieces of a text from `StandardError.take` by the number of the request before; 0 is none."""
    found: dict[int, str] = {}
    request = 0
    for line in text.splitlines():
        head = _HEAD.fullmatch(line)
        if head and (head[1] or line.startswith("-- before")):
            request = int(head[1] or 0)
        else:
            found[request] = f"{found.get(request, '')}{line}\n"
    return found


def last_piece(text: str) -> str:
    """Return the last piece of a text from `StandardError.take`: what was written after the last request."""
    return next(reversed(pieces(text).values()), "")


def as_text(data: bytes) -> str:
    """Return a stranger's bytes as text that is safe for a terminal."""
    return printable(data.decode("utf-8", "replace").replace("\r\n", "\n"), also="\n\t")
