"""Card table: the state of a game from a file: cards, stores, pointers, and a log by which every change is undone.

Owners are numbers: the players 0 to n-1, then the game itself (n), then the teams.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.server.games.game import Label
from croupier.server.games.recycle.source import callable_in_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from croupier.server.games.game import Deal
    from croupier.server.games.recycle.deck import Deck
    from croupier.server.games.recycle.points import PointMap
    from croupier.server.games.recycle.reader import Node

    Entry = tuple[Any, ...]
    """What does an action, what undoes it, the arguments of both, and those that only undoing needs."""

FUEL = 1_500_000
"""Elements that loops may visit between two choices."""
IMAGINED_FUEL = 50_000
"""The same in a game that is only imagined: who has a tenth of a second thinks of no choice that takes half of it."""
CHANCE = 100
"""What asking for chance costs of it: each is a line of the record."""
MAX_CARDS = 5_000


class Broken(Exception):
    """The program asked for the impossible while it ran: the game cannot go on."""

    def __init__(self, message: str, at: Node | None = None) -> None:
        self.message = message
        self.at = at
        where = f"line {at.line}, column {at.column}: " if at is not None else ""
        super().__init__(where + message)


class CardList(list[int]):
    """One list of cards: the bottom first, the top last. The visibility, ``kind``, is part of what it is called."""

    __slots__ = ("kind", "name", "number", "order", "owner", "written")

    def __init__(self, owner: int, kind: str, name: str, number: int) -> None:
        super().__init__()
        self.owner = owner
        self.kind = kind
        self.name = name
        self.number = number
        self.order = (kind, name, number)
        self.written: tuple[Any, ...] = ()
        """What it is called in STATE, once that was asked for."""


@callable_in_texts
def list_key(kind: str, name: str, number: int = 0) -> str:
    """Return under what a list is kept among its owner's: a str, whose hash is worked out once."""
    return f"{kind} {name} {number}"


class Lists(dict[str, CardList]):
    """An owner's lists by `list_key`, which spring into existence where they are first mentioned."""

    __slots__ = ("every", "owner")

    def __init__(self, owner: int, every: list[CardList]) -> None:
        super().__init__()
        self.owner = owner
        self.every = every
        """All lists of the table, whoever owns them, in the order in which they came to be; none ever goes."""

    def __missing__(self, key: str) -> CardList:
        kind, name, number = key.split(" ")
        made = self[key] = CardList(self.owner, kind, name, int(number))
        self.every.append(made)
        return made


class CardTable:
    """Everything that changes while a program runs."""

    __slots__ = (
        "choices",
        "columns",
        "deal",
        "deck",
        "drawn",
        "env",
        "every",
        "fuel",
        "granted",
        "lists",
        "log",
        "maps",
        "memory",
        "numbers",
        "pc",
        "players",
        "puts",
        "queued",
        "seat",
        "stack",
        "strings",
        "team",
        "team_of",
        "team_queued",
        "teams",
        "ties",
        "veil",
        "where",
    )

    def __init__(self, players: int, variables: int, deck: Deck, deal: Deal) -> None:
        self.players = players
        self.env: list[Any] = [None] * variables
        self.deal = deal
        self.deck = deck
        self.columns: dict[str, list[str]] = deck.columns
        self.where: list[CardList] = []
        self.every: list[CardList] = []
        self.lists = [Lists(owner, self.every) for owner in range(players + 1)]
        self.numbers: list[dict[str, int]] = [{} for _ in range(players + 1)]
        self.strings: list[dict[str, str]] = [{} for _ in range(players + 1)]
        self.maps: list[dict[str, PointMap]] = [{} for _ in range(players + 1)]
        self.teams: list[list[int]] = []
        self.team_of = [-1] * players
        self.seat: int = 0
        self.team: int = 0
        self.queued: int = -1
        self.team_queued: int = -1
        self.stack: list[tuple[int, int]] = []
        self.puts = 0
        """How often a number, a string or a map was set: as long as it is the same, so are all of them."""
        self.pc = 0
        self.choices = 0
        self.fuel = self.granted = FUEL
        self.log: list[Entry] | None = None
        self.veil: Veil | None = None
        self.ties: list[Node] | None = None
        self.drawn: dict[str, int] = {}
        self.memory: dict[tuple[str, int], tuple[str, ...]] = {}

    def copy(self) -> CardTable:
        """Return an independent copy; what belongs to the present choice is not copied."""
        twin = CardTable.__new__(CardTable)
        twin.players, twin.deal, twin.deck, twin.columns = self.players, self.deal, self.deck, self.columns
        twin.env = self.env[:]
        twin.where = self.where[:]
        twin.every = []
        twin.lists = [_copied(lists, twin) for lists in self.lists]
        twin.numbers = [dict(store) for store in self.numbers]
        twin.strings = [dict(store) for store in self.strings]
        twin.maps = [dict(store) for store in self.maps]
        twin.teams, twin.team_of = [members[:] for members in self.teams], self.team_of[:]
        twin.seat, twin.team, twin.queued, twin.team_queued = self.seat, self.team, self.queued, self.team_queued
        twin.stack = self.stack[:]
        twin.pc, twin.choices, twin.puts = self.pc, self.choices, self.puts
        twin.fuel, twin.granted = self.fuel, self.granted
        twin.log = twin.veil = None
        twin.ties = self.ties
        twin.drawn, twin.memory = dict(self.drawn), dict(self.memory)
        return twin

    def imagined(self, fuel: int) -> None:
        """Go on with so much work at most, and with no more between any two choices to come than may be imagined."""
        self.fuel, self.granted = fuel, IMAGINED_FUEL

    @property
    def game(self) -> int:
        """The owner that is the game itself."""
        return self.players

    def work(self, elements: int) -> None:
        """Pay for a loop over so many elements."""
        self.fuel -= elements
        if self.fuel < 0:
            raise Broken(f"more than {self.granted:,} steps of work between two choices")

    def paid(self, elements: Iterable[Any]) -> list[Any]:
        """Pay for a loop over some elements; return them as they are now."""
        listed = list(elements)
        self.fuel -= len(listed)
        if self.fuel < 0:
            self.work(0)
        return listed

    def visit(self, cards: Sequence[int]) -> Sequence[int]:
        """Pay for looking at every card of a list, which is an eighth of the work of a loop; return the list."""
        self.fuel -= len(cards) >> 3
        if self.fuel < 0:
            self.work(0)
        return cards

    def add_team(self, members: list[int]) -> None:
        """Make a team of these players."""
        for player in members:
            self.team_of[player] = len(self.teams)
        self.teams.append(members)
        owner = self.players + len(self.teams)
        self.lists.append(Lists(owner, self.every))
        self.numbers.append({})
        self.strings.append({})
        self.maps.append({})

    def add_cards(self, first: int, many: int, target: CardList) -> None:
        """Put new cards on top of a list."""
        target.extend(range(first, first + many))
        self.where.extend([target] * many)

    def draw(self, bound: int) -> int:
        """Draw a number from 0 to bound-1, each equally likely, from the deal."""
        self.work(CHANCE)
        return int(self._chance("random", ("0",), lambda label: (str(self.deal.draw(label, bound)),))[0])

    def coin(self) -> bool:
        """Decide a tie."""
        return self._shuffle("tie", ("0", "1"))[0] == "1"

    def shuffled(self, cards: Sequence[int]) -> list[int]:
        """Return the cards in a new order, bottom first."""
        words, numbers = self.deck.words, self.deck.numbers
        order = self._shuffle("shuffle", tuple([words[card] for card in cards]))
        return [numbers[word] for word in reversed(order)]

    def _shuffle(self, word: str, cards: tuple[str, ...]) -> tuple[str, ...]:
        self.work(CHANCE + 10 * len(cards))
        return self._chance(word, cards, lambda label: self.deal.shuffle(label, cards))

    def _chance(self, word: str, cards: tuple[str, ...], ask: Callable[[Label], tuple[str, ...]]) -> tuple[str, ...]:
        """Ask the deal under the next number; when a choice is listed again, its answers are remembered, not new."""
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


def _copied(lists: Lists, table: CardTable) -> Lists:
    """Return an owner's lists as another table has them that is a copy."""
    twin = Lists(lists.owner, table.every)
    for key, cards in lists.items():
        copied = twin[key] = CardList(cards.owner, cards.kind, cards.name, cards.number)
        table.every.append(copied)
        copied.extend(cards)
        copied.written = cards.written
        if cards.kind != "mem":
            for card in cards:
                table.where[card] = copied
    return twin


class Veil:
    """What one seat cannot see, while its choices are listed: notes from which action on any of it was looked at."""

    def __init__(self, table: CardTable, hidden: frozenset[int], *, draws: bool) -> None:
        self.table = table
        self.hidden = hidden
        self.draws = draws
        """Whether chance is drawn behind it, or cards stay as they are."""
        self.lifted: int | None = None

    def lift(self) -> None:
        """Note that what comes from here on depends on what this seat cannot know."""
        if self.lifted is None:
            self.lifted = len(self.table.log or ())


class Watched(list[Any]):
    """A table by card that tells the veil when a hidden card's entry is read."""

    def __init__(self, entries: Sequence[Any], veil: Veil) -> None:
        super().__init__(entries)
        self.veil = veil

    def __getitem__(self, card: Any) -> Any:
        if card in self.veil.hidden:
            self.veil.lift()
        return super().__getitem__(card)


def undo(table: CardTable, mark: int) -> None:
    """Take back what the log holds beyond the mark, last first."""
    log = table.log
    if log is None:
        return
    while len(log) > mark:
        entry = log.pop()
        entry[1](table, *entry[2], *entry[3:])


def redo(table: CardTable, steps: Sequence[Entry]) -> None:
    """Take the logged steps once more."""
    for step in steps:
        step[0](table, *step[2])
