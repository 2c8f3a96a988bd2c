"""Scope of the original engine: one flat table of variables, and what it reads otherwise."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from croupier.server.games.recycle.card_table import Broken
from croupier.server.games.recycle.original.steps import STEPS
from croupier.server.games.recycle.original.words import WORDS
from croupier.server.games.recycle.scope import Expression, Scope
from croupier.server.games.recycle.source import UNBOUND, callable_in_texts

if TYPE_CHECKING:
    from croupier.server.games.recycle.card_table import CardTable
    from croupier.server.games.recycle.reader import Node


class OriginalScope(Scope):
    """What the compiler knows while it reads a program as the original engine does."""

    unrolls = False

    def __init__(self) -> None:
        super().__init__()
        self.own_words = dict(WORDS)
        self.own_steps = dict(STEPS)
        self.flat: dict[tuple[str, str], int] = {}

    def slot(self, name: str, sort: str) -> int:
        """Return the slot that variables of one name and sort share."""
        return self.flat.setdefault((name, sort), self.slots)

    def variable(self, node: Node) -> Expression:
        """Compile a variable, which a loop within may have struck out."""
        known = super().variable(node)
        return self.expression(known.sort, self.source.call(node, partial(_bound, node), known.text))

    def close(self, loop: Expression, slot: int) -> Expression:
        """Return a loop that strikes its variable out when it is over."""
        return self.expression(loop.sort, f"strike_out(table, {slot}, {loop.text})")


def _bound(node: Node, _table: CardTable, value: Any) -> Any:
    if value is UNBOUND:
        raise Broken(f"the original engine has '{node.text} no longer: a loop within bound that name too", node)
    return value


@callable_in_texts
def strike_out(table: CardTable, slot: int, value: Any) -> Any:
    """Return what a loop came to, without its variable."""
    table.env[slot] = UNBOUND
    return value
