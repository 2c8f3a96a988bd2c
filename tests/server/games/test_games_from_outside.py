"""A game from outside is a package with an entry point: found, played over pipes, recorded and replayed."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[3] / "examples" / "highcard"


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Install the example as pip would: its package, and its metadata beside it."""
    site = tmp_path_factory.mktemp("site")
    shutil.copytree(EXAMPLE / "src" / "highcard", site / "highcard")
    meta = site / "highcard-1.0.dist-info"
    meta.mkdir()
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: highcard\nVersion: 1.0\n")
    (meta / "entry_points.txt").write_text("[croupier.games]\nhighcard = highcard:HighCard\n")
    return os.environ | {"PYTHONPATH": str(site)}


def croupier(env, *words):
    done = subprocess.run(
        [sys.executable, "-m", "croupier", *words], env=env, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_short():
    """A whole game from outside takes fewer than 120 lines."""
    assert len((EXAMPLE / "src" / "highcard" / "__init__.py").read_text().splitlines()) < 120


def test_it_is_played_over_pipes_and_replayed(installed, tmp_path):
    """Everything that works with bundled games works with it."""
    assert "highcard" in croupier(installed, "games")
    out = json.loads(
        croupier(
            installed,
            "play",
            "highcard",
            *["random"] * 3,
            "-o",
            "hands=3",
            "--deals",
            "4",
            "--record",
            str(tmp_path),
            "--json",
        )
    )
    assert all(sum(game["scores"].values()) == 15 and not game["faults"] for game in out["games"])
    verdicts = json.loads(croupier(installed, "replay", *map(str, sorted(tmp_path.iterdir())), "--json"))
    assert all(verdict["valid"] for verdict in verdicts)
