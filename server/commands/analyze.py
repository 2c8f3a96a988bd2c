"""``croupier analyze``: what kind of game it is, by many games between players of known strength."""

from __future__ import annotations

import sys
import time
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.server import games, terminal
from croupier.server.analysis.basics import leads_course, options_course
from croupier.server.analysis.measures import SAYS
from croupier.server.analysis.report import page
from croupier.server.analysis.run import EARLIER, AnalysisRun
from croupier.server.analysis.side import Side, differences, distinguish, document
from croupier.server.analysis.subject import PLAYOUTS, WORLDS, Effort, Endless, Sizes, subject
from croupier.server.analysis.tables import RulesFailed, Table
from croupier.server.commands import (
    game_option,
    json_option,
    kept_option,
    on_terminal,
    print_json,
    the_game,
    the_options,
    workers_option,
    wrong,
)
from croupier.server.commands.columns import games_bar, print_columns
from croupier.server.commands.command import command, option
from croupier.server.commands.completion import game_names, option_values
from croupier.server.console import Console
from croupier.server.errors import Finite, Milliseconds
from croupier.server.processes.temporary_folder import temporary_folder
from croupier.server.terminal import say
from croupier.server.tournaments.keeping.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.protocol.sexp import Atom
    from croupier.server.analysis.subject import Subject
    from croupier.server.games.game import Game
    from croupier.server.tournaments.statistics.intervals import Interval


SIDES = "12"


@command(
    "croupier analyze kuhn-poker",
)
@click.argument("names", nargs=-1, required=True, metavar="GAME [GAME]", shell_complete=game_names)
@game_option
@option(
    "--beside",
    "--against",
    multiple=True,
    metavar="OPTION=VALUE",
    shell_complete=option_values,
    help="Hold the game with this option beside the one with -o. May be repeated.",
)
@option("--players", type=click.IntRange(2), help="How many players sit at a table.  [default: the fewest that can]")
@option(
    "--deals",
    type=click.IntRange(2),
    default=1000,
    show_default=True,
    help="How many deals are played. At tables of chance and sensible players.",
)
@option(
    "--thinking",
    type=click.IntRange(0),
    default=200,
    show_default=True,
    help="How many deals the thinking players play.",
)
@option(
    "--worlds",
    type=click.IntRange(1),
    help=f"Deals that a thinking player imagines for a decision.  [default: {WORLDS}, fewer in very long games]",
)
@option(
    "--searching",
    type=click.IntRange(0),
    default=50,
    show_default=True,
    help="How many deals the searching players play.",
)
@option(
    "--playouts",
    type=click.IntRange(1),
    help=f"Playouts of a searching player for a decision.  [default: {PLAYOUTS}, fewer in very long games]",
)
@option(
    "--ms",
    type=Milliseconds(1),
    help="How long a searching player thinks about a decision. In place of --playouts; no two runs are the same.",
)
@option("--seed", default="1", show_default=True, help="Any text. The same text gives the same deals.")
@option(
    "--minutes",
    type=Finite(0, min_open=True),
    default=9,
    show_default=True,
    help="How long the analysis of one game may take, in minutes.",
)
@workers_option
@kept_option
@option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write an HTML page into this file. It has pictures.",
)
@json_option
def analyze(
    names: Sequence[str],
    *,
    options: Sequence[str],
    beside: Sequence[str],
    players: int | None,
    deals: int,
    thinking: int,
    worlds: int | None,
    searching: int,
    playouts: int | None,
    ms: int | None,
    seed: str,
    minutes: float,
    workers: int | None,
    out: Path | None,
    html: Path | None,
    as_json: bool,
) -> int:
    """Measure what kind of game GAME is: how long, how fair, how much skill, how much luck.

    Players of four kinds play it: by chance, the game's sensible bot where there is one, one that thinks and one that
    searches. Two games are compared side by side, and so is a game with -o and the same with --beside. Ctrl-C stops;
    with --out the same command continues.
    """
    if html is not None and not html.parent.is_dir():
        wrong(f"--html {html}: there is no folder {html.parent}")
    if playouts and ms:
        wrong("the searching player thinks for --playouts or for --ms, not for both")
    sizes, effort = Sizes(deals, thinking, searching), Effort(worlds, playouts, ms)
    wanted = [_find_game(*each, players) for each in _requests(names, options, beside)]
    try:
        subjects = [subject(side, *each, seed, sizes, effort) for side, each in zip(SIDES, wanted, strict=False)]
    except (Endless, RulesFailed) as problem:
        wrong(str(problem))
    if len({repr(each.setting) for each in subjects}) < len(subjects):
        wrong("both are the same: name another game, or options that differ")
    try:
        sides, out_of_time = _play(subjects, out, minutes, workers, shown=on_terminal() and not as_json)
    except (StoreError, RulesFailed) as problem:
        wrong(str(problem))
    except KeyboardInterrupt:
        return _say_stopped(out)
    _print(distinguish(sides), html, as_json=as_json)
    if out_of_time:
        say(_how_far(sides, sizes, kept=out is not None), err=True)
    if out and (out / EARLIER).exists():
        say(f"{out} was begun by an earlier croupier: it is shown, not continued; name another --out", err=True)
    return 0


def _requests(names: Sequence[str], options: Sequence[str], beside: Sequence[str]) -> list[tuple[str, Sequence[str]]]:
    """Return the games with their options: one, or two to compare."""
    if len(names) > 2 or (len(names) == 2 and beside):
        wrong("name one game, two of them, or one with -o and --beside")
    wanted = [(name, options) for name in names]
    if beside:
        changed = {word.partition("=")[0] for word in beside}
        kept = [word for word in options if word.partition("=")[0] not in changed]
        wanted.append((names[0], [*kept, *beside]))
    return wanted


def _find_game(name: str, options: Sequence[str], players: int | None) -> tuple[str, type[Game], dict[str, Atom], int]:
    """Find a game with its options and the size of its table, or refuse the call."""
    rules = the_game(name)
    name = games.find_name(name)
    sizes = [size for size in rules.SEATS if size > 1]
    if not sizes:
        wrong(f"{name} is played by one: there is nobody to be better than")
    seats = players or min(sizes)
    if seats not in sizes:
        wrong(f"{name} is played by {' or '.join(map(str, sizes))}, not by {seats}")
    return name, rules, the_options(rules, options), seats


def _play(
    subjects: Sequence[Subject], out: Path | None, minutes: float, workers: int | None, *, shown: bool
) -> tuple[list[Side], bool]:
    """Play one game after another, each for its minutes plus those its predecessors left; return whether time was up.

    Each is kept in a folder of its own, which is temporary unless --out names one.
    """
    began = time.monotonic()
    sides, out_of_time = [], False
    with nullcontext(out) if out else temporary_folder() as place, games_bar(shown=shown) as bar:
        for number, each in enumerate(subjects, 1):
            task = bar.add_task(each.setting.game if len(subjects) > 1 else "")
            seconds = began + 60 * minutes * number - time.monotonic()
            run = AnalysisRun(each, Path(place) / each.side, seconds, partial(bar.update, task))
            sides.append(Side(each, run.play(workers)))
            out_of_time |= run.out_of_time
    return sides, out_of_time


def _say_stopped(out: Path | None) -> int:
    """Print how to continue."""
    again = terminal.command("croupier", *sys.argv[1:])
    how = f"the same command continues: {again}" if out else "nothing was kept; with --out DIR it could be continued"
    say("", f"stopped; {how}", err=True)
    return 130


def _how_far(sides: Sequence[Side], sizes: Sizes, *, kept: bool) -> str:
    """Print how many games were played, how to get more, and how to repeat exactly these."""
    thought, searched = (
        min(reached) for reached in zip(*((side.thinking_deals, side.searching_deals) for side in sides), strict=True)
    )
    more = "goes on" if kept else "with more --minutes goes further, and with --out DIR it can be continued"
    return (
        f"time was up after {thought} of {sizes.thinking} deals at thinking tables and {searched} of"
        f" {sizes.searching} at the searching one; the same command {more}. How many they are depends on the machine:"
        f" --thinking {thought} --searching {searched} is the same everywhere"
    )


def _print(sides: Sequence[Side], html: Path | None, *, as_json: bool) -> None:
    """Print the findings, and write the page."""
    if html is not None:
        try:
            html.write_text(page(sides), encoding="utf-8", errors="surrogateescape")
        except OSError as problem:
            wrong(f"{html}: {problem.strerror}")
    if as_json:
        print_json(document(sides))
        return
    print_figures(sides)
    if html is not None:
        say(str(html))


# The numbers on a terminal, with small pictures made of characters

_BLOCKS = "▁▂▃▄▅▆▇█"
_PLAIN = "_.-=+*%#"
_WIDTH = 40


def print_figures(sides: Sequence[Side]) -> None:
    """Print what kind of game it is, then the numbers and pictures of it, or of two with their differences."""
    for side in sides:
        say(" ".join(side.character), "")
    numbers = [side.figures.numbers for side in sides]
    names = [name for name in SAYS if any(name in each for each in numbers)]
    columns = {"": names}
    for side, each in zip(sides, numbers, strict=True):
        columns["value" if len(sides) == 1 else side.name] = [_with_bounds(each.get(name)) for name in names]
    if len(sides) == 2:
        apart = differences(*numbers)
        columns["difference"] = [_difference(apart.get(name)) for name in names]
    columns["what it says"] = [SAYS[name] for name in names]
    print_columns(columns, _title(sides), _caption(sides), spare=("what it says",))
    for side in sides:
        _print_pictures(side, heading=len(sides) > 1)


def _title(sides: Sequence[Side]) -> str:
    return " beside ".join(side.name for side in sides)


def _caption(sides: Sequence[Side]) -> str:
    """Return a caption of what was played; for the second game, only the differences."""
    first = sides[0].summary
    said = [*first, *(part for side in sides[1:] for part in side.summary if part not in first)]
    apart = "; *: they differ beyond chance" if len(sides) > 1 else ""
    return f"{', '.join(said)}; with 95 % intervals{apart}"


def _with_bounds(value: Interval | None) -> str:
    if value is None or value.mean is None:
        return ""
    if value.low is None or value.high is None:
        return _number(value.mean)
    return f"{_number(value.mean)} ({_number(value.low)} to {_number(value.high)})"


def _difference(apart: Interval | None) -> str:
    if apart is None or apart.mean is None:
        return ""
    sign = "+" if apart.mean > 0 else ""
    return f"{sign}{_with_bounds(apart)}{'*' if apart.sign else ''}"


def _number(value: float) -> str:
    return f"{value:z.{1 if abs(value) >= 100 else 2}f}"


def _print_pictures(side: Side, *, heading: bool) -> None:
    """Draw the wins by seat, the options and leads over a game, and the shares of the variance."""
    ascii_only = Console().options.ascii_only
    if heading:
        say("", f"{side.name}")
    for table, basics in side.figures.basics.items():
        if table in {Table.RANDOM, Table.SENSIBLE, Table.THINKING}:
            say("", f"Wins by seat, {table}: the first to sit first; {100 / side.facts.seats:.0f} % is even")
            for place, seat in enumerate(basics.seats, 1):
                _print_bar(f"{place}", seat.wins.mean or 0)
    say("", f"Options a choice from the first to the last, {Table.RANDOM}:")
    _print_line("", options_course(side.games[Table.RANDOM]), ascii_only=ascii_only)
    thinking = [game for game in side.games.get(Table.THINKING, []) if game.void is None and game.moments]
    if thinking:
        say("", "Expected place over a game, by the place that came of it (low is last, high is first):")
        for place, line in enumerate(leads_course(thinking), 1):
            _print_line(f"{place}", line, ascii_only=ascii_only, least=0.0, most=1.0)
    if side.figures.variance:
        say("", "What the scores' variance comes from:")
        for source, share in side.figures.variance._asdict().items():
            _print_bar(source, share.mean or 0)


def _print_bar(name: str, share: float) -> None:
    say(f"{name:>8} {'#' * round(share * _WIDTH):<{_WIDTH}} {share:4.0%}")


def _print_line(
    name: str, values: Sequence[float], *, ascii_only: bool, least: float | None = None, most: float | None = None
) -> None:
    """Draw values as characters of different heights, followed by their range."""
    low, high = min(values) if least is None else least, max(values) if most is None else most
    letters = _PLAIN if ascii_only else _BLOCKS
    heights = [round((value - low) / (high - low or 1) * (len(letters) - 1)) for value in values]
    drawn = "".join(letters[min(max(height, 0), len(letters) - 1)] for height in heights)
    say(f"{name:>8} {drawn} {min(values):.2f} to {max(values):.2f}")
