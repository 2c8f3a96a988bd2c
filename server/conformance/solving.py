"""Solving: a bot is asked in the positions of puzzles, each time in a fresh process, as if it had just been seated."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol.sexp import write
from croupier.server.deals import Key
from croupier.server.games.game import IllegalPlay
from croupier.server.records.puzzles import BadPuzzle
from croupier.server.records.replay import Invalid
from croupier.server.table import messages
from croupier.server.table.clock import Clock
from croupier.server.table.faults import Fault
from croupier.server.viewer.moment import game_after

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.server.conformance.asking import Asking
    from croupier.server.games.game import Game, Play
    from croupier.server.records.puzzles import Puzzle
    from croupier.server.table.resumed_game import ResumedGame

_LATER = Key.from_seed("croupier check --puzzles").deal(1)
"""Gives the shuffles after the position, if two plays are compared by their effects."""


class Position(NamedTuple):
    """A puzzle whose record was replayed up to the seat on turn."""

    puzzle: Puzzle
    begun: ResumedGame
    right: Sequence[Play]
    wrong: Sequence[Play]


class Solution(NamedTuple):
    """A bot's play in a position, or its fault, and whether the puzzle is solved."""

    puzzle: Puzzle
    solved: bool
    play: str | None
    fault: str = ""

    @property
    def said(self) -> str:
        """The play, or the fault in words."""
        return self.play or self.fault


def position_of(puzzle: Puzzle, find: Callable[[str], type[Game]]) -> Position:
    """Return the position of a puzzle; raise BadPuzzle if it is none, or one of its plays is not legal there."""
    text = "".join(f"{line}\n" for line in puzzle.record)
    try:
        begun = game_after(text, find)
    except Invalid as problem:
        raise BadPuzzle(f"{puzzle.name}: its record is no game: {problem}") from None
    if begun is None:
        raise BadPuzzle(f"{puzzle.name}: the game is over after its record")
    if begun.game.turn != puzzle.seat:
        raise BadPuzzle(f"{puzzle.name}: seat {begun.game.turn} is on turn after its record, not seat {puzzle.seat}")
    begun.go_on(_LATER)
    position = Position(puzzle, begun, *puzzle.plays())
    for play in (*position.right, *position.wrong):
        try:
            begun.game.check(puzzle.seat, play)
        except IllegalPlay as problem:
            raise BadPuzzle(f"{puzzle.name}: {write(play)} is not legal: {problem}") from None
    return position


async def solve(asking: Asking, position: Position) -> Solution:
    """Ask the bot, and judge its play: it is right, or, if no play is known to be right, not wrong."""
    puzzle, begun, right, wrong = position
    game, clock = begun.game, Clock(round(asking.demands.time * 1000))
    async with asking.seat() as seat:
        seat.sit(game.players)
        seat.ready()
        for first in messages.start(begun.opening, puzzle.seat, clock):
            seat.tell(first, {})
        for later, but in begun.told:
            if but != puzzle.seat:
                seat.tell(later, {})
        answer = messages.judge(game, puzzle.seat, await seat.ask(messages.question(game, clock), asking.demands.time))
    if isinstance(answer.outcome, Fault):
        return Solution(puzzle, solved=False, play=None, fault=f"{answer.outcome.kind.value}: {answer.outcome.why}")
    play = answer.outcome
    among = any(is_same(game, play, other) for other in right or wrong)
    return Solution(puzzle, solved=among == bool(right), play=write(play))


def is_same(game: Game, play: Play, other: Play) -> bool:
    """Return whether two legal plays leave all players with the same views, such as cards in another order."""
    return play == other or _views(game, play) == _views(game, other)


def _views(game: Game, play: Play) -> list[str]:
    after = game.copy()
    assert after.turn is not None
    after.play(after.turn, play)
    return [str(after.view(seat)) for seat in range(len(after.players))]
