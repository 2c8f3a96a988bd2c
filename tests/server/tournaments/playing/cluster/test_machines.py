"""Three machines give the local run's bytes."""

import gzip
import json
import shlex
import subprocess
import sys

import contests
import needs
import pytest
from contests import FOUR, document, settings
from dask_cluster import Dask

from croupier.server import games
from croupier.server.tournaments.playing.run import Run

pytest.importorskip("distributed", reason="needs the cluster extra")

pytestmark = pytest.mark.filterwarnings("ignore")

THREE = {"machine1", "machine2", "machine3"}


def kept(folder):
    """Return what a tournament's folder keeps, without durations."""
    records = [gzip.decompress(path.read_bytes()) for path in sorted((folder / "records").iterdir())]
    lines = [[line for line in text.splitlines() if not line.startswith(b"(time ")] for text in records]
    return (folder / "manifest.json").read_bytes(), (folder / "key").read_bytes(), document(folder), lines


def played_at(folder):
    """Return the machines that the events name, and how many games those have played."""
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    batches = [event["machines"] for event in events if event["event"] == "batch"]
    return {name for each in batches for name in each}, sum(sum(each.values()) for each in batches)


def test_three_workers_give_the_local_run_s_bytes(tmp_path):
    """Manifest, key, table and records; and each game was played by one of them."""
    (tmp_path / "dask").mkdir()
    with Dask(tmp_path / "dask") as dask:
        dask.work(*THREE)
        run = Run(settings(deals=6, batch=1, cluster=dask.address), games.find("hearts"), tmp_path / "there")
        assert run.play()
        run.store.close()
    contests.contest(tmp_path / "here", settings(deals=6, batch=1))
    assert kept(tmp_path / "there") == kept(tmp_path / "here")
    assert played_at(tmp_path / "there") == (THREE, run.progress.games)


@needs.NETWORKS
def test_three_machines_with_networks_of_their_own_give_the_local_run_s_bytes(tmp_path):
    """None of them reaches anything but the scheduler."""
    (tmp_path / "dask").mkdir()
    commands = [f"{each['name']}={shlex.join(each['command'])}" for each in FOUR]
    words = ["hearts", *commands, "--seed", "contest", "--deals", "6", "--set", "batch=1", "--sandbox", "none", "--out"]
    script = [sys.executable, contests.BOTS.parent / "support" / "networks.py", tmp_path / "dask"]
    there = subprocess.run(
        [*needs.ALONE, *script, *words, tmp_path / "there"], capture_output=True, text=True, check=False
    )
    assert there.returncode == 0, there.stderr
    here = [sys.executable, "-m", "croupier", "tournament", *words, tmp_path / "here"]
    subprocess.run(here, capture_output=True, check=True)
    assert kept(tmp_path / "there") == kept(tmp_path / "here")
    assert played_at(tmp_path / "there")[0] == THREE
