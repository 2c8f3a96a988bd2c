"""Blame goes to who did it: whatever a bot does to the machine, the one beside it does not pay for it."""

import os
import sys
from collections import Counter

import pytest

from croupier.server import entries
from croupier.server.games.dominion.game import Dominion
from croupier.server.processes import sandbox
from croupier.server.processes.sandbox import House, Level, groups
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table

PLAYS = r"""
import ctypes, os, re, socket, sys, time
def attack():
    ATTACK
def think():
    began = time.process_time()
    while time.process_time() - began < THINKS: pass
for number, line in enumerate(sys.stdin):
    if line.startswith(("(request", "(attacked")):
        attack()
        think()
        print(re.search(r"\(legal (\([^()]*(?:\([^()]*\)[^()]*)*\))", line)[1], flush=True)
"""
SPINNERS = """
    global attack
    attack = lambda: None
    for _ in range(20):
        if os.fork() == 0:
            os.setsid()
            while True:
                if os.fork() == 0:
                    end = time.time() + 0.03
                    while time.time() < end: pass
                    os._exit(0)
                os.wait()
"""
HOARDERS = """
    held = []
    for _ in range(21):
        a, b = socket.socketpair()
        fd = os.memfd_create("unseen")
        socket.send_fds(a, [b"x"], [fd])
        os.write(fd, bytes(32 << 20))
        os.close(fd)
        held += [a, b]
"""
TABLES, GAMES = 5, 20


def entry(name, attack="pass", thinks=0.0):
    """Enter a program that plays the first legal play."""
    program = PLAYS.replace("ATTACK", attack.strip()).replace("THINKS", str(thinks))
    return entries.of_command([sys.executable, "-S", "-E", "-c", program], name)


@pytest.mark.soak
@pytest.mark.skipif(any(groups.problems().values()), reason="no control groups can be made here")
@pytest.mark.parametrize("attack", [SPINNERS, HOARDERS], ids=["twenty sessions of spinners", "unseen memory"])
@pytest.mark.parametrize("level", [level for level in (Level.LIMITS, Level.BWRAP) if not sandbox.problem(level)])
async def test_an_innocent_bot_commits_no_fault_beside_an_attack(key, attack, level, tmp_path):
    """With 50 ms of thinking in a clock of a second, on one core, in each of a hundred games."""
    cores, faults, games = os.sched_getaffinity(0), Counter(), 0
    os.sched_setaffinity(0, [max(cores)])
    try:
        for number in range(TABLES):
            bots = [entry("innocent", thinks=0.05), entry("attacker", attack)]
            async with Table(bots, tmp_path / str(number), house=House(level.value)) as table:
                for deal in range(GAMES):
                    result = await table.play(Dominion, {"turns": 2}, key.deal(deal + 1), Terms(time=1.0))
                    faults.update((result.seating[seat], fault.kind.value) for seat, fault in result.faults)
                    games += 1
    finally:
        os.sched_setaffinity(0, cores)
    assert games == TABLES * GAMES
    assert not [who for who, _ in faults if who == "innocent"], faults
    assert faults if attack is HOARDERS else not faults
