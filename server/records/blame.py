"""Blame: the faults in a game's record, each with the question that led to it."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol.record import Defense, Faulted, Played
from croupier.server.records.replay import Invalid, Replay, ReplayedFault
from croupier.server.table.dialect import DIALECTS
from croupier.server.table.faults import Kind
from croupier.server.table.meant_play import UNREADABLE, meaning
from croupier.server.terminal import escape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from croupier.protocol.record import Line
    from croupier.server.games.game import Game

SHOWN = 80
"""At most this many characters of a bot's answer are shown."""
_SPANS = 6
"""At most this many spans of deals are named."""
_PHASE = re.compile(r'(?:\(phase |"phase": ")([a-z][a-z0-9-]*)')
_ATTACKED = ("(attacked ", '{"type": "attacked"')


class Blamed(NamedTuple):
    """A fault, and the number of the player's question in the game, from 1; ``received`` is the bytes as latin-1."""

    name: str
    kind: str
    why: str
    request: str
    received: str
    question: int

    @property
    def occasion(self) -> str:
        """The decision and its result, in words; empty if the player was not asked."""
        if not self.request:
            return ""
        said = escape(self.received, SHOWN) or "nothing"
        if self.kind == Kind.UNASKED.value:
            return f"before its question {self.question} it wrote: {said}"
        return f"at its question {self.question}{self._about()} it answered: {said}"

    def _about(self) -> str:
        if self.request.startswith(_ATTACKED):
            return " (attacked)"
        phase = _PHASE.search(self.request)
        return f" (phase {phase[1]})" if phase else ""


def faults_by_player(lines: Iterable[Line]) -> dict[str, Blamed]:
    """Return the fault of each player who committed one."""
    answered: Counter[str] = Counter()
    found: dict[str, Blamed] = {}
    for line in lines:
        if isinstance(line, Played | Defense):
            answered[line.name] += 1
        elif isinstance(line, Faulted):
            found[line.name] = Blamed(*line, answered[line.name] + 1)
    return found


def meant_play(text: str, name: str, find: Callable[[str], type[Game]]) -> str:
    """Return the play that a faulty reply in a record was probably meant to be; empty if no play resembles it."""
    try:
        replay = Replay(text, find)
        for step in replay.steps():
            if isinstance(step, ReplayedFault) and replay.game.players[step.seat] == name:
                if Kind(step.kind) not in UNREADABLE:
                    return ""
                received, spell = step.received.encode("latin-1", "replace"), DIALECTS[replay.dialect_of(name)].spell
                return meaning(replay.game, step.seat, received, spell)
    except Invalid:
        pass
    return ""


def deals_in_words(deals: Sequence[int]) -> str:
    """Return deals as spans, with the number of games if some deals occur more than once."""
    distinct = sorted(set(deals))
    runs = [[deal for _, deal in run] for _, run in groupby(enumerate(distinct), lambda at: at[1] - at[0])]
    spans = [str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs]
    left = sum(map(len, runs[_SPANS:]))
    more = f" and {left} more" if left else ""
    games = f" ({len(deals)} games)" if len(deals) > len(distinct) else ""
    return f"deal{'s' if len(distinct) > 1 else ''} {', '.join(spans[:_SPANS])}{more}{games}"
