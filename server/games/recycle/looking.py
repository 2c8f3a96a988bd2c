"""Looking: what in a program may hang on more than its chooser knows, told from its words alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.games.recycle.reader import Node

CHANCE = {"random", "shuffle", "max", "min"}
"""What may draw; a tie of the best is decided by a coin."""
LOOKING = {
    "cardatt",
    "score",
    "scoremax",
    "scoremin",
    "sum",
    "tuples",
    "partition",
    "runs",
    "run",
    "intersect",
    "disjunction",
}
"""What looks at cards, not only at where they lie and how many there are."""


def looks_behind(step: Node) -> bool:
    """Tell whether a step may come out otherwise by chance, or by cards in a place that its chooser does not see."""
    heads = {node.head for node in step.walk()}
    if not heads.isdisjoint(CHANCE):
        return True
    seen = () if "cycle" in heads else ("current player",)
    return not heads.isdisjoint(LOOKING) and any(_closed(node, seen) for node in step.walk())


def _closed(node: Node, seen: Sequence[str]) -> bool:
    """Tell whether a node is a place of cards that its owner alone sees, and he is none of these, or nobody does."""
    return node.head in ("hloc", "oloc") or (node.head == "iloc" and node.items[0].head not in seen)
