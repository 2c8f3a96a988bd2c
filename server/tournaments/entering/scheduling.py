"""Scheduling: the schedule for a tournament's settings, and the results that it needs."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from croupier.server.tournaments.entering.enrolment import roster as roster_of
from croupier.server.tournaments.formats import FORMATS, default_format
from croupier.server.tournaments.formats.schedule import A_LOOK, MOST, Asks, Layout, ScheduleError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from croupier.server.deals import Key
    from croupier.server.games.game import Game
    from croupier.server.table.played_game import Names, PlayedGame
    from croupier.server.tournaments.config.settings import Settings
    from croupier.server.tournaments.formats.roster import Roster
    from croupier.server.tournaments.formats.schedule import Batch, Schedule
    from croupier.server.tournaments.keeping.store import Store


class Sets:
    """Games by pairing and deal."""

    def __init__(self, games: Iterable[PlayedGame], seatings: int, *, low_wins: bool = False) -> None:
        self.seatings = seatings
        self.sign = -1 if low_wins else 1
        self.games: dict[tuple[Names, int], list[PlayedGame]] = defaultdict(list)
        for game in games:
            self.games[game.pairing, game.deal].append(game)

    def scores(self, pairing: Names, deals: Sequence[int]) -> dict[str, float] | None:
        """Return each entry's mean score over these sets, turned so that more is better; None if one is missing."""
        sets = [self.games.get((pairing, deal), []) for deal in deals]
        if any(len(games) < self.seatings for games in sets):
            return None
        totals: dict[str, float] = defaultdict(float)
        games = [game for games in sets for game in games]
        for game in sorted(games, key=lambda game: (game.deal, game.seating)):
            for name, score in game.entries(low_wins=self.sign < 0):
                totals[name] += self.sign * score
        return {name: total / len(games) for name, total in totals.items()}


PAIR = 2


def schedule_for(settings: Settings, game: type[Game], key: Key, roster: Roster | None = None) -> Schedule:
    """Return the schedule for a tournament's settings."""
    entries = [bot.name for bot in settings.bots]
    kind = FORMATS[settings.format or default_format(len(entries))]
    table = table_for(settings, game, kind)
    if settings.sprt is not None:
        _check_meeting(settings, kind)
    if kind.adaptive and roster is not None:  # an entry's next version takes over what it draws by: points and rungs
        entries = roster.entries(entries)
    most = settings.batch or MOST
    most = min(most, A_LOOK) if settings.ends_early or settings.budget else most
    return kind(entries, table, settings.deals, key, settings.rounds, roster, most)


def _check_meeting(settings: Settings, kind: type[Schedule]) -> None:
    """Refuse a test between two bounds if the first two bots do not play the same deals, or do not meet."""
    if not kind.same_deals:
        able = ", ".join(name for name, each in FORMATS.items() if each.same_deals)
        raise ScheduleError(f"sprt compares the first two bots on equal deals, which they play in: {able}")
    if settings.sprt_in == "strength" and kind.asks is Asks.FIRST_TWO and len(settings.bots) > PAIR:
        raise ScheduleError(
            "sprt_in strength compares two who meet: in the format paired they do so only without others"
        )


def table_for(settings: Settings, game: type[Game], kind: type[Schedule]) -> Layout:
    """Return the game's table, by default the smallest; partners are different bots if there are enough."""
    seats = settings.seats or min(game.SEATS)
    if seats not in game.SEATS:
        raise ScheduleError(f"{settings.game} is played by {' or '.join(map(str, game.SEATS))}, not by {seats}")
    alone = not kind.copies and len(settings.bots) >= seats and settings.teams != "copies"
    return Layout(seats, game.PARTNERS, copies=not alone, every=settings.seatings == "all")


def plan(store: Store, settings: Settings, rules: type[Game], key: Key) -> Schedule:
    """Return the current schedule of a tournament, including who came and left since its beginning."""
    return schedule_for(settings, rules, key, roster_of(store, {bot.name for bot in settings.bots}))


class StoredResults:
    """The results that an adaptive schedule reads from the store, only when needed, so that none stay in memory.

    The schedule draws for entries. A match is played by one version of each. A finished match stays, whichever version
    plays now; all others are for the versions of ``playing``. The matches of ``retired`` versions, by default the
    store's, do not count.
    """

    def __init__(
        self,
        store: Store,
        schedule: Schedule,
        playing: Mapping[str, str],
        *,
        low_wins: bool,
        retired: Collection[str] | None = None,
    ) -> None:
        self.store = store
        self.schedule = schedule
        self.playing = playing
        self.low_wins = low_wins
        gone = [version.name for version in store.versions() if version.retired] if retired is None else retired
        self.entry = {version.name: version.entry for version in store.versions() if version.name not in gone}
        self._number = Counter(self.entry.values())

    def with_versions(self, batch: Batch) -> Batch:
        """Return a batch of entries with the versions that have played its match, or are to play it."""
        return batch.with_versions(self._versions(batch.pairing, self.schedule.fresh_deals(batch.round)))

    def scores(self, pairing: Names, deals: range) -> dict[str, float] | None:
        """Return each entry's mean score over these sets without void ones; None if one has not been played."""
        versions = self._versions(pairing, deals)
        if not self._over(versions, deals):
            return None
        seatings = self.schedule.table.games(versions)
        sets = Sets(self.store.counting_of(versions, deals), seatings, low_wins=self.low_wins)
        counting = [deal for deal in deals if len(sets.games.get((versions, deal), ())) == seatings]
        found = sets.scores(versions, counting) if counting else None
        return {self.entry[name]: found[name] if found else 0.0 for name in versions}

    def _versions(self, pairing: Names, deals: range) -> Names:
        now = tuple(self.playing[name] for name in pairing)
        if self._over(now, deals):
            return now
        before = (versions for versions in self._others(pairing, deals) if self._over(versions, deals))
        return next(before, now)

    def _others(self, pairing: Names, deals: range) -> Iterator[Names]:
        """Yield the versions in which these entries have met on these deals, if one entry has had several."""
        if any(self._number[name] > 1 for name in pairing):
            for versions in self.store.pairings(deals[0]):
                if pairing == tuple(self.entry.get(name, "") for name in versions):
                    yield versions

    def _over(self, versions: Names, deals: range) -> bool:
        return len(self.store.games_on(versions, deals)) >= self.schedule.table.games(versions) * len(deals)
