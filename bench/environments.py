"""Count games and decisions per second in environments, beside card games of RLCard and PettingZoo in the same run.

    python -m bench.environments
    pip install pettingzoo rlcard pygame-ce     for the rows beside ours; what is missing is left out

Every player takes a random legal action, found by the mask. Processor time of one core is counted, alternately: a
little of each row, then all again, so that a machine that becomes slower does so for all.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from croupier import environments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Counted = tuple[int, int]
    """Games that ended, and decisions."""

SECONDS = 0.5
ROUNDS = 8
TABLES = 64
OURS = {
    "hearts": {"pass": "none"},
    "hearts, with passing": {},
    "jass": {},
    "skat": {},
    "recycle:leduc-poker": {},
}
RLCARD = ("bridge", "uno", "gin-rummy", "limit-holdem", "leduc-holdem")
PETTINGZOO = ("texas_holdem_v4", "texas_holdem_no_limit_v6", "leduc_holdem_v4")


def by_tables(name: str, options: dict[str, Any]) -> Iterator[Counted]:
    """Step many tables."""
    tables = environments.tables(name.partition(",")[0], TABLES, options=options)
    rng, seen = np.random.default_rng(1), tables.reset(seed=1)
    while True:
        mask = seen["action_mask"].view(np.uint8)
        seen, _, ends = tables.step((rng.integers(1, 256, mask.shape, dtype=np.uint8) * mask).argmax(axis=1))
        yield int(ends.sum()), TABLES


def by_agents(make: Callable[[], Any]) -> Iterator[Counted]:
    """Step one environment of PettingZoo, ours or theirs."""
    env, rng, seed = make(), random.Random(1), 0
    while True:
        env.reset(seed=seed)
        decisions, seed = 0, seed + 1
        for agent in env.agent_iter():
            seen, _, over, cut, info = env.last()
            if over or cut:
                env.step(None)
                continue
            mask = seen["action_mask"] if isinstance(seen, dict) else info["action_mask"]
            env.step(rng.choice(np.flatnonzero(mask).tolist()) if agent else None)
            decisions += 1
        yield 1, decisions


def by_rlcard(name: str) -> Iterator[Counted]:
    """Step one environment of RLCard."""
    env, rng = import_module("rlcard").make(name), random.Random(1)
    while True:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            decisions += 1
        yield 1, decisions


def rows() -> dict[str, Iterator[Counted]]:
    """Return all that can be measured here."""
    found = {f"croupier, {TABLES} tables: {name}": by_tables(name, given) for name, given in OURS.items()}
    if find_spec("pettingzoo"):
        for name, given in OURS.items():
            make = partial(environments.env, name.partition(",")[0], options=given)
            found[f"croupier, PettingZoo: {name}"] = by_agents(make)
    if find_spec("pettingzoo") and find_spec("rlcard") and find_spec("pygame"):
        for name in PETTINGZOO:
            found[f"PettingZoo: {name.rpartition('.')[2]}"] = by_agents(import_module(f"pettingzoo.classic.{name}").env)
    if find_spec("rlcard"):
        found |= {f"RLCard: {name}": by_rlcard(name) for name in RLCARD}
    return found


def main() -> None:
    """Measure, and print a table for bench/NOTES.md."""
    every = rows()
    spent: defaultdict[str, float] = defaultdict(float)
    games: defaultdict[str, int] = defaultdict(int)
    decisions: defaultdict[str, int] = defaultdict(int)
    for _ in range(ROUNDS):
        for name, steps in every.items():
            began = time.process_time()
            while (now := time.process_time() - began) < SECONDS:
                ended, made = next(steps)
                games[name] += ended
                decisions[name] += made
            spent[name] += now
    print("| environment | games a second | decisions a second |\n|---|---|---|")
    for name in every:
        print(f"| {name} | {games[name] / spent[name]:,.0f} | {decisions[name] / spent[name]:,.0f} |")


if __name__ == "__main__":
    main()
