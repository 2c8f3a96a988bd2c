"""What the clock counts against a bot, what it does not, and the time that is burnt while others are on turn."""

import itertools
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import textwrap
import time

import needs
import pytest
from command_line import croupier
from tables import children_left, misfit, until

from croupier.server import entries
from croupier.server.games.dominion.game import Dominion
from croupier.server.processes import control_group, process_table, sandbox
from croupier.server.processes.sandbox import Level, SandboxSettings
from croupier.server.records.replay import judge
from croupier.server.table.faults import Kind
from croupier.server.table.process_seat import MUCH_BURNT
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table

LEVELS = needs.levels(*Level)
SLOW = """
import os, re, sys, time
for line in sys.stdin:
    if line.startswith(("(request", "(attacked")):
        {}
        print(re.search(r"\\(legal (\\([^()]*(?:\\([^()]*\\)[^()]*)*\\))", line)[1], flush=True)
"""
FAIR = misfit("fair", name="fair")
CROUPIER = [sys.executable, "-m", "croupier"]


def slow(seconds):
    """Enter a bot that sleeps for so long before each answer."""
    return slowed(f"time.sleep({seconds})")


def slowed(statement):
    """Enter a bot that does this before each answer."""
    return entries.of_command([sys.executable, "-S", "-E", "-c", SLOW.format(statement)], "slow")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("kind", "program"), [("spinner", "misfit.py"), ("spin-elsewhere", "vandal.py")])
async def test_who_spins_off_turn_is_reported_and_stopped_there_from_then_on(key, kind, program, level, tmp_path):
    """Itself or a child in a session of its own: about as long as the others took, and then no more."""
    bots = [slowed("time.sleep(0.2)"), misfit(kind, "request", "1", program=program)]
    results = []
    async with Table(bots, tmp_path, sandboxing=SandboxSettings(level.value)) as table:
        while not results or results[-1].burnt[1] <= MUCH_BURNT:  # on a busy machine one may get too little for it
            results.append(await table.play(Dominion, {"turns": 2}, key.deal(1), Terms(time=20)))
        stopped = await table.play(Dominion, {"turns": 2}, key.deal(2), Terms(time=20))
    assert children_left() == []
    assert not any(result.faults for result in (*results, stopped))
    assert results[-1].burnt[1] < 1.5 * sum(results[-1].thinking[0])
    assert max(result.burnt[0] for result in results) < MUCH_BURNT
    assert stopped.burnt[1] < 0.1 * sum(stopped.thinking[0])


@pytest.fixture
def two(tmp_path):
    """Two bots as words of a command line: one that is slow, and one that spins meanwhile."""
    (tmp_path / "slow.py").write_text(SLOW.format("time.sleep(0.2)"))
    slow, spinner = [sys.executable, str(tmp_path / "slow.py")], misfit("spinner", "request", "1")
    return [shlex.join(slow), f"spinner={shlex.join(spinner.command)}", "--time", "60000", "-o", "turns=2"]


def test_a_table_says_who_has_spun(two):
    """In a line beside the totals; in the document stands what each has used."""
    heard = []

    def told():
        heard.append(croupier("play", "dominion", *two)[1])
        return re.search(r"^spinner: \d+\.\d s of CPU time while others were on turn$", heard[-1], re.MULTILINE)

    assert until(told), "what spins beside other work may get too little to speak of, but not each time"
    assert "slow" not in "".join(heard)
    out, said = croupier("play", "dominion", "smithy", "miner", "--json")
    assert said == ""
    assert max(json.loads(out)["games"][0]["burnt"].values()) < MUCH_BURNT


def test_a_tournament_says_who_has_spun(two, tmp_path):
    """With its table, whenever it is shown, and in its report."""
    words = ["--game", "dominion", *two, "--deals", "1", "--workers", "1"]
    cups = []

    def told():
        cups.append(tmp_path / f"cup{len(cups)}")
        return " of CPU time while others" in croupier("tournament", *words, "--out", cups[-1])[1]

    assert until(told), "what spins beside other work may get too little to speak of, but not each time"
    cup = cups[-1]
    outputs = [croupier("tournament", *words, "--out", cup), croupier("standings", cup)]
    seconds = {re.search(r"spinner: (\d+\.\d) s of CPU time while others", said)[1] for _, said in outputs}
    assert len(seconds) == 1
    assert not any("slow:" in said for _, said in outputs)
    croupier("report", cup)
    assert "Off turn: CPU time used while others were on turn" in (cup / "report.html").read_text()


async def test_who_waits_burns_nothing(key, tmp_path):
    """Nor who thinks long, on its turn."""
    async with Table([slow(0.03), FAIR], tmp_path, sandboxing=SandboxSettings(sandbox.best().value)) as table:
        result = await table.play(Dominion, {"turns": 2}, key.deal(1), Terms(time=20))
    assert not result.faults
    assert max(result.burnt) < MUCH_BURNT


@pytest.mark.parametrize("level", LEVELS)
async def test_who_thinks_in_a_second_thread_is_waited_for(key, level, tmp_path):
    """Also when its first has ended: it is not the program that has."""
    program = "import ctypes, threading\ndef play():\n" + textwrap.indent(SLOW.format(0.5), "    ")
    program += "threading.Thread(target=play).start()\nctypes.CDLL(None).pthread_exit(None)\n"
    (tmp_path / "headless.py").write_text(program)
    headless = entries.of_command([sys.executable, str(tmp_path / "headless.py")])
    async with Table([FAIR, headless], tmp_path / "table", sandboxing=SandboxSettings(level.value)) as table:
        result = await table.play(Dominion, {"turns": 1}, key.deal(1), Terms(time=20))
    assert not result.faults


@pytest.mark.parametrize("wait", [0.19, 0.2, 0.21, 0.3])
async def test_an_answer_about_the_deadline_is_in_time_or_late(key, wait, tmp_path):
    """Never both, never neither, and never counted as more than was granted."""
    async with Table([slow(wait), FAIR], tmp_path, sandboxing=SandboxSettings("none")) as table:
        result = await table.play(Dominion, {"turns": 1}, key.deal(1), Terms(time=0.2))
    assert {fault.fault.kind for fault in result.faults} <= {Kind.TIMEOUT}
    assert len(result.faults) == 1 or wait < 0.3
    assert max(result.thinking[0]) <= 0.2
    assert judge("\n".join(result.record)).valid


async def test_starting_up_is_not_thinking(key, tmp_path):
    """The first reply of a fresh process may take the start-up allowance longer, and is not counted as thinking."""
    late = entries.of_command(["sh", "-c", f"sleep 3; exec {shlex.join(FAIR.command)}"], "late")
    async with Table([late, FAIR], tmp_path, start=30.0, sandboxing=SandboxSettings("none")) as table:
        result = await table.play(Dominion, {"turns": 2}, key.deal(1), Terms(time=2.0))
    assert not result.faults
    assert max(result.thinking[0]) < 2.0


@pytest.mark.parametrize("level", LEVELS)
async def test_the_start_up_allowance_ends_when_the_first_request_is_read(key, level, tmp_path):
    """A process that has read it is thinking, however much of the allowance is left."""
    async with Table([slow(3), FAIR], tmp_path, start=8.0, sandboxing=SandboxSettings(level.value)) as table:
        result = await table.play(Dominion, {"turns": 1}, key.deal(1), Terms(time=0.3))
    assert [(fault.seat, fault.fault.kind) for fault in result.faults] == [(0, Kind.TIMEOUT)]


@pytest.mark.parametrize(("stalled", "used"), [(0.0, 0.0), (1.0, 0.0), (1.0, 9.0)], ids=["idle", "short", "its own"])
async def test_who_got_no_core_gets_its_time_again(key, stalled, used, tmp_path, monkeypatch):
    """As long as its threads are told to have waited, and it is not itself that takes the cores."""
    told, counted = itertools.count(), itertools.count()
    monkeypatch.setattr(process_table, "delays", lambda _: {1: stalled * next(told)})
    monkeypatch.setattr(control_group, "cpu", lambda _: used * next(counted))
    async with Table([slow(0.8), FAIR], tmp_path) as table:
        result = await table.play(Dominion, {"turns": 1}, key.deal(1), Terms(time=0.3))
    assert judge("\n".join(result.record)).valid
    again = [line for line in result.record if line.endswith("s again, withheld by this machine")]
    if stalled and not used:
        assert not result.faults
        assert sum(result.again) >= 0.25
        assert again[-1].startswith("(time slow ")
    else:
        assert [fault.fault.kind for fault in result.faults] == [Kind.TIMEOUT]
        assert not result.again
        assert not again


async def test_without_an_allowance_a_late_start_is_a_timeout(key, tmp_path):
    """No allowance, no grace."""
    late = entries.of_command(["sh", "-c", "sleep 5"], "late")
    async with Table([late, FAIR], tmp_path, start=0.0) as table:
        result = await table.play(Dominion, {"turns": 2}, key.deal(1), Terms(time=0.2))
    assert [(fault.seat, fault.fault.kind) for fault in result.faults] == [(0, Kind.TIMEOUT)]


async def test_a_parenthesis_that_is_left_open_is_no_late_start(key, tmp_path):
    """A bot that has begun to answer has the time of a reply left, not of the start-up, and is told what is missing."""
    half = entries.of_command(["sh", "-c", "read line; echo '(buy copper'; sleep 20"], "half")
    async with Table([half, FAIR], tmp_path, start=15.0) as table:
        result = await table.play(Dominion, {"turns": 2}, key.deal(1), Terms(time=0.2))
    assert result.faults[0].fault.why == "no whole answer within 200 ms: a parenthesis is left open"
    assert result.seconds < 10


@pytest.mark.parametrize("all_of_it", [False, True])
def test_time_that_the_referee_was_stopped_is_not_the_bots(all_of_it, tmp_path):
    """Control-Z, or a container on pause: the answer is there afterwards, or gets the time that it would have had."""
    program = tmp_path / "slow.py"
    program.write_text(SLOW.format("time.sleep(0.2)"))
    words = [
        "play",
        "sedma",
        shlex.join([sys.executable, str(program)]),
        *["random"] * 3,
        "--time",
        "2000",
        "--show",
        "--json",
    ]
    with subprocess.Popen([*CROUPIER, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stderr.readline()
        time.sleep(0.05)
        stopped = [process.pid, *(process_table.descendants(process.pid) if all_of_it else ())]
        for what, pause in ((signal.SIGSTOP, 3), (signal.SIGCONT, 0)):
            for pid in stopped:
                os.kill(pid, what)
            time.sleep(pause)
        game = json.loads(process.stdout.read())["games"][0]
    assert game["faults"] == []
    assert game["seconds"] > 3
