"""HostedSitting: a table of an environment at which bots sit too, run by the referee of all other tables."""

from __future__ import annotations

from queue import SimpleQueue
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import trio

from croupier.agents import bundled
from croupier.protocol.notifications import NATIVE, TABLE, Update
from croupier.server.learning.sitting import Gains, Sitting
from croupier.server.processes.temporary_folder import temporary_folder
from croupier.server.table.faults import Policy
from croupier.server.table.messages import Answer
from croupier.server.table.referee import Terms
from croupier.server.table.seat import LocalSeat, Seat
from croupier.server.table.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from croupier.protocol.notifications import Notification
    from croupier.server.arrays import Encoder
    from croupier.server.deals import KeyedDeal
    from croupier.server.entries import Entry
    from croupier.server.games.game import Game, News, Play
    from croupier.server.learning.portal import Portal
    from croupier.server.learning.rendering import Rendering
    from croupier.server.table.messages import Question
    from croupier.server.table.played_game import PlayedGame


class Lost(NamedTuple):
    """A failure in the loop, to be raised where a play was wanted."""

    problem: BaseException


class LearnerSeat(Seat):
    """A seat whose plays come from the thread that steps the environment. The first of a table also draws it."""

    LOOKS: ClassVar[bool] = True

    def __init__(self, name: str, sitting: HostedSitting) -> None:
        super().__init__(name)
        self._sitting = sitting
        self._game: Game | None = None
        self._leads = False

    def follow(self, game: Game, seat: int) -> None:
        """Take the game."""
        self._leads = self._sitting.begun(game, seat)

    def before(self, seat: int, play: Play, seen: Play) -> None:
        """Draw what precedes a play."""
        if self._leads and self._sitting.rendered is not None:
            self._sitting.rendered.before(seat, play, seen)

    def after(self, seat: int, news: Sequence[News]) -> None:
        """Draw what follows a play."""
        if self._leads and self._sitting.rendered is not None:
            self._sitting.rendered.after(seat, news)

    def tell(self, note: Notification, texts: dict[str, str]) -> None:
        """Hear the scores of hands."""
        match note:
            case Update(name, play) if self._leads and name == TABLE:
                self._sitting.gains.hear(play)

    async def ask(self, question: Question, seconds: float) -> Answer:
        """Hand over to the thread of the environment, and wait for its play, however long it takes."""
        return Answer(await self._sitting.wait_for_play())


class HostedSitting(Sitting):
    """A table at which bots sit beside the learners.

    A bundled bot plays in this process, any other program behind a pipe. A bot that commits a fault is replaced by a
    stand-in until the game is over.
    """

    def __init__(
        self,
        encoder: Encoder,
        players: tuple[str, ...],
        bots: Mapping[int, Entry],
        seconds: float,
        portal: Portal,
        rendering: Callable[[Game], Rendering] | None = None,
    ) -> None:
        super().__init__(encoder, players, rendering)
        self._bots = bots
        self._terms = Terms(time=seconds, on_fault=Policy.STAND_IN)
        self._portal = portal
        self._asked: SimpleQueue[PlayedGame | Lost | None] = SimpleQueue()
        self._over = True
        self._result: PlayedGame | None = None
        self._first = min(seat for seat in range(len(players)) if seat not in bots)
        portal.start(self._serve)
        self._await_event()

    @property
    def turn(self) -> int | None:
        """The learner to decide, None once the game is over."""
        return None if self._over else self.game.turn

    @property
    def is_void(self) -> bool:
        """Return whether the game is over and counts for nobody."""
        return self._over and self._result is not None and not self._result.scores

    def begin(self, deal: KeyedDeal) -> None:
        """Begin a game; one that is not over is given up, and programs that were in it are started again."""
        if not self._over:
            self._portal.call(self._scope.cancel)
            self._await_event()
        self._over, self._result = False, None
        self._portal.call(self._deals.send_nowait, deal)
        self._await_event()

    def play(self, play: Play) -> None:
        """Make a learner's play, and let the bots play until a learner is on turn again."""
        self._portal.call(self._plays.send_nowait, play)
        self._await_event()

    def _await_event(self) -> None:
        """Block until a learner is asked, or a game is over."""
        event = self._asked.get()
        if isinstance(event, Lost):
            raise event.problem
        if event is not None:
            self._over, self._result = True, event
            if event.scores:
                self.gains.settle(event.scores)
            else:
                self.gains.void()

    # In the loop

    def begun(self, game: Game, seat: int) -> bool:
        """Take a game that begins; return whether this seat is the first learner."""
        if seat != self._first:
            return False
        self.game = game
        self.gains = Gains(self.encoder.rules, self.players)
        self.rendered = None if self._rendering is None else self._rendering(game)
        return True

    async def wait_for_play(self) -> Play:
        """Say that a learner is asked, and wait for its play."""
        self._asked.put(None)
        play: Play = await self._take_play.receive()
        return play

    async def _serve(self) -> None:
        """Keep the table until the loop ends; a failure is raised in the thread of the environment."""
        self._deals, take_deal = trio.open_memory_channel["KeyedDeal"](1)
        self._plays, self._take_play = trio.open_memory_channel["Play"](1)
        piped = {seat: entry for seat, entry in self._bots.items() if not _is_local(entry)}
        try:
            with temporary_folder() as folder:
                async with Table([*piped.values()], folder) as table:
                    seats = self._seats(dict(zip(piped, table.seats, strict=True)))
                    self._asked.put(None)
                    async for deal in take_deal:
                        await self._host(table, seats, deal)
        except Exception as problem:  # noqa: BLE001  it is raised in the other thread
            self._asked.put(Lost(problem))

    def _seats(self, piped: Mapping[int, Seat]) -> list[Seat]:
        """Return everybody's seats; bots behind pipes have theirs."""
        seats: list[Seat] = []
        for seat, name in enumerate(self.players):
            entry = self._bots.get(seat)
            if entry is None:
                seats.append(LearnerSeat(name, self))
            elif seat in piped:
                piped[seat].name = name
                seats.append(piped[seat])
            else:
                seats.append(LocalSeat(name, bundled.make(str(entry.builtin), entry.args)))
        return seats

    async def _host(self, table: Table, seats: Sequence[Seat], deal: KeyedDeal) -> None:
        """Play a game until it is over or given up."""
        encoder = self.encoder
        with trio.CancelScope() as self._scope:
            self._asked.put(await table.play(encoder.rules, encoder.options, deal, self._terms, fronts=seats))
            return
        for seat in seats:
            seat.retire()
        self._asked.put(None)


def _is_local(entry: Entry) -> bool:
    """Return whether a bot plays in this process."""
    return entry.builtin is not None and entry.dialect == NATIVE
