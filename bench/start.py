"""Measure a bot's first answer, compared with an idle Python, and an agent's time for a state and its reply."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random
from statistics import median
from time import perf_counter, process_time

from croupier.agents.bundled import command, make
from croupier.agents.driver import respond
from croupier.protocol import notifications
from croupier.protocol.sexp import Reader, write
from croupier.server.games.dominion.game import Dominion
from croupier.server.games.game import Dice
from croupier.server.table.clock import Clock
from croupier.server.table.messages import question

GAME = Dominion(("ann", "bob"), {}, Dice(Random(1)))
REQUEST = f"{question(GAME, Clock(1000)).write()}\n".encode()
ROUNDS = 40
STATES = 2000
CACHED = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
"""Python's default, compiling a module only once; compiling ours again at every start would double the time."""


def first_answer() -> float:
    """Return the seconds from starting a bot to its first line."""
    begun = perf_counter()
    with subprocess.Popen(command("smithy"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=CACHED) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(REQUEST)
        process.stdin.flush()
        if not process.stdout.readline().startswith(b"("):
            raise SystemExit("the bot did not answer")
        taken = perf_counter() - begun
        process.stdin.close()
    return taken


def nothing() -> float:
    """Return the seconds of a Python that does nothing."""
    begun = perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True, env=CACHED)
    return perf_counter() - begun


def a_state() -> float:
    """Return the seconds of processor time from a request's bytes to its reply's."""
    reader, agent = Reader(), make("smithy")
    begun = process_time()
    for _ in range(STATES):
        (form,) = reader.feed(REQUEST)
        f"{write(respond(agent, notifications.read(form)))}\n".encode()
    return (process_time() - begun) / STATES


def main() -> None:
    """Measure alternately, and print medians and their ratio."""
    first_answer()
    pairs = [(first_answer(), nothing()) for _ in range(ROUNDS)]
    bot, empty = (median(times) * 1000 for times in zip(*pairs, strict=True))
    ratio = median(one / other for one, other in pairs)
    print(f"first answer {bot:.1f} ms, `python -c pass` {empty:.1f} ms, ratio {ratio:.2f}")
    print(
        f"a request of {len(REQUEST)} bytes and its reply: {min(a_state() for _ in range(10)) * 1e6:.0f} microseconds"
    )


if __name__ == "__main__":
    main()
