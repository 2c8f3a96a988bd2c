"""``croupier check BOT --puzzles FILE``: bots are asked in positions with known right or wrong plays."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree as ET

import trio
from rich.table import Table

from croupier.server import games
from croupier.server.commands import print_json, the_entries, with_network, wrong
from croupier.server.conformance import Asking
from croupier.server.conformance.solving import position_of, solve
from croupier.server.console import Console
from croupier.server.processes.temporary_folder import temporary_folder
from croupier.server.records import puzzles
from croupier.server.records.puzzles import BadPuzzle
from croupier.server.terminal import printable, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from croupier.server.conformance import Demands
    from croupier.server.conformance.solving import Position, Solution
    from croupier.server.entries import Entry

    Solutions = Mapping[str, Sequence[Solution]]
    """By bot."""


class Puzzled(NamedTuple):
    """What is asked of whom."""

    positions: Sequence[Position]
    entries: Sequence[Entry]
    demands: Demands


def check_puzzles(
    path: Path, bots: Sequence[str], network: Sequence[str], demands: Demands, junit: Path | None, *, as_json: bool
) -> int:
    """Ask bots for the puzzles of a file and print a table; return 0 if all are solved, 1 if not."""
    positions = _read(path)
    rules = type(positions[0].begun.game)
    called = getattr(rules, "PROGRAM", rules.NAME)
    entries = with_network(the_entries(bots, called, rules), network)
    if any(entry.human for entry in entries):
        wrong("people are not checked; name a program")
    found = {entry.name: _solve_all(entry, positions, demands) for entry in entries}
    if junit is not None:
        _write_junit(found, junit)
    if as_json:
        print_json({"bots": [_document(name, solutions) for name, solutions in found.items()]})
    else:
        _print(found)
    return 0 if all(each.solved for solutions in found.values() for each in solutions) else 1


def _read(path: Path) -> list[Position]:
    find = partial(games.find, near=(path.parent, path.parent / ".."))
    try:
        positions = [position_of(puzzle, find) for puzzle in puzzles.read(path)]
    except BadPuzzle as problem:
        wrong(f"--puzzles: {problem}")
    except OSError as problem:
        wrong(f"--puzzles {path}: {problem.strerror}")
    if not positions:
        wrong(f"--puzzles {path}: there is no puzzle in the file")
    kinds = {_kind(position): position.puzzle.name for position in positions}
    if len(kinds) > 1:
        wrong(f"--puzzles {path}: {' and '.join([*kinds.values()][:2])} are of different games: a file for each game")
    return positions


def _kind(position: Position) -> tuple[str, str | None]:
    return position.begun.game.NAME, getattr(position.begun.game, "PROGRAM_SHA256", None)


def _solve_all(entry: Entry, positions: Sequence[Position], demands: Demands) -> list[Solution]:
    game = positions[0].begun.game
    with temporary_folder() as folder:
        asking = Asking(entry, type(game), game.options, demands, folder)

        async def ask() -> list[Solution]:
            return [await solve(asking, position) for position in positions]

        return trio.run(ask)


def _document(name: str, solutions: Sequence[Solution]) -> dict[str, object]:
    return {
        "bot": name,
        "solved": sum(each.solved for each in solutions),
        "puzzles": [
            {"name": each.puzzle.name, "solved": each.solved, "play": each.play, "fault": each.fault or None}
            for each in solutions
        ],
    }


def _print(found: Solutions) -> None:
    """Print a row per puzzle with each bot's play, then how many each has solved."""
    table = Table("puzzle", "right", "wrong", *found)
    for row in zip(*found.values(), strict=True):
        puzzle = row[0].puzzle
        marked = [f"{'+' if each.solved else '-'} {each.said}" for each in row]
        table.add_row(printable(puzzle.name), " ".join(puzzle.right), " ".join(puzzle.wrong), *map(printable, marked))
    Console().print(table)
    for name, solutions in found.items():
        say(f"{name}: {sum(each.solved for each in solutions)} of {len(solutions)} puzzles solved")


def _write_junit(found: Solutions, path: Path) -> None:
    """Write the results as JUnit XML: a suite per bot, a case per puzzle."""
    top = ET.Element("testsuites")
    for name, solutions in found.items():
        failures = str(sum(not each.solved for each in solutions))
        suite = ET.SubElement(top, "testsuite", name=name, tests=str(len(solutions)), failures=failures)
        for each in solutions:
            case = ET.SubElement(suite, "testcase", classname=name, name=printable(each.puzzle.name))
            if not each.solved:
                wanted = " or ".join(each.puzzle.right) or f"not {' or '.join(each.puzzle.wrong)}"
                ET.SubElement(case, "failure", message=printable(f"{each.said}; right is {wanted}"))
    try:
        ET.ElementTree(top).write(path, encoding="utf-8", xml_declaration=True)
    except OSError as problem:
        wrong(f"--junit {path}: {problem.strerror}")
