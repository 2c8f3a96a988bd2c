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
)
from croupier.server.games.recycle.places import real, target
from croupier.server.games.recycle.references import held_by_variable, referring
from croupier.server.games.recycle.scope import CARD, CARDS, GROUPS, Wrong, shown

if TYPE_CHECKING:
    from collections.abc import Callable

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
def _move(node: Node, scope: Scope) -> str:
    held = held_by_variable(node.items[1])
    if scope.compat or held is not None:
        card, moving = taken(node, scope)
        if not scope.compat and held is not None:
            moving = _picking(moving, scope.expect(held, CARDS, GROUPS).run)
        return scope.source.call(node, moving, scope.source.call(node, card))
    scope.arity(node, 3)
    card_text = scope.text(node.items[1], CARD)
    where, place = target(node.items[2], scope, memory=False)
    absent = scope.source.call(node, _present(node), "None")
    return f"move_card(table, card if (card := {card_text}) is not None else {absent}, {where}, {place})"


def _present(node: Node) -> Callable[[CardTable, int | None], int]:
    """Return what refuses to move no card."""

    def present(_table: CardTable, card: int | None) -> int:
        if card is None:
            raise Broken(f"there is no card to move from {shown(node.items[1])}", node)
        return card

    return present


def taken(node: Node, scope: Scope) -> tuple[Run, Moving]:
    """Compile a move: which card is taken, and moving it."""
    scope.arity(node, 3)
    card, present = scope.expect(node.items[1], CARD).run, _present(node)
    where, place = map(scope.source.worked_out, target(node.items[2], scope, memory=False))

    def moving(table: CardTable, moved: int | None) -> None:
        move_card(table, present(table, moved), where(table), place(table))

    return card, referring(node.items[1], moving, scope) if scope.compat else moving


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
def _swap(node: Node, scope: Scope) -> str:
    """Exchange two cards, or all the cards of two lists."""
    scope.arity(node, 3)
    if scope.read(node.items[1]).sort == CARD:

        def act(table: CardTable, first: int | None, second: int | None) -> None:
            if first is None or second is None:
                raise Broken("there is no card to swap", node)
            swap_cards(table, first, second)

        return scope.source.call(node, act, *[scope.text(item, CARD) for item in node.items[1:]])
    return f"swap_lists(table, {real(node.items[1], scope)}, {real(node.items[2], scope)})"


@acts("shuffle")
def _shuffle(node: Node, scope: Scope) -> str:
    if len(node.items) > 2:
        raise Wrong(node.problem("no shuffle but the plain one can be done: (shuffle LIST)"))
    scope.arity(node, 2)

    def act(table: CardTable, held: CardList) -> None:
        put_in_order(table, held, table.shuffled(held))

    return scope.source.call(node, act, real(node.items[1], scope))


@acts("remember")
def _remember(node: Node, scope: Scope) -> str:
    scope.arity(node, 3)
    card = scope.expect(node.items[1], CARD).run
    where, place = map(scope.source.worked_out, target(node.items[2], scope, memory=True))
    lenient = scope.old

    def act(table: CardTable) -> None:
        seen = card(table)
        if seen is not None:
            remember_card(table, seen, where(table), place(table))
        elif not lenient:
            raise Broken("there is no card to remember", node)

    return scope.source.call(node, act)


@acts("forget")
def _forget(node: Node, scope: Scope) -> str:
    scope.arity(node, 2)
    where, place = map(scope.source.worked_out, target(node.items[1], scope, memory=True))
    lenient = scope.old

    def act(table: CardTable) -> None:
        memory = where(table)
        if memory:
            at = place(table)
            forget_card(table, memory, len(memory) - 1 if at is None else at)
        elif not lenient:
            raise Broken("there is nothing to forget", node)

    return scope.source.call(node, act)
