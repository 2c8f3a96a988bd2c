"""Moves: actions with cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.games.recycle.actions import acts
from croupier.server.games.recycle.card_table import Broken, CardList, CardTable
from croupier.server.games.recycle.changes import (
    forget_card,
    move_back,
    move_card,
    put_in_order,
    remember_card,
    swap_cards,
    swap_lists,
)
from croupier.server.games.recycle.places import real, target
from croupier.server.games.recycle.references import held_by_variable, referring
from croupier.server.games.recycle.scope import CARD, CARDS, GROUPS, Wrong, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.server.games.recycle.actions import Act
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Run, Scope

    Moving = Callable[[CardTable, int | None], None]


def _pick_back(
    table: CardTable,
    card: int,
    to: CardList,
    at: int | None,
    source: CardList,
    place: int,
    picked: list[int],
    among: int,
) -> None:
    """Take a move out of a list that a variable holds back, into that list too."""
    move_back(table, card, to, at, source, place)
    picked.insert(among, card)


@acts("move")
def _move(node: Node, scope: Scope) -> Act:
    card, moving = taken(node, scope)
    return lambda table: moving(table, card(table))


def taken(node: Node, scope: Scope) -> tuple[Run, Callable[[CardTable, int | None], None]]:
    """Compile a move: which card is taken, and moving it."""
    scope.arity(node, 3)
    card = scope.expect(node.items[1], CARD).run
    where, place = target(node.items[2], scope, memory=False)
    on_top = node.items[2].head == "top"

    def moving(table: CardTable, moved: int | None) -> None:
        if moved is None:
            raise Broken(f"there is no card to move from {shown(node.items[1])}", node)
        move_card(table, moved, where(table), None if on_top else place(table))

    if scope.compat:
        return card, referring(node.items[1], moving, scope)
    held = held_by_variable(node.items[1])
    return card, moving if held is None else _picking(moving, scope.expect(held, CARDS, GROUPS).run)


def _picking(moving: Moving, lists: Run) -> Moving:
    """Take the moved card out of the list that was put together from places too: the next top is another card."""

    def pick(table: CardTable, moved: int | None) -> None:
        held = lists(table)
        moving(table, moved)
        if isinstance(held, CardList) or moved not in held:
            return
        among = held.index(moved)
        del held[among]
        if table.log is not None:
            entry = table.log[-1]
            table.log[-1] = (entry[0], _pick_back, *entry[2:], held, among)

    return pick


@acts("swap")
def _swap(node: Node, scope: Scope) -> Act:
    """Exchange two cards, or all the cards of two lists."""
    scope.arity(node, 3)
    if scope.read(node.items[1]).sort == CARD:
        one, other = (scope.expect(item, CARD).run for item in node.items[1:])

        def act(table: CardTable) -> None:
            first, second = one(table), other(table)
            if first is None or second is None:
                raise Broken("there is no card to swap", node)
            swap_cards(table, first, second)

        return act
    left, right = real(node.items[1], scope), real(node.items[2], scope)
    return lambda table: swap_lists(table, left(table), right(table))


@acts("shuffle")
def _shuffle(node: Node, scope: Scope) -> Act:
    if len(node.items) > 2:
        raise Wrong(node.problem("no shuffle but the plain one can be done: (shuffle LIST)"))
    scope.arity(node, 2)
    cards = real(node.items[1], scope)

    def act(table: CardTable) -> None:
        held = cards(table)
        put_in_order(table, held, table.shuffled(held))

    return act


@acts("remember")
def _remember(node: Node, scope: Scope) -> Act:
    scope.arity(node, 3)
    card = scope.expect(node.items[1], CARD).run
    where, place = target(node.items[2], scope, memory=True)
    lenient = scope.old

    def act(table: CardTable) -> None:
        seen = card(table)
        if seen is not None:
            remember_card(table, seen, where(table), place(table))
        elif not lenient:
            raise Broken("there is no card to remember", node)

    return act


@acts("forget")
def _forget(node: Node, scope: Scope) -> Act:
    scope.arity(node, 2)
    where, place = target(node.items[1], scope, memory=True)
    lenient = scope.old

    def act(table: CardTable) -> None:
        memory = where(table)
        if memory:
            at = place(table)
            forget_card(table, memory, len(memory) - 1 if at is None else at)
        elif not lenient:
            raise Broken("there is nothing to forget", node)

    return act
