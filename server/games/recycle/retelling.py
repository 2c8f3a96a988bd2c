"""A game from a file as one player's STATE tells it, with any cards where he cannot see them.

``(at N FIRST (WHO NEXT) ...)`` is what STATE says of where the program stands: the number of the choice's instruction,
player 0, then its pointers with who is queued behind each, or none: to the player and the team on turn, and those of
the stages around, outermost first, to which they go back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.server.games.recycle.card_table import list_key
from croupier.server.games.recycle.deck import PointMap
from croupier.server.games.world import NotToldError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from croupier.server.games.recycle.card_table import CardList, CardTable
    from croupier.server.games.recycle.program import CompiledProgram
    from croupier.server.games.recycle.reader import Node

NOBODY = "none"


def table_of(program: CompiledProgram, view: Any) -> CardTable:
    """Lay the table as a view tells it."""
    assert program.start is not None
    return _Laying(program.start.copy(), view, set(_strings(program.tree))).table


class _Laying:
    """A table that is laid: every list, store and pointer of a view where it belongs."""

    def __init__(self, table: CardTable, view: Any, strings: set[str]) -> None:
        self.table = table
        self.players = in_order(view)
        self.strings = strings
        for lists in table.lists:
            for held in lists.values():
                held.clear()
        self.point(view.at)
        self.lay(view.visible, view.hidden)
        for owner, name, value in view.stores:
            self.store(self.owner(owner), name, value)
        for owner, name, *awards in view.maps:
            read = tuple([(_parts(award[:-1]), award[-1]) for award in awards])
            table.maps[self.owner(owner)][name] = PointMap.of(read, table.deck)

    def point(self, at: Sequence[Any]) -> None:
        """Set the program's pointers."""
        table, around = self.table, [self.pointer(*pair) for pair in at[2:]]
        table.pc = at[0]
        (table.seat, table.queued), (table.team, table.team_queued), *table.stack = around

    def pointer(self, now: Any, then: Any) -> tuple[int, int]:
        """Return a pointer and who is queued behind it, as the table counts them."""
        first = 0 if isinstance(now, str) else self.table.players + 1
        return self.owner(now) - first, -1 if then == NOBODY else self.owner(then) - first

    def owner(self, owner: Any) -> int:
        """Return the number of an owner."""
        table = self.table
        if owner == "table":
            return table.game
        if isinstance(owner, tuple):
            return table.players + 1 + table.teams.index([self.players.index(name) for name in owner[1:]])
        return self.players.index(owner)

    def lay(self, visible: Sequence[Any], hidden: Sequence[Any]) -> None:
        """Put the cards that are seen where they lie, and the others where so many with such backs do."""
        table = self.table
        unseen = dict.fromkeys(range(len(table.deck.cards)))
        for place, *cards in visible:
            if max(cards) >= len(table.deck.cards):
                raise NotToldError("the program has made cards while it ran")
            held = self.held(place)
            held.extend(cards)
            for card in cards if held.kind != "mem" else ():
                table.where[card] = held
                del unseen[card]
        for place, many, back in hidden:
            held = self.held(place)
            for card in [card for card in unseen if table.deck.backs[card] == back][:many]:
                held.append(card)
                table.where[card] = held
                del unseen[card]

    def held(self, place: Any) -> Any:
        """Return a list by what it is called."""
        owner, kind, name, *number = place
        return self.table.lists[self.owner(owner)][list_key(kind, str(name), *number)]

    def store(self, owner: int, name: Any, value: Any) -> None:
        """Put a number or a word where it is kept."""
        if isinstance(value, str) or name in self.strings:
            self.table.strings[owner][str(name)] = "" if value == NOBODY else str(value)
        else:
            self.table.numbers[owner][str(name)] = value


def deal_again(table: CardTable, hidden: Sequence[CardList], rng: Random) -> None:
    """Shuffle the cards of hidden lists among their places, those with the same back among themselves.

    Nothing comes of which card lies where, nor of where in a list a back lies: STATE counts them.
    """
    backs = table.deck.backs
    cards: dict[str, list[int]] = {}
    for card in sorted([card for held in hidden for card in held]):
        cards.setdefault(backs[card], []).append(card)
    for mixed in cards.values():
        rng.shuffle(mixed)
    for held in hidden:
        lying = sorted([backs[card] for card in held])
        if lying[0] != lying[-1]:
            rng.shuffle(lying)
        held[:] = [cards[back].pop() for back in lying]
        for card in held:
            table.where[card] = held


def in_order(view: Any) -> tuple[str, ...]:
    """Return the players from the program's first."""
    names: tuple[str, ...] = view.players
    first = names.index(view.at[1])
    return names[first:] + names[:first]


def _parts(parts: Sequence[Any]) -> tuple[tuple[str, str], ...]:
    return tuple([(str(key), "" if value == NOBODY else str(value)) for key, value in parts])


def _strings(tree: Node) -> Iterator[str]:
    """List the names of a program's stores of words."""
    for node in tree.walk():
        if node.head == "str" and len(node.items) == 3:
            yield node.items[2].text
