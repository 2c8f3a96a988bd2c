"""Page data: a record as moments, each a small difference from the one before, for one viewpoint or several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.server.games.broadcast import Said
from croupier.server.records.notes import NONE, Questions
from croupier.server.records.replay import Invalid, ReplayedFault, ReplayedPlay
from croupier.server.viewer.snapshots import HAND, STEP, Snapshots, head

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.records.notes import Note, Notes
    from croupier.server.records.replay import Replay
    from croupier.server.viewer.snapshots import Heard


def page_data(replay: Replay, file: str = "", seat: int | None = None, notes: Notes = NONE) -> dict[str, Any]:
    """Replay a record and return everything that its page shows; for one seat only what that seat knew.

    A game of which the record does not tell the deal is called as its ``file``.
    """
    cut = _Cut(replay, [seat] if seat is not None else [None, *range(len(replay.game.players))], notes)
    wrong = cut.run()
    snapshots = cut.snapshots
    deal = replay.header.deal
    return head(replay.game, file if deal is None else f"deal {deal.number}") | {
        "valid": wrong is None,
        "moments": snapshots.moments,
        "eyes": [each.name for each in snapshots.viewpoints],
        "shots": [*zip(*(each.shots for each in snapshots.viewpoints), strict=True)],  # compresses best side by side
    }


class _Cut:
    """Collects the moments of a record."""

    def __init__(self, replay: Replay, seats: Sequence[int | None], notes: Notes) -> None:
        self.replay = replay
        self.notes = notes
        self.questions = Questions(replay)
        self.game = replay.game
        self.snapshots = Snapshots(self.game, seats)
        self.viewpoints = self.snapshots.viewpoints

    def run(self) -> Invalid | None:
        """Take every moment; return what is wrong with the record, if it does not reach the end of a game."""
        wrong, played, done = None, None, 0
        self.snapshots.take(HAND)
        try:
            for step in self.replay.steps():
                if played is not None:
                    self._after(*played)
                    played = None
                note = self.notes.get((self.game.players[step.seat], self.questions.number(step) or 0))
                if isinstance(step, ReplayedPlay):
                    by = " (stand-in)" if step.seat in self.replay.standing_in else ""
                    heard = self.snapshots.before(step.seat, step.play, step.seen, by)
                    played, done = (step, heard, note), done + 1
                else:
                    self._fault(step, note)
        except Invalid as problem:
            wrong = problem
        if played is not None and self.replay.applied == done:
            self._after(*played)
        self._end(wrong)
        return wrong

    def _after(self, step: ReplayedPlay, heard: Heard, note: Note | None) -> None:
        """Take the result of a play, and separately what replaces it on the table."""
        self.snapshots.after(step.line, step.seat, heard, self.replay.news)
        self._annotate(step.seat, note)
        self.snapshots.settle()

    def _fault(self, step: ReplayedFault, note: Note | None) -> None:
        """Take a fault; question and answer are for the player and for the viewpoint that sees everything."""
        lines = {each.seat: [Said(step.seat, f"fault: {step.kind}")] for each in self.viewpoints}
        self.snapshots.take(STEP, step.line, step.seat, lines)
        for each in self.viewpoints:
            if each.seat in {None, step.seat}:
                each.add("fault", [step.kind, step.why, step.asked, step.received])
        self._annotate(step.seat, note)

    def _annotate(self, seat: int, note: Note | None) -> None:
        """Add a bot's notes and time at its decision, for its own viewpoint and the one that sees everything."""
        if note is None:
            return
        for each in self.viewpoints:
            if each.seat in {None, seat}:
                each.add("note", note.said)
                each.add("used", note.seconds)

    def _end(self, wrong: Invalid | None) -> None:
        """Take the end: the scores, or what is wrong."""
        replay, seats = self.replay, self.game.players
        scores: tuple[int, ...] = ()
        if wrong is not None:
            why = f"not a game from line {wrong.line} on"
            lines = {each.seat: [Said(None, why + f": {wrong.why}" * (each.seat is None))] for each in self.viewpoints}
        elif replay.outcome is not None:
            scores = tuple([replay.scores[name] for name in seats]) if replay.scores else ()
            end = [Said(None, replay.outcome.value), *(Said(seat, str(score)) for seat, score in enumerate(scores))]
            lines = {each.seat: end for each in self.viewpoints}
        else:
            return
        self.snapshots.end(lines, scores)
