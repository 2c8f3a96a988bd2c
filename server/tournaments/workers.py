"""Workers: anything with the Executor interface that plays batches; by default one process a core, pinned to it."""

from __future__ import annotations

import errno
import fcntl
import gc
import multiprocessing
import os
import signal
import threading
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from croupier.server.processes.keeper_client import Keeper
from croupier.server.processes.temporary_folder import abandon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor, Future

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

YOUNG = 20_000
"""The number of new objects between two garbage collections, in workers and where games are kept.

These processes leave few cycles. At Python's own threshold (gc.set_threshold), collecting what they keep takes a
hundredth of a worker's time.
"""
_FROM_THE_TERMINAL = {signal.SIGINT, signal.SIGHUP}
_stop: Any = None


class Work(Protocol[T_co]):
    """What a worker does: play a batch, or something like it."""

    def play(self, stopped: Callable[[], bool]) -> T_co:
        """Do it; when stopped, end soon and return the results so far."""


def play(job: Work[T]) -> T:
    """Do a piece of work here, until told to stop."""
    return job.play(_stop.is_set if _stop is not None else lambda: False)


def no_semaphores() -> str:
    """Return why worker processes, which share semaphores, cannot be started here; empty if they can."""
    try:
        multiprocessing.get_context("fork").Lock()
    except OSError as problem:
        return (
            f"worker processes share semaphores in /dev/shm, and none can be made there: {problem.strerror}; mount it"
            " for writing (mount -o remount,rw /dev/shm), in a container give it a tmpfs of its own"
        )
    return ""


class Workers:
    """Worker processes on this machine, each on cores of its own; a dead one is replaced.

    ``most`` limits their number to the tables that may be warm at the same time.
    """

    lost: tuple[type[BaseException], ...] = (BrokenExecutor,)
    """The exceptions of a batch's future when its worker has died."""

    def __init__(
        self, number: int | None = None, cores: int = 1, *, pinned: bool = True, most: int | None = None
    ) -> None:
        if why := no_semaphores():
            raise OSError(errno.EROFS, why)
        here = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))
        wanted = number or max(1, len(here) // cores)
        self.number = min(wanted, most or wanted)
        places = [here[start : start + cores] for start in range(0, len(here) - cores + 1, cores)]
        self._places = places if pinned and self.number <= len(places) else []
        self._context = multiprocessing.get_context("spawn")
        with _block_signals():
            self._stop = self._context.Event()
        self.executor = self._start()

    def _start(self) -> Executor:
        free = self._context.SimpleQueue()
        for place in self._places:
            free.put(place)
        return ProcessPoolExecutor(
            self.number, self._context, initializer=_begin, initargs=(self._stop, free if self._places else None)
        )

    def submit(self, job: Work[T]) -> Future[T]:
        """Hand a batch out; to new workers if one has died."""
        with _block_signals():
            try:
                return self.executor.submit(play, job)
            except BrokenExecutor:
                self.executor.shutdown(wait=False, cancel_futures=True)
                self.executor = self._start()
                return self.executor.submit(play, job)

    def stop(self) -> None:
        """Let every worker finish its current game, and no other."""
        self._stop.set()

    def drop(self) -> None:
        """Stop the workers during their games, without keeping these."""
        for worker in multiprocessing.active_children():
            worker.terminate()

    def close(self) -> None:
        """Let the workers exit."""
        self._stop.set()
        self.executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Run the garbage collector (gc.set_threshold) only every ``YOUNG`` objects while the context lasts."""
    before = gc.get_threshold()
    gc.set_threshold(YOUNG, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def _block_signals() -> Iterator[None]:
    """Block SIGINT and SIGHUP in processes started meanwhile, because the terminal's signals are for their parent."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _FROM_THE_TERMINAL)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(stop: Any, free: Any) -> None:
    """Make this process a worker: it ignores SIGINT and SIGHUP, is pinned to its cores, and exits with its parent."""
    global _stop  # noqa: PLW0603  a worker's only state
    _stop = stop
    for word in _FROM_THE_TERMINAL:
        signal.signal(word, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _FROM_THE_TERMINAL)
    gc.set_threshold(YOUNG, *gc.get_threshold()[1:])
    _leave_with_parent()
    if free is not None:
        _pin(free.get())
    Keeper.lasting = Keeper()
    Finalize(None, Keeper.lasting.close, exitpriority=0)


def _leave_with_parent() -> None:
    """Have SIGTERM sent when the parent dies, which closes its end of the sentinel, a pipe (O_ASYNC, F_SETSIG).

    Without F_SETSIG a thread waits for it, which makes reads and writes a tenth slower, and a game a hundredth.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    sentinel = parent.sentinel
    if not hasattr(fcntl, "F_SETSIG"):
        threading.Thread(target=_leave_after, args=(sentinel,), daemon=True).start()
        return
    fcntl.fcntl(sentinel, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(sentinel, fcntl.F_SETSIG, signal.SIGTERM)
    fcntl.fcntl(sentinel, fcntl.F_SETFL, fcntl.fcntl(sentinel, fcntl.F_GETFL) | os.O_ASYNC)
    _leave_after(sentinel, 0)  # in case it died before


def _leave_after(sentinel: int, seconds: float | None = None) -> None:
    """Exit once the parent is dead; wait for that at most as long as told."""
    if wait([sentinel], seconds):
        _leave()


def _leave(*_: object) -> None:
    """Exit at once (os._exit), and leave no process or folder of the batch behind."""
    try:
        abandon()
    finally:
        os._exit(1)


def _pin(cores: Sequence[int]) -> None:
    """Pin this process, and the bots that it starts, to cores (sched_setaffinity)."""
    with suppress(OSError, AttributeError):
        os.sched_setaffinity(0, cores)
