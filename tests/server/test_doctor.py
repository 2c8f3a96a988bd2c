"""`croupier doctor`: what works here, and why the rest does not."""

import json
import subprocess
import sys

import pytest

from croupier.server import sandbox
from croupier.server.commands import doctor
from croupier.server.sandbox import Level


def run(*words):
    done = subprocess.run(
        [sys.executable, "-m", "croupier", "doctor", *words], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


def test_doctor_knows_each_level():
    """The best level that works is the one that bots get; each that does not says why."""
    out = json.loads(run("--json"))
    assert out["sandbox"] == sandbox.best().value
    found = {finding["what"]: finding for finding in out["findings"]}
    for level in Level:
        finding = found[f"sandbox {level.value}"]
        assert finding["works"] == (not sandbox.problem(level))
        assert bool(finding["why_not"]) != finding["works"]
    assert any(what.startswith("SQLite ") for what in found)
    assert any(what.endswith("cores") for what in found)
    assert "cluster" in found


def test_doctor_prints_a_table():
    """For people: the same as a table."""
    out = run()
    assert "bwrap" in out
    assert f"--sandbox {sandbox.best().value}" in out


@pytest.mark.parametrize("level", [Level.BWRAP, Level.LIMITS])
def test_a_level_that_does_not_work_says_why(monkeypatch, level):
    """The reason is what probing found."""
    monkeypatch.setattr(sandbox, "problem", lambda asked: "no such thing here" if asked is level else "")
    found = {finding.what: finding for finding in doctor._levels()}
    assert found[f"sandbox {level.value}"].json()["why_not"] == "no such thing here"


def test_an_old_sqlite_is_named(monkeypatch):
    """The store needs STRICT tables."""
    monkeypatch.setattr(doctor.sqlite3, "sqlite_version_info", (3, 36, 0))
    assert any("STRICT" in finding.problem and finding.needed for finding in doctor._system())
