"""Positions: puzzles from games that were found, whose plays are known to be right or wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.protocol.sexp import write
from croupier.server.records.puzzles import FORMAT, Puzzle
from croupier.server.records.replay import Replay, ReplayedPlay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.server.finding.conditions import Query
    from croupier.server.finding.found_game import FoundGame


def puzzles_of(found: FoundGame, query: Query, *, wrong: bool) -> Iterator[Puzzle]:
    """Yield a puzzle for each play that the query is about; raise Invalid where the record breaks the rules.

    Those are the plays of the players that meet its conditions, or only those that its ``play`` conditions name. A
    stand-in's plays are none of them, nor is the only legal play.
    """
    rules = found.rules
    if rules is None:
        return
    text, seats, wanted = found.text(), set(found.seats(query)), set(query.plays)
    lines = text.split("\n")
    replay = Replay(text, lambda _: rules)
    for number, step in enumerate(replay.steps(), 1):
        if not isinstance(step, ReplayedPlay) or step.seat not in seats or step.seat in replay.standing_in:
            continue
        play = write(step.play)
        if step.seat == replay.game.turn and (play in wanted if wanted else _has_choice(replay)):
            before = lines[: step.line - 1]
            right, bad = ([], [play]) if wrong else ([play], [])
            yield Puzzle(FORMAT, f"{found.record}#{number}", before, step.seat, right, bad)


def _has_choice(replay: Replay) -> bool:
    plays = iter(replay.game.legal())
    return next(plays, None) is not None and next(plays, None) is not None
