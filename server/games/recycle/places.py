"""Places: who owns something, where cards lie, and which card is meant."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from croupier.server.games.recycle.card_table import Broken, CardList, list_key
from croupier.server.games.recycle.reader import KINDS
from croupier.server.games.recycle.scope import (
    CARD,
    CARDS,
    ELEMENT,
    GAME,
    GROUPS,
    MAP,
    NUMBER,
    PLAYER,
    PLAYERS,
    STRING,
    TEAM,
    TEAMS,
    Expression,
    Wrong,
    builds,
    excerpt,
    reads,
)
from croupier.server.games.recycle.source import callable_in_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.server.games.recycle.card_table import CardTable
    from croupier.server.games.recycle.points import PointMap
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Scope


POINTED = {
    "current player": (PLAYER, "table.seat"),
    "next player": (PLAYER, "(table.queued if table.queued >= 0 else (table.seat + 1) % table.players)"),
    "previous player": (PLAYER, "((table.seat - 1) % table.players)"),
    "current team": (TEAM, "table.team"),
    "next team": (TEAM, "(table.team_queued if table.team_queued >= 0 else (table.team + 1) % len(table.teams))"),
    "previous team": (TEAM, "((table.team - 1) % len(table.teams))"),
    "other player": (PLAYERS, "[player for player in range(table.players) if player != table.seat]"),
    "other team": (TEAMS, "[team for team in range(len(table.teams)) if team != table.team]"),
}


@builds(*POINTED)
def _pointed(node: Node, scope: Scope) -> Expression:
    scope.arity(node, 2)
    return scope.expression(*POINTED[node.head])


@builds("nth player", "nth team")
def _numbered(node: Node, scope: Scope) -> Expression:
    """``(N player)``, ``(N team)``: by number, from 0."""
    number = scope.text(node.items[0], NUMBER)
    sort = PLAYER if node.head == "nth player" else TEAM

    def there(table: CardTable, which: int) -> int:
        if not 0 <= which < (table.players if sort == PLAYER else len(table.teams)):
            raise Broken(f"there is no {sort} {which}", node)
        return which

    return scope.expression(sort, scope.source.call(node, there, number))


@builds("owner")
def _owner(node: Node, scope: Scope) -> Expression:
    """Find the player in front of whom a card lies."""
    scope.arity(node, 2)

    def owner_of(table: CardTable, of: int | None) -> int:
        if of is None:
            raise Broken("there is no card whose owner to ask for", node)
        owner = table.where[of].owner
        if owner >= table.players:
            raise Broken("the card belongs to no player", node)
        return owner

    return scope.expression(PLAYER, scope.source.call(node, owner_of, scope.text(node.items[1], CARD)))


@builds("team")
def _team(node: Node, scope: Scope) -> Expression:
    """``(team PLAYER)``."""
    scope.arity(node, 2)

    def team_of(table: CardTable, player: int) -> int:
        team = table.team_of[player]
        if team < 0:
            raise Broken("the player is in no team", node)
        return team

    return scope.expression(TEAM, scope.source.call(node, team_of, scope.text(node.items[1], PLAYER)))


def owner(node: Node, scope: Scope) -> str:
    """Compile the owner of a store or a list: its number at the table."""
    who = scope.read(node)
    if who.sort == TEAM:
        return f"(table.players + 1 + {who.text})"
    if who.sort in (PLAYER, GAME):
        return who.text
    raise Wrong(node.problem(f"only the game, a player or a team owns something, and {excerpt(node)} does not"))


@builds("sto")
def _number_store(node: Node, scope: Scope) -> Expression:
    who, name = owner(node.items[0], scope), _name(node, scope)
    return _stored(node, NUMBER, f"table.numbers[{who}].get({name}, 0)", scope)


@builds("str")
def _string_store(node: Node, scope: Scope) -> Expression:
    who, name = owner(node.items[0], scope), _name(node, scope)
    return _stored(node, STRING, f'table.strings[{who}].get({name}, "")', scope)


def _stored(node: Node, sort: str, text: str, scope: Scope) -> Expression:
    if _plain(node):
        scope.source.stores.add(text)
    return scope.expression(sort, text)


@builds("points")
def _map_store(node: Node, scope: Scope) -> Expression:
    return map_store(node, scope, partial(find_map, node))


def find_map(node: Node, table: CardTable, name: str, who: int) -> PointMap:
    """Return an owner's point map."""
    points = table.maps[who].get(name)
    if points is None:
        raise Broken(f"the point map {name} has not been set", node)
    return points


def map_store(node: Node, scope: Scope, find: Callable[[CardTable, str, int], PointMap]) -> Expression:
    """Compile a point map, which this function finds."""
    who, name = owner(node.items[0], scope), _name(node, scope)
    called = scope.source.call(node, find, name, who)
    return scope.expression(MAP, f"(table.maps[{who}].get({name}) or {called})" if _plain(node) else called)


def _plain(node: Node) -> bool:
    """Tell whether whose store this is and what it is called can be said at any time, and as often as one likes."""
    owner, _, name = node.items
    return name.kind == "name" and (owner.kind == "word" or POINTED.get(owner.head, "")[:1] == (PLAYER,))


def _name(node: Node, scope: Scope) -> str:
    scope.arity(node, 3)
    return scope.text(node.items[2], STRING)


@builds(*KINDS)
def _place(node: Node, scope: Scope) -> Expression:
    """``(WHO vloc NAME)``, ``(WHO vloc NAME N)``: a list in which cards lie."""
    scope.arity(node, 3, 4)
    name = scope.expect(node.items[2], STRING)
    index = scope.text(node.items[3], NUMBER) if len(node.items) == 4 else None
    if index is None and name.constant is not None:
        key = repr(list_key(node.head, name.constant))
    else:
        key = f"list_key({node.head!r}, {name.text}, {index or 0})"
    return scope.expression(CARDS, f"table.lists[{owner(node.items[0], scope)}][{key}]", real=True)


@builds("indexed")
def _indexed(node: Node, scope: Scope) -> Expression:
    """``(indexed (WHO vloc NAME))``: all numbered lists of a name, in order; those that hold cards."""
    scope.arity(node, 2)
    base = node.items[1]
    if base.head not in KINDS or len(base.items) != 3:
        raise Wrong(node.problem("indexed takes lists by their name, as in (indexed (game vloc RUN))"))
    holder, name, kind = owner(base.items[0], scope), scope.text(base.items[2], STRING), base.head

    def numbered(table: CardTable, who: int, wanted: str) -> list[CardList]:
        lists = table.lists[who].values()
        held = [cards for cards in lists if cards and cards.kind == kind and cards.name == wanted]
        return sorted(held, key=lambda cards: cards.number)

    return scope.expression(GROUPS, scope.source.call(node, numbered, holder, name))


@builds("top", "bottom")
def _end(node: Node, scope: Scope) -> Expression:
    """Read ``(top LOC)``, a card; ``(top LOCS)``, a list of cards; ``(top N LOC)``, a sequence."""
    scope.arity(node, 2, 3)
    if len(node.items) == 3:
        return scope.fill(node, f"{node.head} NUMBER CARDS", CARDS, _sequence)
    lists = scope.expect(node.items[1], CARDS, GROUPS)
    if lists.sort == CARDS:
        return scope.expression(CARD, f"{node.head}({lists.text})")

    def group(_table: CardTable, groups: Sequence[Any]) -> Any:
        if not groups:
            raise Broken("there is no list to take", node)
        return groups[-1 if node.head == "top" else 0]

    return scope.expression(CARDS, scope.source.call(node, group, lists.text))


@callable_in_texts
def top(cards: Sequence[int]) -> int | None:
    """Return the last card, None where there is none."""
    return cards[-1] if cards else None


@callable_in_texts
def bottom(cards: Sequence[int]) -> int | None:
    """Return the first card, None where there is none."""
    return cards[0] if cards else None


def _sequence(node: Node, _table: CardTable, many: int, cards: Sequence[int]) -> Sequence[int]:
    """``(top N LOC)``: the topmost first; ``(bottom N LOC)``: from the bottom."""
    if not 0 <= many <= len(cards):
        raise Broken(f"there are no {many} cards in a list of {len(cards)}", node)
    return cards[: -many - 1 : -1] if node.head == "top" else cards[:many]


@builds("nth")
def _nth(node: Node, scope: Scope) -> Expression:
    """``(N LOC)``, ``(N LOCS)``: by number, from 0."""
    scope.arity(node, 2)
    first = scope.read(node.items[0])
    if first.sort != NUMBER:
        raise Wrong(node.problem(f"there is no such expression: {excerpt(node)}"))
    lists = scope.expect(node.items[1], CARDS, GROUPS)

    def nth(_table: CardTable, cards: Sequence[Any], which: int) -> Any:
        if not 0 <= which < len(cards):
            if lists.sort == CARDS and not cards:
                return None
            raise Broken(f"there is no number {which} in a list of {len(cards)}", node)
        return cards[which]

    return scope.expression(ELEMENT[lists.sort], scope.source.call(node, nth, lists.text, first.text))


@builds("actual")
def _actual(node: Node, scope: Scope) -> Expression:
    """``(actual CARD)``: the physical card; every card is."""
    scope.arity(node, 2)
    return scope.expect(node.items[1], CARD)


@reads("max CARDS using MAP", CARD)
@reads("min CARDS using MAP", CARD)
def extreme(node: Node, table: CardTable, cards: Sequence[int], points: PointMap) -> int:
    """Return the best or the worst card; a fair coin decides each tie in turn: the last of three wins half the time."""
    held = table.visit(cards)
    if not held:
        raise Broken(f"{node.head} of no card", node)
    worth = points.table
    scores = [worth[card] for card in held]
    best = max(scores) if node.head == "max" else min(scores)
    if node.head == "max" and best < -1:
        return held[-1]
    if scores.count(best) == 1:
        return held[scores.index(best)]
    return _untied([card for card, score in zip(held, scores, strict=True) if score == best], table, node)


def _untied(tied: list[int], table: CardTable, node: Node) -> int:
    chosen = tied[0]
    if table.ties is not None and len(tied) > 1:
        table.ties.append(node)
    for card in tied[1:]:
        if table.coin():
            chosen = card
    return chosen


def target(node: Node, scope: Scope, *, memory: bool) -> tuple[str, str]:
    """Compile where a card is put: its list, and the place in it (None on top)."""
    if node.head in ("top", "bottom") and len(node.items) == 2:
        return _real(node.items[1], scope, memory=memory), "None" if node.head == "top" else "0"
    if node.head == "nth" and len(node.items) == 2:
        return _real(node.items[1], scope, memory=memory), scope.text(node.items[0], NUMBER)
    if node.head == "actual" and len(node.items) == 2:
        return target(node.items[1], scope, memory=memory)
    card = scope.text(node, CARD)

    def lies(table: CardTable, card: int | None) -> CardList:
        if card is None:
            raise Broken("there is no card whose place to take", node)
        return table.where[card]

    return scope.source.call(node, lies, card), f"place_of(table, {card})"


@callable_in_texts
def place_of(table: CardTable, card: int) -> int:
    """Return the place of a card in the list in which it lies."""
    return table.where[card].index(card)


def _real(node: Node, scope: Scope, *, memory: bool) -> str:
    """Compile a list that cards can be put in."""
    lists = scope.expect(node, CARDS)
    if not lists.real and node.kind != "variable" and node.head not in ("top", "bottom", "nth", "let"):
        raise Wrong(node.problem(f"no card can be put in {excerpt(node)}: it is not a place, but picked from places"))
    if lists.real and (node.head == "mem") != memory:
        word = "remember goes to a mem list" if memory else "a card is moved to a vloc, iloc, hloc or oloc, not a mem"
        raise Wrong(node.problem(f"{word}: {excerpt(node)}"))
    if lists.real:
        return lists.text

    def checked(_table: CardTable, held: Sequence[int]) -> CardList:
        if not isinstance(held, CardList) or (held.kind == "mem") != memory:
            raise Broken(f"no card can be put in {excerpt(node)}", node)
        return held

    return scope.source.call(node, checked, lists.text)


def real(node: Node, scope: Scope) -> str:
    """Compile a list in which cards lie, for shuffling and swapping."""
    return _real(node, scope, memory=False)
