"""Places: owners, lists of cards, and single cards."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from croupier.server.games.recycle.card_table import CardList, list_key
from croupier.server.games.recycle.reader import KINDS, Broken
from croupier.server.games.recycle.scope import ELEMENT, LIST_OF, PARTS, Expression, Sort, builds, excerpt, reads, says
from croupier.server.games.recycle.source import callable_in_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.server.games.recycle.card_table import CardTable
    from croupier.server.games.recycle.deck import PointMap
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Scope

POINTERS = {
    "player": ("table.seat", "table.queued", "table.players"),
    "team": ("table.team", "table.team_queued", "len(table.teams)"),
}
"""The texts for each pointer: whom it points to, who is queued after, and how many there are."""
POINTED = {f"{which} {whose}" for which in ("current", "next", "previous") for whose in POINTERS}


def successor(whose: str) -> str:
    """Return the text for the player or team after the one that the pointer points to."""
    now, queued, many = POINTERS[whose]
    return f"({queued} if {queued} >= 0 else ({now} + 1) % {many})"


for whose, (now, _, many) in POINTERS.items():
    says(Sort(whose), {f"current {whose}": now, f"previous {whose}": f"(({now} - 1) % {many})"})
    says(Sort(whose), {f"next {whose}": successor(whose)})
    says(LIST_OF[whose], {f"other {whose}": f"[{whose} for {whose} in range({many}) if {whose} != {now}]"})
says(Sort.CARD, {"actual CARD": "{}"})


@reads("NUMBER player", Sort.PLAYER)
def player_at(node: Node, table: CardTable, number: int) -> int:
    """Return the player with this number, from 0."""
    if not 0 <= number < table.players:
        raise Broken(f"there is no player {number}", node)
    return number


@reads("NUMBER team", Sort.TEAM)
def team_at(node: Node, table: CardTable, number: int) -> int:
    """Return the team with this number, from 0."""
    if not 0 <= number < len(table.teams):
        raise Broken(f"there is no team {number}", node)
    return number


@reads("owner CARD", Sort.PLAYER)
def owner_of(node: Node, table: CardTable, card: int | None) -> int:
    """Return the player who owns the list in which a card is; raise Broken if there is none."""
    if card is None:
        raise Broken("there is no card whose owner to ask for", node)
    owner = table.where[card].owner
    if owner >= table.players:
        raise Broken("the card belongs to no player", node)
    return owner


@reads("team PLAYER", Sort.TEAM)
def team_of(node: Node, table: CardTable, player: int) -> int:
    """Return the team of a player."""
    team = table.team_of[player]
    if team < 0:
        raise Broken("the player is in no team", node)
    return team


def owner(node: Node, scope: Scope) -> str:
    """Compile the owner of a store or a list: a number at the table."""
    who = scope.read(node)
    if who.sort == Sort.TEAM:
        return f"(table.players + 1 + {who.text})"
    if who.sort in (Sort.PLAYER, Sort.GAME):
        return who.text
    raise node.wrong(f"only the game, a player or a team owns something, and {excerpt(node)} does not")


def owner_and_name(store: Node, scope: Scope) -> tuple[str, str]:
    """Compile a store's owner and its name."""
    who = owner(store.items[0], scope)
    scope.arity(store, 3)
    return who, scope.text(store.items[2], Sort.STRING)


@builds("sto", "str")
def _store(node: Node, scope: Scope) -> Expression:
    who, name = owner_and_name(node, scope)
    number = node.head == "sto"
    text = f"table.numbers[{who}].get({name}, 0)" if number else f'table.strings[{who}].get({name}, "")'
    if _is_always_there(node):
        scope.source.stores.add(text)
    return scope.expression(Sort.NUMBER if number else Sort.STRING, text)


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
    """Compile a point map, found by this function."""
    who, name = owner_and_name(node, scope)
    text = scope.source.call(node, find, name, who)
    return scope.expression(Sort.MAP, f"(table.maps[{who}].get({name}) or {text})" if _is_always_there(node) else text)


def _is_always_there(store: Node) -> bool:
    """Return whether a store's owner and name can be evaluated at any time, without side effects."""
    owner, _, name = store.items
    return name.kind == "name" and (owner.kind == "word" or (owner.head in POINTED and owner.items[1].text == "player"))


@builds(*KINDS)
def _place(node: Node, scope: Scope) -> Expression:
    """``(WHO vloc NAME)``, ``(WHO vloc NAME N)``: a list of cards."""
    scope.arity(node, 3, 4)
    name = scope.expect(node.items[2], Sort.STRING)
    index = scope.text(node.items[3], Sort.NUMBER) if len(node.items) == 4 else None
    if index is None and name.constant is not None:
        key = repr(list_key(node.head, name.constant))
    else:
        key = f"list_key({node.head!r}, {name.text}, {index or 0})"
    return scope.expression(Sort.CARDS, f"table.lists[{owner(node.items[0], scope)}][{key}]", real=True)


@builds("indexed")
def _indexed(node: Node, scope: Scope) -> Expression:
    """``(indexed (WHO vloc NAME))``: all numbered lists of a name that contain cards, in order."""
    scope.arity(node, 2)
    base = node.items[1]
    if base.head not in KINDS or len(base.items) != 3:
        raise node.wrong("indexed takes lists by their name, as in (indexed (game vloc RUN))")

    def numbered(table: CardTable, who: int, wanted: str) -> list[CardList]:
        lists = table.lists[who].values()
        held = [cards for cards in lists if cards and cards.kind == base.head and cards.name == wanted]
        return sorted(held, key=lambda cards: cards.number)

    return scope.expression(Sort.GROUPS, scope.source.call(node, numbered, *owner_and_name(base, scope)))


@builds("top", "bottom")
def _end(node: Node, scope: Scope) -> Expression:
    """Read ``(top LOC)``, a card; ``(top LOCS)``, a list of cards; ``(top N LOC)``, a sequence."""
    scope.arity(node, 2, 3)
    if len(node.items) == 3:
        return scope.expression(Sort.CARDS, scope.call(node, f"{node.head} NUMBER CARDS", _sequence))
    lists = scope.expect(node.items[1], Sort.CARDS, Sort.GROUPS)
    if lists.sort == Sort.CARDS:
        return scope.expression(Sort.CARD, f"{node.head}({lists.text})")
    return scope.expression(Sort.CARDS, scope.source.call(node, partial(_end_group, node), lists.text))


@callable_in_texts
def top(cards: Sequence[int]) -> int | None:
    """Return the last card, None if there is none."""
    return cards[-1] if cards else None


@callable_in_texts
def bottom(cards: Sequence[int]) -> int | None:
    """Return the first card, None if there is none."""
    return cards[0] if cards else None


def _end_group(node: Node, _table: CardTable, groups: Sequence[Any]) -> Any:
    if not groups:
        raise Broken("there is no list to take", node)
    return groups[-1 if node.head == "top" else 0]


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
    if first.sort != Sort.NUMBER:
        raise node.wrong(f"there is no such expression: {excerpt(node)}")
    lists = scope.expect(node.items[1], Sort.CARDS, Sort.GROUPS)

    def nth(_table: CardTable, cards: Sequence[Any], which: int) -> Any:
        if 0 <= which < len(cards):
            return cards[which]
        if lists.sort == Sort.CARDS and not cards:
            return None
        raise Broken(f"there is no number {which} in a list of {len(cards)}", node)

    return scope.expression(ELEMENT[lists.sort], scope.source.call(node, nth, lists.text, first.text))


@reads("max CARDS using MAP", Sort.CARD)
@reads("min CARDS using MAP", Sort.CARD)
def extreme(node: Node, table: CardTable, cards: Sequence[int], points: PointMap) -> int:
    """Return the best or the worst card. A fair coin decides each tie in turn: the last of three wins half the time."""
    held = table.look(cards)
    if not held:
        raise Broken(f"{node.head} of no card", node)
    worth = points.table
    scores = [worth[card] for card in held]
    best = max(scores) if node.head == "max" else min(scores)
    if node.head == "max" and best < -1:
        return held[-1]
    if scores.count(best) == 1:
        return held[scores.index(best)]
    chosen, *others = [card for card, score in zip(held, scores, strict=True) if score == best]
    if table.ties is not None:
        table.ties.append(node)
    for card in others:
        if table.coin():
            chosen = card
    return chosen


def target(node: Node, scope: Scope, *, memory: bool = False) -> tuple[str, str]:
    """Compile the target of a card: its list, and the place in it (None for the top)."""
    if node.head in ("top", "bottom") and len(node.items) == 2:
        return real(node.items[1], scope, memory=memory), "None" if node.head == "top" else "0"
    if node.head == "nth" and len(node.items) == 2:
        return real(node.items[1], scope, memory=memory), scope.text(node.items[0], Sort.NUMBER)
    if node.head == "actual" and len(node.items) == 2:
        return target(node.items[1], scope, memory=memory)
    card = scope.text(node, Sort.CARD)
    if memory:
        raise node.wrong(f"a place in a mem list is needed here, as in (top (game mem X)), and not {node}")

    def list_of(table: CardTable, card: int | None) -> CardList:
        if card is None:
            raise Broken("there is no card whose place to take", node)
        return table.where[card]

    return scope.source.call(node, list_of, card), f"place_of(table, {card})"


@callable_in_texts
def place_of(table: CardTable, card: int) -> int:
    """Return the place of a card in its list."""
    return table.where[card].index(card)


def real(node: Node, scope: Scope, *, memory: bool = False) -> str:
    """Compile a real list, to which cards can be moved; a memory only if that is allowed."""
    lists = scope.expect(node, Sort.CARDS)
    if not lists.real and node.kind != "variable" and node.head not in ("top", "bottom", "nth", "let"):
        raise node.wrong(f"no card can be put in {excerpt(node)}: it is not a place, but picked from places")
    if lists.real and (node.head == "mem") != memory:
        word = "remember goes to a mem list" if memory else "a card is moved to a vloc, iloc, hloc or oloc, not a mem"
        raise node.wrong(f"{word}: {excerpt(node)}")
    if lists.real:
        return lists.text

    def check_real(_table: CardTable, held: Sequence[int]) -> CardList:
        if not isinstance(held, CardList) or (held.kind == "mem") != memory:
            raise Broken(f"no card can be put in {excerpt(node)}", node)
        return held

    return scope.source.call(node, check_real, lists.text)


PARTS["LIST"] = lambda node, scope: [real(node, scope)]
PARTS["PLACE"] = target
PARTS["MEMORY"] = partial(target, memory=True)
