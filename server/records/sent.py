"""What one player was sent in a recorded game: byte for byte, to feed to a bot under a debugger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.protocol.notifications import NATIVE, TABLE, Attacked, Request, Update
from croupier.server.records.replay import Failed, Step
from croupier.server.table.faults import Kind
from croupier.server.table.referee import FIRST_HAND, begun, what_follows
from croupier.server.table.seat import Speech

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.protocol.notifications import Notification
    from croupier.protocol.views.view import View
    from croupier.server.records.replay import Replay


class NoSuchPlayer(ValueError):
    """The record has no player of this name."""


class Wire:
    """Follow a replay from one seat.

    The record does not say what the clock showed; ``clock`` (ms) is what each STATE will say.
    """

    def __init__(self, replay: Replay, name: str, dialect: str = NATIVE, clock: int = 10_000) -> None:
        self.replay = replay
        players = replay.game.players
        if name not in players:
            raise NoSuchPlayer(f"nobody here is called {name}; the players: {', '.join(players)}")
        self.seat = players.index(name)
        self.clock = clock
        self._speech = Speech(dialect, players)
        self._spoke_unasked = False

    def lines(self, questions: int | None = None) -> Iterator[str]:
        """Yield each line the player was sent, as far as the record goes or up to so many questions."""
        held: list[str] = []  # updates wait for a question, as they did at the table
        asked = 0
        for note in self._notes():
            if text := self._speech.text(note):
                held.append(text)
            if isinstance(note, Request | Attacked):
                yield from held
                held.clear()
                asked += 1
            if questions is not None and asked >= questions:
                return
        if not self._spoke_unasked:
            yield from held

    def _notes(self) -> Iterator[Notification]:
        replay, game = self.replay, self.replay.game
        yield begun(self._view())
        yield FIRST_HAND
        before: Step | None = None
        for step in replay.steps():
            if before is not None:
                yield from self._after(before)
                before = None
            if isinstance(step, Failed) and step.seat == self.seat and step.kind == Kind.UNASKED.value:
                self._spoke_unasked = True  # that was found before the question, and what waited, was sent
                return
            if step.seat == self.seat == game.turn:  # other servers' records hold what was said out of turn
                yield self._question()
            if isinstance(step, Step):
                before = step
            elif step.seat == self.seat:
                return
            else:
                yield Update(TABLE, ("fault", game.players[step.seat], step.kind))
        if before is not None:
            yield from self._after(before)
        if replay.scores is not None:
            yield Update(TABLE, ("end", *((name, replay.scores[name]) for name in game.players)))

    def _after(self, step: Step) -> Iterator[Notification]:
        for note, but in what_follows(self.replay.game, step.seat, step.seen, step.attack, self.replay.news):
            if but != self.seat:
                yield note

    def _view(self) -> View:
        view = self.replay.game.view(self.seat)
        view.clock = self.clock
        return view

    def _question(self) -> Notification:
        game = self.replay.game
        if game.attack is None:
            return Request(self._view())
        return Attacked(game.attack.play, game.players[game.attack.attacker], self._view())
