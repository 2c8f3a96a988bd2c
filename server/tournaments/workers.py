"""Workers: anything with the Executor interface that plays batches; by default one process a core, pinned to it."""

from __future__ import annotations

import errno
import fcntl
import gc
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from concurrent.futures import BrokenExecutor, Future, InvalidStateError, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from croupier.server import extras
from croupier.server.processes.keeper_client import Keeper
from croupier.server.processes.workplace import abandon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

PATIENCE, ANSWER = 12.0, 3.0
"""Seconds for which a cluster may be without a worker, and in which its scheduler is to answer."""
AGAIN = "start the cluster, and the same command continues"
YOUNG = 20_000
"""Objects until the youngest are looked through for cycles (gc.set_threshold), in a worker and by who keeps its games:
they leave few, and a hundred looks at what is kept of them take a hundredth of a worker's time."""
_FROM_THE_TERMINAL = {signal.SIGINT, signal.SIGHUP}
_stop: Any = None


class Work(Protocol[T_co]):
    """What a worker does: playing a batch, or something like it."""

    def play(self, stopped: Callable[[], bool]) -> T_co:
        """Do it; when stopped, end soon and return what there is."""


def play(job: Work[T]) -> T:
    """Do a piece of work here, until told to stop."""
    return job.play(_stop.is_set if _stop is not None else lambda: False)


def no_semaphores() -> str:
    """Return why worker processes cannot be started here, nothing if they can: they share semaphores."""
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

    ``most`` bounds their number: as many tables as may be warm at once.
    """

    lost: tuple[type[BaseException], ...] = (BrokenExecutor,)
    """What the future of a batch raises when its worker has died."""

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
        with _signals_blocked():
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
        with _signals_blocked():
            try:
                return self.executor.submit(play, job)
            except BrokenExecutor:
                self.executor.shutdown(wait=False, cancel_futures=True)
                self.executor = self._start()
                return self.executor.submit(play, job)

    def stop(self) -> None:
        """Let every worker finish the game it is at, and no other."""
        self._stop.set()

    def drop(self) -> None:
        """End the workers with the games in flight, of which nothing is kept."""
        for worker in multiprocessing.active_children():
            worker.terminate()

    def close(self) -> None:
        """Let the workers go."""
        self._stop.set()
        self.executor.shutdown(wait=True, cancel_futures=True)


class Cluster:
    """Workers of a Dask cluster, through the same interface; the scheduler moves a dead one's batches to another."""

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client, KilledWorker  # noqa: PLC0415  an extra
        except ImportError:
            how = extras.installation("cluster")
            raise ModuleNotFoundError(f"--cluster needs a library that is not installed here: {how}") from None
        try:
            self._client = Client(address, timeout=10, set_as_default=False)
        except OSError as problem:
            raise ConnectionError(f"no Dask scheduler answers at {address}: {problem}") from None
        self.lost: tuple[type[BaseException], ...] = (KilledWorker,)
        self.number = max(1, sum(self._client.nthreads().values()))
        self._executors = self._on_each_machine()
        self._address = address
        self._open: deque[Future[Any]] = deque()
        self._closed = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def submit(self, job: Work[T]) -> Future[T]:
        """Hand a batch out; its future fails with ConnectionError once nobody is left to play it."""
        promised: Future[T] = Future()
        while self._open and self._open[0].done():
            self._open.popleft()
        self._open.append(promised)
        turn = getattr(job, "turn", 0)  # of a batch, whose deals another machine plays the next time
        executor = self._executors[turn % len(self._executors)]
        executor.submit(play, job).add_done_callback(lambda played: _hand_over(played, promised))
        return promised

    def _on_each_machine(self) -> list[Executor]:
        """Return an executor for the workers of each machine; once a machine is gone, others play what was for it."""
        machines: dict[str, list[str]] = {}
        for address, worker in self._client.scheduler_info()["workers"].items():
            machines.setdefault(worker["host"], []).append(address)
        if len(machines) <= 1:
            return [self._client.get_executor(pure=False)]
        places = ({"workers": addresses, "allow_other_workers": True} for addresses in machines.values())
        return [self._client.get_executor(pure=False, **place) for place in places]

    def _watch(self) -> None:
        """Ask the scheduler for its workers; once nobody has been there for long, let all that is open fail."""
        seen = time.monotonic()
        why = ""
        while time.monotonic() - seen < PATIENCE:
            if self._closed.wait(1):
                return
            try:
                if self._client.sync(self._client.scheduler.ncores, callback_timeout=ANSWER):
                    seen = time.monotonic()
                why = "has no worker left"
            except Exception:  # noqa: BLE001  whatever it is, it does not answer
                why = "does not answer any more"
        lost = ConnectionError(f"the Dask scheduler at {self._address} {why}: all that was kept is safe; {AGAIN}")
        while not self._closed.wait(0.1):
            while self._open:
                _fail(self._open.popleft(), lost)

    def stop(self) -> None:
        """Leave what runs: batches are short."""

    def drop(self) -> None:
        """Leave what runs to the scheduler."""

    def close(self) -> None:
        """Disconnect, without waiting for long for a scheduler that has gone."""
        self._closed.set()
        with suppress(Exception):
            self._client.close(timeout=ANSWER)


def _hand_over(played: Future[T], promised: Future[T]) -> None:
    """Give on what came of a batch; what the client itself called off is lost, and `Cluster` says why."""
    if played.cancelled() or promised.done():
        return
    if (problem := played.exception()) is not None:
        _fail(promised, problem)
    else:
        with suppress(InvalidStateError):
            promised.set_result(played.result())


def _fail(promised: Future[Any], problem: BaseException) -> None:
    with suppress(InvalidStateError):
        promised.set_exception(problem)


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Have the garbage collector (gc.set_threshold) look for cycles every ``YOUNG`` objects meanwhile."""
    before = gc.get_threshold()
    gc.set_threshold(YOUNG, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Block SIGINT and SIGHUP in processes that start meanwhile: what the terminal says is for their parent."""
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

    Where there is no F_SETSIG a thread waits for it: reads and writes are a tenth dearer then, a game a hundredth.
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
    _leave_after(sentinel, 0)  # if it died before


def _leave_after(sentinel: int, seconds: float | None = None) -> None:
    """Exit once the parent is dead; wait for that no longer than told."""
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
