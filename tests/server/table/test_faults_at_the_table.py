"""Every kind of fault, by a real program, at tables of two and of four, on its turn and under attack."""

import tempfile
import time
from pathlib import Path

import pytest
from tables import children_left, misfit

from croupier.server import entries
from croupier.server.games.dominion.game import Dominion
from croupier.server.records.replay import judge
from croupier.server.table.faults import Kind, Outcome
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table

TERMS = Terms(time=0.4)

ON_TURN = [
    ("silent", Kind.TIMEOUT),
    ("half", Kind.TIMEOUT),
    ("dotted", Kind.MALFORMED),
    ("binary", Kind.MALFORMED),
    ("prose", Kind.MALFORMED),
    ("unbalanced", Kind.MALFORMED),
    ("deep", Kind.MALFORMED),
    ("many", Kind.MALFORMED),
    ("nonsense", Kind.UNKNOWN),
    ("empty", Kind.UNKNOWN),
    ("cheat", Kind.ILLEGAL),
    ("flood", Kind.FLOODED),
    ("blank-flood", Kind.FLOODED),
    ("twice", Kind.UNASKED),
    ("crash", Kind.CRASHED),
    ("leave", Kind.CRASHED),
    ("kill", Kind.CRASHED),
    ("close", Kind.CRASHED),
]

UNDER_ATTACK = [
    ("silent", Kind.TIMEOUT),
    ("dotted", Kind.MALFORMED),
    ("nonsense", Kind.UNKNOWN),
    ("card-it-has-not", Kind.ILLEGAL),
    ("flood", Kind.FLOODED),
    ("twice", Kind.UNASKED),
    ("crash", Kind.CRASHED),
]


async def played(key, bots, deal=1, start=5.0):
    """Play one game; nothing of it is left."""
    with tempfile.TemporaryDirectory() as folder:
        async with Table(entries.distinct(bots), Path(folder), start) as table:
            result = await table.play(Dominion, {}, key.deal(deal), TERMS)
    assert children_left() == []
    return result


def the_fault(result, seat):
    """Return the one fault, which is this seat's."""
    (fault,) = result.faults
    assert fault.seat == seat
    return fault.fault


@pytest.mark.parametrize(("misdeed", "kind"), ON_TURN)
async def test_a_fault_at_a_table_of_two_forfeits_the_game(key, misdeed, kind):
    """The offender gets the penalty, the other what a winner gets at least, and nobody waits longer than a deadline."""
    began = time.monotonic()
    result = await played(key, [entries.read("big-money"), misfit(misdeed, "request", 3)])
    assert time.monotonic() - began < 3
    fault = the_fault(result, 1)
    assert fault.kind is kind
    assert fault.why
    assert result.outcome is Outcome.FORFEIT
    assert result.ranks == (1, 2)
    assert result.scores[1] == 0 < result.scores[0]
    assert judge("\n".join(result.record)).valid


@pytest.mark.parametrize(("misdeed", "kind"), ON_TURN)
async def test_a_fault_at_a_table_of_four_leaves_the_others_their_game(key, misdeed, kind):
    """A stand-in finishes the game; the offender is last with the penalty or worse."""
    others = [entries.read("smithy"), entries.read("big-money"), entries.read("miner")]
    result = await played(key, [others[0], misfit(misdeed, "request", 3), *others[1:]])
    assert the_fault(result, 1).kind is kind
    assert result.outcome is Outcome.FINISHED
    assert result.ranks[1] == 4
    assert result.scores[1] == 0
    assert all(result.scores[seat] > 6 for seat in (0, 2, 3))
    assert judge("\n".join(result.record)).valid


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize(("misdeed", "kind"), UNDER_ATTACK)
async def test_a_fault_under_attack_is_the_defenders(key, misdeed, kind, seats):
    """Whoever cannot answer a Militia is at fault; the attack goes on with the others."""
    others = [entries.read("miner") for _ in range(seats - 1)]
    result = await played(key, [others[0], misfit(misdeed, "attacked"), *others[1:]])
    assert the_fault(result, 1).kind is kind
    assert result.outcome is (Outcome.FORFEIT if seats == 2 else Outcome.FINISHED)
    assert judge("\n".join(result.record)).valid


async def test_whoever_speaks_before_being_asked_is_at_fault(key):
    """What a program writes before its first request is unasked, once it is there to be seen."""
    slow = entries.of_command(["sh", "-c", "sleep 0.1; exec cat >/dev/null"], "slow")
    result = await played(key, [slow, misfit("chatty")])
    assert {fault.fault.kind for fault in result.faults} <= {Kind.UNASKED, Kind.TIMEOUT, Kind.CRASHED}


async def test_a_program_that_cannot_start_is_at_fault_not_the_table(key, tmp_path):
    """An executable of no known format crashes at its first request."""
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x00\x01\x02")
    broken.chmod(0o755)
    result = await played(key, [entries.read("big-money"), entries.read(str(broken))])
    fault = the_fault(result, 1)
    assert fault.kind is Kind.CRASHED
    assert "cannot be started" in fault.why


async def test_starting_up_is_not_thinking(key):
    """The first reply of a fresh process may take the start-up allowance longer, and is not counted as thinking."""
    late = entries.of_command(["sh", "-c", f"sleep 0.8; exec {' '.join(misfit('fair').command)}"], "late")
    result = await played(key, [late, entries.read("big-money")])
    assert result.faults == []
    assert max(result.thinking[0]) < 0.4


async def test_without_an_allowance_a_late_start_is_a_timeout(key):
    """No allowance, no grace."""
    late = entries.of_command(["sh", "-c", "sleep 5"], "late")
    result = await played(key, [late, entries.read("big-money")], start=0.0)
    assert the_fault(result, 0).kind is Kind.TIMEOUT


async def test_a_grandchild_that_keeps_the_pipe_does_not_hang_the_table(key):
    """A program that ends while its child holds its output has ended; the child goes with the group."""
    result = await played(
        key, [entries.of_command(["sh", "-c", "sleep 12 & exit 3"], "parent"), entries.read("big-money")]
    )
    fault = the_fault(result, 0)
    assert fault.kind is Kind.CRASHED
    assert "exit status 3" in fault.why


async def test_last_words_reach_the_author(key):
    """The reason of a crash says how the program ended and the last line of its standard error."""
    result = await played(key, [entries.read("big-money"), misfit("crash", "request", 1)])
    why = the_fault(result, 1).why
    assert "exit status 1" in why
    assert "ZeroDivisionError" in why
