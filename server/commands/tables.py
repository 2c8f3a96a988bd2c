"""The standings as tables on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.table import Table

from croupier.server.commands import print_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.server.tournaments.manifest import Bond
    from croupier.server.tournaments.statistics.intervals import Interval
    from croupier.server.tournaments.statistics.standings import Difference, Player, Standings


MS_WIDTH = 6
"""Of the column of thinking times, whatever they are: nothing else in a table may move because of them."""


def print_standings(table: Standings, again: Mapping[str, str]) -> None:
    """Print who is best and how sure that is, the differences, and ``again``, by name: what shows somebody's fault."""
    console = Console()
    state = "" if table.finished else ", not finished"
    console.print(_players(table, f"{table.game}: games {table.games}{state}; ranked by {table.ranked_by}"))
    if 1 < len(table.players) <= 8 and table.cross:
        console.print(_cross(table))
    if any(player.clean != player.score for player in table.players):
        console.print(_clean(table))
    doubtful = [player.name for player in table.players if player.games and player.score.few]
    for why, number in table.void.items():
        click.echo(f"{number} games count for nobody: {why}")
    for player in table.players:
        for cause, number in player.causes.items():
            click.echo(f"{player.name}: {number} {cause}")
        if player.name in again:
            click.echo(f"    again: {again[player.name]}")
    for name, gain in ((each.name, each.gain) for each in table.later if each.remembers):
        click.echo(f"{name}: better when a deal comes again, by {_interval(gain, '')} a game: does it remember deals?")
    if doubtful:
        click.echo(f"no interval yet, too few sets or too few that differ: {', '.join(doubtful)}")


def print_bond(bond: Bond) -> None:
    """Say what was changed after the commitment, or that there is none."""
    for line in bond.lines():
        click.echo(line)


def print_burnt(burnt: Mapping[str, float]) -> None:
    """Say who used CPU time while others were on turn."""
    for name, seconds in burnt.items():
        if seconds:
            click.echo(f"{name}: {seconds:.1f} s of CPU time while others were on turn", err=True)


def print_neighbours(counts: Mapping[tuple[str, str], int], *, as_json: bool) -> None:
    """Print how often each player, a row each, had each other right after it."""
    names = sorted({name for pair in counts for name in pair})
    if as_json:
        print_json({one: {other: counts[one, other] for other in names if (one, other) in counts} for one in names})
        return
    shown = Table("", *names, title="Games in which the column plays right after the row")
    for one in names:
        shown.add_row(one, *(str(counts.get((one, other), "")) for other in names))
    Console().print(shown)


def _players(table: Standings, title: str) -> Table:
    points = [table.counts] if any(player.points is not None for player in table.players) else []
    field = ["field"] if any(player.field is not None for player in table.players) else []
    shown = Table("", "player", *field, *points, "games", "mean", "wins", "strength", "faults", "ms", title=title)
    shown.caption = "mean a deal with its 95 % interval; ms: median thinking time a decision"
    for column in shown.columns[2:]:
        column.justify = "right"
    shown.columns[-1].min_width = shown.columns[-1].max_width = MS_WIDTH
    if field:
        shown.caption += "; field: what it would score against all others"
    for column in shown.columns[:4]:
        column.no_wrap = True
    for place, player in enumerate(table.players, 1):
        counted = [f"{player.points:g}" if player.points is not None else ""] if points else []
        against = [_interval(player.field, "")] if player.field is not None else []
        shown.add_row(str(place), _name(player), *against, *counted, str(player.games), *_numbers(player))
    return shown


def _name(player: Player) -> str:
    return f"{player.name} ({player.gone})" if player.gone else player.name


def _clean(table: Standings) -> Table:
    shown = Table("player", "mean", "sets", title="Without the sets in which somebody committed a fault")
    for player in table.players:
        shown.add_row(player.name, _interval(player.clean, ""), str(player.clean.sets))
    return shown


def _numbers(player: Player) -> tuple[str, ...]:
    faults = " ".join(f"{number} {kind}" for kind, number in player.faults.items() if number)
    return (
        _interval(player.score, ""),
        f"{player.wins:g}",
        _interval(player.strength, "", 0),
        faults or "0",
        "" if player.median is None else _milliseconds(player.median / 1000),
    )


def _milliseconds(value: float) -> str:
    return f"{value:.{2 if value < 1000 else 0}f}"


def _cross(table: Standings) -> Table:
    names = [player.name for player in table.players]
    shown = Table("", *names, title="Mean difference, row minus column")
    shown.caption = f"*: differ also when all {len(table.cross)} pairs are looked at at once"
    known = {(found.one, found.other): found for found in table.cross}
    for one in names:
        cells = []
        for other in names:
            found = known.get((one, other)) or known.get((other, one))
            cells.append("" if found is None else _difference(found, one))
        shown.add_row(one, *cells)
    return shown


def _difference(found: Difference, one: str) -> str:
    score = found.score if found.one == one else found.score.turned
    return _interval(score, "+") + ("*" if found.sure else "")


def _interval(score: Interval, sign: str, digits: int = 2) -> str:
    if score.mean is None:
        return ""
    half = "" if score.low is None or score.high is None else f" ±{(score.high - score.low) / 2:.{digits}f}"
    return f"{score.mean:{sign}z.{digits}f}{half}"
