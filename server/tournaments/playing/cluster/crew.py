"""Cluster: the workers of a Dask scheduler, with the same interface as processes of this machine.

One thread talks to the scheduler: it checks who is there, greets newcomers, hands batches out and collects them. Each
batch goes to one worker. If that worker is lost, another one gets it; if the scheduler is, the run ends with a
sentence.
"""

from __future__ import annotations

import asyncio
import logging
import platform
import time
from collections import Counter, deque
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.server import extras
from croupier.server.terminal import printable
from croupier.server.tournaments.entering.fingerprint import ProgramChanged
from croupier.server.tournaments.playing.cluster import bot_files
from croupier.server.tournaments.playing.cluster.handshake import greet

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from croupier.server.tournaments.keeping.packed_games import PackedGames
    from croupier.server.tournaments.playing.batch import Job
    from croupier.server.tournaments.playing.cluster.handshake import Needs

PATIENCE, ANSWER, GREETING = 12.0, 3.0, 60.0
"""Seconds: how long a cluster may be without workers, a scheduler may take to answer, and a worker to be greeted."""
CONNECT = 10.0
ARRIVAL = 60.0
"""Seconds for the first worker to arrive, which may have to be started first."""
LOOK = 1.0
"""Seconds between two checks of who is there."""
AHEAD = 2
"""Batches that a worker has in advance for each of its threads, so that it does not wait for the next."""
TRIES = 3
"""How many workers a batch may lose, or questions a worker may leave unanswered."""
AGAIN = "start the cluster, and the same command continues"


ENCRYPTED = ("tls://", "wss://")
_OPEN = (
    "anyone who reaches that network can read the deals being played, and run programs on the workers; use tls://"
    " (`croupier docs cluster`)"
)


class WorkerLost(Exception):
    """Several workers that had a batch were lost, one after another."""


class _Worker(NamedTuple):
    """A worker that agrees: its name for people, its address, and how many batches it plays at the same time."""

    name: str
    host: str
    threads: int


@dataclass(eq=False)
class _Flight:
    """A batch: its promised result, and who plays it."""

    job: Job
    promised: Future[PackedGames] = field(default_factory=Future)
    address: str = ""
    machine: str = ""
    future: Any = None
    lost: int = 0


class Cluster:
    """Workers of a Dask cluster that agree with this machine, including those that join later.

    ``say`` receives a line for each worker that is refused, and other news.
    """

    lost: tuple[type[BaseException], ...] = (WorkerLost,)
    """The exceptions of a batch's future when no worker has survived it."""

    def __init__(
        self,
        address: str,
        needs: Needs,
        say: Callable[[Sequence[str]], None],
        note: Callable[..., None] = lambda event, **what: None,
    ) -> None:
        self._address = address
        self._write_down = note
        self._needs = needs
        self._say = say
        self._workers: dict[str, _Worker] = {}
        self._refused: dict[str, str] = {}
        self._silent: Counter[str] = Counter()
        self._waiting: deque[_Flight] = deque()
        self._flying: list[_Flight] = []
        self._events = SimpleQueue[Any]()
        self._over: ConnectionError | None = None
        self._client = _connect(address)
        if not address.startswith(ENCRYPTED):
            say([f"{address} is not encrypted: {_OPEN}"])
        self._heard = time.monotonic()
        self._manned_until = self._heard + ARRIVAL
        self._look()
        if not self._workers and not self._refused:
            say([f"{address} has no worker yet: the first has {ARRIVAL:.0f} s to come"])
        if self._refused and not self._workers:
            self._leave()
            raise ConnectionError(
                f"no worker of {address} is left to play: each differs from this machine, as was said"
            )
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def number(self) -> int:
        """The number of batches that the current workers play at the same time."""
        return max(1, sum(worker.threads for worker in list(self._workers.values())))

    def submit(self, job: Job) -> Future[PackedGames]:
        """Hand a batch out; its future fails with ConnectionError once nobody is left to play it."""
        flight = _Flight(job)
        self._events.put(partial(self._waiting.append, flight))
        return flight.promised

    def stop(self) -> None:
        """Let running batches finish, because they are short."""

    def drop(self) -> None:
        """Leave running batches to the scheduler."""

    def close(self) -> None:
        """Disconnect, without waiting long for a scheduler that is gone."""
        self._events.put(None)
        self._thread.join()
        self._leave()

    def _leave(self) -> None:
        with suppress(Exception):
            if self._over is None and self._workers:
                self._ask(self._workers, bot_files.leave, self._needs.run)
        with suppress(Exception):
            self._client.close(timeout=ANSWER)

    def _run(self) -> None:
        due = time.monotonic() + LOOK
        while True:
            with suppress(Empty):
                if (event := self._events.get(timeout=max(0.0, due - time.monotonic()))) is None:
                    return
                event()
            if time.monotonic() >= due:
                self._look()
                due = time.monotonic() + LOOK
            self._hand_out()

    def _look(self) -> None:
        """Check who is there; if nobody has been for a while, let all open batches fail."""
        with suppress(Exception):  # whatever goes wrong, it means that it does not answer
            self._note(self._client.sync(self._client.scheduler.identity, callback_timeout=ANSWER)["workers"])
            self._heard = time.monotonic()
            if self._workers:
                self._manned_until = self._heard + PATIENCE
        now = time.monotonic()
        if now > self._heard + PATIENCE or now > self._manned_until:
            why = "has no worker left" if now <= self._heard + PATIENCE else "does not answer any more"
            self._over = ConnectionError(
                f"the Dask scheduler at {self._address} {why}: all that was kept is safe; {AGAIN}"
            )

    def _note(self, known: Mapping[str, Mapping[str, Any]]) -> None:
        """Greet newcomers, and take back the batches of workers that are gone."""
        for gone in self._workers.keys() - known.keys():
            del self._workers[gone]
        for flight in [flight for flight in self._flying if flight.address not in known]:
            self._take_back(flight)
        if new := {address: it for address, it in known.items() if address not in self._workers | self._refused}:
            self._greet(new)

    def _greet(self, new: Mapping[str, Mapping[str, Any]]) -> None:
        """Accept those who agree, and report who is refused; those who do not answer are asked again later."""
        names = self._ask(new, platform.node)
        agree, refused = greet(self._ask, self._needs, new, lambda line: self._say([printable(line)]))
        for address, it in new.items():
            name = _machine(it["name"], names.get(address, it["host"]))
            if address in agree:
                self._workers[address] = _Worker(name, it["host"], it["nthreads"])
                continue
            if address not in refused:
                self._silent[address] += 1
            if why := refused.get(address, "does not answer" if self._silent[address] == TRIES else ""):
                self._refused[address] = why
                self._write_down("refused", machine=name, address=address, why=why)
                self._say([printable(f"worker {name} ({address}) does not play: it {why}")])

    def _ask(self, workers: Collection[str], question: Callable[..., Any], *words: Any) -> dict[str, Any]:
        """Call a function on each of these workers; return what those that answered returned or raised."""

        async def asked(worker: str) -> Any:
            said = self._client.run(question, *words, workers=[worker], on_error="return")
            return (await asyncio.wait_for(said, GREETING))[worker]

        async def all_asked() -> list[Any]:
            return await asyncio.gather(*map(asked, workers), return_exceptions=True)

        said = dict(zip(workers, self._client.sync(all_asked), strict=True))
        return {worker: answer for worker, answer in said.items() if not isinstance(answer, OSError)}

    def _hand_out(self) -> None:
        """Give waiting batches to free workers; once it is over, let all open ones fail."""
        while self._over is not None and (flights := [*self._flying, *self._waiting]):
            self._flying.clear()
            self._waiting.clear()
            for flight in flights:
                _fail(flight.promised, self._over)
        while self._waiting and self._knows_bots(self._waiting[0].job):
            if (address := self._free(self._waiting[0].job.turn)) is None:
                return
            flight = self._waiting.popleft()
            try:
                flight.future = self._client.submit(
                    bot_files.play,
                    self._needs.run,
                    flight.job,
                    workers=[address],
                    allow_other_workers=False,
                    pure=False,
                )
            except Exception:  # noqa: BLE001  the next checks find out whether it answers again
                self._waiting.appendleft(flight)
                return
            flight.address, flight.machine = address, self._workers[address].name
            self._flying.append(flight)
            flight.future.add_done_callback(partial(self._fetch, flight))

    def _knows_bots(self, job: Job) -> bool:
        """Return whether the workers know a batch's bots; if not, greet all of them again with the new ones."""
        new = {name for name in job.pairing if name not in job.absent} - self._needs.entries.keys()
        if new:
            entries = {**self._needs.entries, **{name: job.entries[name] for name in new}}
            self._needs = replace(self._needs, entries=entries, sha256=job.sha256)
            self._workers.clear()
            self._look()
        return not new or bool(self._workers)

    def _free(self, turn: int) -> str | None:
        """Return the worker for the next batch: on the machine whose turn it is, unless all its workers are busy."""
        load = Counter(flight.address for flight in self._flying)
        free = [each for each, worker in self._workers.items() if load[each] < AHEAD * worker.threads]
        hosts = sorted({worker.host for worker in self._workers.values()})
        there = [each for each in free if self._workers[each].host == hosts[turn % len(hosts)]]
        return min(there or free, key=lambda each: load[each] / self._workers[each].threads, default=None)

    def _fetch(self, flight: _Flight, future: Any) -> None:
        """Fetch the result of a batch, in a thread of the client's."""
        played, problem = None, None
        with suppress(Exception):
            if future.status == "error":
                problem = future.exception(timeout=ANSWER)
            elif future.status == "finished":
                played = future.result(timeout=GREETING)
        self._events.put(partial(self._land, flight, future, played, problem))

    def _land(self, flight: _Flight, future: Any, played: PackedGames | None, problem: BaseException | None) -> None:
        """Keep the result of a batch, unless another worker has it by now; one lost in transit counts as none."""
        # the flight may have been handed out again meanwhile: then this future is of a worker that was given up
        if flight not in self._flying or flight.future is not future:
            return
        if played is None and (problem is None or isinstance(problem, bot_files.UnknownRun)):
            self._workers.pop(flight.address, None)
            self._take_back(flight)
            return
        self._flying.remove(flight)
        if isinstance(problem, ProgramChanged):  # its files are checked again, or sent
            self._workers.pop(flight.address, None)
        if (games := problem.games if isinstance(problem, ProgramChanged) else played) is not None:
            games[:] = [game._replace(machine=flight.machine) for game in games]
        if problem is not None:
            _fail(flight.promised, problem)
        elif played is not None:
            with suppress(InvalidStateError):
                flight.promised.set_result(played)

    def _take_back(self, flight: _Flight) -> None:
        """Have another worker play a lost batch, unless several workers have lost it."""
        self._flying.remove(flight)
        with suppress(Exception):
            flight.future.cancel()
        flight.lost += 1
        if flight.lost == TRIES:
            _fail(flight.promised, WorkerLost(f"{TRIES} workers that had a batch have gone"))
        else:
            self._waiting.appendleft(flight)


def _connect(address: str) -> Any:
    """Return a client of the scheduler; raise ConnectionError, or ModuleNotFoundError if the library is missing."""
    try:
        from distributed import Client  # noqa: PLC0415  an extra
    except ImportError:
        how = extras.installation("cluster")
        raise ModuleNotFoundError(f"--cluster needs a library that is not installed here: {how}") from None
    # a dying scheduler is reported in one sentence of ours, not in the library's log
    for name in [*logging.root.manager.loggerDict]:
        if name.partition(".")[0] in {"distributed", "tornado", "asyncio"}:  # each logger has a level of its own
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)

    class Kept(Client):  # type: ignore[misc]  # the library may be missing, and says nothing of its types
        """A client that only we close.

        One that failed to connect would try for 20 s in its destructor, and log that.
        """

        def __del__(self) -> None:
            """Do nothing, see the class."""

    came = Future[Any]()

    def connect() -> None:
        try:
            came.set_result(Kept(address, timeout=CONNECT, set_as_default=False))
        except Exception as problem:  # noqa: BLE001  whatever listens there may answer anything
            came.set_exception(problem)

    Thread(target=connect, daemon=True).start()  # it waits forever if something listens and stays silent
    try:
        return came.result(CONNECT + ANSWER)
    except Exception as problem:  # noqa: BLE001  as above
        why = str(problem).partition("\n")[0] or "nothing came from there"
        raise ConnectionError(f"no Dask scheduler answers at {address}: {why}; {AGAIN}") from None


def _machine(name: object, node: str) -> str:
    """Return a worker's name for people: the one that it was given, else its machine's."""
    if isinstance(name, str) and "://" not in name:
        return name
    return node if isinstance(name, str) else f"{node}-{name}"


def _fail(promised: Future[Any], problem: BaseException) -> None:
    with suppress(InvalidStateError):
        promised.set_exception(problem)
