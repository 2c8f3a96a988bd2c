"""Steps of the original engine: a loop or a `let` binds its variable, whatever was called so before.

When it is over, the variable is struck out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.games.recycle.source import UNBOUND
from croupier.server.games.recycle.steps import Let, Loop, Pending, ProgramStep

if TYPE_CHECKING:
    from typing import Any

    from croupier.server.games.recycle.card_table import CardTable
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Expression


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
