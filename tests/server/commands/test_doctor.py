"""`croupier doctor`: what works here, and why the rest does not."""

import json
import os
import subprocess
import sys

import needs
import pytest

from croupier.server.commands import doctor
from croupier.server.processes import sandbox
from croupier.server.processes.sandbox import Level

DOCTOR = [sys.executable, "-m", "croupier", "doctor"]
NO_NAMESPACES = ["unshare", "-Ur", "sh", "-c", 'echo 0 > /proc/sys/user/max_user_namespaces && "$0" "$@"']


def run(*words, **how):
    done = subprocess.run([*DOCTOR, *words], capture_output=True, text=True, timeout=300, check=True, **how)
    return done.stdout


def why_not(text, what):
    """Return the best level, and why another one does not work."""
    out = json.loads(text)
    return out["sandbox"], next(finding["why_not"] for finding in out["findings"] if finding["what"] == what)


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
    assert f"tournament and check shut bots in by {sandbox.best().value}" in out


@pytest.mark.parametrize("level", [Level.BWRAP, Level.LIMITS])
def test_a_level_that_does_not_work_says_why(monkeypatch, level):
    """The reason is what probing found."""
    monkeypatch.setattr(sandbox, "problem", lambda asked: "no such thing here" if asked is level else "")
    found = {finding.what: finding for finding in doctor._levels()}
    assert found[f"sandbox {level.value}"].json()["why_not"] == "no such thing here"


def test_without_bubblewrap_it_names_the_package(tmp_path):
    """What there is to install."""
    best, why = why_not(run("--json", env={**os.environ, "PATH": str(tmp_path)}), "sandbox bwrap")
    assert best == "limits"
    assert "`apt install bubblewrap`" in why


@needs.program("bwrap")
@needs.program("unshare")
def test_where_namespaces_are_forbidden_it_says_so():
    """In the words of the program that could not make one."""
    done = subprocess.run([*NO_NAMESPACES, *DOCTOR, "--json"], capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        pytest.skip("there is no namespace here to forbid them in")
    best, why = why_not(done.stdout, "sandbox bwrap")
    assert best == "limits"
    assert why.startswith("bwrap cannot make a sandbox here: bwrap: ")


def test_an_old_sqlite_is_named(monkeypatch):
    """The store needs STRICT tables."""
    monkeypatch.setattr(doctor.sqlite3, "sqlite_version_info", (3, 36, 0))
    assert any("STRICT" in finding.problem and finding.needed for finding in doctor._system())
