"""Choices whose options are listed as in the original engine, with one table of variables for everything.

A loop or a `let` overwrites its variable, whatever had that name before, and removes it at the end. Of an `any`, the
option of the first element is followed first, then the last one's, and so on down to the second's. For all but the
first, the rest of the option is done in reverse order. Lists may be in another order after options were tried out and
undone. An option is kept as references, which are resolved again when it is chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.games.recycle.choices import Choice, Unfolding
from croupier.server.games.recycle.source import UNBOUND
from croupier.server.games.recycle.steps import Let, Loop, Pending, ProgramStep

if TYPE_CHECKING:
    from typing import Any

    from croupier.server.games.recycle.card_table import CardTable
    from croupier.server.games.recycle.choices import Way
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Expression


class _Bound(ProgramStep):
    """Bind a variable, or remove it."""

    def __init__(self, slot: int, value: Any) -> None:
        def run(table: CardTable) -> None:
            table.env[slot] = value

        self.run = run


class FlatLoop(Loop):
    """A loop that removes its variable at the end."""

    def __init__(self, node: Node, items: Expression, slot: int, body: ProgramStep) -> None:
        super().__init__(node, items, slot, body)
        self.lines.append(f"table.env[{slot}] = UNBOUND")

    def unfold(self, table: CardTable, rest: Pending | None) -> Pending | None:
        """Put the body before the rest for every element, the last element first."""
        for element in table.pay(self.items.run(table)):
            rest = Pending(_Bound(self.slot, UNBOUND), table.env, rest)
            rest = Pending(self.body, table.env, rest)
            rest = Pending(_Bound(self.slot, element), table.env, rest)
        return rest


class FlatLet(Let):
    """A `let` that removes its variable at the end, like an `any` with one element."""

    branching = True

    def __init__(self, node: Node, value: Expression, slot: int, body: ProgramStep) -> None:
        super().__init__(node, value, slot, body)
        self.lines.append(f"table.env[{slot}] = UNBOUND")


class FlatUnfolding(Unfolding):
    """The options of one step, found in the order of the original engine."""

    def __init__(self, table: CardTable) -> None:
        super().__init__(table)
        self.bound: list[int] = []

    def explore(self, pending: Pending | None) -> None:
        """Follow the steps to the end of every option; there the innermost variable is removed."""
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
        """Follow one branch, with the rest reversed except for the first."""
        env = self.table.env
        env[step.slot] = element
        self.bound.append(step.slot)
        pending = Pending(step.body, env, rest)
        self.explore(pending.turn_round() if place else pending)
        self.bound.pop()


class FlatChoice(Choice):
    """A choice as the original engine lists it, which may leave the lists in another order."""

    reorders = True

    def unfold(self, step: ProgramStep, table: CardTable) -> list[Way]:
        """List the options of one step."""
        return FlatUnfolding(table).options_of(step)
