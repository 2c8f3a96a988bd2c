"""Card table: the state of a game from a file: cards, stores and pointers, and the changes that actions make to it.

Owners are numbers: the players 0 to n-1, then the game itself (n), then the teams. While a choice is tried out, each
change is logged: what does it and what takes it back, each with its arguments.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from croupier.server.games.game import Label
from croupier.server.games.recycle.deck import PointMap
from croupier.server.games.recycle.reader import Broken
from croupier.server.games.recycle.source import callable_in_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from croupier.server.games.game import Deal
    from croupier.server.games.recycle.deck import Deck
    from croupier.server.games.recycle.reader import Node

    Entry = tuple[Any, ...]
    """A function that acts, with its arguments; and the one that undoes it, with its arguments."""


FUEL = 1_500_000
"""The number of elements that loops may visit between two choices."""
IMAGINED_FUEL = 50_000
"""The same in an imagined game: with a tenth of a second to think, a choice may not use up half of it."""
CHANCE = 100
"""The cost of a random number, because each is a line of the record."""


class CardList(list[int]):
    """One list of cards: the bottom first, the top last. Its visibility, ``kind``, is part of its name."""

    __slots__ = ("kind", "name", "number", "order", "owner", "written")

    def __init__(self, owner: int, kind: str, name: str, number: int) -> None:
        super().__init__()
        self.owner = owner
        self.kind = kind
        self.name = name
        self.number = number
        self.order = (kind, name, number)
        self.written: tuple[Any, ...] = ()
        """Its name in STATE, None until it is first needed."""


@callable_in_texts
def list_key(kind: str, name: str, number: int = 0) -> str:
    """Return a list's key among its owner's lists: a str, because that caches its hash."""
    return f"{kind} {name} {number}"


class Lists(dict[str, CardList]):
    """An owner's lists by `list_key`; a list is created when it is first mentioned."""

    __slots__ = ("every", "owner")

    def __init__(self, owner: int, every: list[CardList]) -> None:
        super().__init__()
        self.owner = owner
        self.every = every
        """All lists of the table, of all owners, in order of creation; none is ever removed."""

    def __missing__(self, key: str) -> CardList:
        kind, name, number = key.split(" ")
        made = self[key] = CardList(self.owner, kind, name, int(number))
        self.every.append(made)
        return made

    def copy_to(self, table: CardTable) -> Lists:
        """Return these lists as part of another table, which is a copy."""
        twin = Lists(self.owner, table.every)
        for key, cards in self.items():
            copied = twin[key] = CardList(cards.owner, cards.kind, cards.name, cards.number)
            table.every.append(copied)
            copied.extend(cards)
            copied.written = cards.written
            if cards.kind != "mem":
                for card in cards:
                    table.where[card] = copied
        return twin


@dataclass(slots=True, eq=False)
class CardTable:
    """Everything that changes while a program runs."""

    players: int
    deck: Deck
    deal: Deal
    columns: dict[str, list[str]] = field(init=False)
    env: list[Any] = field(default_factory=list)
    where: list[CardList] = field(default_factory=list)
    every: list[CardList] = field(default_factory=list)
    lists: list[Lists] = field(default_factory=list)
    numbers: list[dict[str, int]] = field(default_factory=list)
    strings: list[dict[str, str]] = field(default_factory=list)
    maps: list[dict[str, PointMap]] = field(default_factory=list)
    teams: list[list[int]] = field(default_factory=list)
    team_of: list[int] = field(init=False)
    seat: int = 0
    team: int = 0
    queued: int = -1
    team_queued: int = -1
    stack: list[tuple[int, int]] = field(default_factory=list)
    puts: int = 0
    """How often a number, a string or a map was set. While it stays the same, texts made of them stay valid."""
    pc: int = 0
    choices: int = 0
    fuel: int = FUEL
    granted: int = FUEL
    log: list[Entry] | None = None
    veil: Veil | None = None
    ties: list[Node] | None = None
    drawn: dict[str, int] = field(default_factory=dict)
    memory: dict[tuple[str, int], tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.columns = self.deck.columns
        self.team_of = [-1] * self.players
        for _ in range(self.players + 1):
            self._add_owner()

    def _add_owner(self) -> None:
        self.lists.append(Lists(len(self.lists), self.every))
        for kept in (self.numbers, self.strings, self.maps):
            kept.append({})

    def copy(self) -> CardTable:
        """Return an independent copy, without what belongs to the current choice."""
        twin = CardTable.__new__(CardTable)
        twin.players, twin.deal, twin.deck, twin.columns = self.players, self.deal, self.deck, self.columns
        twin.env, twin.where, twin.every = self.env[:], self.where[:], []
        twin.lists = [lists.copy_to(twin) for lists in self.lists]
        twin.numbers = [dict(store) for store in self.numbers]
        twin.strings = [dict(store) for store in self.strings]
        twin.maps = [dict(store) for store in self.maps]
        twin.teams, twin.team_of = [members[:] for members in self.teams], self.team_of[:]
        twin.seat, twin.team, twin.queued, twin.team_queued = self.seat, self.team, self.queued, self.team_queued
        twin.stack, twin.pc, twin.choices, twin.puts = self.stack[:], self.pc, self.choices, self.puts
        twin.fuel, twin.granted, twin.ties = self.fuel, self.granted, self.ties
        twin.log = twin.veil = None
        twin.drawn, twin.memory = dict(self.drawn), dict(self.memory)
        return twin

    def imagine(self, fuel: int) -> None:
        """Continue with at most ``fuel`` units of work, and with `IMAGINED_FUEL` between any two later choices."""
        self.fuel, self.granted = fuel, IMAGINED_FUEL

    @property
    def game(self) -> int:
        """The owner that is the game itself."""
        return self.players

    def work(self, elements: int) -> None:
        """Pay for a loop over this many elements; raise Broken if too much work was done."""
        self.fuel -= elements
        if self.fuel < 0:
            raise Broken(f"more than {self.granted:,} steps of work between two choices")

    def pay(self, elements: Iterable[Any]) -> list[Any]:
        """Pay for a loop over some elements; return them as a list, so that later changes do not affect the loop."""
        listed = list(elements)
        self.fuel -= len(listed)
        if self.fuel < 0:
            self.work(0)
        return listed

    def visit(self, cards: Sequence[int]) -> Sequence[int]:
        """Pay for going through a list of cards, which costs an eighth of a loop; return the list."""
        self.fuel -= len(cards) >> 3
        if self.fuel < 0:
            self.work(0)
        return cards

    def look(self, cards: Sequence[int]) -> Sequence[int]:
        """Pay for looking at the values of every card in a list, and tell the veil of hidden ones; return the list."""
        if self.veil is not None and not self.veil.hidden.isdisjoint(cards):
            self.veil.lift()
        self.fuel -= len(cards) >> 3
        if self.fuel < 0:
            self.work(0)
        return cards

    def add_team(self, members: list[int]) -> None:
        """Make a team of these players."""
        for player in members:
            self.team_of[player] = len(self.teams)
        self.teams.append(members)
        self._add_owner()

    def add_deck(self, cards: list[dict[str, str]], back: str, target: CardList) -> None:
        """Add new cards with this back to the top of a list."""
        first = len(self.where)
        self.deck = self.deck.with_more(cards, back)
        self.columns = self.deck.columns
        target.extend(range(first, first + len(cards)))
        self.where.extend([target] * len(cards))

    def draw(self, bound: int) -> int:
        """Return a random number from 0 to bound-1, each equally likely, from the deal."""
        self.work(CHANCE)
        return int(self._chance("random", ("0",), lambda label: (str(self.deal.draw(label, bound)),))[0])

    def coin(self) -> bool:
        """Decide a tie."""
        return self._shuffle("tie", ("0", "1"))[0] == "1"

    def draw_order(self, cards: Sequence[int]) -> list[int]:
        """Return the cards in a random order, bottom first."""
        words, numbers = self.deck.words, self.deck.numbers
        order = self._shuffle("shuffle", tuple([words[card] for card in cards]))
        return [numbers[word] for word in reversed(order)]

    def _shuffle(self, word: str, cards: tuple[str, ...]) -> tuple[str, ...]:
        self.work(CHANCE + 10 * len(cards))
        return self._chance(word, cards, lambda label: self.deal.shuffle(label, cards))

    def _chance(self, word: str, cards: tuple[str, ...], ask: Callable[[Label], tuple[str, ...]]) -> tuple[str, ...]:
        """Ask the deal under the next number. When a choice is listed again, the first answers are repeated."""
        if self.veil is not None:
            self.veil.lift()
            if not self.veil.draws:
                return cards
        number = self.drawn.get(word, 0) + 1
        self.drawn[word] = number
        order = self.memory.get((word, number))
        if order is None:
            order = self.memory[word, number] = ask(Label(word, number=number))
        return order


@dataclass
class Veil:
    """The cards that a seat cannot see while its choices are listed; records the first action that looks at one."""

    table: CardTable
    hidden: frozenset[int]
    draws: bool
    """Whether random numbers are drawn meanwhile, or cards keep their order."""
    lifted: int | None = None

    def lift(self) -> None:
        """Note that the actions from here on depend on what this seat cannot know."""
        if self.lifted is None:
            self.lifted = len(self.table.log or ())


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
