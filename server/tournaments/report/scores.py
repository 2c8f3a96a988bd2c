"""Scores: their distribution, and their means by seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.pages.charts import Spread, depths, heat, histograms, legend
from croupier.server.pages.drawing import number, section, table, text

if TYPE_CHECKING:
    from croupier.server.pages.drawing import Section
    from croupier.server.tournaments.report.findings import Findings
    from croupier.server.tournaments.statistics.standings import Ranked

MOST_SEATS = 4
"""The number of columns that fit on a phone."""


def spread(findings: Findings) -> Section | None:
    """Draw a histogram of each player's scores, all on one scale."""
    spreads = [
        Spread(player.name, findings.scores[player.name], player.score.mean)
        for player in findings.standings.players
        if player.games
    ]
    drawn = histograms(spreads, findings.own)
    about = "The share of games that ended with each score, on one scale for all."
    marks = legend(("bar", "share of games"), ("median", "mean"))
    return section("scores", "Scores", about, marks, drawn) if drawn else None


def seats(findings: Findings) -> Section | None:
    """Show each player's mean by seat, colored by its distance from the player's own mean."""
    players = [player for player in findings.standings.players if player.games]
    width = max((len(player.seats) for player in players), default=0)
    if width < 2:
        return None
    away = [_away(player, place) for player in players for place in range(width)]
    largest = max((abs(value) for value in away if value is not None), default=0) or 1
    rows = [
        [text(player.name), *(_seat(player, place, largest, findings) for place in range(len(player.seats)))]
        for player in players
    ]
    about = (
        "The mean score in each seat, from the first to play. Every deal is played in all its seatings, so no seat's"
        " advantage touches the standings. Deeper colors are further from the player's own mean."
    )
    head = ["player", *(f"seat {place + 1}" for place in range(width))]
    looks = f"seats sortable{' cards' if width > MOST_SEATS else ''}"
    marks = legend(*depths("better than its mean", "worse than its mean"))
    return section("seats", "By seat", about, marks, table(head, rows, looks))


def _seat(player: Ranked, place: int, largest: float, findings: Findings) -> str:
    off = _away(player, place)
    if off is None:
        return number(None)
    hint = f"{player.seats[place].games} games, {number(off, 2, '+')} from the player's mean"
    better = (off < 0) == findings.low_wins
    return heat(number(player.seats[place].mean), hint, abs(off) / largest, better=better)


def _away(player: Ranked, place: int) -> float | None:
    mean = player.seats[place].mean
    return None if mean is None or player.score.mean is None else mean - player.score.mean
