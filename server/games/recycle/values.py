"""Values: numbers, names and conditions."""

from __future__ import annotations

import operator
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from croupier.server.games.recycle.card_table import Broken
from croupier.server.games.recycle.scope import (
    CARD,
    LIST_OF,
    NAMES,
    NUMBER,
    NUMBERS,
    PLAYER,
    STRING,
    TEAM,
    TRUTH,
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

T = TypeVar("T")

MAX_RANGE = 100_000
SHORT = 20
"""Words and parentheses of what is written out for each player."""
_HALF = 1 << 31


@callable_in_texts
def wrap(value: int) -> int:
    """Return a number as 32 bits hold it."""
    return value if -_HALF <= value < _HALF else (value + _HALF) % (2 * _HALF) - _HALF


def _quotient(left: int, right: int) -> int:
    """Divide toward zero."""
    size = abs(left) // abs(right)
    return size if (left < 0) == (right < 0) else -size


def _power(left: int, right: int) -> int:
    return pow(left, right, 2 * _HALF) if right >= 0 else 0


OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": _quotient,
    "%": lambda left, right: left - right * _quotient(left, right),
    "^": _power,
}


@builds(*OPERATIONS)
def _arithmetic(node: Node, scope: Scope) -> Expression:
    if node.head in ("+", "*") and len(node.items) < 3:
        raise Wrong(node.problem(f"{node.head} takes two numbers or more: {excerpt(node)}"))
    scope.arity(node, 3)
    operation = OPERATIONS[node.head]
    left, right = scope.text(node.items[1], NUMBER), scope.text(node.items[2], NUMBER)
    divides = node.head in ("//", "%")

    def apply(_table: CardTable, right: int, left: int) -> int:
        if divides and right == 0:
            raise Broken("a division by zero", node)
        return wrap(operation(left, right))

    return scope.expression(NUMBER, scope.source.call(node, apply, right, left))


@reads("tri NUMBER", NUMBER)
def triangular(_node: Node, _table: CardTable, number: int) -> int:
    """Return the sum of the numbers from 1 to this one."""
    return wrap(number * (number + 1) // 2)


@reads("fib NUMBER", NUMBER)
def fibonacci(_node: Node, table: CardTable, number: int) -> int:
    """Return the Fibonacci number with this number, as 32 bits hold it."""
    table.work(max(0, number))
    last, this = 0, 1
    for _ in range(number):
        last, this = this, (last + this) & 0xFFFFFFFF
    return wrap(last)


@builds("random")
def _random(node: Node, scope: Scope) -> Expression:
    """``(random n)`` is 0 to n, ``(random a .. b)`` a to b, both ends included."""
    scope.arity(node, 2, 4)
    low = scope.text(node.items[1], NUMBER) if len(node.items) == 4 else "0"
    return scope.expression(
        NUMBER, scope.source.call(node, partial(draw, node), low, scope.text(node.items[-1], NUMBER))
    )


def draw(node: Node, table: CardTable, least: int, most: int) -> int:
    """Draw a number, each equally likely."""
    if not 0 <= most - least <= MAX_RANGE:
        raise Broken(f"no random number between {least} and {most}", node)
    return least + table.draw(most - least + 1)


@builds("size")
def _size(node: Node, scope: Scope) -> Expression:
    scope.arity(node, 2)
    items, _ = scope.collection(node.items[1])
    return scope.expression(NUMBER, f"len({items.text})")


@reads("score CARD using MAP", NUMBER)
def score(node: Node, _table: CardTable, card: int | None, points: PointMap) -> int:
    """Return what a card is worth."""
    if card is None:
        raise Broken("there is no card to score", node)
    return points.table[card]


@reads("sum CARDS using MAP", NUMBER)
def total(_node: Node, table: CardTable, cards: Sequence[int], points: PointMap) -> int:
    """Return what cards are worth together."""
    return wrap(sum(scores(table, cards, points)))


@reads("scoremax CARDS using MAP", NUMBER)
@reads("scoremin CARDS using MAP", NUMBER)
def best_score(node: Node, table: CardTable, cards: Sequence[int], points: PointMap) -> int:
    """Return the most or the least that one of some cards is worth."""
    worth = scores(table, cards, points)
    if not worth:
        raise Broken(f"{node.head} of no card", node)
    return max(worth) if node.head == "scoremax" else min(worth)


def scores(table: CardTable, cards: Sequence[int], points: PointMap) -> list[int]:
    """Return what each of some cards is worth."""
    worth = points.table
    return [worth[card] for card in table.visit(cards)]


@builds("pid", "tid")
def _identity(node: Node, scope: Scope) -> Expression:
    scope.arity(node, 2)
    sort = PLAYER if node.head == "pid" else TEAM
    return scope.expression(NUMBER, scope.text(node.items[1], sort))


@builds("cardatt")
def _attribute(node: Node, scope: Scope) -> Expression:
    """``(cardatt KEY CARD)``: empty where there is no card or no such key."""
    scope.arity(node, 3)
    key, card = scope.text(node.items[1], STRING), scope.text(node.items[2], CARD)
    return scope.expression(STRING, f"cardatt(table.columns[{key}], {card})")


@callable_in_texts
def cardatt(column: Sequence[str], card: int | None) -> str:
    """Return what is on a card."""
    return "" if card is None else column[card]


@builds("names")
def _names(node: Node, scope: Scope) -> Expression:
    return scope.expression(NAMES, f"[{', '.join([scope.text(item, STRING) for item in node.items])}]")


@reads("range NUMBER .. NUMBER", NUMBERS)
def numbers(node: Node, _table: CardTable, least: int, most: int) -> range:
    """Return the numbers from one to another, both ends included."""
    if most - least >= MAX_RANGE:
        raise Broken(f"a range of more than {MAX_RANGE:,} numbers", node)
    return range(least, most + 1)


COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


@builds("<", ">", "<=", ">=")
def _order(node: Node, scope: Scope) -> Expression:
    scope.arity(node, 3)
    return comparison(node, scope.expect(node.items[1], NUMBER), scope.expect(node.items[2], NUMBER), scope)


@builds("==", "!=")
def _equality(node: Node, scope: Scope) -> Expression:
    return comparison(node, *operands(node, scope), scope)


def operands(node: Node, scope: Scope) -> tuple[Expression, Expression]:
    """Compile two values that may be equal."""
    scope.arity(node, 3)
    left, right = scope.read(node.items[1]), scope.read(node.items[2])
    if left.sort != right.sort or left.sort not in (NUMBER, STRING, CARD, PLAYER, TEAM):
        message = (
            f"{excerpt(node.items[1])} and {excerpt(node.items[2])} cannot be compared: {left.sort} and {right.sort}"
        )
        raise Wrong(node.problem(message))
    return left, right


def comparison(node: Node, left: Expression, right: Expression, scope: Scope) -> Expression:
    """Compile the comparison of two values."""
    return scope.expression(TRUTH, f"({left.text} {node.head} {right.text})")


@builds("and", "or")
def _junction(node: Node, scope: Scope) -> Expression:
    parts = [scope.text(item, TRUTH) for item in node.items[1:]]
    if not parts:
        raise Wrong(node.problem(f"{node.head} of nothing"))
    return scope.expression(TRUTH, f"({f' {node.head} '.join(parts)})")


@builds("not")
def _negation(node: Node, scope: Scope) -> Expression:
    scope.arity(node, 2)
    return scope.expression(TRUTH, f"(not {scope.text(node.items[1], TRUTH)})")


@builds("any", "all")
def _aggregate(node: Node, scope: Scope) -> Expression:
    """Read ``(all COLLECTION 'V BODY)``: a condition of all, a sum of numbers, or a collection of what BODY is."""
    scope.arity(node, 4)
    each = for_each_player(node, scope.read, scope)
    if each and each[0].sort == TRUTH:
        joint = " and " if node.head == "all" else " or "
        return scope.expression(TRUTH, f"({joint.join([part.text for part in each])})")
    if each:
        return _together(node, each[0].sort, ", ".join([part.text for part in each]), scope)
    items, element = scope.collection(node.items[1])
    with scope.binding(node.items[2], element, node.head) as slot:
        body = scope.read(node.items[3])
    loop = f"{body.text} for table.env[{slot}] in table.paid({items.text})"
    if body.sort == TRUTH:
        return scope.close(scope.expression(TRUTH, f"{node.head}({loop})"), slot)
    return scope.close(_together(node, body.sort, loop, scope), slot)


def _together(node: Node, sort: str, each: str, scope: Scope) -> Expression:
    """Return the sum of the numbers, or the list, that this is the text of."""
    if node.head == "all" and sort == NUMBER:
        return scope.expression(NUMBER, f"wrap(sum([{each}]))")
    if node.head == "all" and sort in LIST_OF:
        return scope.expression(LIST_OF[sort], f"[{each}]")
    raise Wrong(node.items[3].problem(f"a condition is needed here, not {excerpt(node.items[3])}"))


def for_each_player(node: Node, read: Callable[[Node], T], scope: Scope) -> list[T]:
    """Compile the short body of ``(all player 'P BODY)`` for each player; return nothing where it is to be a loop."""
    _, players, name, body = node.items
    parts = list(body.walk())
    loops = any(part.head in ("all", "any") for part in parts)
    if not scope.unrolls or not players.has("word", "player") or loops or len(parts) > SHORT:
        return []
    each = []
    for player in range(scope.players):
        with scope.binding(name, PLAYER, node.head, str(player)):
            each.append(read(body))
    return each


def mentions(node: Node, name: str) -> bool:
    """Tell whether a variable occurs in a form."""
    return any(part.has("variable", name) for part in node.walk())
