"""Flat: how the original engine lists the options of a choice, with one table of variables for all of it.

A loop binds its variable there, whatever was called so before, and strikes it out when it is over. Of an `any`, the
first element's option is followed, then the last one's and so on down to the second's; for all but the first, all that
is still to be done of the option is done from its end to its beginning. What is tried out and taken back may lie in
another order afterwards. An option is kept as references, which are followed once more when it is chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.server.games.recycle.actions import put
from croupier.server.games.recycle.card_table import redo
from croupier.server.games.recycle.points import PointMap
from croupier.server.games.recycle.source import UNBOUND
from croupier.server.games.recycle.steps import Let, Loop, Pending, ProgramStep, Unfolding

if TYPE_CHECKING:
    from typing import Any

    from croupier.server.games.recycle.card_table import CardTable, Entry
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Expression


class Tried(NamedTuple):
    """An option as it was tried out: its references, and how many of them its chooser may know (None: all)."""

    references: tuple[Entry, ...]
    lifted: int | None


def follow(table: CardTable, tried: Tried) -> None:
    """Take the actions of an option, each reference followed as things lie now."""
    redo(table, tried.references)


class _Bound(ProgramStep):
    """Bind a variable, or strike it out."""

    def __init__(self, slot: int, value: Any) -> None:
        def run(table: CardTable) -> None:
            table.env[slot] = value

        self.run = run


class FlatLoop(Loop):
    """A loop whose variable is struck out when it is over."""

    def __init__(self, node: Node, items: Expression, slot: int, body: ProgramStep) -> None:
        super().__init__(node, items, slot, body)
        self.lines.append(f"table.env[{slot}] = UNBOUND")

    def unfold(self, table: CardTable, rest: Pending | None) -> Pending | None:
        """Put the body before the rest for every element, the last element first."""
        for element in table.paid(self.items.run(table)):
            rest = Pending(_Bound(self.slot, UNBOUND), table.env, rest)
            rest = Pending(self.body, table.env, rest)
            rest = Pending(_Bound(self.slot, element), table.env, rest)
        return rest


class FlatLet(Let):
    """A `let` whose variable is struck out when it is over: like an `any` of one element."""

    branching = True

    def __init__(self, value: Expression, slot: int, body: ProgramStep) -> None:
        super().__init__(value, slot, body)
        self.lines.append(f"table.env[{slot}] = UNBOUND")


class FlatUnfolding(Unfolding):
    """The options of one choice, found in the order of the original engine."""

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

    def finish(self) -> None:
        """Add the option whose actions have been taken, up to where they depend on what its chooser cannot see."""
        veil = self.table.veil
        references = tuple([_unwatched(entry, self.table) for entry in self.log])
        self.add((follow, Tried(references, veil.lifted if veil is not None else None)))


def _unwatched(entry: Entry, table: CardTable) -> Entry:
    """Return the setting of a point map as it is when nobody watches what is looked up."""
    do, back, args, *before = entry
    if do is not put or args[0] != "maps":
        return entry
    return (do, back, (*args[:3], PointMap.of(args[3].awards, table.deck)), *before)
