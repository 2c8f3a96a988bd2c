"""Shadow play: a game that would go as another of its deal is not played, but taken over.

Everybody who would sit where another sat is sent that game and asked each decision; if all answer as was answered
there, and nobody goes by chance, the games are the same. That nobody does is not taken on trust: some are played.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol.record import BadRecord
from croupier.server.entries import distinct_names
from croupier.server.records.answers import answers, course
from croupier.server.records.files import BadFile, read_records
from croupier.server.table.scripted_seat import ScriptedSeat
from croupier.server.tournaments.folder import RECORDS
from croupier.server.tournaments.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.server.deals import KeyedDeal
    from croupier.server.games.game import Game
    from croupier.server.table.played import Names, PlayedGame
    from croupier.server.table.referee import Terms
    from croupier.server.table.scripted_seat import Answered
    from croupier.server.table.table import Table
    from croupier.server.tournaments.store import Store

PLAYED_FIRST, PLAYED_OF = 2, 16
"""Of the first deals all games are played, later one of so many of those that could be taken over, drawn by the key."""


class Unlike(StoreError):
    """A game that was played all the same, to see, did not go as the one that would have been taken over."""


class Source(NamedTuple):
    """A game of the same deals that somebody has played."""

    seating: Names
    deal: int
    record: str


@dataclass
class Course:
    """How games of a deal went, by seat; who would have it go so there, and who would not."""

    plays: tuple[str, ...]
    scripts: tuple[Sequence[Answered], ...]
    agreed: set[tuple[int, str]] = field(default_factory=set)
    differed: set[tuple[int, str]] = field(default_factory=set)

    def unknown(self, seating: Names, may_ask: Collection[str]) -> list[int] | None:
        """List the seats whose players have yet to be asked; None if it is known not to go so, or all would be."""
        seats = [place for place in enumerate(seating) if place not in self.agreed]
        known_to_differ = any(place in self.differed or place[1] not in may_ask for place in seats)
        return None if known_to_differ or len(seats) == len(seating) else [seat for seat, _ in seats]


class Shadows:
    """The courses of some deals, and the games that can be taken over from them. ``two`` may replace each other."""

    def __init__(self, two: Collection[str], sources: Iterable[Source]) -> None:
        self.two = two
        self._courses: defaultdict[int, list[Course]] = defaultdict(list)
        for source in sources:
            self.note(source)

    def note(self, source: Source) -> None:
        """Take in a game that went its way without a fault."""
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
        """Return the course that a game may go with the fewest questions, and the seats to ask."""
        found = [(one, one.unknown(seating, self.two)) for one in self._courses[deal]]
        open_ = [(one, seats) for one, seats in found if seats is not None]
        return min(open_, key=lambda each: len(each[1]), default=None)

    def compare(self, game: PlayedGame, taken: PlayedGame | None) -> None:
        """Take in a game that was played; raise Unlike if it was to go otherwise."""
        if taken is not None:
            _require_alike(taken, game)
        if self.two and game.clean:
            self.note(Source(game.seating, game.deal, "\n".join(game.record)))

    async def take_over(
        self,
        table: Table,
        rules: type[Game],
        options: Mapping[str, Atom],
        deal: KeyedDeal,
        terms: Terms,
        seating: Names,
    ) -> PlayedGame | None:
        """Return a game as it would have gone, if everybody who is asked agrees; the table has its players seated."""
        found = self.best(seating, deal.number)
        if found is None:
            return None
        course_, asked = found
        fronts = [
            ScriptedSeat(seat, script, asked=place in asked)
            for place, (seat, script) in enumerate(zip(table.seats, course_.scripts, strict=True))
        ]
        marked = terms._replace(shadow=frozenset(asked))
        game = await table.play(rules, options, deal, marked, fronts=fronts)
        for place in asked:
            same = course_.agreed if fronts[place].difference is None else course_.differed
            same.add((place, seating[place]))
        return None if any(front.difference for front in fronts) or not game.clean else game


def to_see(deal: KeyedDeal, seating: Names) -> bool:
    """Say whether a game that could be taken over is played all the same."""
    return deal.number <= PLAYED_FIRST or deal.chance("shadow", seating) % PLAYED_OF == 0


def _require_alike(taken: PlayedGame, played: PlayedGame) -> None:
    """Raise Unlike, with who answered otherwise, if a game without a fault did not go as was said."""
    if not played.clean:
        return
    both = zip(*(course("\n".join(game.record)) for game in (taken, played)), strict=False)
    other = next((found for expected, found in both if found != expected), None)
    if other is not None:
        name = played.seating[int(other.split(" ", 2)[1])]
        raise Unlike(
            f"{name} does not answer the same to the same, so none can be taken over (--no-shadow plays all): deal"
            f" {played.deal}, seated {' '.join(played.seating)}, was played otherwise than it was to go"
        )


def sources(store: Store, deals: range, two: Collection[str]) -> tuple[Source, ...]:
    """Return the games of some deals that were played, or taken over, without a fault at tables with one of two."""
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
