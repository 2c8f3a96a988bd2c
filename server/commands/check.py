"""``croupier check``: the conformance test for bots."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import trio
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from croupier.server.commands import (
    game_option,
    house_options,
    json_option,
    on_terminal,
    print_json,
    start_option,
    the_entries,
    the_game,
    the_house,
    the_options,
    time_option,
    wrong,
)
from croupier.server.conformance import Asking, Demands, Examiner, Finding, Step
from croupier.server.processes import sandbox
from croupier.server.processes.workplace import workplace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from croupier.server.entries import Entry
    from croupier.server.processes.sandbox import House


@click.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT ...")
@click.option("--game", required=True, help="The game that the bots are to play.")
@game_option
@click.option("--positions", type=click.IntRange(1), default=1000, show_default=True, help="Positions to ask in.")
@time_option
@start_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a feedback file a bot into this folder.  [default: feedback, where there are several]",
)
@house_options
@json_option
def check(bots: Sequence[str], game: str, *, as_json: bool, **how: Any) -> int:
    """Check that each BOT keeps to the protocol and the rules of a game.

    Each step is a number, and what was found. At the first that fails the check ends, and shows what was sent, what
    was answered, which plays were legal, and a hint.

    \b
    Example: croupier check "python mybot.py" --game hearts
             croupier check bots/* --game skat --out feedback
    """
    rules = the_game(game)
    options = the_options(rules, how["options"])
    entries = the_entries(bots, rules)
    if any(entry.human for entry in entries):
        wrong("people are not checked; name a program")
    demands = Demands(how["positions"], how["time_"] / 1000, how["start"] / 1000, the_house(how))
    several = len(entries) > 1
    out: Path | None = how["out"] or (Path("feedback") if several else None)
    results: dict[str, list[Finding]] = {}
    for entry in entries:
        waiting = Waiting(entry, len(results) + 1, len(entries), shown=on_terminal() and not as_json)
        with workplace() as folder, waiting:
            tell = _quiet if several or as_json else waiting.say
            examiner = Examiner(Asking(entry, rules, options, demands, folder, waiting.count), tell)
            results[entry.name] = trio.run(examiner.run)
        if out is not None:
            _write(out, entry, game, results[entry.name])
    if as_json:
        documents = [({"bot": name} if several else {}) | _document(found) for name, found in results.items()]
        print_json(documents if several else documents[0])
    elif several:
        _print_table(results, out)
    else:
        _print_end(next(iter(results.values())), demands.house)
    return 0 if all(map(_fine, results.values())) else 1


class Waiting:
    """Says on a terminal how far the questions to a bot have come, and steps aside for what is found."""

    def __init__(self, entry: Entry, number: int, of: int, *, shown: bool) -> None:
        self._which = f"{entry.name}, {number} of {of}" if of > 1 else entry.name
        self._status = Console(stderr=True, quiet=not shown).status(self._which)

    def count(self, asked: int) -> None:
        """Show how many questions have been answered."""
        self._status.update(f"{self._which}: {asked} questions")

    def say(self, finding: Finding) -> None:
        """Print what was found at a step."""
        self._status.stop()
        click.echo(_line(finding))
        self._status.start()

    def __enter__(self) -> Self:
        self._status.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._status.stop()


def _quiet(_: Finding) -> None:
    """Wait with all that is found for the end."""


def _fine(found: Sequence[Finding]) -> bool:
    return all(finding.passed for finding in found)


def _document(found: Sequence[Finding]) -> dict[str, object]:
    return {"passed": _fine(found), "steps": [finding.json() for finding in found]}


def _line(finding: Finding) -> str:
    mark = "ok    " if finding.passed else "FAILED"
    return f"{finding.step.number:>2}. {mark}  {finding.step.value}: {finding.detail}"


def _print_end(found: Sequence[Finding], house: House) -> None:
    failed = [finding.step.value for finding in found if not finding.passed]
    click.echo(f"failed: {failed[0]}" if failed else f"passed: {len(found)} steps")
    level, best = sandbox.chosen(house).value, sandbox.best().value
    if not failed and level != best:
        click.echo(f"That was under {level}. A tournament here shuts its bots in by {best}: try --sandbox {best} too.")


def _write(out: Path, entry: Entry, game: str, found: Sequence[Finding]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    title = f"{entry.name} at {game}: {'passed' if _fine(found) else 'failed'}"
    text = "\n".join([title, " ".join(entry.command), "", *map(_line, found)])
    (out / f"{entry.name}.txt").write_text(text + "\n", encoding="utf-8")


def _print_table(results: dict[str, list[Finding]], out: Path | None) -> None:
    table = Table("bot", "check", "steps", "what failed", "reply times")
    for name, found in results.items():
        failed = [finding for finding in found if not finding.passed]
        why = f"{failed[0].step.value}: {failed[0].detail.splitlines()[0]}" if failed else ""
        times = next((finding.detail for finding in found if finding.step is Step.CLOCK and finding.passed), "")
        table.add_row(name, "failed" if failed else "passed", str(len(found)), escape(why), times)
    Console().print(table)
    click.echo(f"more in {out}: a file each")
