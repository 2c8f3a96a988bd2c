"""What a shell completes, and how the command line speaks where there is only ASCII."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from croupier.server.commands.completion import FORMATS
from croupier.server.tournaments import formats


def completed(*words):
    """Ask as bash does; return what it is offered."""
    asking = {"_CROUPIER_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    program = [sys.executable, "-c", "from croupier.server.cli import cli; cli.main(prog_name='croupier')"]
    done = subprocess.run(program, capture_output=True, text=True, check=False, env=os.environ | asking)
    return {line.partition(",")[2] for line in done.stdout.splitlines()}


@pytest.mark.parametrize(
    ("words", "offered", "not_offered"),
    [
        (["sta"], {"standings"}, "play"),
        (["play", "he"], {"hearts"}, "skat"),
        (["play", "hearts", "duck", ""], {"duck", "random"}, "smithy"),
        (["tournament", "--format", "s"], {"swiss"}, "ladder"),
        (["tournament", "--game", "do"], {"dominion", "doppelkopf"}, "jass"),
    ],
)
def test_a_shell_completes_commands_games_formats_and_bots(words, offered, not_offered):
    """Each where it is meant."""
    found = completed("croupier", *words)
    assert offered <= found
    assert not_offered not in found


def test_every_format_is_offered():
    """The list stands apart so that a command that needs none of them stays fast."""
    assert list(FORMATS) == list(formats.FORMATS)


@pytest.mark.parametrize("words", [["games", "doppelkopf"], ["play", "hearts", *["random"] * 4, "--show"], ["doctor"]])
def test_nothing_breaks_where_there_is_only_ascii(words):
    """Signs that the encoding does not have are written plainly."""
    only = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    done = subprocess.run([sys.executable, "-m", "croupier", *words], capture_output=True, check=False, env=only)
    assert done.returncode == 0, done.stderr
    assert (done.stdout + done.stderr).isascii()
    assert b"Traceback" not in done.stderr


def test_a_table_with_intervals_is_readable_in_ascii(tmp_path):
    """Plus-minus becomes a sign that every terminal has."""
    words = ["tournament", "--game", "hearts", *["random"] * 4, "--out", tmp_path / "cup", "--deals", "2"]
    only = os.environ | {"PYTHONIOENCODING": "ascii"}
    program = [sys.executable, "-m", "croupier", *map(str, words)]
    done = subprocess.run(program, capture_output=True, check=False, env=only)
    assert done.returncode == 0, done.stderr
    assert b" ~" in done.stdout
