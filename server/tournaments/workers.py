"""Workers: anything with the Executor interface that plays batches; by default one process a core, pinned to it."""

from __future__ import annotations

import multiprocessing
import os
import signal
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from croupier.server.tournaments import batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.tournaments.batch import Game, Job

_stop: Any = None


def play(job: Job) -> list[Game]:
    """Play a batch here, until told to stop."""
    return batch.play(job, _stop.is_set if _stop is not None else lambda: False)


class Workers:
    """Worker processes on this machine, each on cores of its own; a dead one is replaced."""

    def __init__(self, number: int | None = None, cores: int = 1, *, pinned: bool = True) -> None:
        here = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))
        self.number = number or max(1, len(here) // cores)
        places = [here[start : start + cores] for start in range(0, len(here) - cores + 1, cores)]
        self._places = places if pinned and self.number <= len(places) else []
        self._context = multiprocessing.get_context("spawn")
        self._stop = self._context.Event()
        self._pool = self._start()

    def _start(self) -> Executor:
        free = self._context.SimpleQueue()
        for place in self._places:
            free.put(place)
        return ProcessPoolExecutor(
            self.number, self._context, initializer=_begin, initargs=(self._stop, free if self._places else None)
        )

    @property
    def executor(self) -> Executor:
        """The pool that batches are handed to."""
        return self._pool

    def replace(self) -> None:
        """Start anew after a worker has died."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._start()

    def stop(self) -> None:
        """Let every worker finish the game it is at, and no other."""
        self._stop.set()

    def close(self) -> None:
        """Let the workers go."""
        self._pool.shutdown(wait=True, cancel_futures=True)


class Cluster:
    """Workers of a Dask cluster, through the same interface."""

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client  # noqa: PLC0415  an extra
        except ImportError:
            raise ModuleNotFoundError("--cluster needs the cluster extra: pip install 'croupier[cluster]'") from None
        self._client = Client(address, timeout=30)
        self.number = max(1, sum(self._client.nthreads().values()))
        self.executor: Executor = self._client.get_executor(pure=False, retries=3)

    def replace(self) -> None:
        """Leave it to the scheduler, which moves a dead worker's batches to another."""

    def stop(self) -> None:
        """Leave what runs: batches are short."""

    def close(self) -> None:
        """Disconnect."""
        self._client.close()


def _begin(stop: Any, free: Any) -> None:
    """Make this process a worker: deaf to the terminal's interrupt, on a core of its own, gone with its parent."""
    global _stop  # noqa: PLW0603  a worker's only state
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if free is not None:
        _pin(free.get())


def _pin(cores: Sequence[int]) -> None:
    with suppress(OSError, AttributeError):
        os.sched_setaffinity(0, cores)
