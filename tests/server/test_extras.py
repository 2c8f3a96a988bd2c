"""Extras: what is recommended is what the package declares, and needs no index that knows croupier."""

import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from croupier.server import extras

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]


@pytest.mark.parametrize("extra", extras.EXTRAS)
def test_the_libraries_are_those_of_the_package(extra):
    """The same names and bounds as in pyproject.toml."""
    assert list(extras.EXTRAS[extra]) == PROJECT["optional-dependencies"][extra]


@pytest.mark.parametrize("extra", extras.EXTRAS)
def test_the_command_is_one_that_a_shell_gives_to_pip(extra, monkeypatch):
    """With this interpreter, also where its path has a blank, and naming no distribution of ours."""
    monkeypatch.setattr(sys, "executable", "/home/my name/bin/python")
    words = shlex.split(extras.installation(extra))
    assert words == ["/home/my name/bin/python", "-m", "pip", "install", *extras.EXTRAS[extra]]
    assert not any("croupier" in word for word in words)


def test_what_is_installed_is_not_recommended(monkeypatch):
    """A module that can be imported is enough, whatever installed it; one that cannot is named."""
    monkeypatch.setitem(extras.EXTRAS, "web", ("click>=8", "msgspec[toml]>=0"))
    assert not extras.missing("web")
    monkeypatch.setitem(extras.EXTRAS, "web", ("click>=8", "nothing-of-this-name[x]>=1"))
    assert "'nothing-of-this-name[x]>=1'" in extras.missing("web")


def test_pip_understands_the_command():
    """All of it is options and requirements that pip can read."""
    words = shlex.split(extras.installation("web"))
    done = subprocess.run([*words, "--dry-run", "--no-deps", "--no-index"], capture_output=True, text=True, check=False)
    assert "Invalid requirement" not in done.stderr
    assert "No matching distribution" in done.stderr or "already satisfied" in done.stdout
