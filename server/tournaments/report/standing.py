"""Standing: the current standings of a tournament's folder."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from croupier.server.deals import Key
from croupier.server.tournaments.entering import founding
from croupier.server.tournaments.entering.scheduling import StoredResults, plan
from croupier.server.tournaments.formats.schedule import A_LOOK, cut
from croupier.server.tournaments.keeping.store import StoreError
from croupier.server.tournaments.statistics.ending import drops, question_of
from croupier.server.tournaments.statistics.improvement import judge
from croupier.server.tournaments.statistics.luck_correction import correct_for_luck
from croupier.server.tournaments.statistics.remembering import later_seatings
from croupier.server.tournaments.statistics.standings import standings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from croupier.server.tournaments.config.settings import Settings
    from croupier.server.tournaments.keeping.store import Store, Version
    from croupier.server.tournaments.statistics.columns import Columns
    from croupier.server.tournaments.statistics.standings import Standings


def standing(store: Store, games: Columns | None = None) -> Standings:
    """Return the standings of all entries that were not retired, even without games yet.

    ``games`` are those that count, if they have been read.
    """
    settings = founding.settings_of(store)
    rules = founding.rules_of(store, settings)
    noted = (store.fact("settings") or {}).get("schedule", 1)
    key = founding.known_key(store, settings.public)
    schedule = plan(store, settings, rules, key or Key(b""))
    drawn_again = not schedule.adaptive or (key is not None and noted == founding.SCHEDULE)
    versions = [version for version in store.versions() if not version.retired]
    results = StoredResults(store, schedule, _playing(store, settings), low_wins=rules.LOW_WINS)
    points = schedule.points(results) if drawn_again else None
    played = store.columns() if games is None else games
    if strange := {len(seating) for seating in played.seatings}.difference(rules.SEATS):
        raise StoreError(f"{store.folder}: nobody can have played {rules.NAME} as {min(strange)}")
    finished = founding.is_over(store)
    fewer = _left_early(played, settings, finished=finished) if drops(settings) else 0
    ranked_by = "field" if fewer else schedule.ranked_by
    table = standings(
        played,
        rules,
        names=[version.name for version in versions],
        gone=_gone(versions, {bot.name for bot in settings.bots}),
        titles=founding.titles_of(store),
        finished=finished,
        ranked_by=ranked_by if drawn_again else "strength",
        sampled=schedule.sampled,
        counts=schedule.counts,
        points=None if points is None else {results.playing[entry]: count for entry, count in points.items()},
        void=store.voids(),
    )
    table = replace(table, luck=correct_for_luck(played, rules, bounds=table.ranked_by == "mean"))
    if settings.sprt is not None:
        question = question_of(settings)
        found = judge(played, rules, question)
        said = f"{question.new} beside {question.old}: {found.word}; {found.ratio}"
        table = replace(table, trial=said if found.test else "", test=found.document())
    order_drawn = noted >= founding.ORDER_DRAWN
    later = later_seatings(played, low_wins=rules.LOW_WINS) if order_drawn else ()
    return replace(table, later=later, left_early=fewer)


def _left_early(played: Columns, settings: Settings, *, finished: bool) -> int:
    """Count the tables that have played fewer deals than others because their results were clear.

    If a run was stopped in the middle of a round, the tables that were next do not count.
    """
    first_of_each = np.unique(played.sets, return_index=True)[1]
    sets = np.bincount(played.pairing[first_of_each])
    a_round = 1 if finished else 1 + len(cut(range(settings.deals), len(sets) or 1, A_LOOK)[0])
    return int((sets + a_round <= sets.max(initial=0)).sum())


def _playing(store: Store, settings: Settings) -> dict[str, str]:
    """Return the current version of each entry."""
    names = {bot.name for bot in settings.bots}
    return {version.entry: version.name for version in store.versions() if version.name in names}


def _gone(versions: Iterable[Version], playing: Collection[str]) -> dict[str, str]:
    """Return, for each version that does not play, why: another of the same entry does, or none."""
    entries = {version.entry for version in versions if version.name in playing}
    return {
        version.name: "replaced" if version.entry in entries else "withdrawn"
        for version in versions
        if version.name not in playing
    }
