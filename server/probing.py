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
    """The answers of a bot in one game: how many were as recorded, and the first that was not."""

    agreed: int
    difference: Mismatch | None
    skipped: int

    @property
    def changed(self) -> bool:
        """Return whether an answer was different. A late one may be the machine's fault, so it counts for nothing."""
        return self.difference is not None and not self.difference.late

    @property
    def asked(self) -> int:
        """Return the number of answers that count."""
        return self.agreed + self.changed


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
        found = [dict.fromkeys(everybody, Probed()) for _ in games]
        for number, heard in enumerate(await self._run(games, everybody, everybody)):
            for place, each in heard.items():
                same = Probed(again=each.asked, changed_again=int(each.changed))
                found[number][place] = found[number][place].plus(same)
        for world in range(1, self.worlds + 1):
            for group in self._groups():
                await self._ask_in(world, group, games, found)
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
        self, world: int, group: Sequence[int], games: Sequence[SeatedGame], found: list[dict[int, Probed]]
    ) -> None:
        """Ask a group in another world, and add what is found; look again at the first answer that changes."""
        known = {place for each in found for place in each if each[place].proofs or each[place].changed_again}
        judged = {self.entries[place].command for place in known}
        for number, heard in enumerate(await self._run(games, group, group, world)):
            for place, each in heard.items():
                now = Probed(asked=each.asked, changed=int(each.changed), skipped=each.skipped)
                if each.changed and self.entries[place].command not in judged:
                    judged.add(self.entries[place].command)
                    now = now.plus(await self._look_again(world, group, games[: number + 1], place, each))
                found[number][place] = found[number][place].plus(now)

    async def _look_again(
        self, world: int, group: Sequence[int], games: Sequence[SeatedGame], place: int, first: Heard
    ) -> Probed:
        """Ask one bot about these games again and again in both worlds, to see whether the last answer depends on them.

        If it does, that is a proof. If not, an answer has changed in the same world.
        """
        beside = {place, *self.strangers}
        for _ in range(LOOKS):
            same = [each[place] for each in await self._run(games, beside, {place})]
            other = [each[place] for each in await self._run(games, group, {place}, world)]
            if any(each.changed for each in same) or any(each.changed for each in other[:-1]) or other[-1] != first:
                return Probed(again=1, changed_again=1)
        return Probed(proofs=1)

    async def _run(
        self, games: Sequence[SeatedGame], here: Collection[int], asked: Iterable[int], world: int = 0
    ) -> list[dict[int, Heard]]:
        """Play games again, with the bots of some places ``here`` in their own world, and listen to those ``asked``.

        In another ``world``, 0 being the real one, strangers that are not here are elsewhere.
        """
        there = set(here) | (set(self.strangers) if world else set())
        entries = [_seated(entry, there=place in there) for place, entry in enumerate(self.entries)]
        found = []
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


def _heard(front: ScriptedSeat) -> Heard:
    return Heard(front.agreed, front.difference, front.skipped if isinstance(front, ProbedSeat) else 0)


def total(games: Iterable[PlayedGame]) -> dict[str, Probed]:
    """Return the sum of what the probe found in games, by player."""
    found: dict[str, Probed] = {}
    for game in games:
        for name, probed in zip(game.seating, game.probed, strict=False):
            found[name] = found.get(name, Probed()).plus(probed)
    return found


def line(probed: Probed) -> str:
    """Return what the probe found of a bot, in words."""
    counted = f"{probed.changed} of {probed.asked} answers changed"
    if probed.proofs:
        said = f"{counted} in worlds that it could not tell apart: it plays by more than its own cards"
    elif probed.changed_again:
        said = f"plays at random: {probed.changed_again} of {probed.again} answers changed in the same world, {counted}"
        said += " in others"
    elif not probed.asked:
        said = "not asked"
    else:
        said = counted
    return said + (f"; {probed.skipped} not asked, as no other world could be imagined" if probed.skipped else "")


def verdict(probed: Probed) -> str:
    """Return what the probe found of a bot, in two words."""
    if probed.proofs:
        return "sees more"
    if probed.changed_again:
        return "at random"
    return "own cards" if probed.asked else "not asked"


def document(probed: Probed) -> dict[str, object]:
    """Return the form that scripts rely on."""
    counts = probed._asdict()
    del counts["proofs"]
    return {"verdict": verdict(probed), **counts}
