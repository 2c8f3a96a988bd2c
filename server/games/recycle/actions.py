"""Actions: stores, pointers, passing and creating; what they have in common with the moves of `moves`.

While a choice is tried out, each action is logged, so that it can be taken back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.server.games.recycle.card_table import Broken, CardTable
from croupier.server.games.recycle.deck import BACK, cards_of
from croupier.server.games.recycle.places import owner, real
from croupier.server.games.recycle.points import PointMap
from croupier.server.games.recycle.scope import MAP, NUMBER, PLAYER, STRING, Wrong, shown
from croupier.server.games.recycle.values import wrapped

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Expression, Scope

    Act = Callable[[CardTable], None]
    ActionBuilder = Callable[[Node, Scope], Act]

ACTIONS: dict[str, ActionBuilder] = {}


def acts(*heads: str) -> Callable[[ActionBuilder], ActionBuilder]:
    """Register the reader of the actions with these heads."""

    def register(builder: ActionBuilder) -> ActionBuilder:
        for head in heads:
            ACTIONS[head] = builder
        return builder

    return register


def put(table: CardTable, store: str, who: int, name: str, value: Any) -> None:
    """Set one of an owner's numbers, strings or maps."""
    stored = getattr(table, store)[who]
    if table.log is not None:
        table.log.append((put, _put_old, (store, who, name, value), stored.get(name)))
    stored[name] = value


def _put_old(table: CardTable, store: str, who: int, name: str, _value: Any, old: Any) -> None:
    if old is None:
        del getattr(table, store)[who][name]
    else:
        getattr(table, store)[who][name] = old


@acts("set", "inc", "dec")
def _store(node: Node, scope: Scope) -> Act:
    scope.arity(node, 3)
    stored = node.items[1]
    if stored.head not in ("sto", "str", "points") or len(stored.items) != 3:
        raise Wrong(node.problem(f"{node.head} changes a store, as in (game sto X), and {shown(stored)} is none"))
    who, name = owner(stored.items[0], scope), scope.string(stored.items[2])
    if stored.head == "points":
        return _set_map(node, scope)
    if stored.head == "str":
        if node.head != "set":
            raise Wrong(node.problem(f"only numbers can be counted with {node.head}"))
        text = scope.expect(node.items[2], STRING).run
        return lambda table: put(table, "strings", who(table), name(table), text(table))
    number = scope.expect(node.items[2], NUMBER)
    if node.head == "set":
        value = number.run
        return lambda table: put(table, "numbers", who(table), name(table), value(table))
    return _count(node, who, scope.expect(stored.items[2], STRING), number)


def _count(node: Node, who: Callable[[CardTable], int], name: Expression, number: Expression) -> Act:
    """Compile counting up or down; the usual count, of a constant name, does without calls."""
    sign = 1 if node.head == "inc" else -1
    store, amount, key = name.run, number.run, name.constant

    def count(table: CardTable) -> None:
        holder, called = who(table), store(table)
        put(table, "numbers", holder, called, wrapped(table.numbers[holder].get(called, 0) + sign * amount(table)))

    def count_constant(table: CardTable) -> None:
        if table.log is not None:
            count(table)
            return
        stored = table.numbers[who(table)]
        stored[key] = wrapped(stored.get(key, 0) + sign * amount(table))

    return count if key is None else count_constant


def _set_map(node: Node, scope: Scope) -> Act:
    stored = node.items[1]
    who, name = owner(stored.items[0], scope), scope.string(stored.items[2])
    if node.items[2].head == "points":
        other = scope.expect(node.items[2], MAP).run
        return lambda table: put(table, "maps", who(table), name(table), other(table))
    awards = [_award(award, scope) for award in node.items[2].items]
    if all(constant is not None for constant, _ in awards):
        fixed = tuple([constant for constant, _ in awards if constant is not None])
        return lambda table: put(table, "maps", who(table), name(table), _seen(PointMap.of(fixed, table.deck), table))

    def act(table: CardTable) -> None:
        now = tuple([constant if constant is not None else run(table) for constant, run in awards])
        put(table, "maps", who(table), name(table), _seen(PointMap.of(now, table.deck), table))

    return act


def _seen(points: PointMap, table: CardTable) -> PointMap:
    return points if table.veil is None else points.watched(table.veil)


def _award(award: Node, scope: Scope) -> tuple[Any, Callable[[CardTable], Any]]:
    """Compile one award; return it as it is always, or None, and how to work it out."""
    if len(award.items) < 2:
        raise Wrong(award.problem(f"an award is ((KEY : VALUE) ... POINTS), not {shown(award)}"))
    parts = []
    for part in award.items[:-1]:
        if len(part.items) != 3 or not part.items[0].has("sign", ":"):
            raise Wrong(part.problem(f"a part of an award is (KEY : VALUE), not {shown(part)}"))
        parts.append((scope.expect(part.items[1], STRING), scope.expect(part.items[2], STRING)))
    points = scope.expect(award.items[-1], NUMBER)

    def run(table: CardTable) -> tuple[tuple[tuple[str, str], ...], int]:
        return tuple([(key.run(table), value.run(table)) for key, value in parts]), points.run(table)

    fixed = points.constant is not None and all(
        key.constant is not None and value.constant is not None for key, value in parts
    )
    if fixed:
        return (tuple([(key.constant, value.constant) for key, value in parts]), points.constant), run
    return None, run


@acts("cycle")
def _cycle(node: Node, scope: Scope) -> Act:
    """``(cycle next WHO)`` says who is next; ``(cycle current WHO)`` changes who is on turn."""
    scope.arity(node, 3)
    which, who = node.items[1:]
    if not which.has("word", "next", "current"):
        raise Wrong(which.problem(f"cycle changes next or current, not {which}"))
    if who.has("word", "current", "next", "previous"):
        who = who.form(who, who.token("word", "player"))
    player = scope.expect(who, PLAYER).run
    pointer = "queued" if which.text == "next" else "seat"
    return lambda table: point(table, pointer, player(table))


def point(table: CardTable, pointer: str, player: int) -> None:
    """Point at a player."""
    if table.log is not None:
        table.log.append((point, _point_back, (pointer, player), getattr(table, pointer)))
    setattr(table, pointer, player)


def _point_back(table: CardTable, pointer: str, _player: int, old: int) -> None:
    setattr(table, pointer, old)


@acts("turn")
def _turn(node: Node, scope: Scope) -> Act:
    scope.arity(node, 2)
    if not node.items[1].has("word", "pass"):
        raise Wrong(node.problem(f"the only turn is (turn pass), not {shown(node)}"))
    return pass_turn


def pass_turn(table: CardTable) -> None:
    """Do nothing, which is an action too."""
    if table.log is not None:
        table.log.append((pass_turn, pass_back, ()))


def pass_back(_table: CardTable) -> None:
    """Take a pass back."""


@acts("create")
def _create(node: Node, scope: Scope) -> Act:
    what = node.items[1] if len(node.items) > 1 else node
    if what.has("word", "teams"):
        teams = [members(team, scope) for team in node.items[2:]]

        def act(table: CardTable) -> None:
            for team in teams:
                table.add_team(list(team))

        return act
    if what.has("word", "deck"):
        return _create_deck(node, scope)
    raise Wrong(node.problem(f"teams and decks can be created here, not {shown(node)}"))


def members(team: Node, scope: Scope) -> list[int]:
    """Return the players of ``(0, 2)``."""
    players = [int(item.text) for item in team.items if item.kind == "number" and len(item.text) < 4]
    if not players or len(players) != len(team.items) or max(players) >= scope.players:
        raise Wrong(team.problem(f"a team is the numbers of its players, from 0 to {scope.players - 1}: {shown(team)}"))
    return players


def deck_parts(node: Node) -> tuple[str, Node, Node]:
    """Return the back, the list and the deck of ``(create deck BACK? LIST (deck ...))``."""
    items = node.items[2:]
    back = items[0].text if len(items) == 3 and items[0].kind == "name" else BACK
    if len(items) not in (2, 3) or items[-1].head != "deck":
        raise Wrong(node.problem(f"a deck is created as (create deck LIST (deck (KEY (VALUES)))): {shown(node)}"))
    return back, items[-2], items[-1]


def _create_deck(node: Node, scope: Scope) -> Act:
    back, place, deck = deck_parts(node)
    where = real(place, scope)
    try:
        cards = cards_of(deck, {})
    except Broken as wrong:
        raise Wrong((wrong.at or node).problem(wrong.message)) from None

    def act(table: CardTable) -> None:
        if table.log is not None:
            raise Broken("no deck can be created inside a choice", node)
        first = len(table.deck.cards)
        table.deck = table.deck.with_more(cards, back)
        table.columns = table.deck.columns
        _rescore(table)
        table.add_cards(first, len(cards), where(table))

    return act


def _rescore(table: CardTable) -> None:
    """Let the point maps know of the new cards."""
    for maps in table.maps:
        for name, points in maps.items():
            maps[name] = PointMap.of(points.awards, table.deck)
