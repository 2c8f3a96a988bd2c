"""Tables: processes that live on, are replaced where they must be, and leave when told."""

import errno
import os
import pickle
import sys
from pathlib import Path

import needs
import pytest
import trio
from tables import BOTS, FIRST_LINE, children_left, groups_of, misfit, until

from croupier.server import entries
from croupier.server.games.dominion.game import Dominion
from croupier.server.games.hearts import Hearts
from croupier.server.processes import host, process_table, sandbox
from croupier.server.processes.bot_process import AT_ONCE
from croupier.server.processes.sandbox import Level, SandboxSettings
from croupier.server.table.process_seat import BESIDE_OTHERS
from croupier.server.table.referee import RefereeBug, Terms
from croupier.server.table.table import Table

TERMS = Terms(time=20)


def pids(table):
    return [seat._process.pid for seat in table.seats]


async def test_a_process_plays_many_games(key, tmp_path):
    """The same processes play game after game."""
    bots = entries.distinct([entries.read("big-money"), entries.read("smithy")])
    async with Table(bots, tmp_path) as table:
        await table.play(Dominion, {}, key.deal(1), TERMS)
        first = pids(table)
        await table.play(Dominion, {}, key.deal(2), TERMS)
        assert pids(table) == first
    assert children_left() == []


class Broken(Hearts):
    """Rules that cannot go on."""

    def play(self, seat, play):
        raise RuntimeError


def cannot(*what):
    raise RuntimeError


@pytest.mark.parametrize("rules", [Broken, Hearts])
async def test_only_a_failure_of_the_rules_is_called_one(rules, key, tmp_path, monkeypatch):
    """What starts bots may fail as well: nobody should look for that in the rules."""
    if rules is Hearts:
        monkeypatch.setattr(host, "launch_order", cannot)
    async with Table(entries.distinct([entries.read("duck")] * 4), tmp_path) as table:
        with pytest.raises(RefereeBug) as bug:
            await table.play(rules, {}, key.deal(1), TERMS)
    what = "the referee (croupier.server.processes.host)" if rules is Hearts else "the rules of hearts"
    assert pickle.loads(pickle.dumps(bug.value)).what == what


def test_beside_other_tables_nobody_is_waited_for_longer_than_a_moment(tmp_path):
    """The clocks of who thinks at those run on meanwhile."""
    bots = entries.distinct([entries.read("big-money"), entries.read("smithy")])
    for beside_others in (False, True):
        seats = Table(bots, tmp_path, beside_others=beside_others).seats
        assert {seat._prompt for seat in seats} == {BESIDE_OTHERS if beside_others else AT_ONCE / 1000}


async def test_replies_may_be_longer_than_what_is_read_at_first(key, tmp_path):
    """White space in a list, up to some thousand bytes of it, and the next reply is not the rest of this one."""
    program = tmp_path / "wide.py"
    program.write_text(
        "import re, sys\n"
        "for number, line in enumerate(sys.stdin):\n"
        "    if line.startswith('(request'):\n"
        "        play = re.search(r'[(]legal [(]play (..)[)]', line)[1]\n"
        "        sys.stdout.write('(play' + ' ' * (440 + 300 * (number % 12)) + play + ')\\n')\n"
        "        sys.stdout.flush()\n"
    )
    bots = entries.distinct([entries.of_command([sys.executable, str(program)], "wide")] * 4)
    async with Table(bots, tmp_path / "table") as table:
        for number in (1, 2):
            result = await table.play(Hearts, {"pass": "none"}, key.deal(number), TERMS)
            assert (result.decisions, result.faults) == (52, ())
    assert "(play c2)" in " ".join(result.record)


async def test_a_process_a_game_if_the_entry_asks(key, tmp_path):
    """With lifetime game nobody is left after a game."""
    alone = entries.Entry("alone", entries.read("smithy").command, lifetime="game")
    async with Table([alone, entries.read("big-money")], tmp_path) as table:
        await table.play(Dominion, {}, key.deal(1), TERMS)
        assert table.seats[0]._process is None
        result = await table.play(Dominion, {}, key.deal(2), TERMS)
        assert not result.faults


async def test_the_offender_is_replaced_before_the_next_game(key, tmp_path):
    """A fault costs one game: the next begins with a fresh process."""
    async with Table([entries.read("big-money"), misfit("crash", "request", 2)], tmp_path) as table:
        for number in (1, 2):
            result = await table.play(Dominion, {}, key.deal(number), TERMS)
            assert [fault.seat for fault in result.faults] == [1]
            assert result.decisions > 1


async def test_a_classic_client_and_native_bots_share_a_table(key, tmp_path):
    """One file without our code, answering without newlines, in both dialects, plays whole games with ours."""
    program = [sys.executable, str(BOTS / "classic.py")]
    bots = entries.distinct(
        [entries.of_command(program, "old", "classic"), entries.read("smithy"), misfit("fair", name="new")]
    )
    async with Table(bots, tmp_path) as table:
        for number in range(1, 6):
            result = await table.play(Dominion, {}, key.deal(number), TERMS)
            assert not result.faults
            assert result.scores[0] > 0


@pytest.mark.parametrize(
    "kind", ["litter", "no-folder", "swapped-folder", "no-errors", "errors-pipe", "errors-stretched", "steer"]
)
async def test_whatever_a_process_leaves_the_next_one_starts(kind, key, tmp_path):
    """It has a folder, and a standard error in which nobody has written yet."""
    vandal = entries.replace(misfit(kind, "request", 2, program="vandal.py"), lifetime="game")
    async with Table([misfit("fair", name="fair"), vandal], tmp_path, sandboxing=SandboxSettings("limits")) as table:
        first, *others = [await table.play(Dominion, {"turns": 2}, key.deal(1), TERMS) for _ in range(3)]
        for result in others:
            assert result.decisions == first.decisions
            assert [fault.fault.why for fault in result.faults] == [fault.fault.why for fault in first.faults]


NEEDY = """
import re, sys, threading
for line in sys.stdin:
    if line.startswith(("(request", "(attacked")):
        threading.Thread(target=int).start()
        print(re.search(r"\\(legal (\\([^()]*(?:\\([^()]*\\)[^()]*)*\\))", line)[1], flush=True)
"""


@pytest.mark.skipif(os.getuid() == 0, reason="root is bound by neither")
@pytest.mark.parametrize("level", needs.levels(*Level))
@pytest.mark.parametrize("kind", ["in-flight", "threads"])
async def test_nobody_uses_up_what_one_user_may_have(kind, level, key, tmp_path):
    """The others start as before, and their threads too."""
    needy = entries.replace(entries.of_command([sys.executable, "-c", NEEDY], "needy"), lifetime="game")
    vandals = [misfit(kind, "request", 2, program="vandal.py", name=name) for name in ("one", "other")]
    async with Table([needy, *vandals], tmp_path, sandboxing=SandboxSettings(level)) as table:
        for _ in range(3):
            result = await table.play(Dominion, {"turns": 3}, key.deal(1), TERMS)
            assert not any(result.seating[seat] == "needy" for seat, _ in result.faults)


async def test_a_referee_who_cannot_be_woken_looks_by_himself(key, tmp_path, monkeypatch):
    """Bots of one user can use up what the system has to wait with."""

    async def refused(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(trio.lowlevel, "wait_readable", refused)
    monkeypatch.setattr(trio.lowlevel, "wait_writable", refused)
    async with Table([misfit("fair", name="fair"), entries.read("big-money")], tmp_path) as table:
        result = await table.play(Dominion, {"turns": 3}, key.deal(1), TERMS)
        assert not result.faults
        table.seats[0].retire()
        await table.host.wait_until_gone()


async def test_last_words_are_a_processs_own(key, tmp_path):
    """A bot that dies without a word is not given those of the one before."""
    script = "test -e here && exit 3; touch here; echo my last words >&2; exit 3"
    async with Table([misfit("fair", name="fair"), entries.of_command(["sh", "-c", script], "sh")], tmp_path) as table:
        faults = [(await table.play(Dominion, {}, key.deal(1), TERMS)).faults[0].fault.why for _ in range(2)]
    assert faults[0].endswith("; its last words: my last words")
    assert "exit status 3" in faults[1]
    assert "last words" not in faults[1]


async def test_thirty_games_cost_no_more_than_ten(key, tmp_path):
    """Of descriptors, processes, control groups and files, though half of the processes are new each game."""
    bots = [misfit("fair", name="fair"), misfit("crash", "request", 2, name="crash"),
            entries.replace(misfit("fair", name="alone"), lifetime="game")]  # fmt: skip

    def held(table):
        files = sorted(path.name for path in tmp_path.rglob("*"))
        return len(list(Path("/proc/self/fd").iterdir())), len(groups_of(os.getpid())), files

    async with Table(bots, tmp_path) as table:
        costs = []
        for number in range(30):
            result = await table.play(Dominion, {"turns": 2}, key.deal(number + 1), TERMS)
            assert [fault.seat for fault in result.faults] == [1]
            await table.host.wait_until_gone()  # what has ended is removed while the next game begins
            costs.append(held(table))
        one = 4 if sandbox.best() is Level.BWRAP else 2  # a bot, its minder, and bubblewrap twice
        assert until(lambda: len(process_table.descendants(table.host._keeper.pid)) == one)
    assert costs[9] == costs[29]
    assert children_left() == []


@pytest.mark.parametrize("level", needs.levels(*Level))
@pytest.mark.parametrize("put", [lambda path: None, Path.mkdir, os.mkfifo, Path.touch])
async def test_a_program_that_is_replaced_between_games_crashes_and_keeps_nobody_waiting(put, level, key, tmp_path):
    """By nothing, by a folder, by a pipe, by a file that is none."""
    program = tmp_path / "program"
    program.write_text(FIRST_LINE + (BOTS / "misfit.py").read_text())
    program.chmod(0o755)
    bot = entries.replace(entries.read(f"'{program}' fair"), lifetime="game")
    async with Table(
        [misfit("fair", name="fair"), bot], tmp_path / "table", sandboxing=SandboxSettings(level.value)
    ) as table:
        assert not (await table.play(Dominion, {"turns": 2}, key.deal(1), TERMS)).faults
        program.unlink()
        put(program)
        if program.exists():
            program.chmod(0o755)
        result = await table.play(Dominion, {"turns": 2}, key.deal(2), TERMS)
        assert "cannot be started" in result.faults[0].fault.why
        assert result.seconds < 20
