"""The example that learns poker: it reaches what is known of Kuhn poker, approaches it in Leduc, and plays."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

from command_line import croupier

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "examples" / "poker" / "regret.py"
PAGE = (ROOT / "docs" / "how-to" / "learn-poker.md").read_text("utf-8")
ROUND = re.compile(r"after (\d+) rounds: value ([-+.\d]+), exploitability ([-.\d]+)")


def learn(game, rounds, file):
    """Learn; return round, value and exploitability of each report."""
    words = [sys.executable, SCRIPT, "learn", game, str(rounds), file]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return [tuple(map(float, found)) for found in ROUND.findall(said)]


def play(game, file):
    """Play some games against chance over pipes; return the faults."""
    bot = f"regret={shlex.join([sys.executable, str(SCRIPT), 'play', str(file)])}"
    told = json.loads(croupier("play", f"recycle:{game}", bot, "random", "--deals", "30", "--json")[0])
    return [fault for each in told["games"] for fault in each["faults"]]


def test_it_reaches_the_value_of_kuhn_poker(tmp_path):
    """-1/18 for the first player, with an answer that gains next to nothing; it knows all situations that occur."""
    (*_, value, exploitability) = learn("kuhn-poker", 400, tmp_path / "kuhn.json")[-1]
    assert abs(value + 1 / 18) < 0.0005
    assert 0 <= exploitability < 0.001
    assert play("kuhn-poker", tmp_path / "kuhn.json") == []


def test_it_learns_leduc_poker_as_the_page_says(tmp_path):
    """The curve of the page is that of the script; what was learned plays without a fault."""
    table = re.findall(r"^\| Leduc poker \| (\d+) \| ([-.\d]+) \| ([-.\d]+) \|$", PAGE, re.MULTILINE)
    curve = learn("leduc-poker", 160, tmp_path / "leduc.json")
    assert len(table) == 4
    assert {tuple(map(float, row)) for row in table} <= set(curve)
    assert [row[2] for row in curve] == sorted([row[2] for row in curve], reverse=True)
    assert play("leduc-poker", tmp_path / "leduc.json") == []


def test_the_commands_of_the_page_work(tmp_path):
    """In their order, in a folder with the examples."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (block,) = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    first, second = block.splitlines()
    subprocess.run([sys.executable, *shlex.split(first)[1:]], cwd=tmp_path, check=True, capture_output=True)
    assert "regret" in croupier(*shlex.split(second)[1:], cwd=tmp_path)[0]
