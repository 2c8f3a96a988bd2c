"""Dialect of the original engine: one flat table of variables, and the words and steps that it reads otherwise.

Equal cards are never the same; a point map that was never set is worth nothing; a repeated action is worked out before
it is done; a run that was noted goes on growing.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from croupier.server.games.recycle import steps
from croupier.server.games.recycle.deck import PointMap
from croupier.server.games.recycle.groups import RUNS
from croupier.server.games.recycle.original.choices import FlatLet, FlatLoop
from croupier.server.games.recycle.original.references import Origin, origin_of, refer
from croupier.server.games.recycle.places import map_store
from croupier.server.games.recycle.reader import Broken
from croupier.server.games.recycle.scope import Expression, Scope, Sort
from croupier.server.games.recycle.source import UNBOUND, callable_in_texts
from croupier.server.games.recycle.values import equality, operands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.games.recycle.card_table import CardTable
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Builder, StepBuilder

    Cards = list[int]


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
        return self.expression(known.sort, self.source.call(node, partial(_refuse_unbound, node), known.text))

    def close(self, loop: Expression, slot: int) -> Expression:
        """Return a loop that strikes its variable out when it is over."""
        return self.expression(loop.sort, f"strike_out(table, {slot}, {loop.text})")


def _refuse_unbound(node: Node, _table: CardTable, value: Any) -> Any:
    if value is UNBOUND:
        raise Broken(f"the original engine has '{node.text} no longer: a loop within bound that name too", node)
    return value


@callable_in_texts
def strike_out(table: CardTable, slot: int, value: Any) -> Any:
    """Return what a loop came to, without its variable."""
    table.env[slot] = UNBOUND
    return value


def _equality(node: Node, scope: Scope) -> Expression:
    """Compare references where cards are compared: they are never the same."""
    left, right = operands(node, scope)
    return (
        equality(node, left, right, scope)
        if left.sort != Sort.CARD
        else scope.expression(Sort.TRUTH, str(node.head == "!="))
    )


def find_map(table: CardTable, name: str, who: int) -> PointMap:
    """Return an owner's point map; one that was never set is worth nothing."""
    return table.maps[who].get(name) or PointMap.of((), table.deck)


def grown_runs(node: Node, table: CardTable, number: int, cards: Sequence[int], points: PointMap) -> list[Cards]:
    """Return runs as the original engine finds them."""
    worth = points.table
    held = sorted(table.look(cards), key=worth.__getitem__)
    return grow(held, worth, max(1, number), table, every=node.items[1].text == "all")


def grow(held: Cards, worth: Sequence[int], least: int, table: CardTable, *, every: bool) -> list[Cards]:
    """Find runs as the original does, card by card: all of one growing run, noted at several lengths, are one list."""
    found: list[Cards] = []
    growing = [held[:1]] if held else []
    for before, card in pairwise(held):
        table.work(len(growing))
        more = worth[card] - worth[before]
        if more == 0:
            growing += [[*run[:-1], card] for run in growing if run[-1] == before]
        elif more == 1:
            found += [run for run in growing if every and len(run) >= least]
            for run in growing:
                run.append(card)
        else:
            found += [run for run in growing if len(run) >= least]
            growing = [] if every else [[card]]
        if every:
            growing.append([card])
    return found + [run for run in growing if len(run) >= least]


WORDS: dict[str, Builder] = {
    "==": _equality,
    "!=": _equality,
    "points": lambda node, scope: map_store(node, scope, find_map),
    "runs": lambda node, scope: scope.expression(Sort.GROUPS, scope.call(node, RUNS, grown_runs)),
}
"""The expressions that the original engine reads otherwise."""


def _move(node: Node, scope: Scope) -> steps.ProgramStep:
    scope.arity(node, 3)
    return steps.Action(scope.source, [refer(node, scope.text(node.items[1], Sort.CARD), scope)], sure=True)


def _lines_of_many(node: Node, times: str, body: steps.ProgramStep, scope: Scope) -> list[str]:
    """Return the lines of an action done a number of times, all worked out before the first is done.

    What is counted is counted once, and of a list that is put together for the action, all move the same card.
    """
    action = node.items[2]
    if action.head in ("set", "inc", "dec"):
        return [f"if {times} > 0:", *scope.source.within(node, body.lines)]
    if action.head == "move" and origin_of(action.items[1], scope) is Origin.COPY:
        cards = f"[{scope.text(action.items[1], Sort.CARD)} for _ in range({times})]"
        return [f"for taken in {cards}:", *scope.source.within(node, [refer(action, "taken", scope)], "taken")]
    return [f"for _ in range({times}):", *scope.source.within(node, body.lines)]


STEPS: dict[str, StepBuilder] = {
    "any": lambda node, scope: steps.bind(node, scope, FlatLoop),
    "all": lambda node, scope: steps.bind(node, scope, FlatLoop),
    "let": lambda node, scope: steps.bind(node, scope, FlatLet),
    "repeat": lambda node, scope: steps.repeat(node, scope, _lines_of_many),
    "move": _move,
}
"""The steps that the original engine does otherwise."""
