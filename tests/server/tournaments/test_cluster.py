"""A tournament on a Dask cluster: the same table, whoever dies."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import contests
import pytest
from contests import FOUR, bot, document, settings

from croupier.server import games
from croupier.server.tournaments import workers
from croupier.server.tournaments.run import Run

distributed = pytest.importorskip("distributed", reason="needs the cluster extra")

pytestmark = [
    pytest.mark.skipif(contests.quick() is None, reason="needs a C compiler"),
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture
def cluster(tmp_path):
    """Start a scheduler and two workers on loopback; return its address and their processes."""
    file = tmp_path / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    here = ["--host", "127.0.0.1", "--no-dashboard"]
    start = [
        sys.executable,
        "-m",
        "distributed.cli.dask_scheduler",
        *here,
        "--port",
        "0",
        "--scheduler-file",
        str(file),
    ]
    processes = [subprocess.Popen(start, **quiet)]
    try:
        while not file.exists() or not file.read_text().endswith("\n}"):
            assert processes[0].poll() is None
            time.sleep(0.05)
        address = json.loads(file.read_text())["address"]
        work = [sys.executable, "-m", "distributed.cli.dask_worker", address, *here, "--nthreads", "1", "--no-nanny"]
        processes += [subprocess.Popen(work, **quiet) for _ in range(2)]
        with distributed.Client(address) as client:
            client.wait_for_workers(2, timeout=60)
        yield address, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_a_cluster_gives_the_same_table_though_a_worker_is_killed(tmp_path, cluster):
    """One of two workers dies in the middle; its batches are played by the other."""
    address, (_, *players) = cluster
    bots = [*FOUR, bot("eve", "last")]
    contests.contest(tmp_path / "here", settings(bots, deals=8))

    def kill_one(progress):
        if players[0].poll() is None:
            players[0].kill()

    asked = settings(bots, deals=8, cluster=address)
    run = Run(asked, games.find("hearts"), tmp_path / "there", tell=kill_one)
    assert run.play()
    assert players[0].wait(10) == -9
    assert document(tmp_path / "there") == document(tmp_path / "here")


@pytest.mark.parametrize(
    ("dead", "answer", "said"),
    [(slice(0, 1), 2.0, "does not answer any more"), (slice(1, 3), 60.0, "no worker left")],  # who lives is given time
)
def test_a_cluster_that_dies_ends_the_run_with_a_sentence_and_what_was_kept(
    tmp_path, cluster, monkeypatch, dead, answer, said
):
    """A scheduler killed, or all its workers: the run ends, and the same command continues without a cluster."""
    address, processes = cluster
    monkeypatch.setattr(workers, "PATIENCE", 6.0)
    monkeypatch.setattr(workers, "ANSWER", answer)

    def kill(progress):
        if progress.fresh:
            for process in processes[dead]:
                process.kill()

    run = Run(settings(deals=80, cluster=address), games.find("hearts"), tmp_path / "cup", tell=kill)
    with pytest.raises(ConnectionError, match=said):
        run.play()
    kept = run.store.counts()[0]
    run.store.close()
    assert 0 < kept < 320
    rest = contests.contest(tmp_path / "cup", settings(deals=80), contests.Here(contests.pretend()))
    assert rest.progress.fresh == 320 - kept


def test_a_scheduler_that_is_not_there_is_said_so(tmp_path):
    """Nobody answers: one sentence."""
    words = ["tournament", "--game", "hearts", "duck", "duck", "duck", "duck", "--cluster", "tcp://127.0.0.1:9"]
    program = [sys.executable, "-m", "croupier", *words, "--out", str(tmp_path / "cup")]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in done.stderr
    assert "Traceback" not in done.stderr
