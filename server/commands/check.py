"""``croupier check``: the conformance test for bots."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import click
from click.core import ParameterSource
from rich.table import Table

from croupier.server.commands import (
    START,
    TIME,
    game_option,
    json_option,
    named_game_option,
    network_option,
    on_terminal,
    print_json,
    require_able,
    sandbox_options,
    the_entries,
    the_game,
    the_game_first,
    the_options,
    the_sandboxing,
    time_options,
    with_network,
    wrong,
)
from croupier.server.commands.command import command, option
from croupier.server.commands.completion import game_then_bots
from croupier.server.commands.puzzles import check_puzzles
from croupier.server.conformance import POSITIONS, Demands, Finding, Step
from croupier.server.conformance.examination import Result, examine, line, unable
from croupier.server.console import Console
from croupier.server.games import BadOption
from croupier.server.processes.sandbox import SandboxSettings, best, choose_level
from croupier.server.processes.sandbox.settings import AUTO
from croupier.server.terminal import say
from croupier.server.tournaments.config import tournament_file
from croupier.server.tournaments.entering.building import run_build
from croupier.server.tournaments.entering.enrolment import entries_of, with_program
from croupier.server.tournaments.keeping.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Self

    from croupier.protocol.sexp import Atom
    from croupier.server.entries import Entry
    from croupier.server.games.game import Game


_FEEDBACK = Path("feedback")
_SAID_BY_PUZZLES = ("game", "options", "positions", "out")
_SAID_BY_FILE = ("game", "options", "time", "start", "sandbox", "memory", "network")


@command(
    "croupier new-bot hearts my-bot",
    'croupier check hearts "python my-bot/my-bot.py"',
)
@click.argument("words", nargs=-1, required=True, metavar="GAME BOT ... | FILE.toml", shell_complete=game_then_bots)
@named_game_option
@game_option
@option(
    "--positions",
    type=click.IntRange(1),
    help=f"How many positions a bot is asked in.  [default: {POSITIONS}, of a slow bot fewer]",
)
@time_options(1, TIME, START)
@option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the results in this folder. Each bot has a file there, and one of its standard error."
    "  [default: feedback, if there are several or one fails]",
)
@sandbox_options(AUTO, SandboxSettings.memory)
@option(
    "--puzzles",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The file of puzzles. Each BOT is asked in its positions; it also says of which game they are.",
)
@option(
    "--junit",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --puzzles: write the results into this file as JUnit XML.",
)
@network_option
@json_option
def check(
    words: Sequence[str],
    *,
    game: str | None,
    options: Sequence[str],
    positions: int | None,
    time: int,
    start: int,
    out: Path | None,
    sandbox: str,
    memory: str,
    network: Sequence[str],
    puzzles: Path | None,
    junit: Path | None,
    as_json: bool,
) -> int:
    """Check that each BOT keeps to the protocol and the rules of a game.

    The check goes step by step and ends at the first that fails. It shows what was sent, what was answered, which plays
    were legal, and a hint. A tournament's FILE.toml checks all its bots, with its game and its terms. The exit
    status is 1 if a step fails, or if a puzzle is not solved.
    """
    if puzzles is not None:
        _refuse_beside_puzzles()
        demands = Demands(None, time / 1000, start / 1000, the_sandboxing(sandbox, memory))
        return check_puzzles(puzzles, words, network, demands, junit, as_json=as_json)
    if junit is not None:
        wrong("--junit writes the results of --puzzles")
    if words[0].endswith(".toml"):
        what = _of_file(Path(words[0]), positions, out or _FEEDBACK)
    else:
        demands = Demands(positions, time / 1000, start / 1000, the_sandboxing(sandbox, memory))
        what = _of_words(words, game, options, network, demands)
    several = len(what.bots) > 1
    out = out or (_FEEDBACK if several else None)
    results: dict[str, Result] = {}
    began = monotonic()
    for name, entry in what.bots.items():
        status = CheckStatus(name, len(results) + 1, len(what.bots), shown=on_terminal() and not as_json)
        results[name] = result = _check(what, entry, status)
        if out is not None:
            result.write(out, name, f"{name} at {what.rules.NAME}")
    if as_json:
        documents = [({"bot": name} if several else {}) | _document(result) for name, result in results.items()]
        print_json({"bots": documents} if several else documents[0])
    elif several:
        _print_table(results, out, monotonic() - began)
    else:
        kept = out or _write_findings(name, what.rules.NAME, result) if result.failed else None
        _print_one(name, result, what.demands.sandboxing, monotonic() - began, kept)
    return 1 if any(result.failed for result in results.values()) else 0


def _refuse_beside_puzzles() -> None:
    context = click.get_current_context()
    given = [name for name in _SAID_BY_PUZZLES if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if given:
        wrong(f"--{given[0]}: --puzzles says which game is played and what is asked; leave one of them out")


class ToCheck(NamedTuple):
    """The bots to check by name, or why one cannot be started; the game, and the demands."""

    rules: type[Game]
    options: Mapping[str, Atom]
    bots: Mapping[str, Entry | str]
    demands: Demands


def _check(what: ToCheck, entry: Entry | str, status: CheckStatus) -> Result:
    """Check a bot; one that cannot be started has failed the first step."""
    if isinstance(entry, str):
        return unable(entry)
    with status:
        return examine(entry, what.rules, what.options, what.demands, status.show_step, status.count)


def _of_words(
    words: Sequence[str], game: str | None, options: Sequence[str], network: Sequence[str], demands: Demands
) -> ToCheck:
    """Read the words GAME BOT ...."""
    kept_as, rules, bots = the_game_first(words, game)
    entries = with_network(the_entries(bots, kept_as, rules), network)
    if any(entry.human for entry in entries):
        wrong("people are not checked; name a program")
    return ToCheck(rules, the_options(rules, options), {entry.name: entry for entry in entries}, demands)


def _of_file(path: Path, positions: int | None, builds: Path) -> ToCheck:
    """Read a tournament's file, and run its build commands, with a log of each in a folder."""
    context = click.get_current_context()
    given = [name for name in _SAID_BY_FILE if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if given or len(context.params["words"]) > 1:
        wrong(f"{path} says who plays what, and how; beside it stand --positions, --out and --json alone")
    try:
        settings = tournament_file.read(path)
        say(*tournament_file.folders_without_file(path), err=True)
        rules = the_game(settings.game)
        settings = with_program(settings, rules)
        options = rules.read_options(settings.options)
        sandboxing = the_sandboxing(settings.sandbox, settings.memory, freeze=settings.freeze)
        for bot in settings.bots:
            if bot.build is not None:
                run_build(bot, builds / f"{bot.name}.build", sandboxing)
        require_able(settings.bots, rules)
        able, unable = entries_of(settings)
    except (tournament_file.BadConfig, BadOption, StoreError) as problem:
        wrong(str(problem))
    return ToCheck(
        rules,
        options,
        {bot.name: able.get(bot.name) or unable[bot.name] for bot in settings.bots},
        Demands(positions, (settings.time or settings.bank) / 1000, settings.start / 1000, sandboxing),
    )


class CheckStatus:
    """Shows on a terminal how far the check of a bot has come."""

    def __init__(self, name: str, number: int, of: int, *, shown: bool) -> None:
        self._which = f"{name}, {number} of {of}" if of > 1 else name
        self._began = monotonic()
        self._last = ""
        self._status = Console(stderr=True, quiet=not shown).status(self._which)

    def count(self, asked: int) -> None:
        """Show how many questions have been answered."""
        self._status.update(f"{self._which}: {asked} questions, {monotonic() - self._began:.0f} s{self._last}")

    def show_step(self, finding: Finding) -> None:
        """Show the finding of a step."""
        self._last = f"; {finding.step.number} of {len(Step)} steps"

    def __enter__(self) -> Self:
        self._status.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._status.stop()


def _document(result: Result) -> dict[str, object]:
    return {"passed": not result.failed, "steps": [finding.json() for finding in result.found]}


def _print_one(name: str, result: Result, sandboxing: SandboxSettings, seconds: float, out: Path | None) -> None:
    """Print the verdict, a few lines for each step, the folder of the full findings, and the verdict again."""
    failed = result.failed
    verdict = f"failed: {failed.step.value}" if failed else f"passed: {len(result.found)} steps in {seconds:.0f} s"
    say(verdict)
    for finding in result.found:
        say(*line(finding, finding.brief or finding.detail).split("\n"))
    level, most = choose_level(sandboxing).value, best().value
    if not failed and level != most:
        say(f"That was under {level}. A tournament here shuts its bots in by {most}: try --sandbox {most} too.")
    if failed:
        say(f"All of it: {out / name}.txt" if out else "--out DIR keeps all of it.")
    say(verdict)


def _write_findings(name: str, game: str, result: Result) -> Path | None:
    """Write the findings where those of several bots go, and return that folder; None if it cannot be written."""
    try:
        result.write(_FEEDBACK, name, f"{name} at {game}")
    except OSError:
        return None
    return _FEEDBACK


def _print_table(results: Mapping[str, Result], out: Path | None, seconds: float) -> None:
    table = Table("bot", "check", "steps", "what failed", "reply times")
    for name, (found, *_) in results.items():
        failed = results[name].failed
        why = f"{failed.step.value}: {failed.detail.splitlines()[0]}" if failed else ""
        times = next((finding.detail for finding in found if finding.step is Step.CLOCK and finding.passed), "")
        table.add_row(name, "failed" if failed else "passed", str(len(found)), why, times)
    Console().print(table)
    say(f"{len(results)} bots in {seconds:.0f} s; more in {out}: a file each")
