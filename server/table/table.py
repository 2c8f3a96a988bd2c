"""A table: seats for entries, whose processes are kept warm from game to game and replaced where necessary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import trio

from croupier.server.entries import AUTO
from croupier.server.processes.host import Host
from croupier.server.processes.sandbox import SandboxSettings
from croupier.server.table.process_seat import ProcessSeat
from croupier.server.table.referee import Referee
from croupier.server.table.seat import AbsentSeat
from croupier.server.table.tried_seat import TriedSeat

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from typing import Self, TextIO

    from croupier.protocol.sexp import Atom
    from croupier.server.deals import KeyedDeal
    from croupier.server.entries import Entry
    from croupier.server.games.game import Game, Play
    from croupier.server.table.played_game import PlayedGame
    from croupier.server.table.referee import Terms
    from croupier.server.table.resumed_game import ResumedGame
    from croupier.server.table.seat import Seat


class Table:
    """Play games between the same entries in the same seats; use it as an async context manager.

    ``folder`` is the table's own: each bot works in a folder inside it and has its standard error in a file there.
    ``keep`` receives each bot's standard error, with the deal's number and the bot's name, once a game is completely
    over: when the next one begins, or the table ends. A ``host`` serves several tables of these entries, one after
    another; without one the table has its own. ``person`` makes the seat of a person, by name. ``beside_others`` yields
    to other tables of this process after each decision, because a bot that answers at once never would.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        folder: Path,
        start: float = 5.0,
        wire: Path | None = None,
        sandboxing: SandboxSettings = SandboxSettings(),
        host: Host | None = None,
        keep: Callable[[int, str, str], None] | None = None,
        person: Callable[[str], Seat] | None = None,
        *,
        beside_others: bool = False,
    ) -> None:
        self.entries = entries
        self._beside_others = beside_others
        self._person = person or _at_terminal
        self.host = host or Host(sandboxing.hiding(entries))
        self._hosted = host is not None
        self.folder = folder
        self._start = start
        self._keep = keep
        self._deal = 0
        self._handed_over = True
        self.record: list[str] = []
        """The record of the last game, even if it was interrupted."""
        self._wires: list[TextIO] = []
        self.seats = self._players = [self._seat(entry, wire) for entry in entries]

    def _seat(self, entry: Entry, wire: Path | None) -> Seat:
        if entry.human:
            return self._person(entry.name)
        if entry.withdrawn:
            return AbsentSeat(entry.name, entry.withdrawn)
        log = None
        if wire is not None:
            wire.mkdir(parents=True, exist_ok=True)
            log = (wire / f"{entry.name}.wire").open("w", encoding="utf-8", errors="surrogateescape")
            self._wires.append(log)
        errors = self.folder / f"{entry.name}.stderr"
        keeps = self._keep is not None
        sort = TriedSeat if entry.lifetime == AUTO else ProcessSeat
        place = entry, self.folder / entry.name, errors, self.host, self._start, log
        return sort(*place, keeps=keeps, beside_others=self._beside_others)

    def change_seats(self, order: Sequence[int], names: Sequence[str]) -> None:
        """Seat the players in this order of the entries, with these names, from the next game on."""
        self._hand_over()
        self.seats = [self._players[place] for place in order]
        for seat, name in zip(self.seats, names, strict=True):
            seat.name = name

    async def play(
        self,
        rules: type[Game],
        options: Mapping[str, Atom],
        deal: KeyedDeal,
        terms: Terms,
        watch: Callable[[Game, int, Play], None] | None = None,
        fronts: Sequence[Seat] | None = None,
        begun: ResumedGame | None = None,
    ) -> PlayedGame:
        """Play one game, or continue one that has ``begun``.

        Afterwards, faulty players and single-game processes are gone.

        ``fronts``, if given, are placed before the table's seats and answer for them.
        """
        if not self._handed_over:
            self._hand_over()
        # a bot of the last game must not compute beside this one
        await self.host.wait_until_gone()
        self._deal, self._handed_over = deal.number, False
        seats, beside = fronts or self.seats, self._beside_others
        referee = Referee(rules, options, seats, deal, terms, watch, begun, beside_others=beside)
        self.record = referee.record
        result = await referee.play()
        for seat in self.seats:
            await seat.part()
        return result

    def _hand_over(self) -> None:
        """Pass on the standard error of the last game."""
        self._handed_over = True
        for seat in self.seats:
            written = seat.errors()
            if written and self._keep is not None:
                self._keep(self._deal, seat.name, written)

    async def _leave(self) -> None:
        with trio.CancelScope(shield=True):
            async with trio.open_nursery() as nursery:
                for seat in self.seats:
                    nursery.start_soon(seat.leave)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        if exc[0] is None:
            for seat in self.seats:
                await seat.confirm()
        await self._leave()
        await self.host.wait_until_gone()
        # only now: standard error is complete when its processes are gone
        try:
            self._hand_over()
        finally:
            self._close()

    def _close(self) -> None:
        if not self._hosted:
            self.host.close()
        for log in self._wires:
            try:
                log.close()
            except OSError as problem:
                raise OSError(problem.errno, problem.strerror, log.name) from None


def _at_terminal(name: str) -> Seat:
    from croupier.server.table.terminal_seat import TerminalSeat  # noqa: PLC0415  bots need no rich

    return TerminalSeat(name)
