"""Choices as the original engine lists their options, with one table of variables for all of it.

Of an `any`, the first element's option is followed, then the last one's and so on down to the second's; for all but the
first, all that is still to be done of the option is done from its end to its beginning. What is tried out and taken
back may lie in another order afterwards. An option is kept as references, which are followed again when it is chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.games.recycle.choices import Choice
from croupier.server.games.recycle.original.steps import FlatLet
from croupier.server.games.recycle.source import UNBOUND
from croupier.server.games.recycle.steps import Pending, ProgramStep, Unfolding

if TYPE_CHECKING:
    from typing import Any

    from croupier.server.games.recycle.card_table import CardTable
    from croupier.server.games.recycle.steps import Way


class FlatUnfolding(Unfolding):
    """The options of one step, found in the order of the original engine."""

    def __init__(self, table: CardTable) -> None:
        super().__init__(table)
        self.bound: list[int] = []

    def explore(self, pending: Pending | None) -> None:
        """Follow the steps to the end of every option; the innermost variable is struck out there."""
        super().explore(pending)
        if self.bound:
            self.table.env[self.bound[-1]] = UNBOUND

    def elements(self, step: ProgramStep) -> list[Any]:
        """List the first element, then the others from the last to the second."""
        if isinstance(step, FlatLet):
            return [step.value.run(self.table)]
        found = super().elements(step)
        return [*found[:1], *found[:0:-1]]

    def follow(self, step: Any, element: Any, rest: Pending | None, place: int) -> None:
        """Follow one branch, turned round unless it is the first."""
        env = self.table.env
        env[step.slot] = element
        self.bound.append(step.slot)
        pending = Pending(step.body, env, rest)
        self.explore(pending.reversed() if place else pending)
        self.bound.pop()


class FlatChoice(Choice):
    """A choice as the original engine lists it, which may leave the lists in another order."""

    reorders = True

    def unfold(self, step: ProgramStep, table: CardTable) -> list[Way]:
        """List the options of one step."""
        return FlatUnfolding(table).options_of(step)
