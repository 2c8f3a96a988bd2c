"""History: the nights of a season, and an author's places after each."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from croupier.server.pages.charts import area, curve, legend, plot
from croupier.server.pages.drawing import Scale, labels, line, number, section, svg, table, tag, text, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from croupier.server.pages.drawing import Section
    from croupier.server.season.pages.gathered import NightPast, Season

COLORS = 6
HEIGHT, NARROWEST = 220, 300


class Places(Scale):
    """A scale of places, the first at the top."""

    def ticks(self, about: int = 5) -> list[float]:
        """Return some places, among them the first."""
        step = max(round((self.low - self.high) / about), 1)
        return [float(place) for place in range(1, int(self.low) + 1, step)]


def nights(season: Season) -> Section | None:
    """List the nights: when they were, what was handed in before each, and what was played."""
    if not season.ledger.nights:
        return None
    rows, before, last = [], dict[str, int](), 0.0
    for night in season.ledger.nights:
        end = night.ended or float("inf")
        handed = [each for author in season.ledger.authors for each in author.submissions if last < each.at <= end]
        back = sum(bool(each.refused) or not all(trial.entered for trial in each.trials.values()) for each in handed)
        rows.append(
            [
                str(night.number),
                day(night.began),
                "not ended yet" if night.ended is None else _hours(night.ended - night.began),
                number(len(handed), 0),
                number(back, 0),
                *(number(night.games.get(part.name, 0) - before.get(part.name, 0), 0) for part in season.games),
                text(", ".join(night.unfinished)),
            ]
        )
        before |= night.games
        last = end
    head = ["night", "began", "lasted", "handed in", "sent back", *(text(part.title) for part in season.games)]
    head.append("deals left over")
    about = "What was handed in for each night, how much of it was sent back at a game or at all, and the games played."
    return section("nights", "Nights", about, table(head, rows[::-1], "cards"))


def day(at: float) -> str:
    """Write a time to the minute."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _hours(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min" if minutes else "under 1 min"


def places(season: Season, author: str) -> Section | None:
    """Draw an author's place after each night, over all games and in each, and list them with the versions."""
    past = [each for each in season.past if author in each.places]
    if not past:
        return None
    about = "The place after each night, among all who had played until then, and the version that played."
    drawn = _chart(season, author, past) if len(past) > 1 else ""
    head = ["night", "all games", *(text(part.title) for part in season.games)]
    rows = [_row(season, author, each) for each in reversed(past)]
    return section("places", "Place over time", about, drawn, table(head, rows, "cards"))


def _row(season: Season, author: str, past: NightPast) -> list[str]:
    cells = [str(past.night.number), _of(past.places, author)]
    for part in season.games:
        version = past.versions[part.name].get(author)
        cells.append("" if version is None else f"{_of(past.games[part.name], author)} {tag('small', text(version))}")
    return cells


def _of(places: Mapping[str, int], author: str) -> str:
    return f"{places[author]} of {len(places)}" if author in places else ""


def _chart(season: Season, author: str, past: list[NightPast]) -> str:
    most = max(len(each.places) for each in past)
    y, x = Places(most + 0.5, 0.5), Scale(past[0].night.number - 0.2, past[-1].night.number + 0.2)
    curves = {part.title: [(n, each.games[part.name]) for n, each in _numbered(past)] for part in season.games}
    several = len(curves) > 1
    drawn, marks = [], [("stroke c0", "all games" if several else season.games[0].title)]
    if several:
        for place, (title, at) in enumerate(list(curves.items())[: COLORS - 1], 1):
            points = [(x.at(n), y.at(ranks[author])) for n, ranks in at if author in ranks]
            if points:
                drawn.append(curve(points, f"curve c{place}"))
                marks.append((f"stroke c{place}", title))
    drawn.append(curve([(x.at(n), y.at(each.places[author])) for n, each in _numbered(past)], "curve c0"))
    below = [(x.at(n), str(n)) for n, _ in _numbered(past)]
    ticks = [line(at, 0, at, 4, "axis") for at, _ in below]
    foot = svg(36, *ticks, *labels(18, below, NARROWEST), words(50, 33, "night"), class_="axes")
    label = f"{season.called(author)}: place after each night"
    return legend(*marks) + plot(area(y, HEIGHT, label, *drawn), y, HEIGHT, foot)


def _numbered(past: list[NightPast]) -> Iterator[tuple[int, NightPast]]:
    for each in past:
        yield each.night.number, each
