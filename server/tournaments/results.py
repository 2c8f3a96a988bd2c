"""Results: the schedule and the standings of a tournament's folder, as it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server import games
from croupier.server.tournaments import founding
from croupier.server.tournaments.enrolment import roster
from croupier.server.tournaments.formats import schedule_for
from croupier.server.tournaments.statistics.sets import Sets
from croupier.server.tournaments.statistics.standings import standings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from croupier.server.deals import Key
    from croupier.server.games.game import Game
    from croupier.server.table.played import Names
    from croupier.server.tournaments.config import Settings
    from croupier.server.tournaments.formats.schedule import Schedule
    from croupier.server.tournaments.statistics.standings import Standings
    from croupier.server.tournaments.store import Store, Version


def plan(store: Store, settings: Settings, rules: type[Game], key: Key) -> Schedule:
    """Return the schedule of a tournament as it stands, with who came and left since its beginning."""
    return schedule_for(settings, rules, key, roster(store, {bot.name for bot in settings.bots}))


def standing(store: Store) -> Standings:
    """Return the standings: everybody who has not been retired, also those who have yet to play."""
    settings = founding.settings_of(store)
    rules = games.find(settings.game)
    key = founding.committed(store, settings.public)
    schedule = plan(store, settings, rules, key)
    versions = [version for version in store.versions() if not version.retired]
    points = schedule.points(StoredResults(store, schedule, low_wins=rules.LOW_WINS))
    return standings(
        store.counting(),
        rules,
        names=[version.name for version in versions],
        gone=_gone(versions, {bot.name for bot in settings.bots}),
        finished=bool(store.fact("finished")),
        ranked_by=schedule.ranked_by,
        points=points,
        void=store.voids(),
    )


def _gone(versions: Iterable[Version], playing: Collection[str]) -> dict[str, str]:
    """Say of each version that does not play why: another of the same entry does, or none."""
    entries = {version.entry for version in versions if version.name in playing}
    return {
        version.name: "replaced" if version.entry in entries else "withdrawn"
        for version in versions
        if version.name not in playing
    }


class StoredResults:
    """What an adaptive schedule asks of the store: read when asked, so that nothing is held between rounds."""

    def __init__(self, store: Store, schedule: Schedule, *, low_wins: bool) -> None:
        self.store = store
        self.schedule = schedule
        self.low_wins = low_wins

    def scores(self, pairing: Names, deals: range) -> dict[str, float] | None:
        """Return each entry's mean score over these sets but void ones; None if one has not been played."""
        seatings = self.schedule.table.games(pairing)
        if len(self.store.known(pairing, deals)) < seatings * len(deals):
            return None
        sets = Sets(self.store.counting_of(pairing, deals), seatings, low_wins=self.low_wins)
        counting = [deal for deal in deals if len(sets.games.get((pairing, deal), ())) == seatings]
        return sets.scores(pairing, counting) if counting else dict.fromkeys(pairing, 0.0)
