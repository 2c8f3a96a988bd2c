"""The arrays of a game from a file: their shapes follow from its program, in which every list and store is named.

An owner is a number: 0 is the table, then come the players from the observer on, then the teams, each by the first of
its members counted from the observer.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from croupier.server.arrays.columns import Column, Player, Sizes, Tokens, Vocabulary
from croupier.server.games.recycle.reader import KINDS, STORES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from croupier.server.arrays.actions import Legal
    from croupier.server.arrays.columns import Array, Seats
    from croupier.server.games.recycle.game import RecycleGame
    from croupier.server.games.recycle.reader import Node

    Slot = tuple[Any, ...]

MOST_NUMBERED = 16
"""Of numbered lists with the same name, those with higher numbers count as this one."""
VERBS = ("move", "set", "remember", "forget", "cycle", "shuffle", "swap", "pass", "unknown")
_TEAM_TOKENS = 32


class Owners:
    """The owners of lists and stores, as numbers from an observer's point of view."""

    def __init__(self, players: int) -> None:
        self.players = players

    def number(self, owner: Any, seats: Seats) -> int:
        """Return the number of an owner in STATE."""
        if owner == "table":
            return 0
        if isinstance(owner, tuple):
            return 1 + self.players + min(seats[name] for name in owner[1:])
        return 1 + seats[owner]

    def name(self, number: int) -> str:
        """Return a name for an owner's number."""
        if number == 0:
            return "table"
        kind, seat = divmod(number - 1, self.players)
        return f"team of seat {seat}" if kind else f"seat {seat}"


class Layout(NamedTuple):
    """What a program names: its lists, stores and point maps as slots with their numbers, its cards and words."""

    owners: Owners
    lists: dict[Slot, int]
    """By owner, kind, name and number."""
    stores: dict[Slot, int]
    """By owner and name."""
    maps: dict[Slot, int]
    cards: list[dict[str, str]]
    backs: dict[str, int]
    words: dict[str, int]

    def place(self, place: Any, seats: Seats) -> int | None:
        """Return the number of a list in STATE; None if the program has made its name up."""
        owner, kind, name, *number = place
        which = min(number[0], MOST_NUMBERED) if number else 0
        return self.lists.get((self.owners.number(owner, seats), kind, name, which))

    def list_names(self) -> list[str]:
        """Return a name for each list."""
        owner = self.owners.name
        return [f"{owner(who)} {kind} {name}{f' {number}' if number else ''}" for who, kind, name, number in self.lists]

    def store_names(self) -> list[str]:
        """Return a name for each store."""
        return [f"{self.owners.name(who)} {name}" for who, name in self.stores]

    def map_names(self) -> list[str]:
        """Return a name for each point map."""
        return [f"{self.owners.name(who)} {name}" for who, name in self.maps]

    def legends(self) -> dict[str, list[str]]:
        """Return what the cells of arrays stand for, in the order of their numbers."""
        cards = [" ".join([str(number), *card.values()]) for number, card in enumerate(self.cards)]
        return {
            "cards": cards,
            "backs": [*self.backs],
            "lists": self.list_names(),
            "stores": self.store_names(),
            "point maps": self.map_names(),
            "words": [*self.words],
        }


def layout(game: RecycleGame) -> Layout:
    """Return what a program names."""
    program, deck = game.program, game.table.deck
    owners, nodes = Owners(program.players), [*program.tree.walk()]
    stores = [node for node in nodes if node.head in STORES and len(node.items) == 3]
    maps = [node for node in stores if node.head == "points"]
    lists = [node for node in nodes if node.head in KINDS and len(node.items) in {3, 4}]
    # a name that is computed is one of those on the cards or in a declaration
    declared = [part.text for node in nodes if node.head == "declare" for part in node.walk() if part.kind == "name"]
    computed = [*dict.fromkeys([*declared, *[value for card in deck.cards for value in card.values()]])]
    has_teams = any(node.has("word", "team") for node in nodes)
    words = [*dict.fromkeys([*[node.text for node in nodes if node.kind == "name"], *computed])]

    def slots(found: Iterable[Node]) -> dict[Slot, int]:
        named: defaultdict[Slot, set[int]] = defaultdict(set)
        for node in found:
            who = _owners(node.items[0], program.players, teams=has_teams)
            kind = (node.head,) if node.head in KINDS else ()
            for name in [node.items[2].text] if node.items[2].kind == "name" else computed:
                for number in range(1, MOST_NUMBERED + 1) if len(node.items) == 4 else (0,):
                    named[(*kind, name, *([number] if kind else []))].update(who)
        every = sorted((owner, *slot) for slot, who in named.items() for owner in who)
        return {slot: number for number, slot in enumerate(every)}

    return Layout(
        owners,
        slots(lists),
        slots(node for node in stores if node.head != "points"),
        slots(maps),
        deck.cards,
        {back: number for number, back in enumerate(dict.fromkeys(deck.backs))},
        {word: number + 1 for number, word in enumerate(words)},
    )


def _owners(node: Node, players: int, *, teams: bool) -> Iterable[int]:
    """Return the numbers of all owners that an expression may stand for."""
    if node.has("word", "game"):
        return (0,)
    if node.head == "team" or "team" in node.head.split():
        return range(1 + players, 1 + 2 * players)
    return range(1, 1 + players * (1 + (teams and node.kind == "variable")))


class Position(Column):
    """Where the program is."""

    dtype = np.int16
    most = None
    about = (
        "the number of the program's instruction, the seat of player 0, and for each pointer of the program the owner "
        "to whom it points and the one who is queued after, by their numbers from 1"
    )

    def __init__(self, game: RecycleGame, owners: Owners) -> None:
        depth = 2 + max([len(instruction.around) for instruction in game.program.code])
        self._owners = owners
        self.shape = (2 + 2 * depth,)

    def row(self, value: Any, seats: Seats) -> bytes:
        """Return the instruction and the pointers."""
        at, first, *pointers = value
        row = np.zeros(self.shape, self.dtype)
        row[:2] = at, seats[first]
        pointed = [0 if who == "none" else 1 + self._owners.number(who, seats) for pair in pointers for who in pair]
        row[2 : 2 + len(pointed)] = pointed
        return row.tobytes()


class VisibleCards(Column):
    """Where each card is seen."""

    dtype = np.int16
    most = None
    about = "by list, the place of each card that is seen there, from the bottom, which is 1"

    def __init__(self, named: Layout) -> None:
        self._named = named
        self.shape = (len(named.lists), len(named.cards))

    def row(self, value: Any, seats: Seats) -> bytes:
        """Return the place of each card in each list."""
        row = np.zeros(self.shape, self.dtype)
        for place, *cards in value:
            if (number := self._named.place(place, seats)) is not None:
                row[number, cards] = range(1, len(cards) + 1)
        return row.tobytes()


class HiddenCards(Column):
    """How many cards lie where they are not seen."""

    dtype = np.int16
    most = None
    about = "by list, how many cards with each back are not seen there"

    def __init__(self, named: Layout) -> None:
        self._named = named
        self.shape = (len(named.lists), len(named.backs))

    def row(self, value: Any, seats: Seats) -> bytes:
        """Return the numbers of cards."""
        row = np.zeros(self.shape, self.dtype)
        for place, many, back in value:
            if (number := self._named.place(place, seats)) is not None:
                row[number, self._named.backs[back]] += many
        return row.tobytes()


class Stores(Column):
    """The numbers and words that the program keeps."""

    dtype = np.int32
    most = None
    about = "by store: 1 and a number, or 2 and the number of a word from 1"

    def __init__(self, named: Layout) -> None:
        self._named = named
        self.shape = (len(named.stores), 2)

    def row(self, value: Any, seats: Seats) -> bytes:
        """Return the values."""
        row = np.zeros(self.shape, self.dtype)
        for owner, name, kept in value:
            slot = self._named.stores.get((self._named.owners.number(owner, seats), name))
            if slot is not None:
                row[slot] = _stored(kept, self._named)
        return row.tobytes()


def _stored(value: Any, named: Layout) -> tuple[int, int]:
    return (1, value) if isinstance(value, int) else (2, named.words.get(value, 0))


class PointMaps(Column):
    """What cards are worth."""

    dtype = np.int32
    most = None
    about = "by point map, the points of each card"

    def __init__(self, named: Layout) -> None:
        self._named = named
        self.shape = (len(named.maps), len(named.cards))
        self._points: dict[Any, Array] = {}

    def row(self, value: Any, seats: Seats) -> bytes:
        """Return the points."""
        row = np.zeros(self.shape, self.dtype)
        for owner, name, *awards in value:
            slot = self._named.maps.get((self._named.owners.number(owner, seats), name))
            if slot is not None:
                row[slot] = self._worths(tuple(awards))
        return row.tobytes()

    def _worths(self, awards: tuple[Any, ...]) -> Array:
        """Return the sum of each card's awards. Kept, because the same maps are needed again and again."""
        points = self._points.get(awards)
        if points is None:
            if len(self._points) > _MOST_KEPT:
                self._points.clear()
            sums = [
                sum(award[-1] for award in awards if all(card.get(key, "none") == value for key, value in award[:-1]))
                for card in self._named.cards
            ]
            points = self._points[awards] = np.array(sums, self.dtype)
        return points


_MOST_KEPT = 512


class ChoiceFeatures:
    """The features of a choice: what its actions do.

    First the number of actions of each kind, then the cards that are named and the backs of those that are not seen: 1,
    plus the number of the list to which the card goes, if it is moved, counted from 1. Then come the lists from which
    and to which cards go, and the stores that are set: 1 for a number, 2 for a word, and its value. Last are the point
    maps that are set and the players to whom the turn is given.
    """

    dtype = np.int32

    def __init__(self, named: Layout) -> None:
        self._named = named
        sizes = [len(VERBS), len(named.cards), len(named.backs), len(named.lists), len(named.lists)]
        sizes += [2 * len(named.stores), len(named.maps), named.owners.players]
        ends = np.cumsum((0, *sizes))
        self._card, self._back, self._source, self._target, self._store, self._map, self._seat = ends[1:-1].tolist()
        self.size = int(ends[-1])
        stores = [f"{what} {name}" for name in named.store_names() for what in ("kind in", "value in")]
        self.names = [
            *VERBS,
            *(f"card {card}" for card in range(len(named.cards))),
            *(f"back {back}" for back in named.backs),
            *(f"from {name}" for name in named.list_names()),
            *(f"to {name}" for name in named.list_names()),
            *stores,
            *(f"map {name}" for name in named.map_names()),
            *(f"turn of seat {seat}" for seat in range(named.owners.players)),
        ]

    def fill(self, legal: Legal, into: Array) -> None:
        """Write the features of some choices into an array of shape (candidates, features) of zeros."""
        for row, (_, *actions) in zip(into, legal.described, strict=False):
            for action in actions:
                row[VERBS.index(action[0])] += 1
                self._add(row, action, legal.seats)

    def _add(self, row: Array, action: Any, seats: Seats) -> None:
        match action:
            case ("move", card, source, target, *_):
                number = self._named.place(target, seats)
                self._add_card(row, card, 0 if number is None else 1 + number)
                self._add_place(row, self._source, source, seats)
                self._add_place(row, self._target, target, seats)
            case ("remember", card, target):
                self._add_card(row, card)
                self._add_place(row, self._target, target, seats)
            case ("forget", card, source):
                self._add_card(row, card)
                self._add_place(row, self._source, source, seats)
            case ("set", owner, name, *value):
                self._set(row, (self._named.owners.number(owner, seats), name), value)
            case ("cycle", _, name):
                row[self._seat + seats[name]] += 1
            case ("shuffle", source):
                self._add_place(row, self._source, source, seats)
            case ("swap", tuple(one), tuple(other)):
                self._add_place(row, self._source, one, seats)
                self._add_place(row, self._target, other, seats)
            case ("swap", one, other):
                self._add_card(row, one)
                self._add_card(row, other)

    def _add_card(self, row: Array, card: int | str, target: int = 0) -> None:
        row[self._card + card if isinstance(card, int) else self._back + self._named.backs[card]] += 1 + target

    def _add_place(self, row: Array, block: int, place: Any, seats: Seats) -> None:
        if (number := self._named.place(place, seats)) is not None:
            row[block + number] += 1

    def _set(self, row: Array, slot: Slot, value: Sequence[Any]) -> None:
        if not value and slot in self._named.maps:
            row[self._map + self._named.maps[slot]] += 1
        elif value and slot in self._named.stores:
            place = self._store + 2 * self._named.stores[slot]
            row[place : place + 2] = _stored(value[0], self._named)


def recycle_columns(game: RecycleGame) -> tuple[dict[str, Column], ChoiceFeatures, dict[str, list[str]]]:
    """Return the columns of a program's STATE, the features of its choices, and what their cells stand for.

    The program itself and the values on its cards are the same in every game, so they have no arrays.
    """
    named = layout(game)
    vocabulary = Vocabulary((*named.words, "none"), (), len(game.players))
    sizes = Sizes(vocabulary, None, 0, 0)
    columns: dict[str, Column] = {
        "teams": Tokens(sizes, _TEAM_TOKENS),
        "current": Player(sizes),
        "at": Position(game, named.owners),
        "visible": VisibleCards(named),
        "hidden": HiddenCards(named),
        "stores": Stores(named),
        "maps": PointMaps(named),
    }
    columns = {name: column for name, column in columns.items() if 0 not in column.shape}
    return columns, ChoiceFeatures(named), named.legends()
