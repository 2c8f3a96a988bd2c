"""Changes: what is different from the last run in a folder, and what that costs, said before anything is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.server.tournaments.formats.schedule import NoResults

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from croupier.server.tournaments.formats.schedule import Names, Schedule
    from croupier.server.tournaments.keeping.chain import ChainState
    from croupier.server.tournaments.keeping.store import Store


class Changes(NamedTuple):
    """Sentences about entries that came, changed or left; how many games there are, and how many are to be played."""

    sentences: tuple[str, ...]
    kept: int
    missing: int | None

    @classmethod
    def between(cls, before: ChainState, now: Mapping[str, str], store: Store, schedule: Schedule) -> Changes:
        """Compare the versions of the last run, by the chain before this one, with those of this one, by entry."""
        tables = None if schedule.adaptive else list(_missing(store, schedule, now))
        left = [name for entry, name in before.playing.items() if entry not in now]
        sentences = [*_came(before, now, tables), *(f"{name} has left; what it has played stays" for name in left)]
        missing = None if tables is None else sum(games for _, games in tables)
        return cls(tuple(sentences), store.counts()[0], missing)

    def lines(self) -> list[str]:
        """Return what a person is told; nothing where no entry has changed."""
        if not self.sentences:
            return []
        rest = "the results decide what is to be played" if self.missing is None else f"{self.missing} are to be played"
        return [*self.sentences, f"{self.kept} games are kept, {rest}"]


def _missing(store: Store, schedule: Schedule, now: Mapping[str, str]) -> Iterator[tuple[Names, int]]:
    """Yield each batch's pairing with how many of its games can and have yet to be played."""
    here = set(now.values())
    for batches in schedule.rounds(NoResults()):
        for batch in batches:
            if here.issuperset(batch.pairing):
                known = store.known(batch.pairing, batch.deals)
                yield batch.pairing, sum(game not in known for game in batch.games())


def _came(before: ChainState, now: Mapping[str, str], tables: list[tuple[Names, int]] | None) -> Iterator[str]:
    old = before.playing
    for entry, name in now.items():
        if old.get(entry) == name:
            continue
        games = "" if tables is None else f": {sum(games for pairing, games in tables if name in pairing)} games"
        if entry in old:
            yield f"{entry} has changed and plays as {name}{games}; what {old[entry]} has played stays"
        else:
            yield f"{name} is {'back' if name in before.programs else 'new'}{games}"
