"""Film: a record as moments, each a small difference from the one before, for one pair of eyes or for several.

Whoever sees everything is ``table``; a player sees what his view says, and is told what he was told at the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.protocol.views.view import MAX_LEGAL
from croupier.server.games.broadcast import Said, said
from croupier.server.games.game import Told
from croupier.server.records.notes import NONE, Questions
from croupier.server.records.replay import Invalid, ReplayedFault, ReplayedPlay
from croupier.server.viewer.eyes import Eyes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.server.games.broadcast import Broadcast
    from croupier.server.records.notes import Note, Notes
    from croupier.server.records.replay import Replay

STEP, TOGETHER, HAND = 0, 1, 2
"""What a moment begins or ends: nothing, a trick or turn, a hand."""


def film(replay: Replay, title: str, seat: int | None = None, notes: Notes = NONE) -> dict[str, Any]:
    """Play a record again and return all that its page shows: for one seat only what that seat knew."""
    cut = _Cut(replay, [seat] if seat is not None else [None, *range(len(replay.game.players))], notes)
    wrong = cut.run()
    game, broadcast = replay.game, replay.game.BROADCAST
    return {
        "title": title,
        "game": getattr(game, "PROGRAM", game.NAME),
        "options": {name: value for name, value in game.options.items() if value != type(game).OPTIONS[name].default},
        "players": game.players,
        "together": broadcast.TOGETHER,
        "suits": broadcast.SUITS,
        "faces": broadcast.FACES,
        "valid": wrong is None,
        "moments": cut.moments,
        "eyes": [eyes.name for eyes in cut.eyes],
        "shots": [*zip(*(eyes.shots for eyes in cut.eyes), strict=True)],  # side by side they pack best
    }


class _Cut:
    """The moments of a record as they come."""

    def __init__(self, replay: Replay, seats: Sequence[int | None], notes: Notes) -> None:
        self.replay = replay
        self.notes = notes
        self.questions = Questions(replay)
        self.game = replay.game
        self.broadcast = self.game.BROADCAST(self.game)
        self.broadcast.drawn = True
        self.eyes = [Eyes(self.game.players, seat) for seat in seats]
        self.moments: list[list[int]] = []
        self.progress = self.broadcast.progress()

    def run(self) -> Invalid | None:
        """Shoot every moment; return what is wrong with the record, if it is not a game to its end."""
        wrong, played, done = None, None, 0
        self._shoot(HAND, 0, -1, {})
        try:
            for step in self.replay.steps():
                if played is not None:
                    self._after(*played)
                    played = None
                note = self.notes.get((self.game.players[step.seat], self.questions.number(step) or 0))
                if isinstance(step, ReplayedPlay):
                    played, done = (step, self._heard(step), note), done + 1
                else:
                    self._fault(step, note)
        except Invalid as problem:
            wrong = problem
        if played is not None and self.replay.applied == done:
            self._after(*played)
        self._end(wrong)
        return wrong

    def _heard(self, step: ReplayedPlay) -> dict[int | None, list[Said]]:
        """Return what each pair of eyes hears of a play that is about to be applied."""
        own = self.broadcast.offered(self.game.view(step.seat), step.play)
        words = {None: self.broadcast.before(step.seat, step.play), step.seat: own}
        seen = self.broadcast.heard(step.seen)
        by = " (stand-in)" if step.seat in self.replay.standing_in else ""
        return {
            eyes.seat: [Said(step.seat, words.get(eyes.seat, seen).removeprefix("play ") + by)] for eyes in self.eyes
        }

    def _after(self, step: ReplayedPlay, heard: dict[int | None, list[Said]], note: Note | None) -> None:
        """Shoot what a play brought, and a new hand apart from it."""
        open_ = [*self.broadcast.brought()]
        news = [Said(None, said(item.play)) for item in self.replay.news if isinstance(item, Told)]
        moved = [*self.broadcast.moved()]
        before, self.progress = self.progress, self.broadcast.progress()
        swept = self.broadcast.swept()
        lines = {seat: [*mine, *open_, *(moved if seat is None else ()), *news] for seat, mine in heard.items()}
        level = TOGETHER if before != self.progress else STEP
        self._shoot(level, step.line, step.seat, lines, swept)
        self._annotate(step.seat, note)
        if swept is not None:
            self._shoot(HAND, step.line, -1, {})

    def _fault(self, step: ReplayedFault, note: Note | None) -> None:
        """Shoot a fault; what was asked and answered is for the player and for whoever sees everything."""
        lines = {eyes.seat: [Said(step.seat, f"fault: {step.kind}")] for eyes in self.eyes}
        self._shoot(STEP, step.line, step.seat, lines)
        for eyes in self.eyes:
            if eyes.seat in {None, step.seat}:
                eyes.add("fault", [step.kind, step.why, step.asked, step.received])
        self._annotate(step.seat, note)

    def _annotate(self, seat: int, note: Note | None) -> None:
        """Add what a bot wrote at its decision, and how long that took, for its own eyes and those that see all."""
        if note is None:
            return
        for eyes in self.eyes:
            if eyes.seat in {None, seat}:
                eyes.add("note", note.said)
                eyes.add("used", note.seconds)

    def _end(self, wrong: Invalid | None) -> None:
        """Shoot the end: scores, or what is wrong."""
        replay = self.replay
        if wrong is not None:
            for eyes in self.eyes:
                why = f": {wrong.why}" if eyes.seat is None else ""
                eyes.end = [Said(None, f"not a game from line {wrong.line} on{why}")]
        elif replay.outcome is not None:
            scores = [Said(self.game.players.index(name), str(score)) for name, score in (replay.scores or {}).items()]
            for eyes in self.eyes:
                eyes.end = [Said(None, replay.outcome.value), *scores]
        else:
            return
        self._shoot(HAND, 0, -1, {eyes.seat: eyes.end for eyes in self.eyes})

    def _shoot(
        self,
        level: int,
        line: int,
        seat: int,
        lines: Mapping[int | None, Sequence[Said]],
        swept: Broadcast | None = None,
    ) -> None:
        """Take a picture of the table for each pair of eyes."""
        self.moments.append([level, line, seat])
        legal = self._legal() if swept is None else None
        turn = None if swept is not None else self.game.turn
        for eyes in self.eyes:
            eyes.shoot((swept or self.broadcast).picture(eyes.seat), turn, legal, lines.get(eyes.seat, ()))

    def _legal(self) -> list[str] | int | None:
        """Say what the seat on turn may play, in words; 0 where it is more than anybody reads."""
        game = self.game
        if game.turn is None:
            return None
        view = game.view(game.turn)
        plays = view.legal if view.legal is not None else ()
        return [self.broadcast.offered(view, play) for play in plays[:MAX_LEGAL]] or 0
