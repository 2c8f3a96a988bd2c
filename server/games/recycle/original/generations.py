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

from typing import TYPE_CHECKING

from croupier.server.games.recycle.changes import remember_card
from croupier.server.games.recycle.moves import forget, forgetting, remembering
from croupier.server.games.recycle.steps import Action

if TYPE_CHECKING:
    from croupier.server.games.recycle.card_table import CardList, CardTable
    from croupier.server.games.recycle.reader import Node, Problem
    from croupier.server.games.recycle.scope import Scope


class Translation:
    """A program's tree in one spelling, and whether it was written in an old one."""

    def __init__(self, tree: Node) -> None:
        self.old = False
        self.early = False
        """Whether something is in it that CardStock 0.6 no longer reads."""
        self.late = False
        """Whether something is in it that CardStock reads since 0.6.3."""
        self.colons = False
        self.bare: list[Node] = []
        """Parts of awards that are (KEY VALUE): the old language has them, and in the new one they lack a colon."""
        self.tree = self._form(tree)
        others, self.old = self.old, self.old or bool(self.bare)
        self.meant_new = bool(self.bare) and (self.colons or not others)

    def adapt(self, scope: Scope, *, compat: bool) -> None:
        """Let a program be read as its generation was."""
        scope.empty_subset = not self.late and (compat or self.old or self.early)  # as it was before CardStock 0.6.3
        if self.old:
            scope.own_steps |= {"remember": _remember, "forget": _forget}

    @property
    def stuck_after(self) -> int:
        """After how many steps of the machine without a choice a program is stuck."""
        return 500 if self.old else 200

    def problems(self) -> list[Problem]:
        """Report awards by which alone a program would be one of the old language."""
        said = "a colon is missing here, as in ({} : {}): as it stands, the program is read as one of the old language"
        return [part.problem(said.format(*part.items), "warning") for part in self.bare if self.meant_new]

    def _form(self, node: Node) -> Node:
        if node.kind != "form":
            return node
        items = node.items
        match node.head:
            case "put" if len(items) == 4 and items[2].kind == "variable":
                self.old = True
                return node.form(node.token("word", "set"), _game_map(items[2]), self._awards(items[3]))
            case "set" | "update" if len(items) == 3 and items[1].head == "points":
                self.late |= node.head == "update"
                return node.form(items[0], self._form(items[1]), self._awards(items[2]))
            case "inc" | "dec" if len(items) == 2:
                return node.form(items[0], self._form(items[1]), node.token("number", "1"))
            case "indexed" if len(items) == 4:
                return node.form(items[0], self._form(node.form(*items[1:])))
            case "+" | "*" if len(items) > 3:
                self.late = True
                return self._form(node.form(items[0], node.form(*items[:-1]), items[-1]))
            case "top" | "bottom" if len(items) == 5 and items[3].has("word", "using"):
                return self._form(node.form(node.token("word", "run"), *items))
            case "stage" if len(items) > 2 and items[2].has("word", "once"):
                self.late = True
            case "subsets" if len(items) > 2:
                self.late = True
            case "actual":
                self.early = True
            case "partition" if items[-1].kind == "name":
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
        return node.form(*[self._award(award) for award in node.items]) if node.kind == "form" else node

    def _award(self, award: Node) -> Node:
        if award.kind != "form" or not award.items:
            return award
        return award.form(*[self._part(part) for part in award.items[:-1]], self._form(award.items[-1]))

    def _part(self, part: Node) -> Node:
        items = part.items
        sign = part.token("sign", ":")
        if len(items) == 3 and items[1].has("sign", ":"):
            self.colons = True
            return part.form(sign, self._form(items[0]), self._form(items[2]))
        if len(items) == 2:
            value = items[1]
            if value.kind == "name":
                self.bare.append(part)
            else:
                self.old = True
            if value.kind == "form" and len(value.items) == 1 and value.items[0].kind in ("name", "variable"):
                value = value.items[0]
            return part.form(sign, self._form(items[0]), self._form(value))
        return part


def _game_map(name: Node) -> Node:
    return name.form(name.token("word", "game"), name.token("word", "points"), name.token("name", name.text))


def _remember(node: Node, scope: Scope) -> Action:
    """Compile a `remember` to which no card is no error."""

    def remember(table: CardTable, card: int | None, memory: CardList, at: int | None) -> None:
        if card is not None:
            remember_card(table, card, memory, at)

    return Action(scope.source, [remembering(node, scope, remember)], sure=False)


def _forget(node: Node, scope: Scope) -> Action:
    """Compile a `forget` to which an empty memory is no error."""

    def forget_any(table: CardTable, memory: CardList, at: int | None) -> None:
        if memory:
            forget(node, table, memory, at)

    return Action(scope.source, [forgetting(node, scope, forget_any)], sure=False)
