"""Rankings: the section with all games together, on everybody's page and marked on an author's."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from croupier.server.pages.charts import axis, bars, legend
from croupier.server.pages.drawing import Scale, interval, number, section, table, tag, text
from croupier.server.season.pages.gathered import author_file, game_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.server.pages.drawing import Section
    from croupier.server.season.pages.gathered import Season
    from croupier.server.tournaments.statistics.intervals import Interval
    from croupier.server.tournaments.statistics.overall import Overall

HEIGHT, NARROWEST = 26, 70


def ranking(season: Season, own: str | None = None) -> Section:
    """Draw the ranking over all games, with the scores of each."""
    weights = [part.game.weight for part in season.games]
    alike = "Each game counts alike" if len(set(weights)) < 2 else "Games count by their weights"
    about = (
        f"{alike}. A game's unit is the standard deviation of a bot's mean score of one deal, and 0 is the mean of all"
        " who play it now. More is better in every game. The intervals are over deals, each in all its seatings. An"
        " author without a bot in a game counts there as the last of those who have one."
    )
    bounds = [bound for line in season.ranking for bound in line.score[:3]]
    scale = Scale.of_field([0.0, *bounds])
    head = ["author", axis(scale.marks(), NARROWEST), "all games"]
    head += [_game_head(part.title, part.game.weight, alike=len(set(weights)) < 2) for part in season.games]
    rows = [_row(season, line, place, scale) for place, line in enumerate(season.ranking, 1)]
    names = [line.name for line in season.ranking]
    marks = [("dot", "mean"), ("range", "95 % interval")]
    if any(line.score.mean is not None and not scale.has(line.score.mean) for line in season.ranking):
        marks.append(("beyond", "beyond the scale"))
    if own is not None:
        marks.append(("mine", season.called(own)))
    drawn = table(head, rows, "standings cards sortable", names.index(own) if own in names else None)
    return section("ranking", "All games", about, legend(*marks), drawn, *_notes(season))


def _notes(season: Season) -> Iterator[str]:
    """Yield a note on each game that has no intervals yet."""
    for part in season.games:
        scores = [line.games[part.name] for line in season.ranking if part.name in line.games]
        if scores and all(score.few for score in scores):
            why = "means without an interval, because too little is known of the field yet"
            yield tag("p", text(f"{part.title}: {why}."), class_="note")


def _game_head(title: str, weight: float, *, alike: bool) -> str:
    return text(title) if alike else f"{text(title)}, weight {_weight(weight)}"


def _weight(weight: float) -> str:
    return number(weight, 0 if weight == int(weight) else 2)


def _row(season: Season, line: Overall, place: int, scale: Scale) -> list[str]:
    score = line.score
    bar = "" if score.mean is None else bars([score], scale, HEIGHT, f"{line.name}: {interval(score)}")
    return [
        tag("span", str(place), class_="place") + tag("span", linked(season, line.name), data_sort=line.name),
        bar,
        _score(score),
        *(_score(line.games[part.name]) if part.name in line.games else "" for part in season.games),
    ]


def _score(score: Interval) -> str:
    return interval(score, 2, "+").replace("± ", "±&nbsp;")


def linked(season: Season, name: str) -> str:
    """Write the name of an author as a link to the author's page; that of our bots plain, with a word on it."""
    if name in season.titles:
        return tag("a", text(season.called(name)), href=quote(author_file(name)))
    return text(name) + tag("small", "ours")


def games(season: Season) -> Section | None:
    """List the games, with links to their pages."""
    if not season.games:
        return None
    rows = [
        [
            tag("a", text(part.title), href=quote(game_file(part.name))),
            number(part.findings.standings.games, 0),
            number(part.findings.deals, 0),
            number(len({version.entry for version in part.versions if not version.retired}), 0),
            text(part.findings.form),
            _weight(part.game.weight),
            number(part.deviation),
        ]
        for part in season.games
    ]
    about = "Each game has a page of its own, with its standings, who beats whom, and the faults."
    head = ["game", "games", "deals", "players", "format", "weight", "unit in points"]
    return section("games", "The games", about, table(head, rows, "cards"))
