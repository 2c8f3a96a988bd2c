"""What a search asks of a game from a file: a deal consistent with what a seat sees, even given its STATE alone.

``(at N FIRST (WHO NEXT) ...)`` is the program's position in STATE: the number of the choice's instruction, player 0,
then its pointers, each with who is queued after it, or none. They are those to the player and the team on turn, and
those to which the stages around go back, outermost first.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Self

from croupier.server.games.game import Dice
from croupier.server.games.recycle.card_table import FUEL, IMAGINED_FUEL, list_key
from croupier.server.games.recycle.deck import PointMap
from croupier.server.games.recycle.reader import Broken
from croupier.server.games.recycle.sight import Sight
from croupier.server.games.world import NotToldError, World

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from croupier.protocol.sexp import Sexp
    from croupier.server.games.game import Deal
    from croupier.server.games.recycle.card_table import CardList, CardTable
    from croupier.server.games.recycle.game import RecycleGame
    from croupier.server.games.recycle.program import CompiledProgram

IMAGINED_TRIES = 100
NOBODY = "none"


class RecycleWorld(World):
    """A game from a file as a search sees it."""

    game: RecycleGame

    @classmethod
    def of_view(cls, rules: type[RecycleGame], view: Any) -> Self:  # type: ignore[override]  # of its own kind
        """Return a game that fits its viewer's view; the viewer is on turn and sees how many options there are.

        Raise NotToldError if no game fits.
        """
        rng = Random(0)
        game = rules.__new__(rules)
        game.sit(in_order(view), view.options, Dice(rng))
        table = _Laying(game.program, view).table
        table.imagine(IMAGINED_FUEL)
        for _ in range(IMAGINED_TRIES):
            if game.go_on_from(table.copy(), len(view.choices)):
                return cls(game)
            if game.table.fuel < 0:
                break
            deal_again(table, Sight(table, game.players).lists_by_sight(table.seat)[1], rng)
            table.fuel = game.table.fuel
        raise NotToldError("what is offered depends on hidden cards, and is not found again")

    def deal_by(self, deal: Deal) -> None:
        """Use another deal for the shuffles that are still to come, also at the table."""
        self.game.deal = self.game.table.deal = deal

    def unseen(self) -> Iterable[tuple[Sexp, tuple[Sexp, ...]]]:
        """Return the lists that no player can see; a card is its number and what is printed on it."""
        sight, deck = self.game.sight, self.game.table.deck
        hidden = [sight.lists_by_sight(seat)[1] for seat in range(len(self.game.players))]
        nobodys = [held for held in hidden[0] if all(any(held is other for other in lists) for lists in hidden[1:])]
        return [(sight.place(held), tuple([deck.written[card] for card in reversed(held)])) for held in nobodys if held]

    def determinize(self, seat: int, rng: Random) -> Self:
        """Deal the cards that the seat cannot see again among their places, separately for each back.

        The seat on turn sees how many options there are, and a program's options may depend on hidden cards.
        """
        game = self.game
        seen = len(game.ways) if seat == game.turn else None
        fuel = IMAGINED_FUEL
        for _ in range(IMAGINED_TRIES):
            world = self.copy()
            twin = world.game
            world.deal_by(Dice(rng))
            twin.table.imagine(fuel)
            twin.table.memory = dict(game.table.memory) if seat == game.turn else {}
            deal_again(twin.table, twin.sight.lists_by_sight(seat)[1], rng)
            if _can_go_on(twin, seen):
                return world
            if (fuel := twin.table.fuel) < 0:
                break
        world = self.copy()
        world.deal_by(Dice(rng))
        world.game.table.imagine(FUEL)
        return world


def _can_go_on(game: RecycleGame, options: int | None) -> bool:
    """Return whether an imagined game offers the seat on turn a choice, with ``options`` options if that is given."""
    try:
        return game.turn is None or (bool(game.ways) if options is None else len(game.ways) == options)
    except Broken:
        return False


class _Laying:
    """A table built from a view: every list, store and pointer in its place."""

    def __init__(self, program: CompiledProgram, view: Any) -> None:
        assert program.start is not None
        self.table = table = program.start.copy()
        self.players = in_order(view)
        self.strings = {
            node.items[2].text for node in program.tree.walk() if node.head == "str" and len(node.items) == 3
        }
        """The names of the program's stores of words."""
        for lists in table.lists:
            for held in lists.values():
                held.clear()
        self.point(view.at)
        self.lay(view.visible, view.hidden)
        for owner, name, value in view.stores:
            if isinstance(value, str) or name in self.strings:
                table.strings[self.owner(owner)][str(name)] = _word(value)
            else:
                table.numbers[self.owner(owner)][str(name)] = value
        for owner, name, *awards in view.maps:
            read = [(tuple([(str(key), _word(value)) for key, value in parts]), points) for *parts, points in awards]
            table.maps[self.owner(owner)][name] = PointMap.of(tuple(read), table.deck)

    def point(self, at: Sequence[Any]) -> None:
        """Set the program's pointers."""
        table, around = self.table, [self.pointer(*pair) for pair in at[2:]]
        table.pc = at[0]
        (table.seat, table.queued), (table.team, table.team_queued), *table.stack = around

    def pointer(self, now: Any, then: Any) -> tuple[int, int]:
        """Return a pointer and who is queued after it, by their numbers at the table."""
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
        """Put visible cards in their places, and hidden ones where as many with such backs are."""
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
        """Return a list by its name in STATE."""
        owner, kind, name, *number = place
        return self.table.lists[self.owner(owner)][list_key(kind, str(name), *number)]


def _word(value: Any) -> str:
    return "" if value == NOBODY else str(value)


def deal_again(table: CardTable, hidden: Sequence[CardList], rng: Random) -> None:
    """Shuffle the cards of hidden lists among their places, separately for each back.

    The result does not depend on which card really is where, nor on where in a list a back is: STATE only counts them.
    """
    backs = table.deck.backs
    cards: dict[str, list[int]] = {}
    for card in sorted([card for held in hidden for card in held]):
        cards.setdefault(backs[card], []).append(card)
    for mixed in cards.values():
        rng.shuffle(mixed)
    for held in filter(None, hidden):
        lying = sorted([backs[card] for card in held])
        if lying[0] != lying[-1]:
            rng.shuffle(lying)
        held[:] = [cards[back].pop() for back in lying]
        for card in held:
            table.where[card] = held


def in_order(view: Any) -> tuple[str, ...]:
    """Return the players, beginning with the program's first."""
    names: tuple[str, ...] = view.players
    first = names.index(view.at[1])
    return names[first:] + names[:first]
