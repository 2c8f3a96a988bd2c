"""The page about environments: its blocks of Python run one after another, and so do its commands."""

import re
import shlex
from pathlib import Path

import pytest

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed (make test-bridges)")
pytest.importorskip("onnx", reason="onnx is not installed (make test-bridges)")

from command_line import croupier
from one_layer import network

PAGE = (Path(__file__).parents[3] / "docs" / "how-to" / "environments.md").read_text("utf-8")
CODE = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
FILES = re.findall(r"^```python (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = [
    line for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL) for line in block.splitlines()
]


def test_every_block_runs(capsys):
    """In their order, as in one session."""
    session = {}
    for code in CODE:
        exec(code, session)
    printed = capsys.readouterr().out
    assert "player_0: " in printed
    assert "['player_0', 'player_2']" in printed
    assert len(session["in_one_row"](session["seen"])) == 64


def test_every_command_works(tmp_path):
    """With the file of the page, and a network whose input is the whole observation."""
    for name, text in FILES:
        (tmp_path / name).write_text(text)
    session = {}
    exec(CODE[0], session)
    exec(CODE[-1], session)
    network(tmp_path / "net.onnx", "observation", session["in_one_row"](session["seen"]).shape[1], 52)
    for command in COMMANDS:
        words = [word.replace("net=croupier", "net=python -m croupier") for word in shlex.split(command)[1:]]
        assert croupier(*words, "--start", "60000", cwd=tmp_path)[0], command
