"""A page that a reader follows: its files are written, its commands called, and what they print is compared."""

import os
import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_CALLED = ("make ", ". .venv/", "pip ")
"""Beginnings of the lines that set croupier up: here it is."""
MEASURED = re.compile(r"\d+(?:\\\.\d+)?(?=\\ m?s\b)")
"""A number of seconds or milliseconds in an escaped line."""
LAST_CELL = re.compile(r"\\ +\d+\\\.\d\d\\ │$")
"""The last cell of a row of standings, a thinking time in milliseconds."""


ADVICE = re.compile(r"^bots run under \w+, not under bwrap: .*\n", re.MULTILINE)
"""What is said first where the strongest sandbox does not work: the pages show a machine where it does."""


def follow(page, folder):
    """Do in a folder what a page says, from its first line to its last. Return how many commands were called."""
    said, called = "", 0
    for kind, name, body in BLOCK.findall(page.read_text("utf-8")):
        if name:
            (folder / name).write_text(body, "utf-8")
        elif kind == "sh":
            lines = [line for line in body.splitlines() if not line.startswith(NOT_CALLED)]
            said, called = _shell("\n".join(lines), folder), called + len(lines)
        elif kind == "text":
            assert _pattern(body).fullmatch(said), (page.name, body, said)
    return called


def _shell(script, folder):
    """Return what a shell prints for lines of which each must end well, at a terminal of 80 columns."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-ec", script],
        cwd=folder,
        env=os.environ | {"PATH": path, "COLUMNS": "80"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (script, done.stdout)
    return ADVICE.sub("", done.stdout)


def _pattern(shown):
    """Return what matches an output as a page shows it: `...` is anything, and measured times may differ."""
    return re.compile("".join(map(_line, shown.splitlines())))


def _line(line):
    if line == "...":
        return r"(?:.*\n)*"
    escaped = LAST_CELL.sub(r"\\ +\\d+\\.\\d\\d\\ │", MEASURED.sub(r"\\d+(?:\\.\\d+)?", re.escape(line.rstrip())))
    return escaped.replace(re.escape("..."), ".*") + r" *\n"
