"""The standings as tables on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from croupier.server.commands import print_json
from croupier.server.commands.columns import print_columns
from croupier.server.console import Console
from croupier.server.terminal import say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.agents.bridges.usage import Usage
    from croupier.server.table.played_game import Probed
    from croupier.server.tournaments.proof.bond import Bond, Confinement
    from croupier.server.tournaments.statistics.intervals import Interval
    from croupier.server.tournaments.statistics.luck_correction import Corrected
    from croupier.server.tournaments.statistics.standings import Difference, Ranked, Standings


NO_GAME = "No game has been played."
MS_WIDTH = 6
"""The width of the column of thinking times. It is fixed, so that no other column moves when times change."""


def print_standings(table: Standings, faults: Mapping[str, Sequence[str]], console: Console | None = None) -> None:
    """Print the ranking with its intervals, the differences, and the lines that report each player's ``faults``."""
    if table.empty:
        say(NO_GAME)
        return
    _print_players(table, console)
    if 1 < len(table.players) <= 8 and table.cross:
        _print_cross(table, console)
    if table.elo_pairs:
        _print_elo(table.elo_pairs, console)
    if table.spoilt:
        _print_clean(table.players, console)
    if table.luck_rows:
        _print_luck(table.luck_rows, console)
    if table.trial:
        say(table.trial)
    for why, number in table.void.items():
        say(f"{number} games count for nobody: {why}")
    for player in table.players:
        for line in faults.get(player.name, ()):
            say(line)
    for name, gain in ((each.name, each.gain) for each in table.later if each.remembers):
        say(f"{name}: better when a deal comes again, by {_interval(gain, '')} a game: does it remember deals?")
    if table.left_early:
        say(
            f"{table.left_early} tables have played fewer deals than others: all was known that is asked about them."
            " So means are of different opponents, and the score against the field ranks"
        )
    if table.doubtful:
        say(f"no interval yet, too few sets or too few that differ: {', '.join(table.doubtful)}")


def print_confinement(confinement: Confinement) -> None:
    """Print the sandbox under which the bots have played."""
    for line in confinement.lines():
        say(line)


def print_bond(bond: Bond) -> None:
    """Print what was changed after the commitment, or that there is no commitment."""
    for line in bond.lines():
        say(line)


def print_usage(usage: Mapping[str, Usage]) -> None:
    """Print the usage of bots that ask a provider, as these bots report it."""
    for name, used in usage.items():
        cost = "" if used.cost is None else f", cost {used.cost:,.4f}"
        say(
            f"{name}: {used.decisions:,} decisions, {used.calls:,} calls, {used.retries:,} retries,"
            f" {used.tokens_in:,} tokens in ({used.cached:,} cached), {used.tokens_out:,} out{cost}"
        )


def print_probe(found: Mapping[str, Probed]) -> None:
    """Print what the probe found of each bot."""
    for name, probed in found.items():
        say(f"{name}: {probed.words}")


def print_burnt(burnt: Mapping[str, float]) -> None:
    """Print which bots used CPU time while others were on turn."""
    for name, seconds in burnt.items():
        if seconds:
            say(f"{name}: {seconds:.1f} s of CPU time while others were on turn", err=True)


def print_again(again: Mapping[str, float]) -> None:
    """Print whose replies were given time back because the machine had no core for them."""
    for name, seconds in again.items():
        if seconds:
            say(f"{name}: {seconds:.1f} s again for its replies, as the machine had no core for it", err=True)


def print_short(whys: Sequence[str]) -> None:
    """Print how many batches were repeated because the machine ran out of something, and of what at last."""
    if whys:
        batches = "batch was" if len(whys) == 1 else "batches were"
        say(f"{len(whys)} {batches} played again, nobody blamed, at last because {whys[-1]}", err=True)


def print_neighbours(counts: Mapping[tuple[str, str], int], *, as_json: bool) -> None:
    """Print how often each player, a row each, had each other player right after it."""
    names = sorted({name for pair in counts for name in pair})
    if as_json:
        found = {one: {other: counts[one, other] for other in names if (one, other) in counts} for one in names}
        print_json({"neighbors": found})
        return
    if not counts:
        say(NO_GAME)
        return
    shown = Table("", *names, title="Games in which the column plays right after the row")
    for one in names:
        shown.add_row(one, *(str(counts.get((one, other), "")) for other in names))
    Console().print(shown)


def _print_players(table: Standings, console: Console | None) -> None:
    players = table.players
    columns = {
        "": [str(place) for place in range(1, len(players) + 1)],
        "player": [_name(player) for player in players],
    }
    caption = "mean a deal with its 95 % interval"
    if any(player.field is not None for player in players):
        columns["field"] = ["" if player.field is None else _interval(player.field, "") for player in players]
        caption += "; field: what it would score against all others"
    if any(player.points is not None for player in players):
        columns[table.counts] = ["" if player.points is None else f"{player.points:g}" for player in players]
    columns |= {
        "games": [str(player.games) for player in players],
        "mean": [_interval(player.score, "") for player in players],
        "wins": [f"{player.wins:g}" for player in players],
    }
    if any(not player.strength.few for player in players):
        columns["strength"] = ["" if player.strength.few else _interval(player.strength, "", 0) for player in players]
    if any(player.faults for player in players):  # a table from elsewhere knows neither
        columns["faults"] = [_faults(player) for player in players]
        columns["ms"] = [_milliseconds(player.median).rjust(MS_WIDTH) for player in players]
        caption += "; ms: median thinking time a decision"
    state = "" if table.finished else ", not finished"
    title = f"{table.game}: games {table.games}{state}; ranked by {table.ranked_by}"
    print_columns(columns, title, caption, spare=("ms", "wins", "strength", "games"), left=2, console=console)


def _name(player: Ranked) -> str:
    return f"{player.name} ({player.gone})" if player.gone else player.name


def _faults(player: Ranked) -> str:
    return " ".join(f"{number} {kind}" for kind, number in player.faults.items() if number) or "0"


def _milliseconds(median: float | None) -> str:
    if median is None:
        return ""
    return f"{median / 1000:.{2 if median < 1_000_000 else 0}f}"


def _print_clean(players: Sequence[Ranked], console: Console | None) -> None:
    columns = {
        "player": [player.name for player in players],
        "mean": [_interval(player.clean, "") for player in players],
        "sets": [str(player.clean.sets) for player in players],
    }
    print_columns(columns, "Without the sets in which somebody committed a fault", console=console)


def _print_elo(told: Sequence[Difference], console: Console | None) -> None:
    columns = {
        "": [f"{each.one} - {each.other}" for each in told],
        "won": [f"{each.won:g}" for each in told],
        "tied": [f"{each.tied:g}" for each in told],
        "lost": [f"{each.lost:g}" for each in told],
        "Elo": ["" if each.elo is None else _interval(each.elo.strength, "+", 0) for each in told],
        "LOS": ["" if each.elo is None or each.elo.los is None else f"{each.elo.los:.1%}" for each in told],
    }
    caption = "Elo: strength between the two, ties as halves; LOS: how likely the first is the stronger"
    print_columns(columns, "Wins", caption, spare=("tied", "lost", "won"), console=console)


def _print_luck(told: Sequence[Corrected], console: Console | None) -> None:
    columns = {
        "": [" - ".join(each.names) for each in told],
        "mean": [_interval(each.plain, each.sign) for each in told],
        "without luck": [_interval(each.score, each.sign) for each in told],
        "luck": [each.share for each in told],
    }
    caption = "luck: the part of the variance that the shuffles were, by what each was worth on the whole"
    print_columns(columns, "Without the luck of the shuffles", caption, spare=("luck", "mean"), console=console)


def _print_cross(table: Standings, console: Console | None) -> None:
    names = [player.name for player in table.players]
    known = {(found.one, found.other): found for found in table.cross}
    columns = {"": names}
    for other in names:
        pairs = [known.get((one, other)) or known.get((other, one)) for one in names]
        columns[other] = [
            "" if found is None else _difference(found, one) for one, found in zip(names, pairs, strict=True)
        ]
    caption = f"*: differ also when all {len(table.cross)} pairs are looked at at once"
    print_columns(columns, "Mean difference, row minus column", caption, spare=names[::-1], console=console)


def _difference(found: Difference, one: str) -> str:
    score = found.score if found.one == one else found.score.opposite
    return _interval(score, "+") + ("*" if found.sure else "")


def _interval(score: Interval, sign: str, digits: int = 2) -> str:
    if score.mean is None:
        return ""
    half = "" if score.low is None or score.high is None else f" ±{(score.high - score.low) / 2:.{digits}f}"
    return f"{score.mean:{sign}z.{digits}f}{half}"
