"""Every misdeed, by a real program, under every sandbox that works here: what it costs, and what is left of it."""

import subprocess
import sys
import time
from pathlib import Path

import alone
import needs
import pytest
from misdeeds import ALL, MISDEEDS, PATIENCE, SHUT_IN, START, TIMEOUT, UNDER_ATTACK
from tables import children_left, misfit, processes_with

from croupier.server import entries
from croupier.server.games.dominion.game import Dominion
from croupier.server.processes.sandbox import Level, SandboxSettings, best
from croupier.server.processes.temporary_folder import temporary_folder
from croupier.server.records.replay import judge
from croupier.server.table.faults import Kind, Outcome
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table

LEVELS = needs.levels(*Level)
SHUT = LEVELS[1:]
SAID = {
    "says nothing unasked",
    "writes well-formed replies",
    "answers in each phase",
    "plays legally",
    "flushes its output",
}
"""The steps that fail by what is written: no sandbox makes a difference to that."""
CASES = [
    pytest.param(misdeed, *level.values, marks=level.marks, id=f"{misdeed.name}-{level.values[0].value}")
    for misdeed in MISDEEDS
    for level in LEVELS
    if misdeed.step not in SAID or level.values[0] is Level.LIMITS
]
BEFORE_ITS_END = 10.0
"""Seconds in which a misfit does not end by itself: its ``LIFE`` is twelve."""
PAGE = Path(__file__).parents[3] / "docs" / "trust" / "misdeeds.md"
MOMENTS = {(): "start", ("request", "3"): "third request", ("attacked",): "attack"}
FAIR = misfit("fair", name="fair")


def seats(level):
    """Play with two under the strictest level and under none, with four between them."""
    return 4 if level is Level.LIMITS else 2


async def played(key, misdeed, level, folder, others, wait):
    """Play one game with a misfit in the second seat; return its result, with nothing left of anybody."""
    marked = entries.replace(misdeed.entry(folder), env={"MARK": f"<{folder}>"})
    bots = entries.distinct([others[0], marked, *others[1:]])
    with temporary_folder() as home:
        sandboxing = SandboxSettings(level.value, memory="128M")
        async with Table(bots, home, START, sandboxing=sandboxing) as table:
            result = await table.play(Dominion, {"turns": 8}, key.deal(1), Terms(time=wait))
            ending = time.monotonic()
    assert time.monotonic() - ending < PATIENCE
    assert not home.exists()
    assert children_left() == []
    assert processes_with(marked.env["MARK"]) == []
    return result


def documented():
    """Read what the page says of each misdeed: its faults, and what it costs at most."""
    lines = PAGE.read_text().splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")][1:]
    return {(name, when): (fault.replace("`", ""), cost) for name, when, _, _, fault, cost in rows}


def written(misdeed):
    """Return the row of a misdeed."""
    return documented()[misdeed.name, MOMENTS[misdeed.when]]


def holds(result, misdeed, wait):
    """Demand that the right one is blamed for the right thing in time, and that the others' results stand."""
    costs = {"deadline": wait, "allowance and deadline": START + wait}
    assert result.seconds - sum(result.again) < costs.get(written(misdeed)[1], 0) + PATIENCE
    assert judge("\n".join(result.record)).valid
    if not misdeed.kinds:
        assert not result.faults
        assert result.outcome is Outcome.FINISHED
        return
    (fault,) = result.faults
    assert fault.seat == 1
    assert fault.fault.kind in misdeed.kinds, fault.fault.why
    assert fault.fault.why.isprintable()
    others = [score for seat, score in enumerate(result.scores) if seat != 1]
    assert result.outcome is (Outcome.FINISHED if len(others) > 1 else Outcome.FORFEIT)
    assert result.ranks[1] == len(result.scores)
    assert result.scores[1] == 0 < min(others)


@pytest.mark.parametrize(("misdeed", "level"), CASES)
async def test_no_misdeed_hurts_the_table(key, misdeed, level, tmp_path):
    """Whatever a bot does, the game ends, it alone pays, and no process of it remains."""
    others = [FAIR] * (seats(level) - 1)
    holds(await played(key, misdeed, level, tmp_path, others, misdeed.time), misdeed, misdeed.time)


@pytest.mark.parametrize("level", SHUT)
@pytest.mark.parametrize("misdeed", UNDER_ATTACK, ids=lambda misdeed: misdeed.name)
async def test_no_misdeed_under_attack_hurts_the_table(key, misdeed, level, tmp_path):
    """The defender pays, not the attacker, and the attack goes on with the others."""
    others = [entries.read("miner"), *[FAIR] * (seats(level) - 2)]
    holds(await played(key, misdeed, level, tmp_path, others, misdeed.time), misdeed, misdeed.time)


@pytest.mark.usefixtures("tight")
@pytest.mark.parametrize("level", SHUT)
@pytest.mark.parametrize("misdeed", SHUT_IN, ids=lambda misdeed: misdeed.name)
async def test_no_misdeed_takes_the_machine(key, misdeed, level, tmp_path):
    """A bot that takes more than it is given is ended with all its processes, before it ends by itself."""
    others = [FAIR] * (seats(level) - 1)
    holds(await played(key, misdeed, level, tmp_path, others, BEFORE_ITS_END), misdeed, BEFORE_ITS_END)


@pytest.mark.skipif(not Path("/proc/self/oom_score_adj").exists(), reason="needs Linux")
@pytest.mark.parametrize("level", LEVELS)
async def test_when_memory_runs_out_the_kernel_ends_bots_first(key, level, tmp_path):
    """Whatever took it: the referee is not among them."""
    script = "cat /proc/self/oom_score_adj >&2; exit 1"
    teller = entries.of_command(["sh", "-c", script], "teller")
    async with Table([teller, FAIR], tmp_path, sandboxing=SandboxSettings(level.value)) as table:
        result = await table.play(Dominion, {"turns": 2}, key.deal(1), Terms(time=20))
    assert result.faults[0].fault.why.endswith("its last words: 1000")


def test_there_are_enough_of_them():
    """Forty at least, no two the same program at the same moment."""
    assert len({(row.name, row.when) for row in ALL}) == len(ALL) >= 40


def test_the_page_says_what_is_tested():
    """Every row of docs/trust/misdeeds.md is a test, and every test a row, with the same faults."""
    assert documented().keys() == {(row.name, MOMENTS[row.when]) for row in ALL}
    for row in ALL:
        faults, cost = written(row)
        assert set(faults.split(" or ")) == ({kind.value for kind in row.kinds} or {"none"})
        assert ("deadline" in cost) == (TIMEOUT in row.kinds)


async def test_a_table_of_misfits_alone_ends_too(key, tmp_path):
    """Where everybody misbehaves the game still ends, and the logs stay short."""
    bots = [misfit(kind, "request", 2, name=kind) for kind in ("flood", "blank-flood", "noisy", "one-long-word")]
    async with Table(bots, tmp_path, START) as table:
        for number in range(3):
            result = await table.play(Dominion, {"turns": 8}, key.deal(number + 1), Terms(time=PATIENCE))
            assert {fault.fault.kind for fault in result.faults} == {Kind.FLOODED}
    assert max((tmp_path / f"{bot.name}.stderr").stat().st_size for bot in bots) <= 1 << 20


def test_no_misdeed_costs_memory():
    """The referee stays under 100 MB through all that say too much, one after another."""
    assert int(subprocess.check_output([sys.executable, alone.__file__, best().value])) < 100 << 10
