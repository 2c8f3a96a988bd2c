"""Results: the standings of a tournament's folder, as it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.server import games
from croupier.server.tournaments import founding
from croupier.server.tournaments.config import Settings
from croupier.server.tournaments.run import Results, plan
from croupier.server.tournaments.statistics.standings import standings
from croupier.server.tournaments.store import StoreError

if TYPE_CHECKING:
    from croupier.server.tournaments.statistics.standings import Standings
    from croupier.server.tournaments.store import Store


def settings_of(store: Store) -> Settings:
    """Return the settings of the last run in this folder."""
    known = store.fact("run")
    if known is None:
        raise StoreError(f"nothing has been played in {store.folder} yet")
    return msgspec.convert(known, Settings)


def standing(store: Store) -> Standings:
    """Return the standings: everybody who has not been retired, also those who have yet to play."""
    settings = settings_of(store)
    rules = games.find(settings.game)
    key = founding.committed(store, settings.public)
    schedule = plan(store, settings, rules, key)
    names = [version.name for version in store.versions() if not version.retired]
    points = schedule.points(Results(store, schedule, low_wins=rules.LOW_WINS))
    return standings(
        store.rows(),
        rules,
        names=names,
        finished=bool(store.fact("finished")),
        ranked_by=schedule.ranked_by,
        points=points,
    )
