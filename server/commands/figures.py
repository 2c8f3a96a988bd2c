"""The numbers of an analysis on a terminal, with small pictures made of characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.analysis.course import leads_course, options_course
from croupier.server.analysis.json_document import differences
from croupier.server.analysis.measures import SAYS
from croupier.server.analysis.tables import Table
from croupier.server.commands.columns import print_columns
from croupier.server.console import Console
from croupier.server.terminal import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.analysis.side import Side
    from croupier.server.tournaments.statistics.intervals import Interval

_BLOCKS = "▁▂▃▄▅▆▇█"
_PLAIN = "_.-=+*%#"
_WIDTH = 40


def print_figures(sides: Sequence[Side]) -> None:
    """Print the numbers and pictures of one game, or of two side by side with their differences."""
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
