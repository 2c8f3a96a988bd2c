"""References: what the original engine keeps of a card that an option moves, and where taking it back puts it.

A card at an end or a place of a real list is kept as that place, and so is one that a variable holds. One that comes
out of a list which is only picked from places is kept as itself, and ends up last in its place when it is put back; so
does an actual one. A list that `let` binds is copied for each action: every `(top 'V)` of it is the same card.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from croupier.server.games.recycle.actions import ends_of, list_in_variable
from croupier.server.games.recycle.card_table import CardList, move_back, move_card
from croupier.server.games.recycle.reader import KINDS, Broken
from croupier.server.games.recycle.scope import Sort

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.server.games.recycle.card_table import CardTable
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Scope


class Origin(Enum):
    """What a card is taken from."""

    PLACE = "an end or a place of a list in which cards lie"
    VARIABLE = "a variable that holds the card"
    SHARED = "a list among others that a variable holds"
    COPY = "a list that is put together for this action alone"


def origin_of(card: Node, scope: Scope) -> Origin:
    """Return what a card is taken from."""
    if card.kind == "variable":
        return Origin.VARIABLE
    if card.head == "actual" and len(card.items) == 2:
        return origin_of(card.items[1], scope)
    if card.head in ("top", "bottom", "nth") and len(card.items) == 2:
        lists = card.items[1]
        if lists.head in KINDS:
            return Origin.COPY if lists.head == "mem" else Origin.PLACE
        if lists.kind == "variable":
            known = scope.variables[lists.text]
            return Origin.COPY if (known.by, known.sort) == ("let", Sort.CARDS) else Origin.SHARED
        if list_in_variable(lists) is not None:
            return Origin.SHARED
    return Origin.COPY


def refer(node: Node, card: str, scope: Scope) -> str:
    """Compile a move as the original logs it: what it refers to, and where it puts the card when it is taken back."""
    moved = node.items[1]
    origin, actual = origin_of(moved, scope), moved.head == "actual"
    end = moved.items[1].head if actual else moved.head
    held = list_in_variable(moved) if origin is Origin.SHARED else None
    shared = "None" if held is None else scope.text(held, Sort.CARDS, Sort.GROUPS)

    def move(table: CardTable, card: int, to: CardList, at: int | None, shared: list[int] | None) -> None:
        lying = origin in (Origin.PLACE, Origin.VARIABLE) or isinstance(shared, CardList)
        move_card(table, card, to, at)
        among = () if shared is None or lying else _take_out(shared, card)
        if table.log is not None:
            act, given, back, before = table.log[-1]
            again = _move_at(before[1], end, before[2]) if lying else act
            table.log[-1] = (again, given, _to_end if actual or not lying else back, (*before, *among))

    return scope.source.call(node, move, ends_of(node, card, scope), shared)


def _take_out(shared: list[int], card: int | None) -> tuple[Any, ...]:
    """Take a card out of a list that is put together; return what puts it back, if it was in there."""
    if card not in shared:
        return ()
    among = shared.index(card)
    del shared[among]
    return shared, among


def _to_end(table: CardTable, card: int, source: CardList, _place: int, *picked: Any) -> None:
    """Take a move back so that the card is the last of its list."""
    move_back(table, card, source, len(source))
    if picked:
        shared, among = picked
        shared.insert(among, card)


def _move_at(held: CardList, end: str, number: int) -> Callable[[CardTable, int, CardList, int | None], None]:
    """Return the move of what will lie at a place."""

    def move(table: CardTable, _card: int, to: CardList, at: int | None) -> None:
        place = {"top": len(held) - 1, "bottom": 0}.get(end, number)
        if not 0 <= place < len(held):
            raise Broken("an option is left without its card, which another one moved while it was tried out")
        move_card(table, held[place], to, at)

    return move
