"""Killed with -9 whenever it may be, a season loses nothing and doubles nothing."""

import json
import random
import shutil
import signal
import subprocess
import sys

import dying
import pytest
from command_line import croupier
from dying import POINTS

from croupier.server.season.folder import SeasonFolder
from croupier.server.tournaments.keeping.store import open_for_reading

TERMS = """
deals = 2
rounds = 2
seed = "killed"
workers = 1
[[bots]]
name = "chance"
builtin = "random"
[[games]]
game = "hearts"
"""
FIRST = "from croupier.agents import Agent, drive\n\ndrive(Agent())\n"


def hand_in(folder, change=""):
    """Let four authors hand in programs, one of which is broken."""
    for author in ("ann", "ben", "cat", "dan"):
        place = folder.submissions / author
        place.mkdir(parents=True, exist_ok=True)
        (place / "hearts.py").write_text(f"# {author} {change}\n{FIRST}")
    (folder.submissions / "dan" / "hearts.py").write_text(f"broken {change}")


def begin(path):
    """Return the folder of a season that has not been played."""
    folder = SeasonFolder(path)
    folder.submissions.mkdir(parents=True)
    folder.settings.write_text(TERMS)
    hand_in(folder)
    return folder


def killed_at(point, number, folder):
    """Run until a point is reached for the nth time, or to the end; return whether it was killed there."""
    program = [sys.executable, dying.__file__, point, str(number), "season", str(folder.path)]
    ended = subprocess.run(program, capture_output=True, check=False, text=True)
    assert ended.returncode in {0, -signal.SIGKILL}, ended.stderr
    return ended.returncode == -signal.SIGKILL


def state(folder):
    """Return all that a season knows, without times: the ledger, and the games of each tournament."""
    ledger = json.loads((folder.path / "season.json").read_text())
    for author in ledger["authors"]:
        for submission in author["submissions"]:
            del submission["at"]
    nights = [{"number": night["number"], "games": night["games"]} for night in ledger["nights"] if night["ended"]]
    games = {}
    for path in folder.games.iterdir():
        with open_for_reading(path) as store:
            games[path.name] = sorted((each.game.seating, each.game.deal, each.game.scores) for each in store.games())
    programs = sorted(str(path.relative_to(folder.path)) for path in folder.programs.rglob("*.py"))
    return ledger["authors"], nights, games, programs


def has_ended(folder, number):
    """Return whether a night is over. Its pages are written after that."""
    nights = folder.read_ledger().nights
    return len(nights) == number and nights[-1].ended is not None


def play(folder, kills, dice):
    """Play a night that is killed up to ``kills`` times; return how often it was."""
    number, killed = len(folder.read_ledger().nights) + 1, 0
    while killed < kills and not has_ended(folder, number):
        killed += killed_at(dice.choice(POINTS), dice.randint(1, 9), folder)
    if not has_ended(folder, number):
        croupier("season", folder.path)
    return killed


def survives(tmp_path, kills, dice):
    """Play two nights, with new versions in the second, undisturbed and killed. Return the number of kills."""
    whole, folder = begin(tmp_path / "whole"), begin(tmp_path / "killed")
    killed = 0
    for change in ("", "changed"):
        hand_in(whole, change)
        hand_in(folder, change)
        croupier("season", whole.path)
        killed += play(folder, kills, dice)
        assert state(folder) == state(whole)
    for path in folder.games.iterdir():
        assert json.loads(croupier("verify", path, "--json")[0])["valid"]
    shutil.rmtree(tmp_path)
    return killed


def test_a_season_that_is_killed_loses_and_doubles_nothing(tmp_path):
    """Twice a night, where it writes what it knows or what was played."""
    assert survives(tmp_path, 2, random.Random(5)) > 1


@pytest.mark.soak
def test_a_season_killed_twenty_times_loses_and_doubles_nothing(tmp_path):
    """At random points; seasons follow each other until there were twenty."""
    dice, killed, number = random.Random(20), 0, 0
    while killed < 20:
        killed, number = killed + survives(tmp_path / str(number), 10, dice), number + 1
    print(f"killed {killed} times in {number} seasons")
