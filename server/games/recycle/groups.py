"""Groups: lists assembled from other lists. Each is a snapshot of the moment when it is evaluated."""

from __future__ import annotations

import operator
from collections import Counter
from itertools import combinations, pairwise, product
from math import comb, prod
from typing import TYPE_CHECKING

from croupier.server.games.recycle.card_table import FUEL
from croupier.server.games.recycle.reader import Broken, Node
from croupier.server.games.recycle.scope import ELEMENT, LIST_OF, Expression, Sort, builds, excerpt, reads
from croupier.server.games.recycle.source import callable_in_texts
from croupier.server.games.recycle.values import COMPARISONS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.server.games.recycle.card_table import CardTable
    from croupier.server.games.recycle.deck import PointMap
    from croupier.server.games.recycle.scope import Scope

    Cards = list[int]

MAX_SUBSETS = 1 << 18


def _operands(node: Node, scope: Scope) -> str:
    """Compile the lists that a form consists of, one or more."""
    if len(node.items) < 2:
        raise node.wrong(f"{node.head} of nothing")
    return _lists([scope.expect(item, Sort.CARDS, Sort.GROUPS) for item in node.items[1:]])


def _lists(parts: list[Expression]) -> str:
    """Return the text of several lists, or of one ``(all ...)`` of them."""
    if len(parts) == 1 and parts[0].sort == Sort.GROUPS:
        return parts[0].text
    return f"({''.join([f'{part.text}, ' if part.sort == Sort.CARDS else f'*{part.text}, ' for part in parts])})"


_OF_LISTS = {
    "union": "table.visit([card for held in {} for card in held])",
    "intersect": "occurring(table, None, {})",
    "disjunction": "occurring(table, 1, {})",
}
"""What becomes of the cards of several lists: all, those in every list, those that occur once."""


@builds(*_OF_LISTS)
def _of_lists(node: Node, scope: Scope) -> Expression:
    return scope.expression(Sort.CARDS, _OF_LISTS[node.head].format(_operands(node, scope)))


@callable_in_texts
def occurring(table: CardTable, times: int | None, lists: Sequence[Cards]) -> Cards:
    """Return the cards that occur this often in some lists; None: in each of them."""
    found = Counter(card for held in lists for card in table.look(held))
    return [card for card, often in found.items() if often == (times or len(lists))]


@builds("filter")
def _filter(node: Node, scope: Scope) -> Expression:
    """``(filter COLLECTION 'V CONDITION)``; from groups, the empty ones are removed too."""
    scope.arity(node, 4)
    items, element = scope.collection(node.items[1])
    sort = LIST_OF[element]
    with scope.binding(node.items[2], element, "filter") as slot:
        quick = _by_attribute(node, items, scope) if element == Sort.CARD else None
        if quick is not None:
            return scope.close(quick, slot)
        truth = scope.text(node.items[3], Sort.TRUTH)
    kept = f"{truth} and each" if sort == Sort.GROUPS else truth
    filtered = f"[each for each in table.pay({items.text}) for table.env[{slot}] in (each,) if {kept}]"
    return scope.close(scope.expression(sort, filtered), slot)


def _by_attribute(node: Node, items: Expression, scope: Scope) -> Expression | None:
    """Return fast text for a filter by one attribute, which occurs in nearly every trick-taking game."""
    _, _, name, body = node.items
    match body:
        case Node("==" | "!=", (_, Node("cardatt", (_, key, card)), wanted)) if str(card) == str(name):
            if key.kind == "name" and not any(part.has("variable", name.text) for part in wanted.walk()):
                which = "equal" if body.head == "==" else "different"
                value = scope.text(wanted, Sort.STRING)
                return scope.expression(Sort.CARDS, f"{which}(table, {items.text}, {key.text!r}, {value})")
    return None


@callable_in_texts
def equal(table: CardTable, cards: Sequence[int], key: str, value: str) -> Cards:
    """Return the cards with this value of a key."""
    column = table.columns[key]
    return [card for card in table.look(cards) if column[card] == value]


@callable_in_texts
def different(table: CardTable, cards: Sequence[int], key: str, value: str) -> Cards:
    """Return the cards with another value of a key."""
    column = table.columns[key]
    return [card for card in table.look(cards) if column[card] != value]


@reads("tuples NUMBER CARDS using MAP", Sort.GROUPS)
def tuples(_node: Node, table: CardTable, many: int, cards: Sequence[int], points: PointMap) -> list[Cards]:
    """Return all choices of this many cards with equal points, by points."""
    worth = points.table
    buckets: dict[int, Cards] = {}
    for card in table.look(cards):
        buckets.setdefault(worth[card], []).append(card)
    found: list[Cards] = []
    for score in sorted(buckets):
        for chosen in combinations(buckets[score], max(0, many)):
            table.work(max(1, many))
            found.append(list(chosen))
    return found


@builds("partition")
def _partition(node: Node, scope: Scope) -> Expression:
    """``(partition KEY LOC ...)``: by an attribute; the key may come last."""
    if len(node.items) > 1 and node.items[1].has("word", "runs"):
        return scope.expression(Sort.GROUPS, scope.call(node, "partition runs CARDS using MAP", partition_runs))
    parts = [scope.expect(item, Sort.STRING, Sort.CARDS, Sort.GROUPS) for item in node.items[1:]]
    keys = [part for part in (parts[:1] + parts[1:][-1:]) if part.sort == Sort.STRING]
    lists = [part for part in parts if part.sort != Sort.STRING]
    if len(keys) != 1 or not lists or len(lists) != len(parts) - 1:
        raise node.wrong("partition takes one key, first or last, and lists of cards")
    return scope.expression(Sort.GROUPS, f"partition(table, {keys[0].text}, {_lists(lists)})")


@callable_in_texts
def partition(table: CardTable, key: str, lists: Sequence[Cards]) -> list[Cards]:
    """Group cards by their value of a key, in the order of first appearance."""
    column = table.columns[key]
    groups: dict[str, Cards] = {}
    for held in lists:
        for card in table.look(held):
            groups.setdefault(column[card], []).append(card)
    return list(groups.values())


def partition_runs(_node: Node, table: CardTable, cards: Sequence[int], points: PointMap) -> list[Cards]:
    """Group cards by runs of consecutive points, the lowest first."""
    return [[card for step in stretch for card in step] for stretch in _stretches(table.look(cards), points.table)]


@builds("subsets")
def subsets(node: Node, scope: Scope, least: int = 1) -> Expression:
    """Read ``(subsets LOC)``, ``(subsets LOC <= N)``: all of these sizes, counted in binary."""
    scope.arity(node, 2, 4)
    cards, bound = scope.text(node.items[1], Sort.CARDS), "0"
    holds: Callable[[int, int], bool] = operator.ge
    if len(node.items) == 4:
        sign, bound = node.items[2], scope.text(node.items[3], Sort.NUMBER)
        if sign.text not in COMPARISONS:
            signs = ", ".join(COMPARISONS)
            raise sign.wrong(f"the size of subsets is told by one of {signs}, as in (subsets LIST == 2): {sign}")
        holds = COMPARISONS[sign.text]

    def choose(table: CardTable, cards: Sequence[int], bound: int) -> list[Cards]:
        held = list(cards)
        wanted = [size for size in range(least, len(held) + 1) if holds(size, bound)]
        many = sum(comb(len(held), size) for size in wanted)
        if many > MAX_SUBSETS:
            raise Broken(f"{len(held)} cards have {many:,} such subsets (the limit is {MAX_SUBSETS:,})", node)
        table.work(many)
        if len(wanted) <= len(held) - least:
            return _subsets_of(held, wanted)
        found: list[Cards] = [[]]
        for card in held:
            found += [[*subset, card] for subset in found]
        return found[least:]

    return scope.expression(Sort.GROUPS, scope.source.call(node, choose, cards, bound))


def _subsets_of(held: Cards, sizes: Sequence[int]) -> list[Cards]:
    """List the subsets of some sizes, in the order of counting in binary."""
    chosen = [places[::-1] for size in sizes for places in combinations(range(len(held)), size)]
    return [[held[place] for place in reversed(places)] for places in sorted(chosen)]


RUNS = "runs largest|all NUMBER CARDS using MAP"


@reads(RUNS, Sort.GROUPS)
def runs(node: Node, table: CardTable, number: int, cards: Sequence[int], points: PointMap) -> list[Cards]:
    """Return the runs of consecutive points of some length, one for each choice among equal cards.

    With ``largest``, return only maximal runs.
    """
    found: list[Cards] = []
    for stretch in _stretches(table.look(cards), points.table):
        for first, last in _spans(len(stretch), max(1, number), every=node.items[1].text == "all"):
            found += _fork(stretch[first:last], table, node)
    return found


def _stretches(cards: Sequence[int], worth: Sequence[int]) -> list[list[Cards]]:
    """Return the maximal runs of consecutive points: for each step the cards with those points."""
    steps: dict[int, Cards] = {}
    for card in cards:
        steps.setdefault(worth[card], []).append(card)
    stretches: list[list[Cards]] = []
    before = None
    for score in sorted(steps):
        if before is None or score != before + 1:
            stretches.append([])
        stretches[-1].append(steps[score])
        before = score
    return stretches


def _spans(length: int, least: int, *, every: bool) -> list[tuple[int, int]]:
    if not every:
        return [(0, length)] if length >= least else []
    return [(first, last) for first in range(length) for last in range(first + least, length + 1)]


def _fork(steps: list[Cards], table: CardTable, node: Node) -> list[Cards]:
    ways = prod(map(len, steps))
    if ways > FUEL:
        raise Broken("too many runs", node)
    table.work(ways * len(steps))
    return [list(run) for run in product(*steps)]


@reads("run top|bottom NUMBER CARDS using MAP", Sort.CARDS)
def run(node: Node, table: CardTable, number: int, cards: Sequence[int], points: PointMap) -> Cards:
    """Return the longest run from an end, with at least this many cards."""
    held, worth = list(table.look(cards) if len(cards) >= max(1, number) else ()), points.table
    if node.items[1].text == "top":
        held.reverse()
    for many in range(len(held), max(0, number - 1), -1):
        scores = sorted(worth[card] for card in held[:many])
        if all(after == score + 1 for score, after in pairwise(scores)):
            return held[:many]
    return []


@builds("let")
def _let(node: Node, scope: Scope) -> Expression:
    """``(let EXPRESSION 'V BODY)`` as an expression: the body with the value bound."""
    scope.arity(node, 4)
    value = scope.read(node.items[1])
    with scope.binding(node.items[2], value.sort, "let") as slot:
        body = scope.read(node.items[3])
    if body.sort not in ELEMENT:
        raise node.wrong(f"a let here must give a collection, and {excerpt(node.items[3])} is none")
    bound = f"[{body.text} for table.env[{slot}] in ({value.text},)][0]"
    return scope.close(scope.expression(body.sort, bound), slot)
