"""Changes: what is done to lists of cards, each logged while a choice is tried out, and how each is taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.server.games.recycle.source import callable_in_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.server.games.recycle.card_table import CardList, CardTable


@callable_in_texts
def move_card(table: CardTable, card: int, to: CardList, at: int | None) -> None:
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
        table.log.append((move_card, move_back, (card, to, at), source, place))


@callable_in_texts
def deal(table: CardTable, source: CardList, to: CardList, many: int) -> int:
    """Move so many cards from top to top, where that is not logged; return how many are left to move one by one."""
    if table.log is not None or source is to or not 0 < many <= len(source):
        return many
    cards = source[: -many - 1 : -1]
    del source[-many:]
    to += cards
    for card in cards:
        table.where[card] = to
    return 0


def move_back(table: CardTable, card: int, to: CardList, _at: int | None, source: CardList, place: int) -> None:
    """Put a moved card back where it was."""
    to.remove(card)
    source.insert(place, card)
    table.where[card] = source


def swap_cards(table: CardTable, one: int, other: int) -> None:
    """Exchange the places of two cards."""
    first, second = table.where[one], table.where[other]
    here, there = first.index(one), second.index(other)
    first[here], second[there] = other, one
    table.where[one], table.where[other] = second, first
    if table.log is not None:
        table.log.append((swap_cards, _swap_cards_back, (one, other)))


def _unlogged(act: Callable[..., None]) -> Callable[..., None]:
    """Return what takes an exchange back: the same exchange again, unlogged."""

    def back(table: CardTable, *what: Any) -> None:
        log, table.log = table.log, None
        act(table, *what)
        table.log = log

    return back


@callable_in_texts
def swap_lists(table: CardTable, left: CardList, right: CardList) -> None:
    """Exchange all the cards of two lists."""
    left[:], right[:] = right[:], left[:]
    for held in (left, right):
        for card in held:
            table.where[card] = held
    if table.log is not None:
        table.log.append((swap_lists, _swap_lists_back, (left, right)))


_swap_cards_back = _unlogged(swap_cards)
_swap_lists_back = _unlogged(swap_lists)


def put_in_order(table: CardTable, held: CardList, order: list[int]) -> None:
    """Put the cards of a list into another order."""
    if table.log is not None:
        table.log.append((put_in_order, _put_back, (held, order), held[:]))
    held[:] = order


def _put_back(_table: CardTable, held: CardList, _order: list[int], before: list[int]) -> None:
    held[:] = before


def remember_card(table: CardTable, card: int, memory: CardList, at: int | None) -> None:
    """Note a card in a memory, on top or at a place."""
    place = len(memory) if at is None else at
    memory.insert(place, card)
    if table.log is not None:
        table.log.append((remember_card, _unremember, (card, memory, place)))


def _unremember(_table: CardTable, _card: int, memory: CardList, place: int) -> None:
    del memory[place]


def forget_card(table: CardTable, memory: CardList, place: int) -> None:
    """Remove what a memory notes at a place."""
    card = memory.pop(place)
    if table.log is not None:
        table.log.append((forget_card, _unforget, (memory, place), card))


def _unforget(_table: CardTable, memory: CardList, place: int, card: int) -> None:
    memory.insert(place, card)
