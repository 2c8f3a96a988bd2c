"""Analyze every native game and the whole RECYCLE library: the table of docs/trust/measures-evidence.md.

    python -m bench.analyze [OPTION ...]

The options are those of ``croupier analyze``, which is called once per game; they replace its few deals and half a
minute. With ``--out DIR`` each analysis is kept in a folder there, and a stopped one is continued.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from croupier.server.games import BUNDLED
from croupier.server.games.recycle.game import library

SETTINGS = ["--deals", "200", "--thinking", "100", "--searching", "20", "--minutes", "0.5"]
COLUMNS = {
    "choices": "length",
    "options": "options",
    "ties": "ties",
    "first seat": "first-seat",
    "fairness": "fairness",
    "order": "order",
    "of the bot": "sensible-order",
    "of the search": "search-order",
    "spread": "spread",
    "drama": "drama",
    "security": "security",
    "decisiveness": "decisiveness",
    "lead changes": "lead-changes",
    "luck of the deal": "luck-deal",
    "of the seat": "luck-seat",
    "of the player": "luck-player",
}
"""The heads of the table with the numbers below them."""
QUICK = {"length", "options", "ties", "first-seat", "fairness", "sensible-order"}
"""Numbers that need no thinking players."""
LEAST = 4
"""With fewer deals, a number that needs thinking players is left out."""


def analyze(game: str, options: list[str]) -> dict[str, Any] | None:
    """Return the output of ``croupier analyze`` for a game, None if it fails."""
    words = options[:]
    if "--out" in words:
        place = words.index("--out") + 1
        words[place] = str(Path(words[place]) / game.replace(":", "-"))
    command = [sys.executable, "-m", "croupier", "analyze", game, "--json", *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def cell(number: dict[str, float | None] | None) -> str:
    """Write a number with half its interval."""
    if number is None or number["value"] is None:
        return ""
    value, low, high = number["value"], number["low"], number["high"]
    digits = 2 if abs(value) < 10 else 0 if abs(value) >= 100 else 1
    said = f"{value:z.{digits}f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:z.{digits}f}"
    if low is None or high is None:
        return said
    half = f"{(high - low) / 2:.{digits}f}"
    return f"{said} ±{half.replace('0.', '.', 1) if half.startswith('0.') else half}"


def row(game: str, known: dict[str, Any]) -> str:
    """Write a game's row: its name, the numbers of deals with thinking and with searching, and its numbers."""
    name = f"`{game.removeprefix('recycle:')}`" if ":" in game else game
    cells = [cell(known["measures"].get(each)) if is_known_well(each, known) else "" for each in COLUMNS.values()]
    return f"| {name} | {known['thinking']}/{known['searching']} | {' | '.join(cells)} |"


def is_known_well(number: str, known: dict[str, Any]) -> bool:
    """Return whether a number is based on enough deals."""
    if number.startswith("search"):
        return bool(known["searching"] >= LEAST)
    return number in QUICK or known["thinking"] >= LEAST


def main() -> int:
    """Print the table as it comes; return how many games failed."""
    print(f"| game | thought/searched | {' | '.join(COLUMNS)} |")
    print("|---|---|" + "---|" * len(COLUMNS))
    failed = 0
    for game in [*BUNDLED, *(f"recycle:{name}" for name in library())]:
        known = analyze(game, sys.argv[1:] or SETTINGS)
        failed += known is None
        if known is not None:
            print(row(game, known), flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
