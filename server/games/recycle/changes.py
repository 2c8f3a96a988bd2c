"""Changes: what actions do to a table, each logged while an option is tried out, so that it can be undone.

An entry of the log is the function that acts and the one that undoes it, each with its arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.server.games.recycle.card_table import CardList
from croupier.server.games.recycle.deck import PointMap
from croupier.server.games.recycle.source import callable_in_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.games.recycle.card_table import CardTable, Entry

_HALF = 1 << 31


def undo(table: CardTable, mark: int) -> None:
    """Undo the entries of the log after the mark, last first."""
    log, table.log = table.log, None
    while log and len(log) > mark:
        _, _, back, given = log.pop()
        back(table, *given)
    table.log = log


def redo(table: CardTable, entries: Sequence[Entry]) -> None:
    """Repeat logged actions."""
    for act, given, *_ in entries:
        act(table, *given)


# Cards


@callable_in_texts
def move_card(table: CardTable, card: int, to: CardList, at: int | None) -> None:
    """Take a card from its list and put it on top of another, or at a place in it."""
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
        table.log.append((move_card, (card, to, at), move_back, (card, source, place)))


def move_back(table: CardTable, card: int, source: CardList, place: int) -> None:
    """Put a moved card back."""
    table.where[card].remove(card)
    source.insert(place, card)
    table.where[card] = source


@callable_in_texts
def pick_card(table: CardTable, card: int, to: CardList, at: int | None, held: list[int]) -> None:
    """Move a card, and take it out of a list that was assembled from places."""
    move_card(table, card, to, at)
    if isinstance(held, CardList) or card not in held:
        return
    among = held.index(card)
    del held[among]
    if table.log is not None:
        act, given, _, before = table.log[-1]
        table.log[-1] = (act, given, _pick_back, (*before, held, among))


def _pick_back(table: CardTable, card: int, source: CardList, place: int, held: list[int], among: int) -> None:
    move_back(table, card, source, place)
    held.insert(among, card)


@callable_in_texts
def deal(table: CardTable, source: CardList, to: CardList, many: int) -> int:
    """Move ``number`` cards from top to top if nothing is logged; return how many are left to move one by one."""
    if table.log is not None or source is to or not 0 < many <= len(source):
        return many
    cards = source[: -many - 1 : -1]
    del source[-many:]
    to += cards
    for card in cards:
        table.where[card] = to
    return 0


def swap_cards(table: CardTable, one: int, other: int) -> None:
    """Exchange the places of two cards."""
    first, second = table.where[one], table.where[other]
    here, there = first.index(one), second.index(other)
    first[here], second[there] = other, one
    table.where[one], table.where[other] = second, first
    if table.log is not None:
        table.log.append((swap_cards, (one, other), swap_cards, (one, other)))


@callable_in_texts
def swap_lists(table: CardTable, left: CardList, right: CardList) -> None:
    """Exchange all the cards of two lists."""
    left[:], right[:] = right[:], left[:]
    for held in (left, right):
        for card in held:
            table.where[card] = held
    if table.log is not None:
        table.log.append((swap_lists, (left, right), swap_lists, (left, right)))


@callable_in_texts
def shuffle(table: CardTable, held: CardList) -> None:
    """Shuffle a list."""
    put_in_order(table, held, table.draw_order(held))


def put_in_order(table: CardTable, held: CardList, order: list[int]) -> None:
    """Reorder the cards of a list."""
    if table.log is not None:
        table.log.append((put_in_order, (held, order), put_in_order, (held, held[:])))
    held[:] = order


def remember_card(table: CardTable, card: int, memory: CardList, at: int | None) -> None:
    """Note a card in a memory, on top or at a place."""
    place = len(memory) if at is None else slice(at, None).indices(len(memory))[0]
    memory.insert(place, card)
    if table.log is not None:
        table.log.append((remember_card, (card, memory, place), forget_card, (memory, place)))


def forget_card(table: CardTable, memory: CardList, place: int) -> None:
    """Remove the card noted at a place of a memory."""
    card = memory.pop(place)
    if table.log is not None:
        table.log.append((forget_card, (memory, place), remember_card, (card, memory, place)))


# Stores and pointers


@callable_in_texts
def wrap(value: int) -> int:
    """Return a number as 32 bits hold it."""
    return value if -_HALF <= value < _HALF else (value + _HALF) % (2 * _HALF) - _HALF


@callable_in_texts
def put(table: CardTable, store: str, who: int, name: str, value: Any) -> None:
    """Set one of an owner's numbers, strings or maps."""
    stored = getattr(table, store)[who]
    if table.log is not None:
        table.log.append((put, (store, who, name, value), _put_back, (store, who, name, stored.get(name))))
    stored[name] = value
    table.puts += 1


def _put_back(table: CardTable, store: str, who: int, name: str, old: Any) -> None:
    put(table, store, who, name, old)
    if old is None:
        del getattr(table, store)[who][name]


@callable_in_texts
def count(table: CardTable, who: int, name: str, more: int) -> None:
    """Add to one of an owner's numbers."""
    put(table, "numbers", who, name, wrap(table.numbers[who].get(name, 0) + more))


@callable_in_texts
def update(table: CardTable, who: int, name: str, more: PointMap) -> None:
    """Update awards in one of an owner's point maps; one that was never set is empty."""
    before = table.maps[who].get(name)
    put(table, "maps", who, name, more if before is None else PointMap.of(before.awards_with(more), table.deck))


@callable_in_texts
def point(table: CardTable, pointer: str, player: int) -> None:
    """Point at a player."""
    if table.log is not None:
        table.log.append((point, (pointer, player), point, (pointer, getattr(table, pointer))))
    setattr(table, pointer, player)


@callable_in_texts
def pass_turn(table: CardTable) -> None:
    """Do nothing, which is an action too."""
    if table.log is not None:
        table.log.append((pass_turn, (), pass_turn, ()))
