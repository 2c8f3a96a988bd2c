"""Gathered: all that a season's pages show, read once from its folder."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from croupier.server.names import game_title
from croupier.server.table.faults import without_last_words
from croupier.server.tournaments.keeping.folder import DATABASE
from croupier.server.tournaments.keeping.store import open_for_reading
from croupier.server.tournaments.report.findings import Gathering
from croupier.server.tournaments.statistics.intervals import Interval
from croupier.server.tournaments.statistics.overall import (
    GameScores,
    deviation_of_deal,
    in_deviations,
    overall,
    scores_so_far,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from contextlib import ExitStack

    from croupier.server.season.folder import Ledger, Night, SeasonFolder
    from croupier.server.season.settings import SeasonGame, SeasonSettings
    from croupier.server.tournaments.keeping.store import Store, Version
    from croupier.server.tournaments.report.findings import Findings
    from croupier.server.tournaments.statistics.overall import Overall
    from croupier.server.tournaments.statistics.soft_play import SoftPlay


@dataclass(frozen=True)
class GamePart:
    """One game of the season."""

    game: SeasonGame
    gathering: Gathering
    findings: Findings
    """The content of the game's own page."""
    versions: Sequence[Version]
    deviation: float
    """The unit of its scores: the standard deviation of a bot's mean score of one deal."""

    @property
    def soft(self) -> SoftPlay:
        """What pairs gave each other."""
        return self.findings.soft

    @property
    def name(self) -> str:
        """The name of the game in the season."""
        return self.game.name

    @property
    def title(self) -> str:
        """The name for readers."""
        return game_title(self.game.name)

    def of_author(self, author: str) -> list[str]:
        """Return an author's versions that have played, the last one first."""
        mine = sorted((version for version in self.versions if version.entry == author), key=lambda each: -each.number)
        return [version.name for version in mine if version.name in self.gathering.names]

    def scores(self) -> GameScores:
        """Return the scores of those who play it now, by author or bot of ours."""
        findings, entry = self.findings, {version.name: version.entry for version in self.versions}
        playing = [player for player in findings.standings.players if player.games and not player.gone]
        found = in_deviations(playing, self.deviation, low_wins=findings.low_wins)
        return GameScores(self.name, self.game.weight, {entry[name]: score for name, score in found.items()})


class NightPast(NamedTuple):
    """A night that has ended, with the places after it."""

    night: Night
    places: Mapping[str, int]
    """In the ranking over all games, by author or bot of ours."""
    games: Mapping[str, Mapping[str, int]]
    """By game, the place of each."""
    versions: Mapping[str, Mapping[str, str]]
    """By game, the version that each played."""


@dataclass(frozen=True)
class Season:
    """What the pages show; ``public`` leaves out what bots wrote to standard error."""

    title: str
    folder: SeasonFolder
    ledger: Ledger
    games: Sequence[GamePart]
    ranking: Sequence[Overall]
    past: Sequence[NightPast]
    made: str
    public: bool

    @property
    def titles(self) -> dict[str, str]:
        """The names for readers, by name."""
        return {author.name: author.title or author.name for author in self.ledger.authors}

    def called(self, name: str) -> str:
        """Return the name for readers."""
        return self.titles.get(name, name)

    def place(self, name: str) -> int | None:
        """Return the place in the ranking over all games."""
        names = [line.name for line in self.ranking if line.score.mean is not None]
        return names.index(name) + 1 if name in names else None

    def shown(self, found: Findings, part: GamePart) -> Findings:
        """Return the content of a game's page, or of a part of an author's page, in the form for these pages."""
        if self.public:
            plain = [each._replace(why=without_last_words(each.why)) for each in found.exchanges]
            found = replace(found, exchanges=plain)
        return replace(found, title=f"{self.title}: {part.title}", made=self.made)


def gather(
    folder: SeasonFolder, settings: SeasonSettings, made: str, opened: ExitStack, *, public: bool = False
) -> Season:
    """Read a season; ``opened`` closes the tournaments when the pages are written. Raise BadSeason or StoreError."""
    ledger = folder.read_ledger()
    games = [
        _part(folder, game, opened.enter_context(open_for_reading(folder.tournament(game.name))))
        for game in settings.games
        if (folder.tournament(game.name) / DATABASE).exists()
    ]
    here = [author.name for author in ledger.authors if not author.gone]
    ours = set[str]()
    if settings.games:
        ours = set.intersection(*({bot.name for bot in game.bots} for game in settings.games))
    ranking = overall([part.scores() for part in games], [*here, *sorted(ours)])
    past = list(_past(ledger, games, {*ours, *(author.name for author in ledger.authors)}))
    return Season(settings.title, folder, ledger, games, ranking, past, made, public)


def _part(folder: SeasonFolder, game: SeasonGame, store: Store) -> GamePart:
    gathering = Gathering(store, folder.pages)
    deviation = deviation_of_deal(gathering.played, game.rules)
    return GamePart(game, gathering, gathering.of(), store.versions(), deviation)


def _past(ledger: Ledger, games: Sequence[GamePart], names: Iterable[str]) -> Iterator[NightPast]:
    """Yield each night that has ended, with the places that its games gave."""
    known, gone = set(names), {author.name for author in ledger.authors if author.gone}
    before = dict.fromkeys((part.name for part in games), 0)
    for night in ledger.nights:
        if night.ended is None:
            continue
        scores, versions = [], {}
        for part in games:
            number = night.games.get(part.name, before[part.name])
            played = _played_by(part, known, known - gone, before[part.name], number)
            before[part.name] = number
            scores.append(_scores_after(part, number, played))
            versions[part.name] = played
        places = {part.name: _places([each]) for part, each in zip(games, scores, strict=True)}
        yield NightPast(night, _places(scores), places, versions)


def _played_by(part: GamePart, known: set[str], staying: set[str], first: int, last: int) -> dict[str, str]:
    """Return the last version of each who played in a night, or who has played before and is still there."""
    games = part.gathering.played
    number = {version.name: version for version in part.versions}
    found: dict[str, Version] = {}
    for begin, wanted in ((0, staying), (first, known)):
        seats = games.seats[begin:last]
        for at in sorted({*seats[seats >= 0].tolist()}):
            version = number[games.names[at]]
            if version.entry in wanted:
                found[version.entry] = max(version, found.get(version.entry, version), key=lambda each: each.number)
    return {entry: version.name for entry, version in found.items()}


def _scores_after(part: GamePart, number: int, played: Mapping[str, str]) -> GameScores:
    findings, rules = part.findings, part.game.rules
    games = part.gathering.played.take(np.arange(number))
    raw = scores_so_far(games, rules, against_field=findings.standings.ranked_by == "field")
    mine = {entry: raw[version] for entry, version in played.items() if version in raw}
    center = sum(mine.values()) / max(len(mine), 1)
    unit = -part.deviation if findings.low_wins else part.deviation
    return GameScores(
        part.name,
        part.game.weight,
        {entry: Interval((score - center) / unit, None, None, number) for entry, score in mine.items()},
    )


def _places(scores: Sequence[GameScores]) -> dict[str, int]:
    names = {name for each in scores for name in each.scores}
    return {line.name: place for place, line in enumerate(overall(scores, names), 1)}


def author_file(name: str) -> str:
    """Return the name of an author's page."""
    return f"author-{name}.html"


def game_file(name: str) -> str:
    """Return the name of a game's page."""
    return f"game-{name}.html"
