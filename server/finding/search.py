"""A search: all games below some folders that match a query, and the problems on the way."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING

from croupier.server.finding.found_game import FoundGame
from croupier.server.finding.record_files import Library, below, of_file
from croupier.server.records.files import BadFile, read_records
from croupier.server.records.replay import Invalid, Replay
from croupier.server.tournaments.entering import founding
from croupier.server.tournaments.keeping.folder import RECORDS
from croupier.server.tournaments.keeping.store import StoreError, open_for_reading

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from pathlib import Path

    from croupier.server.finding.conditions import Condition, Query
    from croupier.server.games.broadcast import Broadcast
    from croupier.server.games.game import Game


# The contract, which only a replay tells


class Contracts:
    """Look for a contract in one game after another, and remember why some could not have it."""

    def __init__(self, words: Collection[str]) -> None:
        self.words = frozenset(words)
        self._without: set[str] = set()
        self._strange: dict[str, str] = {}
        self._sought = False

    def is_played(self, found: FoundGame) -> bool:
        """Return whether the contract was played; a record is replayed only where its text does not rule it out."""
        rules = found.rules
        if rules is None or not rules.BROADCAST.CONTRACTS:
            self._without.add(found.called)
            return False
        known = rules.BROADCAST.CONTRACTS
        if strange := self.words - known.keys():
            self._strange[found.called] = (
                f"{found.called} has no contract {min(strange)}; its words: {', '.join(known)}"
            )
            return False
        self._sought = True
        text = found.text()
        return all(known[word] in text for word in self.words) and self._is_played_in_replay(text, rules)

    def _is_played_in_replay(self, text: str, rules: type[Game]) -> bool:
        try:
            replay = Replay(text, lambda _: rules)
            broadcast: Broadcast = rules.BROADCAST(replay.game)
            return any(self.words <= set(broadcast.contract()) for _ in replay.steps())
        except Invalid:
            return False

    def problem(self) -> str:
        """Return why no game could have such a contract; empty if one could."""
        if self._sought or not (self._strange or self._without):
            return ""
        return next(iter(self._strange.values()), f"there are no contracts in {', '.join(sorted(self._without))}")


# A tournament's games as its database knows them: a record is read only where conditions ask for it

_SEATED = "instr(' ' || seating || ' ', ' ' || ? || ' ')"
_ANY_OF = "EXISTS (SELECT 1 FROM json_each({}) WHERE value {} ?)"


def of_tournament(folder: Path, query: Query) -> Iterator[FoundGame]:
    """Yield the games of a tournament that may match a query; raise StoreError."""
    with open_for_reading(folder) as store:
        rules = founding.rules_of(store, settings := founding.settings_of(store))
        wanted, values = _where(query)
        texts = lru_cache(2)(_texts)  # cached because consecutive games are in the same file
        for game, file, place in store.games(wanted, values):
            path = folder / RECORDS / file
            yield FoundGame(path, place + 1, settings.game, rules, game, partial(_text, texts, path, place))


def _texts(path: Path) -> list[str]:
    try:
        return [piece.text for piece in read_records(path)]
    except (OSError, BadFile):
        return []


def _text(texts: Callable[[Path], list[str]], path: Path, place: int) -> str:
    """Return a record's text, empty if it is gone."""
    found = texts(path)
    return found[place] if place < len(found) else ""


def _where(query: Query) -> tuple[str, tuple[object, ...]]:
    """Return SQL that rules out most games, so that fewer are read; it may let too many through."""
    clauses: list[str] = []
    values: list[object] = []
    for each in (*query.of_player, *query.of_game):
        if clause := _clause(each):
            clauses.append(clause)
            values += [each.value] * clause.count("?")
    return (f"WHERE {' AND '.join(clauses)} " if clauses else ""), tuple(values)


def _clause(each: Condition) -> str:
    match each.field, each.comparison:
        case "player" | "with", "=":
            return _SEATED
        case "deal" | "decisions" as column, compared:
            return f"{column} {compared} ?"
        case "score" | "rank" as field, compared:
            return _ANY_OF.format(f"{field}s", compared)
        case "outcome", "=":
            return "outcome = ?"
        case "fault", _ if (each.value == "") == (each.comparison == "!="):
            return "faults != '[]'"
        case _:
            return ""


# All games below some folders


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
