"""Opened: a tournament's folder as objects, for Python and for notebooks, which show them by ``_repr_html_``."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from croupier.server.finding.conditions import Condition, Query
from croupier.server.finding.search import Contracts, of_tournament
from croupier.server.pages.drawing import interval, number, tag, text
from croupier.server.records.replay import Invalid, Replay, ReplayedPlay
from croupier.server.tournaments.keeping.store import StoreError, open_for_reading
from croupier.server.tournaments.report.standing import standing
from croupier.server.viewer import page, page_data

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from croupier.server.finding.found_game import FoundGame
    from croupier.server.games.game import Play
    from croupier.server.tournaments.statistics.standings import Ranked, Standings

T = TypeVar("T")
EVERY = Query((), ())
SHOWN = 20
"""The most games in a table of a notebook."""
HEIGHT = 640
"""Pixels of a game in a notebook."""


class Tournament:
    """A tournament in its folder, running or finished. It is read again at each call, and never written."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.standings()

    def standings(self) -> StandingsTable:
        """Return the current standings; raise ValueError if the folder cannot be read."""
        try:
            with open_for_reading(self.folder) as store:
                return StandingsTable(standing(store))
        except StoreError as problem:
            raise ValueError(str(problem)) from None

    def games(self, *conditions: str) -> Games:
        """Return the games that meet all conditions of `croupier find`, such as ``score>20``, in the order of play.

        They are read when they are iterated, and numbered from 1 with those that do not meet them. Raise ValueError for
        a condition that is none.
        """
        return Games(self.folder, Query.of([Condition.parse(each) for each in conditions]))

    def record(self, number: int) -> RecordedGame:
        """Return a game by its number, from 1 in the order of play; raise IndexError if there is none."""
        found = next(islice(self.games(), number - 1, None), None) if number > 0 else None
        if found is None:
            raise IndexError(f"{self.folder} has no game {number}; the first is 1")
        return found

    def __repr__(self) -> str:
        return f"croupier.open({str(self.folder)!r})"

    def _repr_html_(self) -> str:
        return self.standings()._repr_html_()


class StandingsTable:
    """The standings of a tournament, the best first."""

    def __init__(self, standings: Standings) -> None:
        self.standings = standings

    @property
    def players(self) -> tuple[Ranked, ...]:
        """The line of each bot: name, games, score with its interval, wins, faults, means by seat."""
        return self.standings.players

    def rows(self) -> list[dict[str, Any]]:
        """Return the lines as ``standings --json`` has them, for a data frame."""
        rows: list[dict[str, Any]] = self.standings.document()["players"]
        return rows

    def __repr__(self) -> str:
        said = [f"{player.name} {number(player.score.mean)}" for player in self.players]
        return f"<{self.standings.game}, {self.standings.games} games: {', '.join(said)}>"

    def _repr_html_(self) -> str:
        head = ("bot", "games", "mean", "strength", "wins", "faults")
        rows = [
            (
                player.name,
                f"{player.games:,}",
                interval(player.score),
                number(player.strength.mean, 0),
                f"{player.wins:,}",
                f"{player.faults_committed:,}",
            )
            for player in self.standings.with_titles().players
        ]
        return _table(f"{self.standings.game}: {self.standings.games:,} games", head, rows)


class Games:
    """Games of a tournament, which are read as they are iterated."""

    def __init__(self, folder: Path, query: Query) -> None:
        self._folder = folder
        self._query = query

    def __iter__(self) -> Iterator[RecordedGame]:
        """Yield each game; raise ValueError if the folder cannot be read."""
        contracts = Contracts(self._query.contract)
        try:
            for number, each in enumerate(of_tournament(self._folder, EVERY), 1):
                if each.meets(self._query) and (not contracts.words or contracts.is_played(each)):
                    yield RecordedGame(number, each)
        except StoreError as problem:
            raise ValueError(str(problem)) from None

    def __repr__(self) -> str:
        return f"<games of {self._folder}>"

    def _repr_html_(self) -> str:
        listed = [*islice(self, SHOWN + 1)]
        rows = [
            (
                str(game.number),
                str(game.deal),
                ", ".join(f"{name} {game.scores[name]}" if game.scores else name for name in game.seating),
                game.outcome,
                ", ".join(f"{name}: {kind}" for name, kind in game.faults.items()),
            )
            for game in listed[:SHOWN]
        ]
        more = ", the first of them" if len(listed) > SHOWN else ""
        return _table(f"{len(rows)} games{more}", ("number", "deal", "scores", "outcome", "faults"), rows)


class RecordedGame:
    """A game with its results, its record, and the page to step through it."""

    def __init__(self, number: int, found: FoundGame) -> None:
        played, names = found.played, found.names
        self.number = number
        """Its place in the tournament, from 1 in the order of play."""
        self.deal: int = played.deal
        self.seating: tuple[str, ...] = names
        """The players, by seat."""
        self.scores: dict[str, int] = dict(zip(names, played.scores, strict=False))
        """The scores by player; empty if the game does not count."""
        self.ranks: dict[str, int] = dict(zip(names, played.ranks, strict=False))
        """The ranks by player; 1 is the best."""
        self.faults: dict[str, str] = {names[fault.seat]: fault.fault.kind.value for fault in played.faults}
        """The kind of fault of each player that committed one."""
        self.outcome: str = played.outcome.value
        """``finished``, ``forfeit``, ``void`` or ``interrupted``."""
        self.place: str = found.record
        """The record, as `croupier replay` takes it."""
        self._found = found

    @property
    def text(self) -> str:
        """The lines of the record; empty if its file is gone."""
        return self._found.text()

    def plays(self) -> list[tuple[str, Play]]:
        """Return each play with its player, in order; raise ValueError if the record breaks the rules."""
        return self._replayed(_plays)

    def html(self) -> str:
        """Return the page to step through the game; raise ValueError if the record breaks the rules."""
        return self._replayed(lambda replay: page(page_data(replay, self.place)))

    def _replayed(self, use: Callable[[Replay], T]) -> T:
        rules = self._found.rules
        if rules is None:
            raise ValueError(f"{self.place}: its rules are not available")
        try:
            return use(Replay(self.text, lambda _: rules))
        except Invalid as problem:
            raise ValueError(f"{self.place}: {problem}") from None

    def __repr__(self) -> str:
        told = ", ".join(f"{name} {self.scores[name]}" if self.scores else name for name in self.seating)
        return f"<game {self.number}, deal {self.deal}: {told}>"

    def _repr_html_(self) -> str:
        frame = {"srcdoc": self.html(), "sandbox": "allow-scripts", "width": "100%", "height": HEIGHT}
        return tag("iframe", title=repr(self), **frame)


def _plays(replay: Replay) -> list[tuple[str, Play]]:
    return [(replay.game.players[step.seat], step.play) for step in replay.steps() if isinstance(step, ReplayedPlay)]


def _table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = [tag("tr", *(tag("td", text(cell)) for cell in row)) for row in rows]
    heads = tag("tr", *(tag("th", text(cell)) for cell in head))
    return tag("table", tag("caption", text(title)), tag("thead", heads), tag("tbody", *cells))
