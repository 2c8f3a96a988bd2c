"""Workers: where they run, how many there are, and what their deaths cost."""

from __future__ import annotations

import errno
import gc
import multiprocessing.synchronize
import os
import threading
import time
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace

import pytest
import trio
from contests import FOUR, Here, bot, contest, document, settings
from tables import until

from croupier.server.processes import temporary_folder
from croupier.server.tournaments import workers
from croupier.server.tournaments.keeping.store import StoreError
from croupier.server.tournaments.playing import batch
from croupier.server.tournaments.playing.run import local_crew
from croupier.server.tournaments.workers import Workers


def test_a_dead_worker_is_replaced_and_nothing_is_lost_or_doubled(tmp_path):
    """A worker that dies in the middle costs its batch's time; the table is the same."""
    died = []

    def dies_once(job, stopped):
        if len(died) < 2:
            died.append(job)
            raise OSError
        return batch.play(job, stopped)

    contest(tmp_path / "cup", settings(), Here(dies_once))
    contest(tmp_path / "calm", settings())
    assert document(tmp_path / "cup") == document(tmp_path / "calm")
    assert "worker died" in (tmp_path / "cup" / "events.jsonl").read_text()


def test_workers_that_die_again_and_again_stop_the_run(tmp_path):
    """There is an end to trying."""

    def dies(job, stopped):
        raise OSError

    with pytest.raises(StoreError, match="again and again"):
        contest(tmp_path, settings(), Here(dies))


def its_keeper():
    """Return the process that starts this worker's bots; None before the first."""
    return workers.Keeper.lasting.pid


def test_a_worker_has_one_keeper_as_long_as_it_lives(tmp_path):
    """It has started the bots of the batches, waits for more, and goes with the worker."""
    crew = Workers(1, pinned=False)
    with closing(crew):
        shared = type("Crew", (), {"number": 1, "lost": crew.lost, "submit": crew.submit, "stop": crew.stop})()
        shared.close = lambda: None
        assert crew.executor.submit(its_keeper).result() is None
        assert contest(tmp_path, settings(deals=1), shared).complete
        keeper = crew.executor.submit(its_keeper).result()
        assert Path(f"/proc/{keeper}").exists()
    assert until(lambda: not Path(f"/proc/{keeper}").exists())


def test_a_worker_looks_for_cycles_less_often_than_this_process():
    """Of its youngest objects; the older ones as everywhere."""
    with closing(Workers(1, pinned=False)) as crew:
        theirs = crew.executor.submit(gc.get_threshold).result()
    assert theirs == (workers.YOUNG, *gc.get_threshold()[1:])
    assert theirs[0] > gc.get_threshold()[0]


def test_who_keeps_games_looks_for_cycles_less_often_while_it_runs(tmp_path):
    """And afterwards, or when it fails, as often as before."""
    before, during = gc.get_threshold(), []

    def plays(job, stopped):
        during.append(gc.get_threshold())
        return batch.play(job, stopped)

    contest(tmp_path / "cup", settings(), Here(plays))
    assert set(during) == {(workers.YOUNG, *before[1:])} != {before}
    assert gc.get_threshold() == before
    with pytest.raises(OSError, match="full"), workers.seldom_collecting():
        raise OSError("the disk is full")
    assert gc.get_threshold() == before


def leave_at_once():
    """Die as a worker does whom the system kills."""
    os.kill(os.getpid(), 9)


def test_real_workers_survive_the_death_of_one(tmp_path):
    """Whichever process is killed, the batches are played."""
    workers = Workers(2, pinned=False)
    try:
        with pytest.raises(Exception, match="terminated abruptly"):
            workers.executor.submit(leave_at_once).result()
        crew = type("Crew", (), {"number": 2, "lost": workers.lost, "submit": workers.submit, "stop": workers.stop})()
        crew.close = lambda: None
        assert contest(tmp_path, settings(), crew).complete
    finally:
        workers.close()


def test_workers_are_pinned_to_cores_of_their_own_unless_told_otherwise(tmp_path):
    """One worker a core; with affinity off they may run anywhere."""
    here = os.sched_getaffinity(0)
    if len(here) < 2:
        pytest.skip("one core only")
    with closing(Workers(2)) as workers:
        places = {frozenset(place) for place in workers.executor.map(_where, [tmp_path] * 2)}
    assert all(len(place) == 1 for place in places)
    assert len(places) == 2
    with closing(Workers(1, pinned=False)) as workers:
        assert workers.executor.submit(os.sched_getaffinity, 0).result() == here


def _where(folder):
    """Return where this worker may run, once the other one has come too: one may not do the work of both."""
    (folder / str(os.getpid())).touch()
    assert until(lambda: len([*folder.iterdir()]) == 2)
    return os.sched_getaffinity(0)


def test_cores_and_max_warm_bound_the_workers():
    """An entry that asks for all cores leaves one worker; sixteen warm bots are four tables of four."""
    cores = len(os.sched_getaffinity(0))
    for asked, seats, number in (
        (settings(workers=9), 4, 4),
        (settings(workers=9, max_warm=3), 4, 1),
        (settings([bot("ann", cores=cores), *FOUR[1:]]), 4, 1),
    ):
        crew = local_crew(asked, seats)
        crew.close()
        assert crew.number == number


def test_a_worker_that_must_leave_does_whatever_its_other_threads_are_at(monkeypatch):
    """A table that ends while its folder is put away changes nothing, and no trouble keeps the process alive."""
    left = []
    monkeypatch.setattr(temporary_folder, "_ours", {Path("/nowhere/1"), Path("/nowhere/2")})
    monkeypatch.setattr(temporary_folder, "wipe", lambda folder: temporary_folder._ours.clear())
    monkeypatch.setattr(workers.os, "_exit", left.append)
    workers._leave()
    monkeypatch.setattr(workers, "abandon", lambda: Path("/nowhere/1").unlink())
    with pytest.raises(FileNotFoundError):
        workers._leave()
    assert left == [1, 1]


def parent(folder, work):
    """Hire a worker, give it this to do if it is anything, say who it is, and wait to be killed."""
    workers = Workers(1, pinned=False)
    pid = workers.executor.submit(os.getpid).result()
    if work is not None:
        workers.executor.submit(*work)
        time.sleep(0.2)
    (folder / "pid").write_text(str(pid))
    time.sleep(600)


@pytest.mark.parametrize("work", [None, (time.sleep, 600), (trio.run, trio.sleep, 600)])
def test_a_worker_leaves_with_its_parent(tmp_path, work):
    """Killed with -9, a run leaves no worker behind, whatever it is at."""
    process = get_context("spawn").Process(target=parent, args=(tmp_path, work))
    process.start()
    assert until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
    pid = int((tmp_path / "pid").read_text())
    process.kill()
    process.join()
    assert until(lambda: not Path(f"/proc/{pid}").exists())


@pytest.mark.parametrize("way", ["F_SETSIG", ""])
def test_a_worker_whose_parent_died_before_leaves(monkeypatch, way):
    """Nothing is sent for what has happened already."""
    read, write = os.pipe()
    os.close(write)
    left = threading.Event()
    monkeypatch.setattr(workers, "_leave", left.set)
    monkeypatch.setattr(workers.multiprocessing, "parent_process", lambda: SimpleNamespace(sentinel=read))
    if not way:
        monkeypatch.delattr(workers.fcntl, "F_SETSIG", raising=False)
    workers._leave_with_parent()
    assert left.wait(60)
    os.close(read)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in /proc")
def test_a_worker_has_one_thread():
    """A second thread would make each system call more expensive, and those of a game are what it does most."""
    with closing(Workers(1)) as crew:
        assert len(crew.executor.submit(os.listdir, "/proc/self/task").result()) == 1


def test_where_no_semaphore_can_be_made_the_place_is_named(monkeypatch):
    """Workers share them: a read-only /dev/shm is said to be the reason, and what to do."""
    assert workers.no_semaphores() == ""

    def refused(*_, **__):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(multiprocessing.synchronize.SemLock, "__init__", refused)
    with pytest.raises(OSError, match="in /dev/shm, and none can be made there: Read-only file system; mount it"):
        workers.Workers(1)
