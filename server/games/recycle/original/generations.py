"""Generations of the language: programs of every one of them become programs of one.

========================  ==========================================
older or shorter          what the compiler reads
========================  ==========================================
``(put points 'X (..))``  ``(set (game points X) (..))``
``using 'X``              ``using (game points X)``
``((SUIT (HEARTS)) 1)``   ``((: SUIT HEARTS) 1)``, as ``((SUIT : HEARTS) 1)``
``(inc X)``, ``(dec X)``  ``(inc X 1)``, ``(dec X 1)``
``(indexed game vloc X)``  ``(indexed (game vloc X))``
``(+ A B C)``, also ``*``  ``(+ (+ A B) C)``
``(top N L using M)``       ``(run top N L using M)``, also ``bottom``
``(actual CARD)``         kept: it marks the physical card
========================  ==========================================
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from croupier.server.games.recycle.actions import FORGET, REMEMBER, forget, remember
from croupier.server.games.recycle.groups import subsets
from croupier.server.games.recycle.reader import Node
from croupier.server.games.recycle.scope import excerpt
from croupier.server.games.recycle.steps import Action
from croupier.server.games.recycle.values import COMPARISONS, OPERATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from croupier.server.games.recycle.card_table import CardTable
    from croupier.server.games.recycle.reader import Problem
    from croupier.server.games.recycle.scope import Scope, StepBuilder


class Translation:
    """A program's tree in the newest spelling, and whether it was written in an old one."""

    def __init__(self, tree: Node) -> None:
        self.old = False
        self.early = False
        """Whether it contains something that CardStock no longer reads since 0.6."""
        self.late = False
        """Whether it contains something that CardStock reads only since 0.6.3."""
        self.colons = False
        self.bare: list[Node] = []
        """Parts of awards that are (KEY VALUE): valid in the old language, missing a colon in the new one."""
        self.tree = self._form(tree)
        others, self.old = self.old, self.old or bool(self.bare)
        self.meant_new = bool(self.bare) and (self.colons or not others)

    def adapt(self, scope: Scope, *, compat: bool) -> None:
        """Configure reading for the program's generation."""
        if not self.late and (compat or self.old or self.early):  # before CardStock 0.6.3
            scope.own_words["subsets"] = partial(subsets, least=0)
        if self.old:
            scope.own_steps |= {"remember": _lenient(REMEMBER, remember), "forget": _lenient(FORGET, forget)}

    @property
    def stuck_after(self) -> int:
        """The number of steps without a choice after which a program is stuck."""
        return 500 if self.old else 200

    def problems(self) -> list[Problem]:
        """Report awards that are the only sign that a program is in the old language."""
        said = "a colon is missing here, as in ({} : {}): as it stands, the program is read as one of the old language"
        return [part.problem(said.format(*part.items), "warning") for part in self.bare if self.meant_new]

    def _form(self, node: Node) -> Node:
        if node.kind != "form":
            return node
        items = node.items
        match node:
            case Node("put", [_, _, Node(kind="variable") as name, awards]):
                self.old = True
                return node.form(node.token("word", "set"), _game_map(name), self._awards(awards))
            case Node("set" | "update" as head, [_, Node("points") as points, awards]):
                self.late |= head == "update"
                return node.form(items[0], self._form(points), self._awards(awards))
            case Node("inc" | "dec", [_, store]):
                return node.form(items[0], self._form(store), node.token("number", "1"))
            case Node("indexed", [_, *place]) if len(place) == 3:
                return node.form(items[0], self._form(node.form(*place)))
            case Node("+" | "*", [sign, *_]) if len(items) > 3:
                self.late = True
                return self._form(node.form(sign, node.form(*items[:-1]), items[-1]))
            case Node("top" | "bottom", [_, _, _, Node(text="using"), _]):
                return self._form(node.form(node.token("word", "run"), *items))
            case Node("stage", [_, _, Node(text="once"), *_]) | Node("subsets", [_, _, _, *_]):
                self.late = True
            case Node("actual") | Node("partition", [*_, Node(kind="name")]):
                self.early = True
        return node.form(*self._items(items))

    def _items(self, items: tuple[Node, ...]) -> list[Node]:
        done: list[Node] = []
        for item in items:
            if item.kind == "variable" and done and done[-1].has("word", "using"):
                self.old = True
                done.append(_game_map(item))
            else:
                done.append(self._form(item))
        return done

    def _awards(self, node: Node) -> Node:
        """Write every award as ``((: KEY VALUE) ... N)``."""
        return node.form(*map(self._award, node.items)) if node.kind == "form" else node

    def _award(self, award: Node) -> Node:
        if not award.items:
            return award
        return award.form(*map(self._part, award.items[:-1]), self._form(award.items[-1]))

    def _part(self, part: Node) -> Node:
        match part.items:
            case [key, Node(text=":"), value]:
                self.colons = True
            case [key, Node(kind="name") as value]:
                self.bare.append(part)
            case [key, value]:
                self.old = True
                match value.items:
                    case [Node(kind="name" | "variable") as alone]:
                        value = alone
            case _:
                return part
        return part.form(part.token("sign", ":"), self._form(key), self._form(value))


def _game_map(name: Node) -> Node:
    return name.form(name.token("word", "game"), name.token("word", "points"), name.token("name", name.text))


def _lenient(form: str, act: Callable[..., None]) -> StepBuilder:
    """Return a compiler of an action for which a missing card, or an empty memory, is not an error."""

    def act_if_any(node: Node, table: CardTable, what: Any, *given: Any) -> None:
        if what is not None and what != []:
            act(node, table, what, *given)

    return lambda node, scope: Action(scope.source, [scope.call(node, form, act_if_any)], sure=False)


def read_otherwise(tree: Node) -> Iterator[Problem]:
    """Find what the original engine reads or does differently.

    Of two literal numbers in a row, it gives all digits of the second except the last to the first.
    """
    for node in tree.walk():
        match node:
            case Node(sign, (_, Node(kind="number"), Node(kind="number", text=second))):
                if sign in (*OPERATIONS, *COMPARISONS) and len(second) > 1:
                    said = f"the original engine misreads two literal numbers in a row: {excerpt(node)}"
                    yield node.problem(said, "warning")
            case Node("repeat", (_, number, Node("inc" | "dec"))) if number.kind != "word":
                yield node.problem(f"the original engine counts only once here: {excerpt(node)}", "warning")
