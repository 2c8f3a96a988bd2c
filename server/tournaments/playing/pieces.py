"""Batches in pieces: a deal's seatings go to different workers at different times, none right after another."""

from __future__ import annotations

import itertools
from collections import deque
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from queue import SimpleQueue
from random import Random
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.server.tournaments.entering.fingerprint import ProgramChanged
from croupier.server.tournaments.keeping.packed_games import PackedGames

if TYPE_CHECKING:
    from croupier.server.tournaments.playing.batch import Job
    from croupier.server.tournaments.playing.cluster.crew import Cluster
    from croupier.server.tournaments.workers import Workers

_NEAREST, _FARTHEST = 2, 4
"""How many batches later the next piece of a batch is due, at least and at most."""
_AHEAD = 2
"""How many pieces are handed out per worker, so that none waits for work."""


@dataclass(eq=False)
class _Whole:
    """A batch that is played in pieces: the results so far, and the future of all of it."""

    pieces: int
    promised: Future[PackedGames] = field(default_factory=Future)
    done: dict[int, PackedGames] = field(default_factory=dict)
    changed: str = ""


class _Piece(NamedTuple):
    """A part of a batch: its deals in one seating each, for the nth time."""

    due: int
    number: int
    turn: int
    whole: _Whole
    job: Job

    def when(self) -> tuple[int, int]:
        """Return the key by which pieces are ordered."""
        return self.due, self.number


class InPieces:
    """Workers that play a batch in pieces, each of its deals at most once per piece, mixed with other batches' pieces.

    The key draws how many batches begin before the next piece is due. A batch is returned as a whole.
    """

    def __init__(self, crew: Workers | Cluster) -> None:
        self.crew = crew
        self.lost = crew.lost
        self._events = SimpleQueue[Any]()
        self._order = itertools.count()
        self._ahead: list[_Piece] = []
        self._last = deque[_Whole]()
        self._begun = self._flying = 0
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def number(self) -> int:
        """The number of pieces played at the same time; it grows when workers join."""
        return self.crew.number

    def submit(self, job: Job) -> Future[PackedGames]:
        """Hand a batch out; its future has the games in order once all pieces have been played."""
        pieces = job.pieces()
        whole = _Whole(len(pieces))
        dice = Random(job.dice)
        first = dice.randrange(len(pieces))
        jobs = [replace(job, games=games, dice=b"", turn=first + turn) for turn, games in enumerate(pieces)]
        self._events.put(partial(self._line_up, whole, jobs, dice))
        return whole.promised

    def _run(self) -> None:
        """Run queued events one after another.

        A future's callback must not submit, because its executor may be locked then.
        """
        while (event := self._events.get()) is not None:
            event()
            while self._ahead and self._may_begin(piece := self._next()):
                self._ahead.remove(piece)
                if not piece.whole.promised.done():
                    self._hand_out(piece)

    def _next(self) -> _Piece:
        """Return the piece that is due next, preferring a batch with no piece among the last ones."""
        return min([piece for piece in self._ahead if piece.whole not in self._last] or self._ahead, key=_Piece.when)

    def _may_begin(self, piece: _Piece) -> bool:
        """Return whether there is room for a piece; one of the last batches that is not due needs an idle worker."""
        near = piece.due >= self._begun and piece.whole in self._last
        return self._flying < (self.number if near else _AHEAD * self.number)

    def _line_up(self, whole: _Whole, jobs: list[Job], dice: Random) -> None:
        due, self._begun = self._begun, self._begun + 1
        for turn, job in enumerate(jobs):
            self._ahead.append(_Piece(due, next(self._order), turn, whole, job))
            due += dice.randint(_NEAREST, _FARTHEST)

    def _hand_out(self, piece: _Piece) -> None:
        self._last.append(piece.whole)
        while len(self._last) > self.number:
            self._last.popleft()
        try:
            flying = self.crew.submit(piece.job)
        except Exception as problem:  # noqa: BLE001  whatever it is, the batch's future must report it
            _fail(piece.whole, problem)
        else:
            self._flying += 1
            flying.add_done_callback(lambda done: self._events.put(partial(self._land, piece, done)))

    def _land(self, piece: _Piece, flown: Future[PackedGames]) -> None:
        """Keep the result of a piece; an error in a piece is an error of the whole batch."""
        self._flying -= 1
        whole = piece.whole
        try:
            whole.done[piece.turn] = flown.result()
        except ProgramChanged as changed:
            whole.changed, whole.done[piece.turn] = changed.name, changed.games
        except CancelledError:
            whole.promised.cancel()
        except Exception as problem:  # noqa: BLE001  whatever it is, the batch's future must report it
            _fail(whole, problem)
        if len(whole.done) == whole.pieces:
            games = PackedGames.join(played for _, played in sorted(whole.done.items()))
            if whole.changed:
                _fail(whole, ProgramChanged(whole.changed, games))
            else:
                with suppress(InvalidStateError):
                    whole.promised.set_result(games)

    def stop(self) -> None:
        """Finish the games in flight and no others."""
        self.crew.stop()

    def drop(self) -> None:
        """Stop the workers during their games, without keeping these."""
        self._events.put(None)
        self.crew.drop()

    def close(self) -> None:
        """Hand nothing more out, and let the workers exit."""
        self._events.put(None)
        self._thread.join()
        self.crew.close()


def _fail(whole: _Whole, problem: BaseException) -> None:
    with suppress(InvalidStateError):
        whole.promised.set_exception(problem)
