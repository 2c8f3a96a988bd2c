"""Probing: asks a table's bots again about their games, in worlds that they cannot tell apart from the real one.

Fresh processes are sent what the bots were sent. First all of them are asked in the same world, and then, for each
other world, each bot of strangers' in turn: what it is told stays the same, while the other strangers are told of
another world. If it is seated as open, it is told that world too. A bundled bot tells nobody anything, so that it need
not be there.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from croupier.server.entries import AUTO
from croupier.server.processes.temporary_folder import temporary_folder
from croupier.server.records.answers import answers
from croupier.server.table.played_game import Probed
from croupier.server.table.probed_seat import ElsewhereSeat, ProbedSeat
from croupier.server.table.process_seat import ProcessSeat
from croupier.server.table.scripted_seat import ScriptedSeat
from croupier.server.table.table import Table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.server.deals import KeyedDeal
    from croupier.server.entries import Entry
    from croupier.server.games.game import Game
    from croupier.server.processes.host import Host
    from croupier.server.processes.sandbox import SandboxSettings
    from croupier.server.table.played_game import Names, PlayedGame
    from croupier.server.table.referee import Terms
    from croupier.server.table.scripted_seat import Mismatch
    from croupier.server.table.seat import Seat

    Answers = Mapping[int, "Heard"]
    """What was heard of each place of a table."""

LOOKS = 8
"""How often a bot is asked again, in both worlds alternately, before a changed answer is held against it.

A bot that tosses a coin there answers so that it looks guilty in one case of 65,536.
"""


class SeatedGame(NamedTuple):
    """A game of a table: which of the table's entries sat in each seat, and the names there."""

    deal: KeyedDeal
    places: Sequence[int]
    names: Names
    game: PlayedGame


class Heard(NamedTuple):
    """The answers of a bot that was asked again about a game: those as recorded, and the first that was not."""

    agreed: int
    difference: Mismatch | None = None
    skipped: int = 0

    @property
    def end(self) -> tuple[int, str] | None:
        """The place of the different answer in the game, and the answer; None if there is none."""
        return None if self.difference is None else (self.agreed + self.skipped, self.difference.found)

    def compare(self, other: Heard) -> tuple[int, int]:
        """Return how many answers of another time can be compared with these, and how many are different: 0 or 1.

        A late answer may be the machine's fault, and the other may have been skipped where this one ends: then only the
        answers before count.
        """
        same = min(self.agreed, other.agreed)
        ends = [each.difference for each in (self, other) if each.difference is not None]
        if any(end.late for end in ends) or (other.skipped and self.difference is not None):
            return same, 0
        return same + bool(ends), int(self.end != other.end)


@dataclass(frozen=True)
class Probe:
    """How a table's games were played, and in how many other ``worlds`` its bots are asked again."""

    entries: Sequence[Entry]
    rules: type[Game]
    options: Mapping[str, Atom]
    terms: Terms
    worlds: int
    start: float
    sandboxing: SandboxSettings
    host: Host | None = None
    strangers: list[int] = field(init=False)
    """The places of the entries that are not bundled."""

    def __post_init__(self) -> None:
        strangers = [place for place, entry in enumerate(self.entries) if _is_strangers(entry)]
        object.__setattr__(self, "strangers", strangers)

    async def ask(self, games: Sequence[SeatedGame]) -> list[PlayedGame]:
        """Ask about games that the same processes played one after another; return them with what was found."""
        everybody = range(len(self.entries))
        first = await self._run(games, everybody, everybody)
        strayed = {place for heard in first for place, each in heard.items() if each.difference is not None}
        second = await self._run(games, strayed.union(self.strangers), strayed) if strayed else [{} for _ in games]
        found = [
            {place: _again(each, second_one.get(place)) for place, each in first_one.items()}
            for first_one, second_one in zip(first, second, strict=True)
        ]
        for world in range(1, self.worlds + 1):
            for group in self._groups():
                await self._ask_in(world, group, games, first, found)
        return [
            one.game._replace(probed=tuple([each[place] for place in one.places]))
            for one, each in zip(games, found, strict=True)
        ]

    def _groups(self) -> list[list[int]]:
        """Return who can be asked in the same run: one stranger in each, all bundled bots in the first."""
        bundled = [place for place in range(len(self.entries)) if place not in self.strangers]
        first, *others = [[place] for place in self.strangers] or [[]]
        return [first + bundled, *others]

    async def _ask_in(
        self,
        world: int,
        group: Sequence[int],
        games: Sequence[SeatedGame],
        first: Sequence[Answers],
        found: Sequence[dict[int, Probed]],
    ) -> None:
        """Ask a group in another world, and add what is found; look again at the first answer that changes."""
        known = {place for each in found for place in each if each[place].proofs or each[place].changed_again}
        judged = {self.entries[place].command for place in known}
        for number, heard in enumerate(await self._run(games, group, group, world)):
            for place, each in heard.items():
                asked, changed = first[number][place].compare(each)
                now = Probed(asked=asked, changed=changed, skipped=each.skipped)
                if changed and self.entries[place].command not in judged:
                    judged.add(self.entries[place].command)
                    before = [one[place] for one in first[: number + 1]]
                    now = now.plus(await self._look_again(world, group, games[: number + 1], place, before))
                found[number][place] = found[number][place].plus(now)

    async def _look_again(
        self, world: int, group: Sequence[int], games: Sequence[SeatedGame], place: int, before: Sequence[Heard]
    ) -> Probed:
        """Ask one bot about these games again and again, to see whether its answers depend on the world.

        They do if they are always those ``before`` in the same world, and always the same others in the other one. If
        not, the bot plays at random.
        """
        there = {place, *self.strangers}
        same = await self._settle(games, there, place)
        other = await self._settle(games, group, place, world) if same == before else None
        return Probed(again=1, changed_again=1) if other in (None, same) else Probed(proofs=1)

    async def _settle(
        self, games: Sequence[SeatedGame], here: Collection[int], place: int, world: int = 0
    ) -> list[Heard] | None:
        """Ask one bot again and again; return its answers, None if they are not always the same.

        The first time does not count: a note that bots left in the world before might still be read.
        """
        await self._run(games, here, {place}, world)
        answered: list[Heard] | None = None
        for _ in range(LOOKS):
            now = [one[place] for one in await self._run(games, here, {place}, world)]
            if answered not in (None, now):
                return None
            answered = now
        return answered

    async def _run(
        self, games: Sequence[SeatedGame], here: Collection[int], asked: Iterable[int], world: int = 0
    ) -> list[Answers]:
        """Play games again, with the bots of some places ``here`` in their own world, and listen to those ``asked``.

        In another ``world``, 0 being the real one, strangers that are not here are elsewhere.
        """
        there = set(here) | (set(self.strangers) if world else set())
        entries = [_seated(entry, there=place in there) for place, entry in enumerate(self.entries)]
        found: list[Answers] = []
        with temporary_folder() as folder:
            async with Table(entries, folder, self.start, sandboxing=self.sandboxing, host=self.host) as table:
                for each in games:
                    table.change_seats(each.places, each.names)
                    fronts = self._fronts(table.seats, each, here, world)
                    await table.play(self.rules, self.options, each.deal, self.terms, fronts=fronts)
                    heard = dict(zip(each.places, fronts, strict=True))
                    found.append({place: _heard(heard[place]) for place in asked})
        return found

    def _fronts(self, seats: Sequence[Seat], one: SeatedGame, here: Collection[int], world: int) -> list[ScriptedSeat]:
        known = answers("\n".join(one.game.record))
        subject = next((seat for seat, place in enumerate(one.places) if place in here and place in self.strangers), 0)
        fronts: list[ScriptedSeat] = []
        for number, (seat, place, name) in enumerate(zip(seats, one.places, one.names, strict=True)):
            script = known[name]
            seed = f"{one.deal.seed('probe', number)} {world}" if world else ""
            if not isinstance(seat, ProcessSeat):
                fronts.append(ScriptedSeat(seat, script, asked=False))
            elif place in here:
                fronts.append(ProbedSeat(seat, script, one.game.thinking[number], seed))
            else:
                fronts.append(ElsewhereSeat(seat, script, subject, seed))
        return fronts


def _is_strangers(entry: Entry) -> bool:
    """Return whether an entry plays, and may do more than answer: its program, or a variable of it, is not ours."""
    return not entry.withdrawn and (entry.builtin is None or bool(entry.env))


def _seated(entry: Entry, *, there: bool) -> Entry:
    """Return an entry for a table at which no process is tried for a second game, absent unless it is ``there``."""
    lifetime = "game" if entry.lifetime == AUTO else entry.lifetime
    return replace(entry, lifetime=lifetime, withdrawn=entry.withdrawn or ("" if there else "it is not asked"))


def _again(first: Heard, second: Heard | None) -> Probed:
    """Return what was found in the same world, where a bot is asked twice if it did not answer as recorded."""
    if second is None:
        return Probed(again=first.agreed)
    asked, changed = first.compare(second)
    strayed = first.difference is not None and not first.difference.late and not changed
    return Probed(again=asked, changed_again=changed, strayed=int(strayed))


def _heard(front: ScriptedSeat) -> Heard:
    return Heard(front.agreed, front.difference, front.skipped if isinstance(front, ProbedSeat) else 0)
