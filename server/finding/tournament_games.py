"""A tournament's games from its database (SQLite); a record is read only where conditions require it."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING

from croupier.server.finding.found_game import FoundGame
from croupier.server.records.files import BadFile, read_records
from croupier.server.tournaments.entering import founding
from croupier.server.tournaments.keeping.folder import RECORDS
from croupier.server.tournaments.keeping.store import looked_into

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from croupier.server.finding.conditions import Condition, Query

_SEATED = "instr(' ' || seating || ' ', ' ' || ? || ' ')"
_ANY_OF = "EXISTS (SELECT 1 FROM json_each({}) WHERE value {} ?)"


def of_tournament(folder: Path, query: Query) -> Iterator[FoundGame]:
    """Yield the games of a tournament that may match a query; raise StoreError."""
    with looked_into(folder) as store:
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
