"""Steps of the original engine: a loop or a `let` binds its variable, whatever was called so before.

When it is over, the variable is struck out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.games.recycle import blocks
from croupier.server.games.recycle.original.references import Source, refer, source_of
from croupier.server.games.recycle.scope import CARD
from croupier.server.games.recycle.source import UNBOUND
from croupier.server.games.recycle.steps import Action, Let, Loop, Pending, ProgramStep

if TYPE_CHECKING:
    from typing import Any

    from croupier.server.games.recycle.card_table import CardTable
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Expression, Scope, StepBuilder


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


def _move(node: Node, scope: Scope) -> ProgramStep:
    scope.arity(node, 3)
    return Action(scope.source, [refer(node, scope.text(node.items[1], CARD), scope)], sure=True)


def _lines_of_many(node: Node, times: str, body: ProgramStep, scope: Scope) -> list[str]:
    """Return the lines of an action done so many times, all worked out before the first is done.

    What is counted is counted once, and of a list that is put together for the action, all move the same card.
    """
    action = node.items[2]
    if action.head in ("set", "inc", "dec"):
        return [f"if {times} > 0:", *scope.source.within(node, body.lines)]
    if action.head == "move" and source_of(action.items[1], scope) is Source.COPY:
        cards = f"[{scope.text(action.items[1], CARD)} for _ in range({times})]"
        return [f"for taken in {cards}:", *scope.source.within(node, [refer(action, "taken", scope)], "taken")]
    return [f"for _ in range({times}):", *scope.source.within(node, body.lines)]


STEPS: dict[str, StepBuilder] = {
    "any": lambda node, scope: blocks.loop(node, scope, FlatLoop),
    "all": lambda node, scope: blocks.loop(node, scope, FlatLoop),
    "let": lambda node, scope: blocks.let(node, scope, FlatLet),
    "repeat": lambda node, scope: blocks.repeat(node, scope, _lines_of_many),
    "move": _move,
}
"""The steps that the original engine does otherwise."""
