"""Ranking: the standings with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.server.pages.charts import axis, bars, legend
from croupier.server.pages.drawing import (
    Scale,
    interval,
    microseconds,
    number,
    section,
    sortable_time,
    table,
    tag,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from croupier.server.pages.drawing import Section
    from croupier.server.tournaments.report.findings import Findings
    from croupier.server.tournaments.statistics.intervals import Interval
    from croupier.server.tournaments.statistics.standings import Ranked, Standings

HEIGHT = 26
NARROWEST = 70
"""Pixels that the bars have on a phone."""
WORDS = {"mean": "mean score a game", "field": "what they would score against all others"}


class Column(NamedTuple):
    """A column: its head, and the function that returns a player's cell."""

    head: str
    cell: Callable[[Ranked], str]


def ranking(findings: Findings) -> Section:
    """Draw the standings of a report."""
    return ranked(findings.standings, low_wins=findings.low_wins, own=findings.own, pages=findings.pages)


def ranked(
    standings: Standings, *, low_wins: bool, own: str | None = None, pages: Mapping[str, str] | None = None
) -> Section:
    """Draw standings; names link to the given pages."""
    wins = "Low scores win." if low_wins else "High scores win."
    about = (
        f"Ranked by {text(WORDS.get(standings.ranked_by, standings.ranked_by))}. {wins} The intervals are over deal"
        " sets, each deal in all its seatings: the luck of the deal is in them."
    )
    columns = _columns(standings, pages or {})
    names = [player.name for player in standings.players]
    rows = [[column.cell(player) for column in columns] for player in standings.players]
    drawn = table(
        [column.head for column in columns],
        rows,
        "standings cards sortable",
        names.index(own) if own in names else None,
    )
    return section("standings", "Standings", about, legend(*_marks(standings, own)), drawn, _notes(standings))


def _marks(standings: Standings, own: str | None) -> Iterator[tuple[str, str]]:
    yield "dot", "mean"
    yield "range", "95 % interval"
    scale = scale_of(standings)
    if any(not scale.has(player.ranking.mean) for player in standings.players if player.ranking.mean is not None):
        yield "beyond", "beyond the scale"
    if any(player.faults_committed for player in standings.players):
        yield "fault", "faults"
    if own is not None:
        yield "mine", own


def scale_of(standings: Standings) -> Scale:
    """Return the scale of the ranking number: it covers the field, without outliers."""
    ranks = [player.ranking for player in standings.players]
    return Scale.of_field(bound for each in ranks for bound in (each.mean, each.low, each.high))


def _columns(standings: Standings, pages: Mapping[str, str]) -> list[Column]:
    players, scale, doubtful = standings.players, scale_of(standings), standings.doubtful
    places = {player.name: place for place, player in enumerate(players, 1)}
    against = standings.ranked_by == "field"
    columns = [
        Column("player", lambda player: _name(player, places[player.name], pages.get(player.name))),
        Column(axis(scale.marks(), NARROWEST), lambda player: _bar(player, scale)),
        Column(
            "field" if against else "mean",
            lambda each: _mean(each.ranking) + ("<sup>?</sup>" if each.name in doubtful else ""),
        ),
    ]
    if against:
        columns.append(Column("mean", lambda player: _mean(player.score)))
    if standings.spoilt:
        columns.append(Column("without faults", lambda player: _mean(player.clean)))
    if any(player.points is not None for player in players):
        columns.append(Column(text(standings.counts), lambda player: number(player.points, 1)))
    columns += [
        Column("games", lambda player: number(player.games, 0)),
        Column("wins", _wins),
    ]
    if any(not player.strength.few for player in players):
        columns.append(Column("strength", _strength))
    return [*columns, Column("faults", _faults), Column("a decision", _times)]


def _name(player: Ranked, place: int, page: str | None) -> str:
    name = text(player.name) if page is None else tag("a", text(player.name), href=page)
    gone = tag("small", text(player.gone)) if player.gone else ""
    return tag("span", str(place), class_="place") + tag("span", name, data_sort=player.name) + gone


def _mean(score: Interval, digits: int = 2) -> str:
    """Write a mean so that its interval can wrap to a line of its own."""
    return interval(score, digits).replace("± ", "±&nbsp;")


def _wins(player: Ranked) -> str:
    shared = tag("small", f"{number(player.shared, 0)} shared") if player.shared else ""
    return number(player.wins, 0) + shared


def _strength(player: Ranked) -> str:
    return "" if player.strength.few else _mean(player.strength, 0)


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
