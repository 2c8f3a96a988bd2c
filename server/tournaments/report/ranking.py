"""The standings: who is best, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.server.pages.charts import axis, bars
from croupier.server.pages.drawing import (
    Scale,
    interval,
    microseconds,
    number,
    scroll,
    section,
    sortable_time,
    tag,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from croupier.server.tournaments.report.findings import Findings
    from croupier.server.tournaments.statistics.intervals import Interval
    from croupier.server.tournaments.statistics.standings import Ranked, Standings

HEIGHT = 26
NARROWEST = 70
"""Pixels that the bars have on a phone."""
WORDS = {"mean": "mean score a game", "field": "what they would score against all others"}


class Column(NamedTuple):
    """A column: its head, its class, and what it says of a player."""

    head: str
    class_: str
    cell: Callable[[Ranked], str]


def ranking(findings: Findings) -> str:
    """Draw the standings of a report."""
    return ranked(findings.standings, low_wins=findings.low_wins, own=findings.own)


def ranked(standings: Standings, *, low_wins: bool, own: str | None = None) -> str:
    """Draw standings."""
    wins = "Low scores win." if low_wins else "High scores win."
    about = (
        f"Ranked by {text(WORDS.get(standings.ranked_by, standings.ranked_by))}. {wins} The bars are 95 % intervals"
        " over deal sets, each deal in all its seatings: the luck of the deal is in them."
    )
    columns = _columns(standings)
    head = [tag("th", column.head, scope="col", class_=column.class_ or None) for column in columns]
    rows = [
        tag(
            "tr",
            tag("td", str(place)),
            *(tag("td", column.cell(player), class_=column.class_ or None) for column in columns),
            class_="own" if player.name == own else None,
        )
        for place, player in enumerate(standings.players, 1)
    ]
    top = tag("thead", tag("tr", tag("td", ""), *head))
    drawn = tag("table", top, tag("tbody", *rows), class_="standings sortable")
    return section("standings", "Standings", about, scroll(drawn), _notes(standings))


def _columns(standings: Standings) -> list[Column]:
    players = standings.players
    scale = Scale.around(
        bound for player in players for bound in (player.ranking.mean, player.ranking.low, player.ranking.high)
    )
    columns = [
        Column("player", "name", _name),
        Column(axis(scale.marks(), NARROWEST), "chart", lambda player: _bar(player, scale)),
    ]
    against = standings.ranked_by == "field"
    doubtful = standings.doubtful
    ranks = Column("field" if against else "mean", "mean", lambda each: _mean(each.ranking, doubtful, each.name))
    columns += [ranks, Column("mean", "wide", lambda player: interval(player.score))] if against else [ranks]
    if standings.spoilt:
        columns.append(Column("without faults", "wide", lambda player: interval(player.clean)))
    if any(player.points is not None for player in players):
        columns.append(Column(text(standings.counts), "", lambda player: number(player.points, 1)))
    columns += [
        Column("games", "wide", lambda player: number(player.games, 0)),
        Column("wins", "wide", _wins),
    ]
    if any(not player.strength.few for player in players):
        columns.append(Column("strength", "wide", _strength))
    return [
        *columns,
        Column("faults", "wide", _faults),
        Column("a decision", "wide", _times),
    ]


def _name(player: Ranked) -> str:
    return text(player.name) + (tag("small", text(player.gone)) if player.gone else "")


def _mean(score: Interval, doubtful: Collection[str], name: str) -> str:
    return interval(score).replace("± ", "±&nbsp;") + ("<sup>?</sup>" if name in doubtful else "")


def _wins(player: Ranked) -> str:
    shared = tag("small", f"{number(player.shared, 0)} shared") if player.shared else ""
    return number(player.wins, 0) + shared


def _strength(player: Ranked) -> str:
    return "" if player.strength.few else interval(player.strength, 0)


def _faults(player: Ranked) -> str:
    kinds = ", ".join(f"{count} {kind}" for kind, count in player.faults.items() if count)
    total = number(player.faults_committed, 0)
    return tag("span", total, title=kinds, class_="bad") if kinds else total


def _times(player: Ranked) -> str:
    if player.median is None:
        return microseconds(None)
    return sortable_time(player.median) + tag("small", f"99 %: {microseconds(player.slowest)}")


def _bar(player: Ranked, scale: Scale) -> str:
    score = player.ranking
    return "" if score.mean is None else bars([score], scale, HEIGHT, f"{player.name}: {interval(score)}")


def _notes(standings: Standings) -> str:
    notes = []
    if standings.spoilt:
        notes.append("“Without faults” leaves out every set in which somebody committed a fault.")
    if standings.doubtful:
        notes.append("<sup>?</sup> no interval yet: too few sets, or too few that differ.")
    return tag("p", " ".join(notes), class_="note") if notes else ""


def verdict(standings: Standings, *, low_wins: bool) -> str:
    """Say in a sentence what has been found out about the first place."""
    ranked = [player.name for player in standings.players if player.games]
    if len(ranked) < 2:
        return "Nothing has been decided yet."
    first, second = (tag("strong", text(name)) for name in ranked[:2])
    found = next((each for each in standings.cross if {each.one, each.other} == set(ranked[:2])), None)
    if found is None or found.score.low is None or found.score.high is None or found.score.mean is None:
        return f"{first} leads; {first} and {second} have not met often enough to say more."
    better = found.one if (found.score.mean < 0) == low_wins else found.other
    apart = f"{number(abs(found.score.mean))} ± {number((found.score.high - found.score.low) / 2)} a game"
    if not found.sure:
        ahead = "they are equal" if not found.score.mean else f"{tag('strong', text(better))} is ahead by {apart}"
        chance = "" if found.score.low <= 0 <= found.score.high else ", as one of so many pairs may be by chance"
        return f"{first} leads, but cannot be told from {second} yet: at the same table {ahead}{chance}."
    if better == ranked[0]:
        return f"{first} beats {second}: at the same table by {apart}."
    return f"{first} leads, though {second} does better when they sit at the same table, by {apart}."
