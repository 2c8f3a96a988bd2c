"""Actions: what changes the table. Each is logged while a choice is tried out, so that it can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.server.games.recycle.deck import BACK, cards_of
from croupier.server.games.recycle.places import owner, real, target
from croupier.server.games.recycle.points import PointMap
from croupier.server.games.recycle.scope import CARD, CARDS, GROUPS, MAP, NUMBER, PLAYER, STRING, Wrong, shown
from croupier.server.games.recycle.table import Broken, CardList, Table
from croupier.server.games.recycle.values import wrapped

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Scope

    Act = Callable[[Table], None]
    ActionBuilder = Callable[[Node, Scope], Act]

ACTIONS: dict[str, ActionBuilder] = {}


def acts(*heads: str) -> Callable[[ActionBuilder], ActionBuilder]:
    """Register the reader of the actions with these heads."""

    def register(builder: ActionBuilder) -> ActionBuilder:
        for head in heads:
            ACTIONS[head] = builder
        return builder

    return register


def move_card(table: Table, card: int, to: CardList, at: int | None) -> None:
    """Take a card from where it lies and put it on top of a list, or into it at a place."""
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
        table.log.append((move_card, _move_back, (card, to, at), source, place))


def _move_back(table: Table, card: int, to: CardList, _at: int | None, source: CardList, place: int) -> None:
    to.remove(card)
    source.insert(place, card)
    table.where[card] = source


def _move_to_end(
    table: Table, card: int, to: CardList, at: int | None, source: CardList, _place: int, *picked: Any
) -> None:
    """Take a move back as the original does where the card came out of a list that is only picked from places."""
    _move_back(table, card, to, at, source, len(source))
    if picked:
        held, among = picked
        held.insert(among, card)


def _pick_back(
    table: Table, card: int, to: CardList, at: int | None, source: CardList, place: int, picked: list[int], among: int
) -> None:
    """Take a move out of a list that a variable holds back, into that list too."""
    _move_back(table, card, to, at, source, place)
    picked.insert(among, card)


@acts("move")
def _move(node: Node, scope: Scope) -> Act:
    scope.arity(node, 3)
    card = scope.expect(node.items[1], CARD).run
    where, place = target(node.items[2], scope, memory=False)
    on_top = node.items[2].head == "top"

    def act(table: Table) -> None:
        moved = card(table)
        if moved is None:
            raise Broken(f"there is no card to move from {shown(node.items[1])}", node)
        move_card(table, moved, where(table), None if on_top else place(table))

    taking: Act = act
    if (held := _held(node.items[1])) is not None:
        taking = _picking(act, card, scope.expect(held, CARDS, GROUPS).run)
    return _loosely(taking) if scope.compat and _picked(node.items[1]) else taking


def _held(card: Node) -> Node | None:
    """Return the list that a variable holds, of which a card is the top, the bottom or number N."""
    if card.head in ("top", "bottom", "nth") and len(card.items) == 2:
        lists = card.items[1]
        return lists if lists.kind == "variable" or _held(lists) is not None else None
    return _held(card.items[1]) if card.head == "actual" and len(card.items) == 2 else None


def _picking(act: Act, card: Callable[[Table], Any], lists: Callable[[Table], Any]) -> Act:
    """Take the moved card out of the list that was put together from places too: the next top is another card."""

    def pick(table: Table) -> None:
        moved, held = card(table), lists(table)
        act(table)
        if isinstance(held, CardList) or moved not in held:
            return
        among = held.index(moved)
        del held[among]
        if table.log is not None:
            entry = table.log[-1]
            table.log[-1] = (entry[0], _pick_back, *entry[2:], held, among)

    return pick


def _picked(card: Node) -> bool:
    """Tell whether a card is taken from a list that is only picked from places, and not as the actual one."""
    if card.head in ("max", "min") or _held(card) is not None:
        return card.head != "actual"
    if card.head not in ("top", "bottom", "nth") or len(card.items) != 2:
        return False
    return card.items[1].head not in ("vloc", "iloc", "hloc", "oloc", "mem") and card.items[1].kind == "form"


def _loosely(act: Act) -> Act:
    """Log a move so that taking it back leaves the card at the end of its list."""

    def loose(table: Table) -> None:
        act(table)
        if table.log is not None:
            entry = table.log[-1]
            table.log[-1] = (entry[0], _move_to_end, *entry[2:])

    return loose


@acts("swap")
def _swap(node: Node, scope: Scope) -> Act:
    """Exchange two cards, or all the cards of two lists."""
    scope.arity(node, 3)
    if scope.read(node.items[1]).sort == CARD:
        one, other = (scope.expect(item, CARD).run for item in node.items[1:])

        def act(table: Table) -> None:
            first, second = one(table), other(table)
            if first is None or second is None:
                raise Broken("there is no card to swap", node)
            swap_cards(table, first, second)

        return act
    left, right = real(node.items[1], scope), real(node.items[2], scope)
    return lambda table: swap_lists(table, left(table), right(table))


def swap_cards(table: Table, one: int, other: int) -> None:
    """Exchange the places of two cards."""
    first, second = table.where[one], table.where[other]
    here, there = first.index(one), second.index(other)
    first[here], second[there] = other, one
    table.where[one], table.where[other] = second, first
    if table.log is not None:
        table.log.append((swap_cards, swap_cards_back, (one, other)))


def swap_cards_back(table: Table, one: int, other: int) -> None:
    """Take an exchange of two cards back: exchange them again, unlogged."""
    log, table.log = table.log, None
    swap_cards(table, one, other)
    table.log = log


def swap_lists(table: Table, left: CardList, right: CardList) -> None:
    """Exchange all the cards of two lists."""
    left[:], right[:] = right[:], left[:]
    for held in (left, right):
        for card in held:
            table.where[card] = held
    if table.log is not None:
        table.log.append((swap_lists, swap_lists_back, (left, right)))


def swap_lists_back(table: Table, left: CardList, right: CardList) -> None:
    """Take an exchange of two lists back."""
    log, table.log = table.log, None
    swap_lists(table, left, right)
    table.log = log


@acts("shuffle")
def _shuffle(node: Node, scope: Scope) -> Act:
    if len(node.items) > 2:
        raise Wrong(node.problem("no shuffle but the plain one can be done: (shuffle LIST)"))
    scope.arity(node, 2)
    cards = real(node.items[1], scope)

    def act(table: Table) -> None:
        held = cards(table)
        put_in_order(table, held, table.shuffled(held))

    return act


def put_in_order(table: Table, held: CardList, order: list[int]) -> None:
    """Put the cards of a list into another order."""
    if table.log is not None:
        table.log.append((put_in_order, _put_back, (held, order), held[:]))
    held[:] = order


def _put_back(_table: Table, held: CardList, _order: list[int], before: list[int]) -> None:
    held[:] = before


@acts("remember")
def _remember(node: Node, scope: Scope) -> Act:
    scope.arity(node, 3)
    card = scope.expect(node.items[1], CARD).run
    where, place = target(node.items[2], scope, memory=True)
    lenient = scope.old

    def act(table: Table) -> None:
        seen = card(table)
        if seen is not None:
            remember_card(table, seen, where(table), place(table))
        elif not lenient:
            raise Broken("there is no card to remember", node)

    return act


def remember_card(table: Table, card: int, memory: CardList, at: int | None) -> None:
    """Note a card in a memory, on top or at a place."""
    place = len(memory) if at is None else at
    memory.insert(place, card)
    if table.log is not None:
        table.log.append((remember_card, _unremember, (card, memory, place)))


def _unremember(_table: Table, _card: int, memory: CardList, place: int) -> None:
    del memory[place]


@acts("forget")
def _forget(node: Node, scope: Scope) -> Act:
    scope.arity(node, 2)
    where, place = target(node.items[1], scope, memory=True)
    lenient = scope.old

    def act(table: Table) -> None:
        memory = where(table)
        if memory:
            at = place(table)
            forget_card(table, memory, len(memory) - 1 if at is None else at)
        elif not lenient:
            raise Broken("there is nothing to forget", node)

    return act


def forget_card(table: Table, memory: CardList, place: int) -> None:
    """Remove what a memory notes at a place."""
    card = memory.pop(place)
    if table.log is not None:
        table.log.append((forget_card, _unforget, (memory, place), card))


def _unforget(_table: Table, memory: CardList, place: int, card: int) -> None:
    memory.insert(place, card)


def put(table: Table, store: str, who: int, name: str, value: Any) -> None:
    """Set one of an owner's numbers, strings or maps."""
    stored = getattr(table, store)[who]
    if table.log is not None:
        table.log.append((put, _put_old, (store, who, name, value), stored.get(name)))
    stored[name] = value


def _put_old(table: Table, store: str, who: int, name: str, _value: Any, old: Any) -> None:
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
    number = scope.expect(node.items[2], NUMBER).run
    if node.head == "set":
        return lambda table: put(table, "numbers", who(table), name(table), number(table))
    sign = 1 if node.head == "inc" else -1

    def count(table: Table) -> None:
        holder, key = who(table), name(table)
        put(table, "numbers", holder, key, wrapped(table.numbers[holder].get(key, 0) + sign * number(table)))

    return count


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

    def act(table: Table) -> None:
        now = tuple([constant if constant is not None else run(table) for constant, run in awards])
        put(table, "maps", who(table), name(table), _seen(PointMap.of(now, table.deck), table))

    return act


def _seen(points: PointMap, table: Table) -> PointMap:
    return points if table.veil is None else points.watched(table.veil)


def _award(award: Node, scope: Scope) -> tuple[Any, Callable[[Table], Any]]:
    """Compile one award; return it as it is always, or None, and how to work it out."""
    if len(award.items) < 2:
        raise Wrong(award.problem(f"an award is ((KEY : VALUE) ... POINTS), not {shown(award)}"))
    parts = []
    for part in award.items[:-1]:
        if len(part.items) != 3 or not part.items[0].has("sign", ":"):
            raise Wrong(part.problem(f"a part of an award is (KEY : VALUE), not {shown(part)}"))
        parts.append((scope.expect(part.items[1], STRING), scope.expect(part.items[2], STRING)))
    points = scope.expect(award.items[-1], NUMBER)

    def run(table: Table) -> tuple[tuple[tuple[str, str], ...], int]:
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


def point(table: Table, pointer: str, player: int) -> None:
    """Point at a player."""
    if table.log is not None:
        table.log.append((point, _point_back, (pointer, player), getattr(table, pointer)))
    setattr(table, pointer, player)


def _point_back(table: Table, pointer: str, _player: int, old: int) -> None:
    setattr(table, pointer, old)


@acts("turn")
def _turn(node: Node, scope: Scope) -> Act:
    scope.arity(node, 2)
    if not node.items[1].has("word", "pass"):
        raise Wrong(node.problem(f"the only turn is (turn pass), not {shown(node)}"))
    return pass_turn


def pass_turn(table: Table) -> None:
    """Do nothing, which is an action too."""
    if table.log is not None:
        table.log.append((pass_turn, pass_back, ()))


def pass_back(_table: Table) -> None:
    """Take a pass back."""


@acts("create")
def _create(node: Node, scope: Scope) -> Act:
    what = node.items[1] if len(node.items) > 1 else node
    if what.has("word", "teams"):
        teams = [members(team, scope) for team in node.items[2:]]

        def act(table: Table) -> None:
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

    def act(table: Table) -> None:
        if table.log is not None:
            raise Broken("no deck can be created inside a choice", node)
        first = len(table.deck.cards)
        table.deck = table.deck.with_more(cards, back)
        table.columns = table.deck.columns
        _rescore(table)
        table.add_cards(first, len(cards), where(table))

    return act


def _rescore(table: Table) -> None:
    """Let the point maps know of the new cards."""
    for maps in table.maps:
        for name, points in maps.items():
            maps[name] = PointMap.of(points.awards, table.deck)
