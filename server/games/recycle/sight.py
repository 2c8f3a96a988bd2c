"""Sight: what a seat may see of a table, and the text of lists, stores and actions."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from croupier.server.games.recycle.card_table import (
    forget_card,
    move_card,
    point,
    put,
    put_in_order,
    remember_card,
    swap_cards,
    swap_lists,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from croupier.protocol.sexp import Sexp
    from croupier.server.games.recycle.card_table import CardList, CardTable, Entry
    from croupier.server.games.recycle.choices import Trace

    Form = tuple[Sexp, ...]

EVERYBODY = -1
ALL_SEEING = -2
"""Not a player, but an observer who describes the game afterwards."""
UNKNOWN: Form = ("unknown",)


class Sight:
    """A table as seats see it."""

    def __init__(self, table: CardTable, players: Sequence[str]) -> None:
        self.table = table
        self.players = players
        self._lists: list[CardList] = []
        self._parted: dict[int, tuple[list[CardList], list[CardList]]] = {}
        self._owners: dict[int, Sexp] = {}
        self._kept: tuple[int, tuple[Form, ...], tuple[Form, ...]] = (-1, (), ())
        self._teams: tuple[int, tuple[Form, ...] | None] = (-1, None)

    def sees(self, seat: int, held: CardList) -> bool:
        """Return whether a seat sees the cards of a list (EVERYBODY: whether all do)."""
        match held.kind:
            case "vloc" | "mem":
                return True
            case "iloc":
                return seat in (ALL_SEEING, held.owner)
            case "oloc":
                return seat not in (EVERYBODY, held.owner)
        return seat == ALL_SEEING

    def lists_by_sight(self, seat: int) -> tuple[list[CardList], list[CardList]]:
        """Return the lists that a seat may look at, and the others; sorted again only when there are more."""
        game, every = self.table.game, self.table.every
        if len(every) != len(self._lists):
            self._lists = sorted(every, key=lambda held: (held.owner != game, held.owner, held.order))
            self._parted.clear()
        if seat not in self._parted:
            open_, closed = self._parted[seat] = [], []
            for held in self._lists:
                (open_ if self.sees(seat, held) else closed).append(held)
        return self._parted[seat]

    def owners(self) -> dict[int, Sexp]:
        """Return all possible owners, the game first, with their text; teams may be added during a game."""
        table = self.table
        if len(self._owners) != len(table.lists):
            order = [table.game, *range(table.players), *range(table.players + 1, len(table.lists))]
            self._owners = {owner: self._written(owner) for owner in order}
        return self._owners

    def _written(self, owner: int) -> Sexp:
        table = self.table
        if owner < table.players:
            return self.players[owner]
        if owner == table.game:
            return "table"
        return ("team", *self._names(table.teams[owner - table.players - 1]))

    def hidden_from(self, seat: int) -> frozenset[int]:
        """Return the cards in places where a seat cannot look.

        A card in a ``mem`` list may really be anywhere, so that list reveals nothing about its place.
        """
        return frozenset([card for held in self.lists_by_sight(seat)[1] for card in held])

    def fields(self, seat: int) -> dict[str, tuple[Form, ...]]:
        """Return the fields of a seat's view that show the table."""
        open_, closed = self.lists_by_sight(seat)
        _, stores, maps = self.stores_and_maps()
        place = self.place
        return {
            "cards": self._faces(sorted(set().union(*open_))),
            "visible": tuple([(held.written or place(held), *held) for held in open_ if held]),
            "hidden": self._backs(closed),
            "stores": stores,
            "maps": maps,
        }

    def _backs(self, lists: list[CardList]) -> tuple[Form, ...]:
        """Write, for each list, how many cards it has of each back."""
        deck, place = self.table.deck, self.place
        if deck.alike:
            return tuple([(held.written or place(held), len(held), deck.backs[0]) for held in lists if held])
        counts = [(place(held), Counter([deck.backs[card] for card in held])) for held in lists if held]
        return tuple([(place, many[back], back) for place, many in counts for back in sorted(many)])

    def stores_and_maps(self) -> tuple[int, tuple[Form, ...], tuple[Form, ...]]:
        """Write each owner's numbers, words and point maps; written again only after one of them was set."""
        table = self.table
        if self._kept[0] == table.puts:
            return self._kept
        stores: list[Form] = []
        maps: list[Form] = []
        for owner, said in self.owners().items():
            numbers, strings, points = table.numbers[owner], table.strings[owner], table.maps[owner]
            if numbers or strings:
                values: dict[str, Any] = {**numbers, **{k: v for k, v in strings.items() if v}} if strings else numbers
                stores += [(said, name, values[name]) for name in sorted(values)]
            if points:
                maps += [points[name].form(said, name) for name in sorted(points)]
        self._kept = (table.puts, tuple(stores), tuple(maps))
        return self._kept

    def at(self, stages: Iterable[bool]) -> Form:
        """Write the program's position: its instruction, player 0, and each pointer with who is queued after it.

        ``stages`` says which of the enclosing stages are of players; the others are of teams.
        """
        table, owners = self.table, self.owners()
        pointers = ((table.seat, table.queued), (table.team, table.team_queued), *table.stack)
        firsts = [0 if players else table.players + 1 for players in (True, False, *stages)]
        around = [
            (owners[first + now], "none" if then < 0 else owners[first + then])
            for first, (now, then) in zip(firsts, pointers, strict=True)
        ]
        return (table.pc, self.players[0], *around)

    def teams(self) -> tuple[Form, ...] | None:
        """Return the teams with several members by their players' names, None if there are none."""
        teams = self.table.teams
        if self._teams[0] != len(teams):
            self._teams = len(teams), tuple([self._names(team) for team in teams if len(team) > 1]) or None
        return self._teams[1]

    def _names(self, team: Sequence[int]) -> Form:
        return tuple([self.players[seat] for seat in team])

    def owner(self, owner: int) -> Sexp:
        """Return an owner as text of STATE."""
        return self.owners()[owner]

    def place(self, held: CardList) -> Form:
        """Return a list as text of STATE."""
        if not held.written:
            place = (self.owner(held.owner), held.kind, held.name)
            held.written = (*place, held.number) if held.number else place
        return held.written

    # Actions

    def option(self, trace: Trace, hidden: frozenset[int]) -> Form:
        """Write what an option does, as far as its chooser, who does not see these cards, may know."""
        entries, known = trace
        actions = [self.action(entry, hidden) for entry in entries[:known]]
        return (*actions,) if known is None else (*actions, UNKNOWN)

    def move(self, card: int | None, to: CardList, end: str) -> Form | None:
        """Write the move of a card that the player on turn sees in its place; return None for any other action."""
        table = self.table
        if card is None:
            return None
        source = table.where[card]
        if source.kind != "vloc" and (source.kind != "iloc" or source.owner != table.seat):
            return None
        move = ("move", card, source.written or self.place(source), to.written or self.place(to))
        return move if end == "top" else (*move, end)

    def public(self, entries: Sequence[Entry]) -> list[Form]:
        """Write what an option does, as everybody may know it afterwards, then the values of the cards it names."""
        shown = [card for entry in entries for card in _cards_shown(entry)]
        return self.actions(entries, self.hidden_from(EVERYBODY).difference(shown))

    def actions(self, entries: Sequence[Entry], hidden: frozenset[int]) -> list[Form]:
        """Write what an option does where these cards are hidden, then the values of the other cards that it names."""
        named = {card for entry in entries for card in _cards_of(entry) if card not in hidden or _is_noted(entry)}
        actions = [self.action(entry, hidden) for entry in entries]
        return [*actions, ("cards", *self._faces(sorted(named)))] if named else actions

    def _faces(self, cards: Iterable[int]) -> tuple[Form, ...]:
        """Write the values of some cards."""
        written = self.table.deck.written
        return tuple([written[card] for card in cards])

    def action(self, entry: Entry, hidden: frozenset[int]) -> Form:
        """Write one action, with the backs of hidden cards."""
        act, given, _, before = entry
        if act is move_card:
            card, to, at = given
            move = ("move", self._card(card, hidden), self.place(before[1]), self.place(to))
            return move if at is None else (*move, "bottom" if at == 0 else at)
        if act is put:
            store, who, name, value = given
            stored = ("set", self.owner(who), name)
            return stored if store == "maps" else (*stored, value if value != "" else "none")
        if act is remember_card:
            return ("remember", self._card(given[0], hidden), self.place(given[1]))
        if act is forget_card:
            return ("forget", before[0] if _is_noted(entry) else self._card(before[0], hidden), self.place(given[0]))
        if act is point:
            return ("cycle", "next" if given[0] == "queued" else "current", self.players[given[1]])
        if act is put_in_order:
            return ("shuffle", self.place(given[0]))
        if act is swap_cards:
            return ("swap", *[self._card(card, hidden) for card in given])
        if act is swap_lists:
            return ("swap", *map(self.place, given))
        return ("pass",)

    def _card(self, card: int, hidden: frozenset[int]) -> Sexp:
        return self.table.deck.backs[card] if card in hidden else card


def _is_noted(entry: Entry) -> bool:
    """Return whether an action removes a card from a memory that everybody can read."""
    act, given, _, before = entry
    return act is forget_card and before[0] in given[0]


def _cards_shown(entry: Entry) -> list[int]:
    """Return the cards that an action reveals to everybody."""
    act, given, *_ = entry
    return [given[0]] if act is remember_card or (act is move_card and given[1].kind == "vloc") else []


def _cards_of(entry: Entry) -> list[int]:
    """Return the cards that an action names."""
    act, given, _, before = entry
    if act in (move_card, remember_card):
        return [given[0]]
    if act is forget_card:
        return [before[0]]
    return list(given) if act is swap_cards else []
