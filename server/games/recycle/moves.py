"""Moves: actions with cards, and how each is taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.server.games.recycle.actions import acts
from croupier.server.games.recycle.places import real, target
from croupier.server.games.recycle.scope import CARD, CARDS, GROUPS, Wrong, shown
from croupier.server.games.recycle.table import Broken, CardList, Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.server.games.recycle.actions import Act
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Scope


def move_card(table: Table, card: int, to: CardList, at: int | None) -> None:
    """Take a card from where it lies and put it on top of a list, or into it at a place."""
    source = table.where[card]
    if source[-1] == card:
        place = len(source) - 1
        source.pop()
    else:
        place = source.index(card)
        del source[place]
    if at is None:
        to.append(card)
    else:
        to.insert(at, card)
    table.where[card] = to
    if table.log is not None:
        table.log.append((move_card, _move_back, (card, to, at), source, place))


def _move_back(table: Table, card: int, to: CardList, _at: int | None, source: CardList, place: int) -> None:
    to.remove(card)
    source.insert(place, card)
    table.where[card] = source


def _move_to_end(
    table: Table, card: int, to: CardList, at: int | None, source: CardList, _place: int, *picked: Any
) -> None:
    """Take a move back as the original does where the card came out of a list that is only picked from places."""
    _move_back(table, card, to, at, source, len(source))
    if picked:
        held, among = picked
        held.insert(among, card)


def _pick_back(
    table: Table, card: int, to: CardList, at: int | None, source: CardList, place: int, picked: list[int], among: int
) -> None:
    """Take a move out of a list that a variable holds back, into that list too."""
    _move_back(table, card, to, at, source, place)
    picked.insert(among, card)


@acts("move")
def _move(node: Node, scope: Scope) -> Act:
    scope.arity(node, 3)
    card = scope.expect(node.items[1], CARD).run
    where, place = target(node.items[2], scope, memory=False)
    on_top = node.items[2].head == "top"

    def act(table: Table) -> None:
        moved = card(table)
        if moved is None:
            raise Broken(f"there is no card to move from {shown(node.items[1])}", node)
        move_card(table, moved, where(table), None if on_top else place(table))

    taking: Act = act
    if (held := _held(node.items[1])) is not None:
        taking = _picking(act, card, scope.expect(held, CARDS, GROUPS).run)
    return _loosely(taking) if scope.compat and _picked(node.items[1]) else taking


def _held(card: Node) -> Node | None:
    """Return the list that a variable holds, of which a card is the top, the bottom or number N."""
    if card.head in ("top", "bottom", "nth") and len(card.items) == 2:
        lists = card.items[1]
        return lists if lists.kind == "variable" or _held(lists) is not None else None
    return _held(card.items[1]) if card.head == "actual" and len(card.items) == 2 else None


def _picking(act: Act, card: Callable[[Table], Any], lists: Callable[[Table], Any]) -> Act:
    """Take the moved card out of the list that was put together from places too: the next top is another card."""

    def pick(table: Table) -> None:
        moved, held = card(table), lists(table)
        act(table)
        if isinstance(held, CardList) or moved not in held:
            return
        among = held.index(moved)
        del held[among]
        if table.log is not None:
            entry = table.log[-1]
            table.log[-1] = (entry[0], _pick_back, *entry[2:], held, among)

    return pick


def _picked(card: Node) -> bool:
    """Tell whether a card is taken from a list that is only picked from places, and not as the actual one."""
    if card.head in ("max", "min") or _held(card) is not None:
        return card.head != "actual"
    if card.head not in ("top", "bottom", "nth") or len(card.items) != 2:
        return False
    return card.items[1].head not in ("vloc", "iloc", "hloc", "oloc", "mem") and card.items[1].kind == "form"


def _loosely(act: Act) -> Act:
    """Log a move so that taking it back leaves the card at the end of its list."""

    def loose(table: Table) -> None:
        act(table)
        if table.log is not None:
            entry = table.log[-1]
            table.log[-1] = (entry[0], _move_to_end, *entry[2:])

    return loose


@acts("swap")
def _swap(node: Node, scope: Scope) -> Act:
    """Exchange two cards, or all the cards of two lists."""
    scope.arity(node, 3)
    if scope.read(node.items[1]).sort == CARD:
        one, other = (scope.expect(item, CARD).run for item in node.items[1:])

        def act(table: Table) -> None:
            first, second = one(table), other(table)
            if first is None or second is None:
                raise Broken("there is no card to swap", node)
            swap_cards(table, first, second)

        return act
    left, right = real(node.items[1], scope), real(node.items[2], scope)
    return lambda table: swap_lists(table, left(table), right(table))


def swap_cards(table: Table, one: int, other: int) -> None:
    """Exchange the places of two cards."""
    first, second = table.where[one], table.where[other]
    here, there = first.index(one), second.index(other)
    first[here], second[there] = other, one
    table.where[one], table.where[other] = second, first
    if table.log is not None:
        table.log.append((swap_cards, _swap_cards_back, (one, other)))


def _unlogged(act: Callable[..., None]) -> Callable[..., None]:
    """Return what takes an exchange back: the same exchange again, unlogged."""

    def back(table: Table, *what: Any) -> None:
        log, table.log = table.log, None
        act(table, *what)
        table.log = log

    return back


def swap_lists(table: Table, left: CardList, right: CardList) -> None:
    """Exchange all the cards of two lists."""
    left[:], right[:] = right[:], left[:]
    for held in (left, right):
        for card in held:
            table.where[card] = held
    if table.log is not None:
        table.log.append((swap_lists, _swap_lists_back, (left, right)))


_swap_cards_back = _unlogged(swap_cards)
_swap_lists_back = _unlogged(swap_lists)


@acts("shuffle")
def _shuffle(node: Node, scope: Scope) -> Act:
    if len(node.items) > 2:
        raise Wrong(node.problem("no shuffle but the plain one can be done: (shuffle LIST)"))
    scope.arity(node, 2)
    cards = real(node.items[1], scope)

    def act(table: Table) -> None:
        held = cards(table)
        put_in_order(table, held, table.shuffled(held))

    return act


def put_in_order(table: Table, held: CardList, order: list[int]) -> None:
    """Put the cards of a list into another order."""
    if table.log is not None:
        table.log.append((put_in_order, _put_back, (held, order), held[:]))
    held[:] = order


def _put_back(_table: Table, held: CardList, _order: list[int], before: list[int]) -> None:
    held[:] = before


@acts("remember")
def _remember(node: Node, scope: Scope) -> Act:
    scope.arity(node, 3)
    card = scope.expect(node.items[1], CARD).run
    where, place = target(node.items[2], scope, memory=True)
    lenient = scope.old

    def act(table: Table) -> None:
        seen = card(table)
        if seen is not None:
            remember_card(table, seen, where(table), place(table))
        elif not lenient:
            raise Broken("there is no card to remember", node)

    return act


def remember_card(table: Table, card: int, memory: CardList, at: int | None) -> None:
    """Note a card in a memory, on top or at a place."""
    place = len(memory) if at is None else at
    memory.insert(place, card)
    if table.log is not None:
        table.log.append((remember_card, _unremember, (card, memory, place)))


def _unremember(_table: Table, _card: int, memory: CardList, place: int) -> None:
    del memory[place]


@acts("forget")
def _forget(node: Node, scope: Scope) -> Act:
    scope.arity(node, 2)
    where, place = target(node.items[1], scope, memory=True)
    lenient = scope.old

    def act(table: Table) -> None:
        memory = where(table)
        if memory:
            at = place(table)
            forget_card(table, memory, len(memory) - 1 if at is None else at)
        elif not lenient:
            raise Broken("there is nothing to forget", node)

    return act


def forget_card(table: Table, memory: CardList, place: int) -> None:
    """Remove what a memory notes at a place."""
    card = memory.pop(place)
    if table.log is not None:
        table.log.append((forget_card, _unforget, (memory, place), card))


def _unforget(_table: Table, memory: CardList, place: int, card: int) -> None:
    memory.insert(place, card)
