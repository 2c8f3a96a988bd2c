"""Wins: how often each of two won, Elo and LOS, where a game has two sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.pages.drawing import interval, number, section, table, text

if TYPE_CHECKING:
    from croupier.server.tournaments.report.findings import Findings


def wins(findings: Findings) -> str:
    """Show the pairs that the standings tell."""
    told = findings.standings.elo_pairs
    if not told:
        return ""
    about = "Elo is the strength between the two, ties as halves; LOS is how likely the first is the stronger."
    rows = [
        (
            text(f"{each.one} - {each.other}"),
            *(number(count, 1 if count % 1 else 0) for count in (each.won, each.tied, each.lost)),
            "" if each.elo is None else interval(each.elo.strength, 0, "+"),
            "" if each.elo is None or each.elo.los is None else f"{each.elo.los:.1%}",
        )
        for each in told
    ]
    return section("wins", "Wins", about, table(("", "won", "tied", "lost", "Elo", "LOS"), rows, "numbers"))
