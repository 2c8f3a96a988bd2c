"""Packages that bring a game, installed as pip would: the modules, and their metadata beside them."""

import os
import shutil
import subprocess
import sys
import tomllib


def install(folder, site):
    """Put the package of a folder with a pyproject.toml and a ``src`` into ``site``."""
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    shutil.copytree(
        folder / "src", site, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
    )
    meta = site / f"{project['name']}-{project['version']}.dist-info"
    meta.mkdir()
    (meta / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    lines = []
    for group, entries in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (meta / "entry_points.txt").write_text("\n".join(lines) + "\n")


def croupier(site, *words, code=0, cwd=None):
    """Run a command where the packages of ``site`` are installed; return what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "croupier", *map(str, words)],
        env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=cwd,
    )
    assert done.returncode == code, (words, done.stdout[-2000:], done.stderr[-2000:])
    assert "Traceback" not in done.stderr
    return done.stdout if code == 0 else done.stdout + done.stderr
