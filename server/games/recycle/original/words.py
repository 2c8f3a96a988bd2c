"""Words that the original engine reads otherwise: equal cards, point maps that were never set, and runs."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from croupier.server.games.recycle.groups import RUNS
from croupier.server.games.recycle.places import map_store
from croupier.server.games.recycle.points import PointMap
from croupier.server.games.recycle.scope import CARD, GROUPS, TRUTH
from croupier.server.games.recycle.values import comparison, operands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.games.recycle.card_table import CardTable
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Builder, Expression, Scope

    Cards = list[int]


def _equality(node: Node, scope: Scope) -> Expression:
    """Compare references where cards are compared: they are never the same."""
    left, right = operands(node, scope)
    return (
        scope.expression(TRUTH, str(node.head == "!=")) if left.sort == CARD else comparison(node, left, right, scope)
    )


def find_map(table: CardTable, name: str, who: int) -> PointMap:
    """Return an owner's point map; one that was never set is worth nothing."""
    return table.maps[who].get(name) or PointMap.of((), table.deck)


def grown_runs(node: Node, table: CardTable, number: int, cards: Sequence[int], points: PointMap) -> list[Cards]:
    """Return runs as the original engine finds them."""
    worth = points.table
    held = sorted(table.visit(cards), key=worth.__getitem__)
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
    "runs": lambda node, scope: scope.fill(node, RUNS, GROUPS, grown_runs),
}
"""The expressions that the original engine reads otherwise."""
