"""Exchanges: the causes of each bot's faults, each with an example of question and answer."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol import record as lines
from croupier.server import games
from croupier.server.entries import distinct_names
from croupier.server.records.blame import faults_by_player, meant_play
from croupier.server.records.files import BadFile, read_records, show_command
from croupier.server.table.faults import remedy
from croupier.server.tournaments.keeping.folder import RECORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from croupier.server.records.blame import Blamed
    from croupier.server.table.faults import Fault
    from croupier.server.tournaments.keeping.store import Store, Stored


class Exchange(NamedTuple):
    """One cause of a bot's faults: the first fault, with its question and answer."""

    name: str
    kind: str
    why: str
    asked: str
    received: str
    deal: int
    again: str
    """The command that shows the game."""
    deals: Sequence[int] = ()
    """The deals with the same cause, one for each game."""
    hint: str = ""
    """The advice to its author."""


class _Cause(NamedTuple):
    fault: Fault
    first: Stored
    deals: list[int]

    @property
    def place(self) -> tuple[int, Sequence[str]]:
        """Where its first game stands: by deal, because games are kept in the order in which they ended."""
        return self.first.game.deal, self.first.game.seating


class Causes:
    """The causes of each bot's faults. Only the records of those that are shown are read."""

    def __init__(self, store: Store, home: Path) -> None:
        self._store, self._home = store, home
        self._found: dict[str, dict[Fault, _Cause]] = {}
        for stored in store.games("WHERE faults != '[]' "):
            for seat, fault in stored.game.misdeeds:
                mine = self._found.setdefault(stored.game.seating[seat], {})
                before = mine.get(fault.plain)
                cause = _Cause(fault, stored, before.deals if before else [])
                cause.deals.append(stored.game.deal)
                mine[fault.plain] = before if before and before.place <= cause.place else cause

    def guilty(self, names: Iterable[str]) -> list[str]:
        """Return those of the names that committed a fault."""
        return [name for name in names if name in self._found]

    def count(self, name: str) -> int:
        """Return the number of causes of a bot's faults."""
        return len(self._found.get(name, ()))

    def examples(self, name: str, most: int) -> list[Exchange]:
        """Return an example of each of a bot's most frequent causes."""
        causes = sorted(self._found.get(name, {}).values(), key=lambda cause: (-len(cause.deals), cause.place))
        return [self._example(name, cause) for cause in causes[:most]]

    def _example(self, name: str, cause: _Cause) -> Exchange:
        """Read the fault of a game from its record; only the store's facts about it if that is gone."""
        stored, kind = cause.first, cause.fault.kind
        path = self._store.folder / RECORDS / stored.file
        again = show_command(os.path.relpath(path.resolve(), self._home.resolve()), stored.place + 1)
        blamed, meant = self._blame(path, stored, name)
        why, asked, received = (blamed.why, blamed.request, blamed.received) if blamed else (cause.fault.why, "", "")
        hint = meant or remedy(kind, why, received)
        return Exchange(name, kind.value, why, asked, received, stored.game.deal, again, sorted(cause.deals), hint)

    def _blame(self, path: Path, stored: Stored, name: str) -> tuple[Blamed | None, str]:
        """Return the fault from the record, and the play that was probably meant."""
        seated = dict(zip(stored.game.seating, distinct_names(stored.game.seating), strict=True))[name]
        try:
            text = read_records(path)[stored.place].text
            blamed = faults_by_player(line for _, line in lines.read(text)).get(seated)
        except (OSError, IndexError, BadFile, lines.BadRecord):
            return None, ""
        return blamed, meant_play(text, seated, partial(games.find, near=[path.parent, self._store.folder]))
