"""The package: what is installed is what works here, and nothing is importable under a bare name."""

import fcntl
import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("protocol", "agents", "server")
VERSION = f"python{sys.version_info[0]}.{sys.version_info[1]}"
PLAIN = Path(sys.base_prefix, "bin", VERSION)
"""The Python of which the tests' environment was made."""
SITE = Path(".local", "lib", VERSION, "site-packages")
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")


def run(*words, cwd=None, env=None):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, cwd=cwd, env=env, check=False)
    assert done.returncode == 0, (words, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel as a release would: from the source distribution."""
    folder = tmp_path_factory.mktemp("dist")
    with (tmp_path_factory.getbasetemp().parent / "build.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # setuptools writes into the checkout, and another worker may build too
        run(sys.executable, "-m", "build", "--outdir", folder, ROOT)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_files_not_links(wheel):
    """Everything lives under croupier/, data and type marker included."""
    names = zipfile.ZipFile(wheel).namelist()
    assert all(name.startswith(("croupier/", "croupier_referee-")) for name in names)
    assert "croupier/py.typed" in names
    for room in ROOMS:
        shipped = {name for name in names if name.startswith(f"croupier/{room}/") and name.endswith(".py")}
        ours = {f"croupier/{path.relative_to(ROOT)}" for path in (ROOT / room).rglob("*.py")}
        assert shipped == ours
    data = {
        path
        for room in (*ROOMS, "docs")
        for path in (ROOT / room).rglob("*")
        if path.is_file() and path.suffix != ".py" and "__pycache__" not in path.parts
    }
    assert {f"croupier/{path.relative_to(ROOT)}" for path in data} <= set(names)


def test_an_installed_croupier_plays(wheel, tmp_path):
    """In an empty environment the command lists, plays and replays."""
    home = tmp_path / "env"
    venv.create(home)
    pip = [sys.executable, "-m", "pip", "--python", home, "--disable-pip-version-check"]
    run(*pip, "install", "--quiet", "--no-compile", wheel)
    croupier = home / "bin" / "croupier"
    assert "dominion" in run(croupier, "games", cwd=tmp_path)
    assert run(croupier, "docs", "jass", cwd=tmp_path) == (ROOT / "docs" / "reference" / "games" / "jass.md").read_text(
        "utf-8"
    )
    out = json.loads(run(croupier, "play", "dominion", "smithy", "miner", "--record", "games", "--json", cwd=tmp_path))
    assert out["games"][0]["faults"] == []
    assert json.loads(run(croupier, "replay", "games/deal-1.record", "--json", cwd=tmp_path))["valid"]


@pytest.fixture(scope="module")
def home(wheel, tmp_path_factory):
    """Return a home in which croupier lies where ``pip install --user`` puts it, for a Python that has nothing else."""
    home = tmp_path_factory.mktemp("home")
    run(*PIP, "install", "--quiet", "--no-compile", "--target", home / SITE, wheel)
    return home


@pytest.mark.parametrize("way", ["--user", "--target"])
def test_bots_find_a_croupier_that_no_environment_holds(home, tmp_path, way):
    """They have another HOME and a clean environment, and yet import what the referee imports, at every level."""
    where = {"HOME": str(home)} if way == "--user" else {"HOME": str(tmp_path), "PYTHONPATH": str(home / SITE)}
    out = run(PLAIN, "-m", "croupier", "doctor", "--json", cwd="/", env=os.environ | where)
    bots = [finding for finding in json.loads(out)["findings"] if finding["what"].startswith("bundled bots")]
    assert {finding["why_not"] for finding in bots} == {None}


def test_a_bot_that_names_another_environment_gets_that_one(home, tmp_path):
    """What was installed with ``--user`` is not laid over a virtual environment."""
    venv.create(tmp_path / "env", symlinks=True)
    bot = tmp_path / "bot.py"
    bot.write_text("from importlib.util import find_spec\nraise SystemExit(repr(find_spec('croupier')))")
    words = ("play", "hearts", f"{tmp_path}/env/bin/python {bot}", "duck", "duck", "duck", "--json")
    out = run(PLAIN, "-m", "croupier", *words, cwd="/", env=os.environ | {"HOME": str(home)})
    (fault,) = json.loads(out)["games"][0]["faults"]
    assert fault["why"].endswith("None")


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_is_importable_under_its_bare_name(room):
    """`import agents` would be a second, different module: it must fail wherever our code runs."""
    done = subprocess.run(
        [sys.executable, "-c", f"import {room}"], cwd="/", capture_output=True, text=True, check=False
    )
    assert "ModuleNotFoundError" in done.stderr


def test_no_file_imports_a_bare_room():
    """Source and tests name croupier.protocol, croupier.agents, croupier.server."""
    folders = (*ROOMS, "bench", "examples", "tests")  # not what setuptools writes beside them while it builds
    for path in (path for folder in folders for path in (ROOT / folder).rglob("*.py")):
        for line in path.read_text().splitlines():
            assert not line.startswith(tuple(f"{verb} {room}" for verb in ("import", "from") for room in ROOMS)), (
                path,
                line,
            )
