"""Killed with -9 whenever it may be, a tournament continues to the very same table."""

from __future__ import annotations

import gzip
import json
import os
import random
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import contests
import pytest
from command_line import croupier
from dying import POINTS
from tables import processes_with, until

DYING = Path(contests.__file__).parent / "dying.py"
MINE = f"killed-{os.getpid()}"
"""A word that the fast bot ignores: it tells this module's processes from those of other tests."""
SOON = 120.0


def words(folder, deals):
    """Return the words of a tournament of Hearts between four fast bots, one of which faults now and then."""
    entered = [("sloppy", "mixed", 5), ("ben", "last", 0), ("cat", "mixed", 0), ("dan", "mixed", 0)]
    bots = [f"{name}={shlex.join(contests.bot(name, *how, MINE)['command'])}" for name, *how in entered]
    how = [
        "--deals",
        str(deals),
        "--seed",
        "killed",
        "-o",
        "pass=none",
        "--set",
        "max_fault_share=1",
        "--out",
        str(folder),
    ]
    return ["tournament", "--game", "hearts", *bots, *how]


def killed_at(point, number, folder, deals):
    """Run until the point is reached; return whether it was."""
    program = [sys.executable, str(DYING), point, str(number), *words(folder, deals), "--workers", "1"]
    return subprocess.run(program, capture_output=True, check=False).returncode == -signal.SIGKILL


def killed_after(seconds, folder, deals):
    """Run for so long; return whether it was still at work, of which no process stays."""
    mark = f"mark-{folder}"
    process = subprocess.Popen(
        [sys.executable, "-m", "croupier", *words(folder, deals)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "MARK": mark},
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        assert until(lambda: not processes_with(mark) and not seated(), SOON), (processes_with(mark), seated())
        return True
    return False


def seated():
    """List the living processes of the fast bots."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if MINE.encode() in (process / "cmdline").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return found


def table(folder):
    """Return the table byte for byte, thinking times apart."""
    document = json.loads(croupier("standings", folder, "--json")[0])
    for player in document["players"]:
        del player["milliseconds"], player["thinking"]
    return json.dumps(document)


def first_batch(folder):
    """Return how many seconds a run took until it had kept a batch, by its own events."""
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    times = {event["event"]: event["at"] for event in reversed(events)}
    return times["batch"] - times["started"]


def finished(folder):
    """Return whether all has been played."""
    events = folder / "events.jsonl"
    return events.exists() and '"finished"' in events.read_text()


def records(folder):
    """Yield the records of each batch."""
    for path in (folder / "records").iterdir():
        yield gzip.decompress(path.read_bytes()).decode()


def survived(folder, whole, deals):
    """Continue to the end and demand the same table, every game and every fault once, and valid records."""
    croupier(*words(folder, deals))
    assert table(folder) == table(whole)
    verdict = json.loads(croupier("verify", folder, "--json")[0])
    assert verdict | {
        "valid": True, "finished": True, "key": "revealed", "problems": [], "amendments": [], "games": 4 * deals,
        "files": len(list((folder / "records").iterdir())),
    } == verdict  # fmt: skip
    players = {player["name"]: sum(player["faults"].values()) for player in json.loads(table(folder))["players"]}
    recorded = [line for text in records(folder) for line in text.splitlines() if line.startswith("(fault ")]
    assert len(recorded) == players["sloppy"] == sum(players.values()) > 0


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return a tournament that was never killed, and how long it took."""
    folder = tmp_path_factory.mktemp("whole") / "cup"
    began = time.monotonic()
    croupier(*words(folder, 30))
    return folder, time.monotonic() - began


def test_records_take_few_bytes(whole):
    """Seven a decision, with their deals, compressed as they lie there."""
    folder, _ = whole
    packed = sum(path.stat().st_size for path in (folder / "records").iterdir())
    decisions = sum(text.count("\n(play ") for text in records(folder))
    assert decisions > 6000
    assert packed / decisions < 7


def test_killed_at_every_point_where_the_store_commits(tmp_path, whole):
    """Between the file of records and its games in the store, before and after: nothing is lost or doubled."""
    folder = tmp_path / "cup"
    for number, point in enumerate(POINTS):
        assert killed_at(point, 1 + number % 2, folder, 30), point
    survived(folder, whole[0], 30)


def test_killed_at_random_moments(tmp_path, whole):
    """Killed four times wherever it happens to be, it ends in the same table."""
    folder, (reference, seconds) = tmp_path / "cup", whole
    dice = random.Random(4)
    for _ in range(4):
        killed_after(dice.uniform(0.2, 0.9) * seconds, folder, 30)
    survived(folder, reference, 30)


@pytest.mark.soak
def test_killed_two_hundred_times(tmp_path):
    """No process stays of any of two hundred random moments, nor is a game lost, or doubled, of any tournament."""
    deals, whole, folder = 60, tmp_path / "whole", tmp_path / "cup"
    began = time.time()
    croupier(*words(whole, deals))
    first = json.loads((whole / "events.jsonl").read_text().splitlines()[0])["at"] - began + first_batch(whole)
    dice, hit, round_ = random.Random(4), 0, 1
    for point in POINTS:
        assert killed_at(point, 1, folder, deals)
    while hit < 200:
        hit += killed_after(dice.uniform(0.05, 1.15) * first, folder, deals)
        if finished(folder):
            survived(folder, whole, deals)
            round_, folder = round_ + 1, tmp_path / f"cup{round_}"
    print(f"killed {hit} times in {round_} tournaments")
    survived(folder, whole, deals)


def test_an_interrupt_finishes_the_games_in_flight_and_says_how_to_continue(tmp_path, whole):
    """Control-C ends it soon, with a table of what was played by then, and the same command goes on."""
    folder = tmp_path / "cup"
    process = subprocess.Popen(
        [sys.executable, "-m", "croupier", *words(folder, 30)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    events = folder / "events.jsonl"
    assert until(lambda: events.exists() and '"started"' in events.read_text(), SOON)
    os.kill(process.pid, signal.SIGINT)
    out, errors = process.communicate(timeout=SOON)
    assert process.returncode == 1
    games = json.loads(events.read_text().splitlines()[-1])["games"]
    assert ("ranked by mean" if games else "No game has been played.") in out
    assert "finishing the games in flight" in errors
    assert f"the same command continues: croupier {words(folder, 30)[0]}" in errors
    survived(folder, whole[0], 30)
