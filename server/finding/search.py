"""A search: all games below some folders that match a query, and the problems on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.finding.contracts import Contracts
from croupier.server.finding.record_files import Library, below, of_file
from croupier.server.finding.tournament_games import of_tournament
from croupier.server.tournaments.keeping.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from croupier.server.finding.conditions import Query
    from croupier.server.finding.found_game import FoundGame


class Search:
    """Search for games; nothing is written, and only one file's records are in memory at a time."""

    def __init__(self, query: Query) -> None:
        self.query = query
        self.troubles: list[str] = []
        """What could not be read, and why."""
        self.untimed = 0
        """How many games would match if thinking times were known."""
        self._contracts = Contracts(query.contract)
        self._timed = bool(query.about("thought"))

    def run(self, paths: Iterable[Path]) -> Iterator[FoundGame]:
        """Yield the games that match the query, tournaments first."""
        for each in self._candidates(paths):
            if isinstance(each, str):
                self.troubles.append(each)
            elif each.meets(self.query) and (not self._contracts.words or self._contracts.is_played(each)):
                yield each
            elif self._timed and not each.played.thinking and not each.played.times:
                self.untimed += 1

    def problem(self) -> str:
        """Return why nothing could be found; empty if something could."""
        return self._contracts.problem()

    def _candidates(self, paths: Iterable[Path]) -> Iterator[FoundGame | str]:
        library = Library()
        for path in paths:
            cups, files = below(path) if path.is_dir() else ([], [path])
            for cup in cups:
                yield from self._of_cup(cup)
            for file in files:
                yield from of_file(file, library, timed=self._timed)

    def _of_cup(self, cup: Path) -> Iterator[FoundGame | str]:
        try:
            yield from of_tournament(cup, self.query)
        except StoreError as problem:
            yield str(problem)
