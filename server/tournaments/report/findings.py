"""Findings: the content of a report, gathered from a tournament's folder."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from croupier.server.tournaments.entering.founding import rules_of, settings_of
from croupier.server.tournaments.keeping.progress import EVENTS
from croupier.server.tournaments.keeping.spent import Spent
from croupier.server.tournaments.keeping.store import StoreError
from croupier.server.tournaments.proof.bond import Bond, Confinement
from croupier.server.tournaments.report.exchanges import Causes
from croupier.server.tournaments.report.hard_games import find_hard_games
from croupier.server.tournaments.report.probe import read_probe
from croupier.server.tournaments.report.standing import standing
from croupier.server.tournaments.statistics.credit import credit_games
from croupier.server.tournaments.statistics.intervals import Interval, intervals_of_sums, sum_by_unit
from croupier.server.tournaments.statistics.soft_play import soft_play

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from croupier.server.games.game import Game, OptionInWords
    from croupier.server.table.played_game import Probed
    from croupier.server.tournaments.keeping.store import Store
    from croupier.server.tournaments.report.exchanges import Exchange
    from croupier.server.tournaments.report.games import GamePage
    from croupier.server.tournaments.report.hard_games import HardGame
    from croupier.server.tournaments.statistics.columns import Columns
    from croupier.server.tournaments.statistics.intervals import UnitSums
    from croupier.server.tournaments.statistics.soft_play import SoftPlay
    from croupier.server.tournaments.statistics.standings import Standings

T = TypeVar("T")
STATIONS = 60
"""The most points of a curve of convergence."""
EXAMPLES, MOST, OWN = 60, 8, 40
"""How many causes of faults have an example: per entry on everybody's page, and on its author's."""


@dataclass(frozen=True)
class Findings:
    """The content of a report; ``own`` names the entry for whose author it is made, if any."""

    standings: Standings
    title: str
    """The name of the tournament's folder."""
    days: Sequence[str]
    """The days when it was begun, and when something last happened in it."""
    options: Sequence[OptionInWords]
    form: str
    deals: int
    low_wins: bool
    confinement: Confinement
    bond: Bond
    revealed: str | None
    scores: Mapping[str, Counter[int]]
    times: Mapping[str, Counter[int]]
    curves: Mapping[str, Sequence[Interval]]
    """Each entry's mean after a number of sets."""
    exchanges: Sequence[Exchange]
    left_out: Mapping[str, int]
    """The number of further causes of faults of each entry."""
    burnt: Mapping[str, float]
    """Seconds of CPU time while others were on turn, of bots that used much."""
    spent: Spent
    """The cost so far, with the usage of bots that ask a provider, as these report it."""
    probed: Mapping[str, Probed]
    """What a probe found of each bot."""
    soft: SoftPlay
    """What pairs gave each other, by the names of entries: versions of a bot are one."""
    budget: str | None = None
    own: str | None = None
    hard: Sequence[HardGame] = ()
    """The worst games of the page's bot."""
    games: Sequence[GamePage] = ()
    pages: Mapping[str, str] = field(default_factory=dict)
    """The address of each entry's own page, if all are written."""
    index: str = ""
    """The address of the page above this one, if there is one: everybody's, on an entry's own page."""
    index_title: str = "All players"
    """The text of the link to it."""
    made: str = ""
    """When the page was written, if it is to show that."""

    def titled(self) -> Findings:
        """Return the findings with titles in place of names, for people."""
        titles = self.standings.titles
        return replace(
            self,
            standings=self.standings.with_titles(),
            scores=_by_title(self.scores, titles),
            times=_by_title(self.times, titles),
            curves=_by_title(self.curves, titles),
            exchanges=[each._replace(name=titles.get(each.name, each.name)) for each in self.exchanges],
            left_out=_by_title(self.left_out, titles),
            hard=[each._replace(seating=tuple(titles.get(name, name) for name in each.seating)) for each in self.hard],
            pages=_by_title(self.pages, titles),
            burnt=_by_title(self.burnt, titles),
            spent=self.spent._replace(usage=_by_title(self.spent.usage, titles)),
            probed=_by_title(self.probed, titles),
            soft=self.soft.titled(titles),
            own=None if self.own is None else titles.get(self.own, self.own),
        )


def _by_title(told: Mapping[str, T], titles: Mapping[str, str]) -> dict[str, T]:
    return {titles.get(name, name): value for name, value in told.items()}


class Gathering:
    """The common content of a tournament's pages, read once; ``home`` is their folder, else the tournament's."""

    def __init__(self, store: Store, home: Path | None = None) -> None:
        self._store, self._home = store, home or store.folder
        self.played = played = store.columns()
        table = standing(store, played)
        settings = settings_of(store)
        rules = rules_of(store, settings)
        self.names = names = [player.name for player in table.players]
        self._causes = Causes(store, self._home)
        guilty = self._causes.guilty(names)
        self._most = max(1, min(MOST, EXAMPLES // max(len(guilty), 1)))
        self._field = Findings(
            standings=table,
            title=store.folder.resolve().name,
            days=_days(store),
            options=rules.options_in_words(rules.read_options(settings.options)),
            form=settings.format or "",
            deals=len(np.unique(played.deal)),
            low_wins=rules.LOW_WINS,
            confinement=Confinement.of(store),
            bond=Bond.of(store),
            revealed=store.fact("revealed"),
            scores=spread(played, names),
            times={name: played.times.get(name, Counter()) for name in names},
            curves=curves(played, names, rules, bounds=table.ranked_by == "mean"),
            exchanges=[],
            left_out={},
            burnt=store.burnt(),
            spent=Spent.read(store),
            probed=read_probe(store),
            soft=soft_play(played, rules, {version.name: version.entry for version in store.versions()}),
            budget=settings.budget,
        )

    def of(self, own: str | None = None) -> Findings:
        """Return the content of everybody's page, or of one entry's; raise StoreError for an unknown entry.

        With ``own``, only that entry's faults and exchanges.
        """
        if own is not None and own not in self.names:
            raise StoreError(f"nobody here is called {own}; the entries: {', '.join(self.names)}")
        names, most = (self.names, self._most) if own is None else ([own], OWN)
        found = replace(
            self._field,
            own=own,
            exchanges=[each for name in names for each in self._causes.examples(name, most)],
            left_out={name: self._causes.count(name) - most for name in names if self._causes.count(name) > most},
        )
        if own is None:
            return found
        low_wins = self._field.low_wins
        return replace(found, hard=find_hard_games(self._store, self.played, own, self._home, low_wins=low_wins))


def gather(store: Store, own: str | None = None, home: Path | None = None) -> Findings:
    """Return the content of one page."""
    return Gathering(store, home).of(own)


def _days(store: Store) -> list[str]:
    """Return the first and the last day of its events, only one if they are equal; empty if the log is lost."""
    try:
        events = (store.folder / EVENTS).read_text("utf-8").splitlines()
        times = [json.loads(line)["at"] for line in (events[0], events[-1])]
        return list(dict.fromkeys(datetime.fromtimestamp(at, UTC).date().isoformat() for at in times))
    except (OSError, ValueError, LookupError, TypeError, OverflowError, RecursionError):
        return []


def spread(games: Columns, names: Iterable[str]) -> dict[str, Counter[int]]:
    """Count how often each entry has had each score, in the order of first occurrence."""
    counted = {name: Counter[int]() for name in names}
    there = games.seats >= 0
    scores, which = np.unique(games.scores[there].astype(np.int64), return_inverse=True)
    codes, first, numbers = np.unique(games.seats[there] * len(scores) + which, return_index=True, return_counts=True)
    for at in np.argsort(first):
        who, score = divmod(int(codes[at]), len(scores))
        counted[games.names[who]][int(scores[score])] = int(numbers[at])
    return counted


def curves(games: Columns, names: Iterable[str], rules: type[Game], *, bounds: bool) -> dict[str, list[Interval]]:
    """Return each entry's mean, optionally with ``bounds``, after some of its sets, including the last."""
    counted = credit_games(games, rules)
    sums = sum_by_unit(counted.entries.who, counted.entries.deal, *counted.observations())
    ends = np.searchsorted(sums.owner, np.arange(len(games.names) + 1)).tolist()
    mine = {name: sums.rows(slice(*each)) for name, each in zip(games.names, pairwise(ends), strict=True)}
    found = {name: _curve(mine[name]) if name in mine else [] for name in names}
    return found if bounds else {name: [each.without_bounds for each in curve] for name, curve in found.items()}


def _curve(sets: UnitSums) -> list[Interval]:
    """Return the estimates after some of the sets of an entry."""
    number = len(sets.owner)
    if number < 2:
        return []
    alone = sets._replace(owner=np.zeros(number, np.int64))
    stations = sorted({round(at) for at in np.linspace(2, number, min(STATIONS, number - 1))})
    return [intervals_of_sums(alone.rows(slice(at)), 1)[0] for at in stations]
