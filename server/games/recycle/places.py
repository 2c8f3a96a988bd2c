"""Places: who owns something, where cards lie, and which card is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.server.games.recycle.card_table import Broken, CardList, list_key
from croupier.server.games.recycle.points import PointMap
from croupier.server.games.recycle.reader import KINDS
from croupier.server.games.recycle.scope import (
    CARD,
    CARDS,
    GAME,
    GROUPS,
    MAP,
    NUMBER,
    PLAYER,
    PLAYERS,
    STRING,
    TEAM,
    Expression,
    Wrong,
    builds,
    shown,
)

if TYPE_CHECKING:
    from croupier.server.games.recycle.card_table import CardTable
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Run, Scope


def _next_player(table: CardTable) -> int:
    return table.queued if table.queued >= 0 else (table.seat + 1) % table.players


def _next_team(table: CardTable) -> int:
    return table.team_queued if table.team_queued >= 0 else (table.team + 1) % len(table.teams)


_POINTED = {
    "current player": Expression(PLAYER, lambda table: table.seat),
    "next player": Expression(PLAYER, _next_player),
    "previous player": Expression(PLAYER, lambda table: (table.seat - 1) % table.players),
    "current team": Expression(TEAM, lambda table: table.team),
    "next team": Expression(TEAM, _next_team),
    "previous team": Expression(TEAM, lambda table: (table.team - 1) % len(table.teams)),
    "other player": Expression(PLAYERS, lambda table: [p for p in range(table.players) if p != table.seat]),
    "other team": Expression("teams", lambda table: [t for t in range(len(table.teams)) if t != table.team]),
}


@builds(*_POINTED)
def _pointed(node: Node, scope: Scope) -> Expression:
    scope.arity(node, 2)
    return _POINTED[node.head]


@builds("nth player", "nth team")
def _numbered(node: Node, scope: Scope) -> Expression:
    """``(N player)``, ``(N team)``: by number, from 0."""
    number = scope.number(node.items[0])
    sort = PLAYER if node.head == "nth player" else TEAM

    def run(table: CardTable) -> int:
        which: int = number(table)
        if not 0 <= which < (table.players if sort == PLAYER else len(table.teams)):
            raise Broken(f"there is no {sort} {which}", node)
        return which

    return Expression(sort, run)


@builds("owner")
def _owner(node: Node, scope: Scope) -> Expression:
    """Find the player in front of whom a card lies."""
    scope.arity(node, 2)
    card = scope.expect(node.items[1], CARD).run

    def run(table: CardTable) -> int:
        of = card(table)
        if of is None:
            raise Broken("there is no card whose owner to ask for", node)
        owner = table.where[of].owner
        if owner >= table.players:
            raise Broken("the card belongs to no player", node)
        return owner

    return Expression(PLAYER, run)


@builds("team")
def _team(node: Node, scope: Scope) -> Expression:
    """``(team PLAYER)``."""
    scope.arity(node, 2)
    player = scope.expect(node.items[1], PLAYER).run

    def run(table: CardTable) -> int:
        team = table.team_of[player(table)]
        if team < 0:
            raise Broken("the player is in no team", node)
        return team

    return Expression(TEAM, run)


def owner(node: Node, scope: Scope) -> Run:
    """Compile the owner of a store or a list: its number at the table."""
    who = scope.read(node)
    if who.sort == TEAM:
        run = who.run
        return lambda table: table.players + 1 + run(table)
    if who.sort in (PLAYER, GAME):
        return who.run
    raise Wrong(node.problem(f"only the game, a player or a team owns something, and {shown(node)} does not"))


@builds("sto")
def _number_store(node: Node, scope: Scope) -> Expression:
    who, name = owner(node.items[0], scope), _name(node, scope)
    if name.constant is not None:
        key = name.constant
        return Expression(NUMBER, lambda table: table.numbers[who(table)].get(key, 0))
    return Expression(NUMBER, lambda table: table.numbers[who(table)].get(name.run(table), 0))


@builds("str")
def _string_store(node: Node, scope: Scope) -> Expression:
    who, name = owner(node.items[0], scope), _name(node, scope)
    return Expression(STRING, lambda table: table.strings[who(table)].get(name.run(table), ""))


@builds("points")
def _map_store(node: Node, scope: Scope) -> Expression:
    who, name = owner(node.items[0], scope), _name(node, scope)

    def run(table: CardTable) -> PointMap:
        key = name.run(table)
        points = table.maps[who(table)].get(key)
        if points is None and scope.compat:
            return PointMap.of((), table.deck)
        if points is None:
            raise Broken(f"the point map {key} has not been set", node)
        return points

    return Expression(MAP, run)


def _name(node: Node, scope: Scope) -> Expression:
    scope.arity(node, 3)
    return scope.expect(node.items[2], STRING)


@builds(*KINDS)
def _place(node: Node, scope: Scope) -> Expression:
    """``(WHO vloc NAME)``, ``(WHO vloc NAME N)``: a list in which cards lie."""
    scope.arity(node, 3, 4)
    who, kind = node.items[0], node.head
    name = scope.expect(node.items[2], STRING)
    index = scope.number(node.items[3]) if len(node.items) == 4 else None
    holder = owner(who, scope)
    if index is not None or name.constant is None:
        text, number = name.run, index or (lambda _: 0)
        return Expression(
            CARDS, lambda table: table.lists[holder(table)][list_key(kind, text(table), number(table))], real=True
        )
    return Expression(CARDS, _fixed_place(who, holder, list_key(kind, name.constant), scope), real=True)


def _fixed_place(who: Node, holder: Run, name: str, scope: Scope) -> Run:
    """Return the list of a constant name; the usual owners are looked up without a call."""
    if who.has("word", "game"):
        return lambda table: table.lists[table.players][name]
    if who.head == "current player":
        return lambda table: table.lists[table.seat][name]
    if who.kind == "variable" and scope.variables[who.text].sort == PLAYER and not scope.compat:
        slot = scope.variables[who.text].slot
        return lambda table: table.lists[table.env[slot]][name]
    return lambda table: table.lists[holder(table)][name]


@builds("indexed")
def _indexed(node: Node, scope: Scope) -> Expression:
    """``(indexed (WHO vloc NAME))``: all numbered lists of a name, in order; those that hold cards."""
    scope.arity(node, 2)
    base = node.items[1]
    if base.head not in KINDS or len(base.items) != 3:
        raise Wrong(node.problem("indexed takes lists by their name, as in (indexed (game vloc RUN))"))
    holder, name, kind = owner(base.items[0], scope), scope.string(base.items[2]), base.head

    def run(table: CardTable) -> list[CardList]:
        lists, wanted = table.lists[holder(table)], name(table)
        held = [cards for cards in lists.values() if cards and cards.kind == kind and cards.name == wanted]
        return sorted(held, key=lambda cards: cards.number)

    return Expression(GROUPS, run)


@builds("top", "bottom")
def _end(node: Node, scope: Scope) -> Expression:
    """Read ``(top LOC)``, a card; ``(top LOCS)``, a list of cards; ``(top N LOC)``, a sequence."""
    scope.arity(node, 2, 3)
    if len(node.items) == 3:
        return _sequence(node, scope)
    lists = scope.expect(node.items[1], CARDS, GROUPS)
    run, last = lists.run, -1 if node.head == "top" else 0
    if lists.sort == CARDS:
        return Expression(CARD, lambda table: cards[last] if (cards := run(table)) else None)

    def group(table: CardTable) -> Any:
        groups = run(table)
        if not groups:
            raise Broken("there is no list to take", node)
        return groups[last]

    return Expression(CARDS, group)


def _sequence(node: Node, scope: Scope) -> Expression:
    """``(top N LOC)``: the topmost first; ``(bottom N LOC)``: from the bottom."""
    number, cards = scope.number(node.items[1]), scope.cards(node.items[2])
    top = node.head == "top"

    def run(table: CardTable) -> list[int]:
        many, found = number(table), list(cards(table))
        if not 0 <= many <= len(found):
            raise Broken(f"there are no {many} cards in a list of {len(found)}", node)
        return found[::-1][:many] if top else found[:many]

    return Expression(CARDS, run)


@builds("nth")
def _nth(node: Node, scope: Scope) -> Expression:
    """``(N LOC)``, ``(N LOCS)``: by number, from 0."""
    scope.arity(node, 2)
    first = scope.read(node.items[0])
    if first.sort != NUMBER:
        raise Wrong(node.problem(f"there is no such expression: {shown(node)}"))
    lists = scope.expect(node.items[1], CARDS, GROUPS)
    number, run = first.run, lists.run

    def card(table: CardTable) -> Any:
        cards, which = run(table), number(table)
        if not 0 <= which < len(cards):
            if lists.sort == CARDS and not cards:
                return None
            raise Broken(f"there is no number {which} in a list of {len(cards)}", node)
        return cards[which]

    return Expression(CARD if lists.sort == CARDS else CARDS, card)


@builds("actual")
def _actual(node: Node, scope: Scope) -> Expression:
    """``(actual CARD)``: the physical card; every card is."""
    scope.arity(node, 2)
    return scope.expect(node.items[1], CARD)


@builds("max", "min")
def _extreme(node: Node, scope: Scope) -> Expression:
    """``(max LOC using MAP)``: a fair coin decides each tie in turn, so that the last of three wins half the time."""
    points = scope.map(node, 2)
    cards = scope.cards(node.items[1])
    highest = node.head == "max"

    def run(table: CardTable) -> int:
        held = table.visit(cards(table))
        if not held:
            raise Broken(f"{node.head} of no card", node)
        worth = points(table).table
        scores = [worth[card] for card in held]
        best = max(scores) if highest else min(scores)
        if highest and best < -1:
            last: int = held[-1]
            return last
        return _untied([card for card, score in zip(held, scores, strict=True) if score == best], table, node)

    return Expression(CARD, run)


def _untied(tied: list[int], table: CardTable, node: Node) -> int:
    chosen = tied[0]
    if table.ties is not None and len(tied) > 1:
        table.ties.append(node)
    for card in tied[1:]:
        if table.coin():
            chosen = card
    return chosen


def target(node: Node, scope: Scope, *, memory: bool) -> tuple[Run, Run]:
    """Compile where a card is put: its list, and the place in it (None on top)."""
    if node.head in ("top", "bottom") and len(node.items) == 2:
        where = _real(node.items[1], scope, memory=memory)
        return where, (lambda _: None) if node.head == "top" else (lambda _: 0)
    if node.head == "nth" and len(node.items) == 2:
        return _real(node.items[1], scope, memory=memory), scope.number(node.items[0])
    if node.head == "actual" and len(node.items) == 2:
        return target(node.items[1], scope, memory=memory)
    card = scope.expect(node, CARD).run
    return (lambda table: _lies(card(table), table, node)), (lambda table: table.where[c := card(table)].index(c))


def _lies(card: int | None, table: CardTable, node: Node) -> CardList:
    if card is None:
        raise Broken("there is no card whose place to take", node)
    return table.where[card]


def _real(node: Node, scope: Scope, *, memory: bool) -> Run:
    """Compile a list that cards can be put in."""
    lists = scope.expect(node, CARDS)
    if not lists.real and node.kind != "variable" and node.head not in ("top", "bottom", "nth", "let"):
        raise Wrong(node.problem(f"no card can be put in {shown(node)}: it is not a place, but picked from places"))
    if lists.real and (node.head == "mem") != memory:
        word = "remember goes to a mem list" if memory else "a card is moved to a vloc, iloc, hloc or oloc, not a mem"
        raise Wrong(node.problem(f"{word}: {shown(node)}"))
    if lists.real:
        return lists.run
    run = lists.run

    def checked(table: CardTable) -> CardList:
        held = run(table)
        if not isinstance(held, CardList) or (held.kind == "mem") != memory:
            raise Broken(f"no card can be put in {shown(node)}", node)
        return held

    return checked


def real(node: Node, scope: Scope) -> Run:
    """Compile a list in which cards lie, for shuffling and swapping."""
    return _real(node, scope, memory=False)
