"""A tournament on a Dask cluster: the same table, also when a worker dies."""

from __future__ import annotations

import gc
import json
import logging
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing

import contests
import pytest
from contests import FOUR, bot, document, settings
from dask_cluster import Dask

from croupier.agents.bridges.usage import OF_GAME, Usage
from croupier.server import entries, games
from croupier.server.games.dominion.game import Dominion
from croupier.server.processes import landlock
from croupier.server.processes.sandbox import Level, SandboxSettings
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table
from croupier.server.tournaments.keeping.spent import Spent
from croupier.server.tournaments.playing.cluster import crew
from croupier.server.tournaments.playing.run import Run

distributed = pytest.importorskip("distributed", reason="needs the cluster extra")

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def cluster(tmp_path):
    """Start a scheduler and two workers; return its address and their processes."""
    (tmp_path / "dask").mkdir()
    with Dask(tmp_path / "dask") as dask:
        dask.work("one", "two")
        yield dask.address, list(dask.processes.values())


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
    assert players[0].wait(60) == -9
    assert document(tmp_path / "there") == document(tmp_path / "here")


def test_a_budget_counts_what_bots_report_in_a_cluster(tmp_path, cluster):
    """A set of four games of one such bot is 400 tokens; the sets in play were counted before more began."""
    address, _ = cluster
    said = f"{OF_GAME}{Usage(decisions=13, calls=13, tokens_in=100)}"
    (tmp_path / "spender.sh").write_text(f'echo "{said}" >&2\nexec "$@"\n')
    spender = bot("ann") | {"lifetime": "game"}
    spender["command"] = ["sh", str(tmp_path / "spender.sh"), *spender["command"]]
    asked = settings([spender, *FOUR[1:]], deals=50, budget="2k tokens", cluster=address)
    run = Run(asked, games.find("hearts"), tmp_path / "cup")
    with closing(run.store) as store:
        assert not run.play()
        assert run.used_up
        assert (store.counts()[0], Spent.read(store).total.tokens) == (20, 2000)


@pytest.mark.parametrize(
    ("dead", "answer", "said"),
    [(slice(0, 1), 2.0, "does not answer any more"), (slice(1, 3), 60.0, "no worker left")],  # who lives is given time
)
def test_a_cluster_that_dies_ends_the_run_with_a_sentence_and_what_was_kept(
    tmp_path, cluster, monkeypatch, dead, answer, said
):
    """A scheduler killed, or all its workers: the run ends, and the same command continues without a cluster."""
    address, processes = cluster
    monkeypatch.setattr(crew, "PATIENCE", 6.0)
    monkeypatch.setattr(crew, "ANSWER", answer)

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


ATTACK = """
import json, os, socket, sys
import distributed
scheduler, worker, made, patience = sys.argv[1:]
said = []
for address in (scheduler, worker):
    try:
        socket.create_connection(address.removeprefix("tcp://").split(":"), 60).close()
        said.append("connected")
    except OSError as problem:
        said.append(type(problem).__name__)
try:
    with distributed.Client(scheduler, timeout=patience) as client:
        client.submit(os.mkdir, made).result()
except OSError:
    said.append("no client")
os.write(2, json.dumps(said).encode())
"""
ATTACKERS = (("attacker", ATTACK), ("other", "pass"))


@pytest.mark.parametrize(
    ("level", "said"),
    [
        pytest.param(Level.NONE, ["connected", "connected"], id="none"),
        pytest.param(
            Level.LIMITS,
            ["PermissionError", "PermissionError", "no client"],
            id="limits",
            marks=pytest.mark.skipif(landlock.version() < landlock.TCP_SINCE, reason="needs a younger Landlock"),
        ),
    ],
)
async def test_a_bot_runs_nothing_in_a_worker_of_a_cluster(key, level, said, tmp_path):
    """It would be outside of every fence there; without a sandbox it can, with the client's own few lines."""
    made = tmp_path / "made"
    with distributed.LocalCluster(1, processes=False, protocol="tcp://", dashboard_address=None) as dask:
        words = [dask.scheduler_address, dask.workers[0].address, str(made), "60" if level is Level.NONE else "1"]
        bots = [entries.of_command([sys.executable, "-c", program, *words], name) for name, program in ATTACKERS]
        async with Table(bots, tmp_path / "table", 60, sandboxing=SandboxSettings(level.value)) as table:
            await table.play(Dominion, {"turns": 2}, key.deal(1), Terms(time=60))
    assert json.loads((tmp_path / "table" / "attacker.stderr").read_text()) == said
    assert made.exists() == (level is Level.NONE)


@pytest.mark.parametrize("moment", ["greeting", "handing out", "playing", "leaving"])
def test_a_scheduler_that_dies_is_one_sentence_at_any_moment(tmp_path, cluster, monkeypatch, capfd, moment):
    """Before the first batch, between batches, and when all has been played: then nothing is lost."""
    address, (scheduler, *_) = cluster
    monkeypatch.setattr(crew, "PATIENCE", 4.0)
    monkeypatch.setattr(crew, "ANSWER", 2.0)

    def dying(call):
        def killed(*words, **how):
            scheduler.kill()
            scheduler.wait()
            return call(*words, **how)

        return killed

    methods = {"handing out": "_hand_out", "leaving": "_leave"}
    if moment == "greeting":
        monkeypatch.setattr(crew, "greet", dying(crew.greet))
    elif moment in methods:
        monkeypatch.setattr(crew.Cluster, methods[moment], dying(getattr(crew.Cluster, methods[moment])))

    def tell(progress):
        if moment == "playing" and progress.fresh:
            scheduler.kill()

    deals = 2 if moment == "leaving" else 40
    run = Run(settings(deals=deals, batch=1, cluster=address), games.find("hearts"), tmp_path / "cup", tell=tell)
    with closing(run.store):
        if moment == "leaving":
            assert run.play()
        else:
            with pytest.raises(ConnectionError, match="start the cluster, and the same command continues"):
                run.play()
    gc.collect()
    assert "Traceback" not in "".join(capfd.readouterr())


def silent(listener):
    """Take every call, and say nothing."""
    time.sleep(60)


def hangs_up(listener):
    """Take every call, and end it."""
    while True:
        listener.accept()[0].close()


def babbles(listener):
    """Answer as a web server would."""
    while True:
        line = listener.accept()[0]
        line.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 100)
        line.close()


@pytest.mark.parametrize("answers", [None, silent, hangs_up, babbles])
def test_what_is_no_scheduler_is_said_so(tmp_path, answers):
    """Something else may listen there, or nothing: one sentence."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1] if answers else 9
        if answers:
            threading.Thread(target=answers, args=(listener,), daemon=True).start()
        assert refused(tmp_path, f"tcp://127.0.0.1:{port}") == f"no Dask scheduler answers at tcp://127.0.0.1:{port}"


@pytest.mark.parametrize("address", ["nonsense://host:1", "tls://127.0.0.1:9", "tcp://"])
def test_an_address_that_is_none_is_said_so(tmp_path, address):
    """As if nobody answered."""
    assert refused(tmp_path, address) == f"no Dask scheduler answers at {address}"


def test_the_library_logs_nothing_beside_our_sentence():
    """Its client would say that it has failed to reconnect, at a level of its own."""
    with pytest.raises(ConnectionError):
        crew._connect("nonsense://host:1")
    for name in ("distributed", "distributed.client", "tornado.application", "asyncio"):
        assert not logging.getLogger(name).isEnabledFor(logging.CRITICAL)


def refused(tmp_path, address):
    """Return how the sentence begins with which a tournament ends that finds no scheduler."""
    words = ["tournament", "--game", "hearts", "duck", "duck", "duck", "duck", "--cluster", address]
    program = [sys.executable, "-m", "croupier", *words, "--out", str(tmp_path / "cup")]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    (line,) = [each for each in done.stderr.splitlines() if each.strip() and "is not encrypted" not in each]
    return line.removeprefix("croupier tournament: ")[: len(f"no Dask scheduler answers at {address}")]
