"""Actions: changes of cards, stores and pointers, each compiled to a line of Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.games.recycle.card_table import forget_card, remember_card, swap_cards
from croupier.server.games.recycle.deck import BACK, PointMap, cards_of
from croupier.server.games.recycle.places import owner_and_name, real, target
from croupier.server.games.recycle.reader import STORES, Broken
from croupier.server.games.recycle.scope import Sort, excerpt

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.server.games.recycle.card_table import CardList, CardTable
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Scope

    ActionBuilder = Callable[[Node, Scope], str]

REMEMBER = "remember CARD MEMORY"
FORGET = "forget MEMORY"
ACTIONS: dict[str, ActionBuilder] = {
    "remember": lambda node, scope: scope.call(node, REMEMBER, remember),
    "forget": lambda node, scope: scope.call(node, FORGET, forget),
}
"""The compilers of actions, by head."""


def acts(*heads: str) -> Callable[[ActionBuilder], ActionBuilder]:
    """Register a compiler of the actions with these heads."""

    def register(builder: ActionBuilder) -> ActionBuilder:
        ACTIONS.update(dict.fromkeys(heads, builder))
        return builder

    return register


# Cards


@acts("move")
def _move(node: Node, scope: Scope) -> str:
    """Compile a move.

    If a variable holds a list that was assembled from several places, the card is also taken out of that list, so that
    its next top is a different card.
    """
    scope.arity(node, 3)
    ends = ends_of(node, scope.text(node.items[1], Sort.CARD), scope)
    held = list_in_variable(node.items[1])
    if held is not None:
        return f"pick_card(table, {ends}, {scope.text(held, Sort.CARDS, Sort.GROUPS)})"
    return f"move_card(table, {ends})"


def ends_of(node: Node, card: str, scope: Scope) -> str:
    """Compile the two ends of a move: the card that ``card`` returns, the target list, and the place in it."""

    def refuse(_table: CardTable) -> None:
        raise Broken(f"there is no card to move from {excerpt(node.items[1])}", node)

    absent = scope.source.call(node, refuse)
    return ", ".join([f"card if (card := {card}) is not None else {absent}", *target(node.items[2], scope)])


def list_in_variable(card: Node) -> Node | None:
    """Return the list in a variable of which a card is the top, the bottom or number N, None if there is none."""
    if len(card.items) != 2:
        return None
    lists = card.items[1]
    if card.head in ("top", "bottom", "nth"):
        return lists if lists.kind == "variable" or list_in_variable(lists) is not None else None
    return list_in_variable(lists) if card.head == "actual" else None


@acts("swap")
def _swap(node: Node, scope: Scope) -> str:
    """Exchange two cards, or all the cards of two lists."""
    scope.arity(node, 3)
    if scope.read(node.items[1]).sort == Sort.CARD:
        return scope.call(node, "swap CARD CARD", swap)
    return f"swap_lists(table, {real(node.items[1], scope)}, {real(node.items[2], scope)})"


def swap(node: Node, table: CardTable, one: int | None, other: int | None) -> None:
    """Exchange two cards; raise Broken if one is missing."""
    if one is None or other is None:
        raise Broken("there is no card to swap", node)
    swap_cards(table, one, other)


@acts("shuffle")
def _shuffle(node: Node, scope: Scope) -> str:
    if len(node.items) > 2:
        raise node.wrong("no shuffle but the plain one can be done: (shuffle LIST)")
    return f"shuffle(table, {''.join(scope.parts(node, 'shuffle LIST'))})"


def remember(node: Node, table: CardTable, card: int | None, memory: CardList, at: int | None) -> None:
    """Note a card; raise Broken if there is none."""
    if card is None:
        raise Broken("there is no card to remember", node)
    remember_card(table, card, memory, at)


def forget(node: Node, table: CardTable, memory: CardList, at: int | None) -> None:
    """Remove a noted card; raise Broken if there is none."""
    place = len(memory) - 1 if at is None else at
    if not 0 <= place < len(memory):
        raise Broken("there is nothing to forget", node)
    forget_card(table, memory, place)


# Stores


@acts("set", "inc", "dec", "update")
def _store(node: Node, scope: Scope) -> str:
    """Compile a change of a store.

    ``(update (game points P) (AWARDS))`` replaces the awards for the same keys; all others stay.
    """
    scope.arity(node, 3)
    _, stored, value = node.items
    kinds, what, example = (("points",), "point map", "points") if node.head == "update" else (STORES, "store", "sto")
    if stored.head not in kinds or len(stored.items) != 3:
        said = f"{node.head} changes a {what}, as in (game {example} X), and {excerpt(stored)} is none"
        raise node.wrong(said)
    where = ", ".join(owner_and_name(stored, scope))
    if node.head == "update":
        return f"update(table, {where}, {_map(value, scope)})"
    if stored.head == "points":
        return f"put(table, 'maps', {where}, {_map(value, scope)})"
    if stored.head == "str" and node.head != "set":
        raise node.wrong(f"only numbers can be counted with {node.head}")
    if stored.head == "str":
        return f"put(table, 'strings', {where}, {scope.text(value, Sort.STRING)})"
    number = scope.text(value, Sort.NUMBER)
    if node.head == "set":
        return f"put(table, 'numbers', {where}, {number})"
    return f"count(table, {where}, {'-' if node.head == 'dec' else ''}{number})"


def _map(node: Node, scope: Scope) -> str:
    """Compile a map. The same words and numbers give the same map object, which is not built again."""
    if node.head == "points":
        return scope.text(node, Sort.MAP)
    given: list[str] = []
    awards = "".join([_award(award, given, scope) for award in node.items])
    awarded = scope.source.function_doing([f"return ({awards})"], "given")

    def point_map(table: CardTable, *given: str | int) -> PointMap:
        points = table.deck.maps.get((node, given))
        if points is None:
            points = table.deck.maps[node, given] = PointMap.of(awarded(table, given), table.deck)
        return points

    return scope.source.call(node, point_map, *given)


def _award(award: Node, given: list[str], scope: Scope) -> str:
    """Compile one award of a map, followed by a comma; the parts that may vary are appended to ``given``."""
    if len(award.items) < 2:
        raise award.wrong(f"an award is ((KEY : VALUE) ... POINTS), not {excerpt(award)}")

    def part(node: Node, sort: str) -> str:
        made = scope.expect(node, sort)
        if made.constant is not None:
            return made.text
        given.append(made.text)
        return f"given[{len(given) - 1}]"

    parts = ""
    for pair in award.items[:-1]:
        if len(pair.items) != 3 or not pair.items[0].has("sign", ":"):
            raise pair.wrong(f"a part of an award is (KEY : VALUE), not {excerpt(pair)}")
        parts += f"({part(pair.items[1], Sort.STRING)}, {part(pair.items[2], Sort.STRING)}), "
    return f"(({parts}), {part(award.items[-1], Sort.NUMBER)}), "


# Pointers, teams and decks


@acts("turn")
def _turn(node: Node, scope: Scope) -> str:
    scope.parts(node, "turn pass")
    return "pass_turn(table)"


@acts("cycle")
def _cycle(node: Node, scope: Scope) -> str:
    """``(cycle next WHO)`` sets who is next; ``(cycle current WHO)`` changes who is on turn."""
    scope.arity(node, 3)
    which, who = node.items[1:]
    if not which.has("word", "next", "current"):
        raise which.wrong(f"cycle changes next or current, not {which}")
    if who.has("word", "current", "next", "previous"):
        who = who.form(who, who.token("word", "player"))
    pointer = "queued" if which.text == "next" else "seat"
    return f"point(table, {pointer!r}, {scope.text(who, Sort.PLAYER)})"


@acts("create")
def _create(node: Node, scope: Scope) -> str:
    what = node.items[1] if len(node.items) > 1 else node
    if what.has("word", "deck"):
        return _create_deck(node, scope)
    if not what.has("word", "teams"):
        raise node.wrong(f"teams and decks can be created here, not {excerpt(node)}")
    teams = [members(team, scope) for team in node.items[2:]]

    def create_teams(table: CardTable) -> None:
        _refuse_trial(node, table)
        for team in teams:
            table.add_team(list(team))

    return scope.source.call(node, create_teams)


def _refuse_trial(node: Node, table: CardTable) -> None:
    """Refuse to create what cannot be undone while an option is only tried out."""
    if table.log is not None:
        raise Broken(f"no {node.items[1]} can be created inside a choice", node)


def members(team: Node, scope: Scope) -> list[int]:
    """Return the players of ``(0, 2)``."""
    players = [int(item.text) for item in team.items if item.kind == "number" and len(item.text) < 4]
    if not players or len(players) != len(team.items) or max(players) >= scope.players:
        raise team.wrong(f"a team is the numbers of its players, from 0 to {scope.players - 1}: {excerpt(team)}")
    return players


def deck_parts(node: Node) -> tuple[str, Node, Node]:
    """Return the back, the list and the deck of ``(create deck BACK? LIST (deck ...))``."""
    items = node.items[2:]
    back = items[0].text if len(items) == 3 and items[0].kind == "name" else BACK
    if len(items) not in (2, 3) or items[-1].head != "deck":
        raise node.wrong(f"a deck is created as (create deck LIST (deck (KEY (VALUES)))): {excerpt(node)}")
    return back, items[-2], items[-1]


def _create_deck(node: Node, scope: Scope) -> str:
    back, place, deck = deck_parts(node)
    where = real(place, scope)
    try:
        cards = cards_of(deck, {})
    except Broken as wrong:
        raise (wrong.at or node).wrong(wrong.message) from None

    def create_deck(table: CardTable, held: CardList) -> None:
        _refuse_trial(node, table)
        table.add_deck(cards, back, held)
        table.puts += 1
        for maps in table.maps:
            for name, points in maps.items():
                maps[name] = PointMap.of(points.awards, table.deck)

    return scope.source.call(node, create_deck, where)
