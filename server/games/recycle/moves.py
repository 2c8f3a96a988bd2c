"""Moves: actions with cards."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

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
from croupier.server.games.recycle.references import held_by_variable, refer
from croupier.server.games.recycle.scope import CARD, CARDS, GROUPS, Wrong, shown
from croupier.server.games.recycle.source import called

if TYPE_CHECKING:
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Scope

    Cards = list[int]


@acts("move")
def _move(node: Node, scope: Scope) -> str:
    scope.arity(node, 3)
    return moving(node, scope.text(node.items[1], CARD), scope)


def moving(node: Node, card: str, scope: Scope) -> str:
    """Compile a move of the card that a text comes to.

    Out of a list that a variable holds, and that was put together from places, it is taken too: the next top of it is
    another card.
    """
    place = ", ".join(target(node.items[2], scope, memory=False))
    absent = scope.source.call(node, partial(refuse_none, node), "None")
    card = f"card if (card := {card}) is not None else {absent}"
    if scope.compat:
        return refer(node, card, place, scope)
    held = held_by_variable(node.items[1])
    if held is not None:
        return f"pick_card(table, {card}, {place}, {scope.text(held, CARDS, GROUPS)})"
    return f"move_card(table, {card}, {place})"


def refuse_none(node: Node, _table: CardTable, _card: None) -> None:
    """Refuse to move no card."""
    raise Broken(f"there is no card to move from {shown(node.items[1])}", node)


@called
def pick_card(table: CardTable, card: int, to: CardList, at: int | None, held: Cards) -> None:
    """Move a card, and take it out of a list that was put together from places."""
    move_card(table, card, to, at)
    if isinstance(held, CardList) or card not in held:
        return
    among = held.index(card)
    del held[among]
    if table.log is not None:
        entry = table.log[-1]
        table.log[-1] = (entry[0], _pick_back, *entry[2:], held, among)


def _pick_back(table: CardTable, card: int, to: CardList, at: int | None, *before: Any) -> None:
    *place, held, among = before
    move_back(table, card, to, at, *place)
    held.insert(among, card)


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
    return f"shuffle(table, {real(node.items[1], scope)})"


@called
def shuffle(table: CardTable, held: CardList) -> None:
    """Mix a list."""
    put_in_order(table, held, table.shuffled(held))


@acts("remember")
def _remember(node: Node, scope: Scope) -> str:
    scope.arity(node, 3)
    card, memory = scope.text(node.items[1], CARD), target(node.items[2], scope, memory=True)
    lenient = scope.old

    def remember(table: CardTable, card: int | None, memory: CardList, at: int | None) -> None:
        if card is not None:
            remember_card(table, card, memory, at)
        elif not lenient:
            raise Broken("there is no card to remember", node)

    return scope.source.call(node, remember, card, *memory)


@acts("forget")
def _forget(node: Node, scope: Scope) -> str:
    scope.arity(node, 2)
    lenient = scope.old

    def forget(table: CardTable, memory: CardList, at: int | None) -> None:
        if memory:
            forget_card(table, memory, len(memory) - 1 if at is None else at)
        elif not lenient:
            raise Broken("there is nothing to forget", node)

    return scope.source.call(node, forget, *target(node.items[1], scope, memory=True))
