"""Actions: stores, pointers, passing and creating; what they have in common with the moves of `moves`.

An action is compiled to a line. While a choice is tried out, each is logged, so that it can be taken back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.server.games.recycle.card_table import Broken, CardTable
from croupier.server.games.recycle.deck import BACK, cards_of
from croupier.server.games.recycle.places import owner, real
from croupier.server.games.recycle.points import PointMap
from croupier.server.games.recycle.scope import MAP, NUMBER, PLAYER, STRING, Wrong, excerpt
from croupier.server.games.recycle.source import callable_in_texts
from croupier.server.games.recycle.values import wrap

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.server.games.recycle.card_table import CardList
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Scope

    ActionBuilder = Callable[[Node, Scope], str]

ACTIONS: dict[str, ActionBuilder] = {}


def acts(*heads: str) -> Callable[[ActionBuilder], ActionBuilder]:
    """Register the reader of the actions with these heads."""

    def register(builder: ActionBuilder) -> ActionBuilder:
        for head in heads:
            ACTIONS[head] = builder
        return builder

    return register


@callable_in_texts
def put(table: CardTable, store: str, who: int, name: str, value: Any) -> None:
    """Set one of an owner's numbers, strings or maps."""
    stored = getattr(table, store)[who]
    if table.log is not None:
        table.log.append((put, _put_old, (store, who, name, value), stored.get(name)))
    stored[name] = value
    table.puts += 1


def _put_old(table: CardTable, store: str, who: int, name: str, _value: Any, old: Any) -> None:
    table.puts += 1
    if old is None:
        del getattr(table, store)[who][name]
    else:
        getattr(table, store)[who][name] = old


@acts("set", "inc", "dec")
def _store(node: Node, scope: Scope) -> str:
    scope.arity(node, 3)
    stored = node.items[1]
    if stored.head not in ("sto", "str", "points") or len(stored.items) != 3:
        raise Wrong(node.problem(f"{node.head} changes a store, as in (game sto X), and {excerpt(stored)} is none"))
    who, name = owner(stored.items[0], scope), scope.text(stored.items[2], STRING)
    if stored.head == "points":
        return f"put(table, 'maps', {who}, {name}, {_map(node.items[2], scope)})"
    if stored.head == "str":
        if node.head != "set":
            raise Wrong(node.problem(f"only numbers can be counted with {node.head}"))
        return f"put(table, 'strings', {who}, {name}, {scope.text(node.items[2], STRING)})"
    number = scope.text(node.items[2], NUMBER)
    if node.head == "set":
        return f"put(table, 'numbers', {who}, {name}, {number})"
    return f"count(table, {who}, {name}, {'-' if node.head == 'dec' else ''}{number})"


@callable_in_texts
def count(table: CardTable, who: int, name: str, more: int) -> None:
    """Count one of an owner's numbers up or down."""
    put(table, "numbers", who, name, wrap(table.numbers[who].get(name, 0) + more))


def _map(node: Node, scope: Scope) -> str:
    """Compile a map: of the same words and numbers it is the same map, and is not put together again."""
    if node.head == "points":
        return scope.text(node, MAP)
    given: list[str] = []
    awards = "".join([_award(award, given, scope) for award in node.items])
    awarded = scope.source.function_doing([f"return ({awards})"], "given")

    def point_map(table: CardTable, *given: str | int) -> PointMap:
        points = table.deck.maps.get((node, given))
        if points is None:
            points = PointMap.of(awarded(table, given), table.deck)
            table.deck.maps[node, given] = points
        return points

    return scope.source.call(node, point_map, *given)


def _award(award: Node, given: list[str], scope: Scope) -> str:
    """Compile one award of a map, with a comma behind it; what is not the same always is put into ``given``."""
    if len(award.items) < 2:
        raise Wrong(award.problem(f"an award is ((KEY : VALUE) ... POINTS), not {excerpt(award)}"))

    def part(node: Node, sort: str) -> str:
        made = scope.expect(node, sort)
        if made.constant is not None:
            return made.text
        given.append(made.text)
        return f"given[{len(given) - 1}]"

    parts = ""
    for pair in award.items[:-1]:
        if len(pair.items) != 3 or not pair.items[0].has("sign", ":"):
            raise Wrong(pair.problem(f"a part of an award is (KEY : VALUE), not {excerpt(pair)}"))
        parts += f"({part(pair.items[1], STRING)}, {part(pair.items[2], STRING)}), "
    return f"(({parts}), {part(award.items[-1], NUMBER)}), "


@acts("update")
def _update(node: Node, scope: Scope) -> str:
    """``(update (game points P) (AWARDS))``: awards for the same keys are replaced, all others stay."""
    scope.arity(node, 3)
    stored = node.items[1]
    if stored.head != "points" or len(stored.items) != 3:
        raise Wrong(node.problem(f"update changes a point map, as in (game points X), and {excerpt(stored)} is none"))
    who, name = owner(stored.items[0], scope), scope.text(stored.items[2], STRING)
    return f"update(table, {who}, {name}, {_map(node.items[2], scope)})"


@callable_in_texts
def update(table: CardTable, who: int, name: str, more: PointMap) -> None:
    """Put awards into one of an owner's point maps; one that was never set has none before."""
    before = table.maps[who].get(name)
    put(table, "maps", who, name, more if before is None else PointMap.of(before.awards_with(more), table.deck))


@acts("cycle")
def _cycle(node: Node, scope: Scope) -> str:
    """``(cycle next WHO)`` says who is next; ``(cycle current WHO)`` changes who is on turn."""
    scope.arity(node, 3)
    which, who = node.items[1:]
    if not which.has("word", "next", "current"):
        raise Wrong(which.problem(f"cycle changes next or current, not {which}"))
    if who.has("word", "current", "next", "previous"):
        who = who.form(who, who.token("word", "player"))
    pointer = "queued" if which.text == "next" else "seat"
    return f"point(table, {pointer!r}, {scope.text(who, PLAYER)})"


@callable_in_texts
def point(table: CardTable, pointer: str, player: int) -> None:
    """Point at a player."""
    if table.log is not None:
        table.log.append((point, _point_back, (pointer, player), getattr(table, pointer)))
    setattr(table, pointer, player)


def _point_back(table: CardTable, pointer: str, _player: int, old: int) -> None:
    setattr(table, pointer, old)


@acts("turn")
def _turn(node: Node, scope: Scope) -> str:
    scope.arity(node, 2)
    if not node.items[1].has("word", "pass"):
        raise Wrong(node.problem(f"the only turn is (turn pass), not {excerpt(node)}"))
    return "pass_turn(table)"


@callable_in_texts
def pass_turn(table: CardTable) -> None:
    """Do nothing, which is an action too."""
    if table.log is not None:
        table.log.append((pass_turn, pass_back, ()))


def pass_back(_table: CardTable) -> None:
    """Take a pass back."""


@acts("create")
def _create(node: Node, scope: Scope) -> str:
    what = node.items[1] if len(node.items) > 1 else node
    if what.has("word", "teams"):
        teams = [members(team, scope) for team in node.items[2:]]

        def act(table: CardTable) -> None:
            for team in teams:
                table.add_team(list(team))

        return scope.source.call(node, act)
    if what.has("word", "deck"):
        return _create_deck(node, scope)
    raise Wrong(node.problem(f"teams and decks can be created here, not {excerpt(node)}"))


def members(team: Node, scope: Scope) -> list[int]:
    """Return the players of ``(0, 2)``."""
    players = [int(item.text) for item in team.items if item.kind == "number" and len(item.text) < 4]
    if not players or len(players) != len(team.items) or max(players) >= scope.players:
        raise Wrong(
            team.problem(f"a team is the numbers of its players, from 0 to {scope.players - 1}: {excerpt(team)}")
        )
    return players


def deck_parts(node: Node) -> tuple[str, Node, Node]:
    """Return the back, the list and the deck of ``(create deck BACK? LIST (deck ...))``."""
    items = node.items[2:]
    back = items[0].text if len(items) == 3 and items[0].kind == "name" else BACK
    if len(items) not in (2, 3) or items[-1].head != "deck":
        raise Wrong(node.problem(f"a deck is created as (create deck LIST (deck (KEY (VALUES)))): {excerpt(node)}"))
    return back, items[-2], items[-1]


def _create_deck(node: Node, scope: Scope) -> str:
    back, place, deck = deck_parts(node)
    where = real(place, scope)
    try:
        cards = cards_of(deck, {})
    except Broken as wrong:
        raise Wrong((wrong.at or node).problem(wrong.message)) from None

    def act(table: CardTable, held: CardList) -> None:
        if table.log is not None:
            raise Broken("no deck can be created inside a choice", node)
        first = len(table.deck.cards)
        table.deck = table.deck.with_more(cards, back)
        table.columns = table.deck.columns
        _rescore(table)
        table.add_cards(first, len(cards), held)

    return scope.source.call(node, act, where)


def _rescore(table: CardTable) -> None:
    """Let the point maps know of the new cards."""
    table.puts += 1
    for maps in table.maps:
        for name, points in maps.items():
            maps[name] = PointMap.of(points.awards, table.deck)
