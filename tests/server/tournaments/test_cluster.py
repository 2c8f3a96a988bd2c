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
from croupier.server.tournaments.run import Run

distributed = pytest.importorskip("distributed", reason="needs the cluster extra")

pytestmark = [
    pytest.mark.skipif(contests.quick() is None, reason="needs a C compiler"),
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture
def cluster(tmp_path):
    """Start a scheduler and two workers on loopback; return its address and the workers' processes."""
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
        yield address, processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_a_cluster_gives_the_same_table_though_a_worker_is_killed(tmp_path, cluster):
    """One of two workers dies in the middle; its batches are played by the other."""
    address, workers = cluster
    bots = [*FOUR, bot("eve", "last")]
    contests.contest(tmp_path / "here", settings(bots, deals=8))

    def kill_one(progress):
        if workers[0].poll() is None:
            workers[0].kill()

    asked = settings(bots, deals=8, cluster=address)
    run = Run(asked, games.find("hearts"), tmp_path / "there", tell=kill_one)
    assert run.play()
    assert workers[0].wait(10) == -9
    assert document(tmp_path / "there") == document(tmp_path / "here")


def test_a_scheduler_that_is_not_there_is_said_so(tmp_path):
    """Nobody answers: one sentence."""
    words = ["tournament", "--game", "hearts", "duck", "duck", "duck", "duck", "--cluster", "tcp://127.0.0.1:9"]
    program = [sys.executable, "-m", "croupier", *words, "--out", str(tmp_path / "cup")]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in done.stderr
    assert "Traceback" not in done.stderr
