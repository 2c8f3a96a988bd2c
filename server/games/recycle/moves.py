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
from croupier.server.games.recycle.scope import CARD, CARDS, GROUPS, Wrong, excerpt
from croupier.server.games.recycle.source import callable_in_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Scope

    Cards = list[int]


@acts("move")
def _move(node: Node, scope: Scope) -> str:
    """Compile a move.

    Out of a list that a variable holds, and that was put together from places, the card is taken too: the next top of
    it is another card.
    """
    scope.arity(node, 3)
    ends = ends_of(node, scope.text(node.items[1], CARD), scope)
    held = held_by_variable(node.items[1])
    if held is not None:
        return f"pick_card(table, {ends}, {scope.text(held, CARDS, GROUPS)})"
    return f"move_card(table, {ends})"


def ends_of(node: Node, card: str, scope: Scope) -> str:
    """Compile what a move is from and to: the card that a text comes to, the list that it goes to, and the place."""
    absent = scope.source.call(node, partial(refuse_none, node), "None")
    place = target(node.items[2], scope, memory=False)
    return ", ".join([f"card if (card := {card}) is not None else {absent}", *place])


def held_by_variable(card: Node) -> Node | None:
    """Return the list that a variable holds, of which a card is the top, the bottom or number N."""
    if card.head in ("top", "bottom", "nth") and len(card.items) == 2:
        lists = card.items[1]
        return lists if lists.kind == "variable" or held_by_variable(lists) is not None else None
    return held_by_variable(card.items[1]) if card.head == "actual" and len(card.items) == 2 else None


def refuse_none(node: Node, _table: CardTable, _card: None) -> None:
    """Refuse to move no card."""
    raise Broken(f"there is no card to move from {excerpt(node.items[1])}", node)


@callable_in_texts
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


@callable_in_texts
def shuffle(table: CardTable, held: CardList) -> None:
    """Mix a list."""
    put_in_order(table, held, table.shuffled(held))


@acts("remember")
def _remember(node: Node, scope: Scope) -> str:
    return remembering(node, scope, partial(remember, node))


def remembering(node: Node, scope: Scope, act: Callable[..., None]) -> str:
    """Compile a `remember` to the call of a function."""
    scope.arity(node, 3)
    return scope.source.call(node, act, scope.text(node.items[1], CARD), *target(node.items[2], scope, memory=True))


def remember(node: Node, table: CardTable, card: int | None, memory: CardList, at: int | None) -> None:
    """Note a card, which there must be."""
    if card is None:
        raise Broken("there is no card to remember", node)
    remember_card(table, card, memory, at)


@acts("forget")
def _forget(node: Node, scope: Scope) -> str:
    return forgetting(node, scope, partial(forget, node))


def forgetting(node: Node, scope: Scope, act: Callable[..., None]) -> str:
    """Compile a `forget` to the call of a function."""
    scope.arity(node, 2)
    return scope.source.call(node, act, *target(node.items[1], scope, memory=True))


def forget(node: Node, table: CardTable, memory: CardList, at: int | None) -> None:
    """Strike out a card, which there must be."""
    if not memory:
        raise Broken("there is nothing to forget", node)
    forget_card(table, memory, len(memory) - 1 if at is None else at)
