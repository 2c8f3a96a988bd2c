"""Seats of a game that is played again as recorded: of a bot that is probed, and of one that is in another world."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from croupier.protocol.notifications import OPEN
from croupier.server.games.world import world_of
from croupier.server.imagining import imagined_deal, true_deal
from croupier.server.table.faults import Fault
from croupier.server.table.scripted_seat import ScriptedSeat

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from croupier.protocol.full_deal import FullDeal
    from croupier.server.games.game import Game
    from croupier.server.games.sheets import Text, Typed
    from croupier.server.table.messages import Answer, Question
    from croupier.server.table.process_seat import ProcessSeat
    from croupier.server.table.scripted_seat import Answered


class ProbedSeat(ScriptedSeat):
    """A seat whose bot is sent again, byte for byte, what it was sent.

    Only all hands, if it is told them, are imagined where ``seed`` names a world. Where none can be imagined the bot is
    not asked. ``times`` are the recorded seconds of its decisions, on which the clock and the bank in STATE depend.
    """

    def __init__(self, seat: ProcessSeat, script: Iterable[Answered], times: Iterable[float], seed: str = "") -> None:
        super().__init__(seat, script)
        self.skipped = 0
        """The number of decisions at which no world could be imagined."""
        self._times = iter(times)
        self._process = seat
        self._seed = seed if seat.sight == OPEN else ""

    def follow(self, game: Game, seat: int) -> None:
        """Take the game, to imagine its worlds."""
        super().follow(game, seat)
        self._at = game, seat

    async def compare(self, written: Answered, said: Answer, question: Question, seconds: float) -> Answer:
        """Ask in the seat's world."""
        said = replace(said, used=next(self._times, 0.0))
        if self._seed:
            deal = imagined_deal(*self._at, self._seed)
            if deal is None:
                self.skipped += 1
                return said
            self._process.deals = lambda *_: deal
        await super().compare(written, said, question, seconds)
        return said


class ElsewhereSeat(ScriptedSeat):
    """A seat whose bot is in another world, in which the ``subject`` would be told the same as in this one.

    At each of its decisions the bot is told another such world. Its answers count for nothing. Whatever it tells the
    subject in secret is then wrong.
    """

    def __init__(self, seat: ProcessSeat, script: Iterable[Answered], subject: int, seed: str) -> None:
        super().__init__(seat, script)
        self._subject = subject
        self._rng = Random(seed)
        make, self.sheet = seat.sheet, self._sheet  # type: ignore[assignment]  # it has the part that a seat uses
        self._make = make
        if seat.sight == OPEN:
            seat.deals = self._deal

    def _sheet(self, players: tuple[str, ...], seat: int) -> ElsewhereSheet:
        self._shown = ElsewhereSheet(type(self._make(players, seat)), players, seat, self._subject, self._rng)
        return self._shown

    def _deal(self, _game: Game, seat: int) -> FullDeal:
        return true_deal(self._shown.elsewhere, seat)

    async def compare(self, written: Answered, said: Answer, question: Question, seconds: float) -> Answer:
        """Ask, and ignore the answer; a bot at fault is started again."""
        self._behind.ready()
        if isinstance((await self._behind.ask(question, seconds)).outcome, Fault):
            self._behind.retire()
        return said


class ElsewhereSheet:
    """A sheet on which a seat is shown another world in place of the game."""

    def __init__(self, make: type[Text | Typed], players: Sequence[str], seat: int, subject: int, rng: Random) -> None:
        self._make = make
        self._players = tuple(players)
        self._seat = seat
        self._subject = subject
        self._rng = rng
        self.elsewhere: Game
        """The game in that world."""

    def state(self, game: Game, *clock: Any) -> object:
        """Return STATE in another world, which is dealt for each call."""
        self.elsewhere = world_of(game).determinize(self._subject, self._rng).game
        return self._make(self._players, self._seat).state(self.elsewhere, *clock)
