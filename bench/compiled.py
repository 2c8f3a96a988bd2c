"""What a decision takes where its modules are compiled, beside the same modules as they are written.

    python -m bench.compiled [INTERPRETER [ROUNDS]]

INTERPRETER is one that has the compiled wheel (docs/compiled.md); `make test-compiled` leaves
.venv-compiled/bin/python.
Both play the games of bench.decision by turns, on one core, each in a process of its own; printed are the microseconds
of the referee's own processor time a decision, least and median, and the median of the ratios of neighbouring rounds.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import AsyncExitStack, ExitStack
from itertools import count, islice
from pathlib import Path
from statistics import median

import trio
from bench.decision import COMPILED, HERE, PROGRAMS, SETTINGS, WARMING, play, seated

INTERPRETER = HERE.parent / ".venv-compiled" / "bin" / "python"
ROUNDS = 20
SERVE = "serve"


async def serve(folder: Path) -> None:
    """Play a round of the game that each line of standard input names; print what a decision took."""
    async with AsyncExitStack() as stack:
        tables, deals = {}, count(1)
        for setting in SETTINGS:
            (folder / setting.game).mkdir()
            tables[setting.game] = setting, await stack.enter_async_context(seated(setting, folder))
        print("compiled" if COMPILED else "pure", flush=True)
        for line in sys.stdin:
            setting, table = tables[line.strip()]
            decisions, used, _ = await play(table, setting, islice(deals, setting.games))
            print(used / decisions * 1e6, flush=True)


def begun(interpreter: str, folder: Path, expected: str) -> subprocess.Popen[str]:
    """Start who plays, and see that its modules are what they should be."""
    folder.mkdir()
    for program in PROGRAMS:
        subprocess.run(["cc", "-O2", "-o", folder / program.stem, program], check=True)
    words = [interpreter, "-m", "bench.compiled", SERVE, str(folder)]
    player = subprocess.Popen(words, cwd=HERE.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if (found := player.stdout.readline().strip()) != expected:
        raise SystemExit(f"{interpreter}: its modules are {found or 'not there'}, not {expected}")
    return player


def asked(player: subprocess.Popen[str], game: str) -> float:
    """Return what a decision of a round takes."""
    player.stdin.write(f"{game}\n")
    player.stdin.flush()
    return float(player.stdout.readline())


def main() -> None:
    """Measure each game."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    if sys.argv[1:2] == [SERVE]:
        trio.run(serve, Path(sys.argv[2]))
        return
    interpreter = sys.argv[1] if len(sys.argv) > 1 else str(INTERPRETER)
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS
    if not Path(interpreter).exists():
        print(f"{interpreter} is not there: make .venv-compiled/ready builds the compiled wheel (docs/compiled.md)")
        return
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        both = [
            stack.enter_context(begun(program, Path(name) / kind, kind))
            for program, kind in ((sys.executable, "pure"), (interpreter, "compiled"))
        ]
        for setting in SETTINGS:
            for player in both * WARMING:
                asked(player, setting.game)
            pure, compiled = zip(
                *[[asked(player, setting.game) for player in both] for _ in range(rounds)], strict=True
            )
            ratio = median(new / old for old, new in zip(pure, compiled, strict=True))
            print(
                f"{setting.game:11} pure {min(pure):5.1f}, median {median(pure):5.1f} us;"
                f" compiled {min(compiled):5.1f}, median {median(compiled):5.1f} us: {ratio:.2f}"
            )
        for player in both:
            player.stdin.close()


if __name__ == "__main__":
    main()
