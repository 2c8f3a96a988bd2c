"""The base of the bridges: the time of a decision, and the usage that notes state."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.agents.bridges import base
from croupier.agents.bridges.base import RESERVE, Clock
from croupier.agents.bridges.usage import OF_DECISION, OF_GAME, Usage, total
from croupier.protocol import views
from croupier.protocol.sexp import parse

COUNTS = st.integers(0, 10**12)
USAGES = st.builds(
    Usage,
    *[COUNTS] * 6,
    st.none() | st.integers(0, 10**12).map(lambda millionths: millionths / 10**6),
)


def view(times):
    """Return a view with these fields for the time."""
    return views.read(parse(f"((game hearts) (players ann bob) (phase play) {times})"))


@pytest.mark.parametrize(
    ("times", "seconds"),
    [
        ("(clock 10000)", 8.95),
        ("(clock 100)", 0.05),
        ("(clock 1)", 0.0005),
        ("(clock 0)", 0),
        ("(clock 0) (bank 200000)", 8.95),
        ("(clock 1000) (bank 20000)", 1.75),
        ("", 8.95),
    ],
)
def test_a_decision_has_less_time_than_the_table_gives(times, seconds, monkeypatch):
    """A tenth and 50 ms less, or half of a short clock, and a twentieth of the bank; the reserve is a part of it."""
    now = [100.0]
    monkeypatch.setattr(base, "monotonic", lambda: now[0])
    clock = Clock(view(times))
    assert clock.left == pytest.approx(seconds)
    assert clock.before_reserve == pytest.approx(seconds * (1 - RESERVE))
    now[0] += seconds
    assert clock.left == pytest.approx(0, abs=1e-9)
    assert clock.before_reserve <= 0


@given(USAGES)
def test_usage_is_read_as_it_was_written(usage):
    """The text and the numbers are inverses."""
    assert Usage.parse(str(usage)) == usage


@given(st.lists(st.tuples(USAGES, st.integers(1, 9)), max_size=4), st.lists(st.text()))
def test_the_total_is_that_of_the_last_line_of_each_game(games, others):
    """The lines before it may be lost. Any other note counts for nothing; without a usage line there is no total."""
    others = [line for line in others if not line.startswith(OF_GAME)]
    lines = [str(usage._replace(decisions=number)) for usage, last in games for number in sorted({1, last})]
    found = total([*others, *(f"{OF_GAME}{line}" for line in lines), *(f"{OF_DECISION}{line}" for line in lines)])
    if not games:
        assert found is None
        return
    assert found.decisions == sum(last for _, last in games)
    assert found[1:6] == tuple(map(sum, zip(*(usage[1:6] for usage, _ in games), strict=True)))
    priced = [usage.cost for usage, _ in games if usage.cost is not None]
    assert (found.cost is None) == (not priced)
    assert (found.cost or 0) == pytest.approx(sum(priced))


@pytest.mark.parametrize(
    "line",
    [
        "decisions 1, calls 2, retries 1, tokens in 5 (cached 4), out 1, cost nan",
        "decisions 9999999999999999, calls 2, retries 1, tokens in 5 (cached 4), out 1",
        "decisions -1, calls 2, retries 1, tokens in 5 (cached 4), out 1",
        " decisions 1, calls 2, retries 1, tokens in 5 (cached 4), out 1",
    ],
)
def test_a_line_that_only_looks_like_usage_is_none(line):
    """Any bot may write to its standard error what it likes."""
    assert Usage.parse(line) is None
    assert total([f"{OF_GAME}{line}"]) is None


def test_a_bridge_without_a_play_ends_at_once_with_its_reason():
    """Although a thread of it still waits, for a server that never answers."""
    script = """
import threading
from croupier.agents import Agent
from croupier.agents.bridges.base import NoPlay, run
class Silent(Agent):
    def choose(self, state):
        threading.Thread(target=threading.Event().wait).start()
        raise NoPlay("no play:\\nthe server is silent")
run(Silent())
"""
    request = b"(request ((game hearts) (players ann bob) (phase play) (legal (play c2))))\n"
    done = subprocess.run([sys.executable, "-c", script], input=request, capture_output=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"no play: the server is silent\n")
