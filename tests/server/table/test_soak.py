"""Random misbehavior at every table, for SOAK_MINUTES: nobody hangs, nobody stays, nobody else pays."""

import os
import random
import tempfile
import time
from collections import Counter
from pathlib import Path

import pytest
import trio
from misdeeds import MISDEEDS, UNDER_ATTACK
from tables import children_left, misfit, processes_with

from croupier.server import entries, games
from croupier.server.deals import Key
from croupier.server.processes import sandbox
from croupier.server.processes.sandbox import Level, SandboxSettings
from croupier.server.processes.temporary_folder import temporary_folder
from croupier.server.records.replay import judge
from croupier.server.table.faults import Kind
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table

PATIENCE = 1.5
START = 3.0
TABLES = 4
GAMES = 4
OPTIONS = {"hearts": {"pass": "none"}, "dominion": {"turns": 10}}
SEATS = {"dominion": (2, 3, 4), "hearts": (4,), "jass": (4,), "sedma": (4,)}
CORPUS = sorted((Path(__file__).parents[2] / "corpus" / "replies").iterdir())
UNSURE = {"late", "kill-parent", "stop-parent", "no-program"}
"""What ends in this or that as the machine has time."""
ROWS = [row for row in (*MISDEEDS, *UNDER_ATTACK) if row.name not in UNSURE]
SLOW = {Kind.TIMEOUT}


def sinner(dice, name, folder):
    """Enter somebody who does a random wrong thing at a random moment; return him and the faults it may be."""
    match dice.randrange(4):
        case 0:
            return misfit("garble", "request", dice.randrange(1, 20), dice.random(), name=name), set(Kind)
        case 1:
            return misfit("recite", "request", dice.randrange(1, 20), dice.choice(CORPUS), name=name), set(Kind)
    row = dice.choice(ROWS)
    if row.kinds & SLOW and dice.random() < 0.7:
        row = dice.choice([row for row in ROWS if not row.kinds & SLOW])
    entry = entries.replace(row.entry(folder), name=name)
    if row.when[:1] == ("request",):
        entry = misfit(row.name, "request", dice.randrange(1, 20), name=name, program=row.program)
    # a word of one game is none in another, and what one hand forbids another allows
    other = {Kind.ILLEGAL, Kind.UNKNOWN} if row.kinds & {Kind.ILLEGAL, Kind.UNKNOWN} else set()
    return entry, row.kinds | other


async def table(dice, mark, tally):
    """Play some games in one party, of which some misbehave; demand of each game what holds of all."""
    game = dice.choice(list(SEATS))
    level = dice.choice([level for level in Level if not sandbox.problem(level)])
    with temporary_folder() as folder:
        bots, allowed = [], []
        for seat in range(dice.choice(SEATS[game])):
            who = (misfit("fair", name=f"p{seat}"), set())
            if dice.random() < 0.4:
                who = sinner(dice, f"p{seat}", Path(tempfile.mkdtemp(dir=folder)))
            bots.append(entries.replace(who[0], env={"MARK": mark}))
            allowed.append(who[1])
        async with Table(bots, folder, START, sandboxing=SandboxSettings(level.value)) as party:
            for _ in range(GAMES):
                deal = Key.from_seed(str(dice.random())).deal(dice.randrange(1, 1000))
                limit = sum(map(bool, allowed)) * (START + PATIENCE) + 30
                with trio.fail_after(limit):
                    options = OPTIONS.get(game, {})
                    result = await party.play(games.find(game), options, deal, Terms(time=PATIENCE))
                said = [" ".join(bot.command[3:]) for bot in bots]
                for fault in result.faults:
                    assert fault.fault.kind in allowed[fault.seat], (game, level, said, fault)
                    assert fault.fault.why.isprintable(), (game, level, said, fault)
                    tally[fault.fault.kind.value] += 1
                assert len({fault.seat for fault in result.faults}) == len(result.faults)
                verdict = judge("\n".join(result.record))
                assert verdict.valid, (game, level, said, verdict)
                tally["games"] += 1
                tally["decisions"] += result.decisions


@pytest.mark.soak
async def test_nothing_hangs_stays_or_is_blamed_for_another(capsys):
    """Among bots that do wrong each game ends in time, only who did wrong is blamed, and no process stays."""
    minutes = float(os.environ.get("SOAK_MINUTES", "10"))
    seed = os.environ.get("SOAK_SEED", str(time.time_ns()))
    dice, tally, rounds = random.Random(seed), Counter(), 0
    began = time.monotonic()
    while time.monotonic() - began < minutes * 60:
        rounds += 1
        mark = f"soak-{seed}-{rounds}-"
        async with trio.open_nursery() as nursery:
            for number in range(TABLES):
                nursery.start_soon(table, random.Random(f"{dice.random()} {number}"), mark, tally)
        assert children_left() == []
        assert processes_with(mark) == []
        with capsys.disabled():
            print(
                f"\rseed {seed}, {rounds} rounds, {time.monotonic() - began:.0f} s: {dict(tally)}", end="", flush=True
            )
