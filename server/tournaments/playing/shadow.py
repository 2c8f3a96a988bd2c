"""Shadow play: a game that would go as another of its deal is not played, but copied.

Each player who would sit where another sat is sent that game and asked each decision. If all give the recorded answers,
and none plays at random, the games are the same. That assumption is tested: some such games are played.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol.record import BadRecord
from croupier.server.entries import distinct_names
from croupier.server.processes.temporary_folder import temporary_folder
from croupier.server.records.answers import answers, course
from croupier.server.records.files import BadFile, read_records
from croupier.server.table.scripted_seat import ScriptedSeat
from croupier.server.table.table import Table
from croupier.server.tournaments.keeping.folder import RECORDS
from croupier.server.tournaments.keeping.store import StoreError
from croupier.server.tournaments.playing.batch import Dealer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from croupier.server.deals import KeyedDeal
    from croupier.server.table.played_game import Names, PlayedGame
    from croupier.server.table.scripted_seat import Answered
    from croupier.server.tournaments.entering.fingerprint import Watched
    from croupier.server.tournaments.keeping.packed_games import PackedGames
    from croupier.server.tournaments.keeping.store import Store
    from croupier.server.tournaments.playing.batch import Job, Sitting

PLAYED_FIRST, PLAYED_OF = 2, 16
"""All games of the first deals are played. Of later ones that could be copied, the key draws one per this number."""


class Unlike(StoreError):
    """A game that was played as a test did not go as the one that would have been copied."""


class Source(NamedTuple):
    """A game of the same deals that was played."""

    seating: Names
    deal: int
    record: str


@dataclass
class Course:
    """The course of some games of a deal, by seat; which players would play the same there, and which would not."""

    plays: tuple[str, ...]
    scripts: tuple[Sequence[Answered], ...]
    agreed: set[tuple[int, str]] = field(default_factory=set)
    differed: set[tuple[int, str]] = field(default_factory=set)

    def seats_to_ask(self, seating: Names, may_ask: Collection[str]) -> list[int] | None:
        """List the seats whose players must still be asked; None if it is known to differ, or would ask all."""
        seats = [place for place in enumerate(seating) if place not in self.agreed]
        known_to_differ = any(place in self.differed or place[1] not in may_ask for place in seats)
        return None if known_to_differ or len(seats) == len(seating) else [seat for seat, _ in seats]


class Shadows:
    """The courses of some deals, and the games that can be copied from them. The ``two`` may replace each other."""

    def __init__(self, two: Collection[str], sources: Iterable[Source]) -> None:
        self.two = two
        self._courses: defaultdict[int, list[Course]] = defaultdict(list)
        for source in sources:
            self.note(source)

    def note(self, source: Source) -> None:
        """Add a game that was played without a fault."""
        names = distinct_names(source.seating)
        try:
            known, plays = answers(source.record), course(source.record)
            scripts = tuple(known[name] for name in names)
        except (BadRecord, KeyError):
            return
        same = next((one for one in self._courses[source.deal] if one.plays == plays), None)
        if same is None:
            same = Course(plays, scripts)
            self._courses[source.deal].append(same)
        same.agreed.update(enumerate(source.seating))

    def best(self, seating: Names, deal: int) -> tuple[Course, list[int]] | None:
        """Return the course that a game may follow with the fewest questions, and the seats to ask."""
        found = [(one, one.seats_to_ask(seating, self.two)) for one in self._courses[deal]]
        open_ = [(one, seats) for one, seats in found if seats is not None]
        return min(open_, key=lambda each: len(each[1]), default=None)


class ShadowDealer(Dealer):
    """The dealer that copies the games that go as others of their deals, and plays the rest.

    Players are asked about games before the sitting, by processes that play in none of them.
    """

    def __init__(
        self, job: Job, played: PackedGames, watched: Watched, two: Collection[str], sources: Iterable[Source]
    ) -> None:
        super().__init__(job, played, watched)
        self._shadows = Shadows(two, sources)
        self._taken: dict[tuple[Names, int], PlayedGame] = {}

    async def look_ahead(self, sitting: Sitting, stopped: Callable[[], bool]) -> None:
        """Find the games of a sitting that can be copied; if an entry no longer plays, all are played."""
        self._taken.clear()
        job = self.job
        if job.absent:
            return
        hopeful = [game for game in sitting if self._shadows.best(*game)]
        with temporary_folder() as folder:
            async with Table(job.entries_for_one_game(), folder, job.start, sandboxing=job.sandboxing) as table:
                for seating, deal in hopeful:
                    if stopped():
                        break
                    game = await self._take_over(table, seating, deal)
                    if game is not None:
                        self._taken[seating, deal] = game

    async def _take_over(self, table: Table, seating: Names, deal: int) -> PlayedGame | None:
        """Return a copied game, if everybody who is asked agrees."""
        found = self._shadows.best(seating, deal)
        if found is None:
            return None
        course_, asked = found
        self.job.seat(table, seating)
        fronts = [
            ScriptedSeat(seat, script, asked=place in asked)
            for place, (seat, script) in enumerate(zip(table.seats, course_.scripts, strict=True))
        ]
        marked = self.job.terms._replace(shadow=frozenset(asked))
        game = await self.job.play_at(table, seating, deal, marked, fronts)
        for place in asked:
            same = course_.agreed if fronts[place].difference is None else course_.differed
            same.add((place, seating[place]))
        return None if any(front.difference for front in fronts) or not game.clean else game

    async def deal(self, table: Table, seating: Names, deal: int) -> None:
        """Keep a game of this deal; raise Unlike if it was played as a test, and differs."""
        taken = self._taken.get((seating, deal))
        if taken is not None and not is_played_to_see(self.job.deals[deal], seating):
            self.played.append(taken)
            return
        game = await self.play(table, seating, deal, soon=taken is None)
        if taken is not None:
            _require_alike(taken, game)
        if game.clean:
            self._shadows.note(Source(seating, deal, *game.record))


def shadowing(job: Job, store: Store, two: Collection[str]) -> Job:
    """Return a batch in which ``two`` may replace each other, in its own games and in those of the store."""
    deals = [deal for _, deal in job.games]
    known = sources(store, range(min(deals), max(deals) + 1), two)
    return replace(job, dealer=partial(ShadowDealer, two=two, sources=known), in_one=True)


def is_played_to_see(deal: KeyedDeal, seating: Names) -> bool:
    """Return whether a game that could be copied is played as a test."""
    return deal.number <= PLAYED_FIRST or deal.chance("shadow", seating) % PLAYED_OF == 0


def _require_alike(taken: PlayedGame, played: PlayedGame) -> None:
    """Raise Unlike, naming who answered differently, if a faultless game did not go as predicted."""
    if not played.clean:
        return
    both = zip(*(course(*game.record) for game in (taken, played)), strict=False)
    other = next((found for expected, found in both if found != expected), None)
    if other is not None:
        name = played.seating[int(other.split(" ", 2)[1])]
        raise Unlike(
            f"{name} does not answer the same to the same, so none can be taken over (--no-shadow plays all): deal"
            f" {played.deal}, seated {' '.join(played.seating)}, was played otherwise than it was to go"
        )


def sources(store: Store, deals: range, two: Collection[str]) -> tuple[Source, ...]:
    """Return the faultless games of some deals, played or copied, at tables with one of the two."""
    found = []
    texts: tuple[str, list[str]] = ("", [])
    for game, file, place in store.games("WHERE deal BETWEEN ? AND ?", (deals[0], deals[-1])):
        if not game.clean or set(two).isdisjoint(game.seating):
            continue
        if texts[0] != file:
            try:
                texts = file, [record.text for record in read_records(store.folder / RECORDS / file)]
            except (OSError, BadFile):
                texts = file, []
        found.append(Source(game.seating, game.deal, texts[1][place] if place < len(texts[1]) else ""))
    return tuple(found)
