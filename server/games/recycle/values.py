"""Values: numbers, names and conditions."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, TypeVar

from croupier.server.games.recycle.card_table import wrap
from croupier.server.games.recycle.reader import Broken
from croupier.server.games.recycle.scope import LIST_OF, Expression, Sort, builds, excerpt, reads, says
from croupier.server.games.recycle.source import callable_in_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.server.games.recycle.card_table import CardTable
    from croupier.server.games.recycle.deck import PointMap
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Scope

T = TypeVar("T")

MAX_RANGE = 100_000
SHORT = 20
"""The longest body, in words and parentheses, that is written out for each player."""

OPERATIONS = ("+", "-", "*", "//", "%", "^")
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}

says(
    Sort.NUMBER,
    {
        "- NUMBER NUMBER": "wrap(-{1} + {0})",
        "^ NUMBER NUMBER": "power({1}, {0})",
        "size COLLECTION": "len({})",
        "pid PLAYER": "{}",
        "tid TEAM": "{}",
    },
)
says(Sort.STRING, {"cardatt STRING CARD": "cardatt(table, {}, {})"})
says(Sort.TRUTH, {f"{sign} NUMBER NUMBER": f"({{}} {sign} {{}})" for sign in ("<", ">", "<=", ">=")})
says(Sort.TRUTH, {"not TRUTH": "(not {})"})


@builds("+", "*")
def _sum_or_product(node: Node, scope: Scope) -> Expression:
    """Compile an operation.

    Except in a comparison, the second number is evaluated first, and so draws its random numbers first.
    """
    if len(node.items) < 3:
        raise node.wrong(f"{node.head} takes two numbers or more: {excerpt(node)}")
    left, right = scope.parts(node, f"{node.head} NUMBER NUMBER")
    return scope.expression(Sort.NUMBER, f"wrap({right} {node.head} {left})")


@callable_in_texts
def power(right: int, left: int) -> int:
    """Return a number to the power of another."""
    return wrap(pow(left, right, 1 << 32)) if right >= 0 else 0


@builds("//", "%")
def _division(node: Node, scope: Scope) -> Expression:
    left, right = scope.parts(node, f"{node.head} NUMBER NUMBER")

    def divide(_table: CardTable, right: int, left: int) -> int:
        if right == 0:
            raise Broken("a division by zero", node)
        size = abs(left) // abs(right)
        quotient = size if (left < 0) == (right < 0) else -size
        return wrap(quotient if node.head == "//" else left - right * quotient)

    return scope.expression(Sort.NUMBER, scope.source.call(node, divide, right, left))


@reads("tri NUMBER", Sort.NUMBER)
def triangular(_node: Node, _table: CardTable, number: int) -> int:
    """Return the sum of the numbers from 1 to this one."""
    return wrap(number * (number + 1) // 2)


@reads("fib NUMBER", Sort.NUMBER)
def fibonacci(_node: Node, table: CardTable, number: int) -> int:
    """Return the Fibonacci number with this index, as 32 bits hold it."""
    table.work(max(0, number))
    last, this = 0, 1
    for _ in range(number):
        last, this = this, (last + this) & 0xFFFFFFFF
    return wrap(last)


@builds("random")
def _random(node: Node, scope: Scope) -> Expression:
    """``(random n)`` is 0 to n, ``(random a .. b)`` a to b, both ends included."""
    form = "random NUMBER" if len(node.items) == 2 else "random NUMBER .. NUMBER"
    return scope.expression(Sort.NUMBER, scope.call(node, form, draw))


def draw(node: Node, table: CardTable, *ends: int) -> int:
    """Return a random number, each equally likely."""
    least, most = ends if len(ends) == 2 else (0, *ends)
    if not 0 <= most - least <= MAX_RANGE:
        raise Broken(f"no random number between {least} and {most}", node)
    return least + table.draw(most - least + 1)


@reads("score CARD using MAP", Sort.NUMBER)
def score(node: Node, table: CardTable, card: int | None, points: PointMap) -> int:
    """Return the points of a card."""
    if card is None:
        raise Broken("there is no card to score", node)
    if table.veil is not None:
        table.look((card,))
    return points.table[card]


@reads("sum CARDS using MAP", Sort.NUMBER)
def total(_node: Node, table: CardTable, cards: Sequence[int], points: PointMap) -> int:
    """Return the points of cards together."""
    return wrap(sum(scores(table, cards, points)))


@reads("scoremax CARDS using MAP", Sort.NUMBER)
@reads("scoremin CARDS using MAP", Sort.NUMBER)
def best_score(node: Node, table: CardTable, cards: Sequence[int], points: PointMap) -> int:
    """Return the most or the least points of any of some cards."""
    worth = scores(table, cards, points)
    if not worth:
        raise Broken(f"{node.head} of no card", node)
    return max(worth) if node.head == "scoremax" else min(worth)


def scores(table: CardTable, cards: Sequence[int], points: PointMap) -> list[int]:
    """Return the points of each of some cards."""
    worth = points.table
    return [worth[card] for card in table.look(cards)]


@callable_in_texts
def cardatt(table: CardTable, key: str, card: int | None) -> str:
    """Return a card's value of a key: empty if there is no card, or it has no such key."""
    if card is None:
        return ""
    if table.veil is not None:
        table.look((card,))
    return table.columns[key][card]


@builds("names")
def _names(node: Node, scope: Scope) -> Expression:
    return scope.expression(Sort.NAMES, f"[{', '.join([scope.text(item, Sort.STRING) for item in node.items])}]")


@reads("range NUMBER .. NUMBER", Sort.NUMBERS)
def numbers(node: Node, _table: CardTable, least: int, most: int) -> range:
    """Return the numbers from one to another, inclusive."""
    if most - least >= MAX_RANGE:
        raise Broken(f"a range of more than {MAX_RANGE:,} numbers", node)
    return range(least, most + 1)


@builds("==", "!=")
def _equality(node: Node, scope: Scope) -> Expression:
    return equality(node, *operands(node, scope), scope)


def equality(node: Node, left: Expression, right: Expression, scope: Scope) -> Expression:
    """Compile the comparison of two values for equality."""
    return scope.expression(Sort.TRUTH, f"({left.text} {node.head} {right.text})")


def operands(node: Node, scope: Scope) -> tuple[Expression, Expression]:
    """Compile two values that may be compared for equality."""
    scope.arity(node, 3)
    left, right = scope.read(node.items[1]), scope.read(node.items[2])
    if left.sort != right.sort or left.sort not in (Sort.NUMBER, Sort.STRING, Sort.CARD, Sort.PLAYER, Sort.TEAM):
        compared = f"{excerpt(node.items[1])} and {excerpt(node.items[2])}"
        raise node.wrong(f"{compared} cannot be compared: {left.sort} and {right.sort}")
    return left, right


@builds("and", "or")
def _junction(node: Node, scope: Scope) -> Expression:
    parts = [scope.text(item, Sort.TRUTH) for item in node.items[1:]]
    if not parts:
        raise node.wrong(f"{node.head} of nothing")
    return scope.expression(Sort.TRUTH, f"({f' {node.head} '.join(parts)})")


@builds("any", "all")
def _aggregate(node: Node, scope: Scope) -> Expression:
    """Read ``(all COLLECTION 'V BODY)``: a condition of all, a sum of numbers, or a collection of BODY's values."""
    scope.arity(node, 4)
    each = for_each_player(node, scope.read, scope)
    if each and each[0].sort == Sort.TRUTH:
        joint = " and " if node.head == "all" else " or "
        return scope.expression(Sort.TRUTH, f"({joint.join([part.text for part in each])})")
    if each:
        return _together(node, each[0].sort, ", ".join([part.text for part in each]), scope)
    items, element = scope.collection(node.items[1])
    with scope.binding(node.items[2], element, node.head) as slot:
        body = scope.read(node.items[3])
    loop = f"{body.text} for table.env[{slot}] in table.pay({items.text})"
    if body.sort == Sort.TRUTH:
        return scope.close(scope.expression(Sort.TRUTH, f"{node.head}({loop})"), slot)
    return scope.close(_together(node, body.sort, loop, scope), slot)


def _together(node: Node, sort: str, each: str, scope: Scope) -> Expression:
    """Return the text of the sum of numbers, or of the list."""
    if node.head == "all" and sort == Sort.NUMBER:
        return scope.expression(Sort.NUMBER, f"wrap(sum([{each}]))")
    if node.head == "all" and sort in LIST_OF:
        return scope.expression(LIST_OF[sort], f"[{each}]")
    raise node.items[3].wrong(f"a condition is needed here, not {excerpt(node.items[3])}")


def for_each_player(node: Node, read: Callable[[Node], T], scope: Scope) -> list[T]:
    """Compile the short body of ``(all player 'P BODY)`` for each player; return an empty list if it must be a loop."""
    _, players, name, body = node.items
    parts = list(body.walk())
    loops = any(part.head in ("all", "any") for part in parts)
    if not scope.unrolls or not players.has("word", "player") or loops or len(parts) > SHORT:
        return []
    each = []
    for player in range(scope.players):
        with scope.binding(name, Sort.PLAYER, node.head, str(player)):
            each.append(read(body))
    return each
