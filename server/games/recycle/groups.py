"""Groups: lists put together from other lists. Each is a snapshot, taken when it is asked for."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise, product
from math import comb
from typing import TYPE_CHECKING, Any

from croupier.server.games.recycle.card_table import FUEL, Broken
from croupier.server.games.recycle.scope import (
    CARD,
    CARDS,
    ELEMENT,
    GROUPS,
    LIST_OF,
    STRING,
    TRUTH,
    Expression,
    Wrong,
    builds,
    shown,
)
from croupier.server.games.recycle.source import called
from croupier.server.games.recycle.values import COMPARISONS, mentions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.server.games.recycle.card_table import CardTable
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Scope

    Cards = list[int]

MAX_SUBSETS = 1 << 18


def _operands(node: Node, first: int, scope: Scope) -> Callable[[CardTable], list[Cards]]:
    """Compile the lists that a group is made of: several, or one ``(all ...)`` of them."""
    return _lists_of(_parts(node, first, scope))


def _parts(node: Node, first: int, scope: Scope) -> list[Expression]:
    parts = [scope.expect(item, CARDS, GROUPS) for item in node.items[first:]]
    if not parts:
        raise Wrong(node.problem(f"{node.head} of nothing"))
    return parts


def _lists_of(parts: list[Expression]) -> Callable[[CardTable], list[Cards]]:
    """Return all lists of several operands."""

    def run(table: CardTable) -> list[Cards]:
        lists: list[Cards] = []
        for part in parts:
            if part.sort == CARDS:
                lists.append(part.run(table))
            else:
                lists.extend(part.run(table))
        return lists

    return run


@builds("union")
def _union(node: Node, scope: Scope) -> Expression:
    parts = _parts(node, 1, scope)
    lists = f"({''.join([f'{part.text}, ' if part.sort == CARDS else f'*{part.text}, ' for part in parts])})"
    if len(parts) == 1 and parts[0].sort == GROUPS:
        lists = parts[0].text
    return scope.written(CARDS, f"table.visit([card for held in {lists} for card in held])")


@builds("intersect")
def _intersect(node: Node, scope: Scope) -> Expression:
    """Take the cards that occur in as many operands as there are."""
    lists = _operands(node, 1, scope)

    def run(table: CardTable) -> Cards:
        held = lists(table)
        return [card for card, times in _times(held, table).items() if times == len(held)]

    return Expression(CARDS, run)


@builds("disjunction")
def _disjunction(node: Node, scope: Scope) -> Expression:
    """Take the cards that occur once in all."""
    lists = _operands(node, 1, scope)
    return Expression(CARDS, lambda table: [card for card, n in _times(lists(table), table).items() if n == 1])


def _times(lists: list[Cards], table: CardTable) -> Counter[int]:
    times = Counter(card for held in lists for card in table.visit(held))
    if table.veil is not None and not table.veil.hidden.isdisjoint(times):
        table.veil.lift()
    return times


@builds("filter")
def _filter(node: Node, scope: Scope) -> Expression:
    """``(filter COLLECTION 'V CONDITION)``; of groups, the empty ones go too."""
    scope.arity(node, 4)
    items, element = scope.collection(node.items[1])
    sort = LIST_OF.get(element, "")
    if sort not in (CARDS, GROUPS, "players", "teams", "names", "numbers"):
        raise Wrong(node.problem(f"{shown(node.items[1])} cannot be filtered"))
    with scope.bound(node.items[2], element, "filter") as slot:
        quick = _by_attribute(node, items, scope) if element == CARD else None
        if quick is not None:
            return scope.over(quick, slot)
        truth = scope.text(node.items[3], TRUTH)
    kept = f"{truth} and each" if sort == GROUPS else truth
    filtered = f"[each for each in table.paid({items.text}) for table.env[{slot}] in (each,) if {kept}]"
    return scope.over(scope.written(sort, filtered), slot)


def _by_attribute(node: Node, items: Expression, scope: Scope) -> Expression | None:
    """Recognise the filter by one attribute, which nearly every trick-taking game is made of, and make it quick."""
    name, body = node.items[2].text, node.items[3]
    if body.head not in ("==", "!=") or len(body.items) != 3:
        return None
    attribute, wanted = body.items[1:]
    if not (attribute.head == "cardatt" and len(attribute.items) == 3 and attribute.items[2].has("variable", name)):
        return None
    if attribute.items[1].kind != "name" or mentions(wanted, name):
        return None
    key, value = attribute.items[1].text, scope.text(wanted, STRING)
    which = "equal" if body.head == "==" else "different"
    return scope.written(CARDS, f"{which}(table, {items.text}, {key!r}, {value})")


@called
def equal(table: CardTable, cards: Sequence[int], key: str, value: str) -> Cards:
    """Return the cards that have this value of a key."""
    column = table.columns[key]
    return [card for card in table.visit(cards) if column[card] == value]


@called
def different(table: CardTable, cards: Sequence[int], key: str, value: str) -> Cards:
    """Return the cards that have another value of a key."""
    column = table.columns[key]
    return [card for card in table.visit(cards) if column[card] != value]


@builds("tuples")
def _tuples(node: Node, scope: Scope) -> Expression:
    """``(tuples N LOC using MAP)``: all choices of N cards with equal points, by points."""
    points = scope.map(node, 3)
    number, cards = scope.number(node.items[1]), scope.cards(node.items[2])

    def run(table: CardTable) -> list[Cards]:
        worth, many = points(table).table, number(table)
        buckets: dict[int, Cards] = {}
        for card in table.visit(cards(table)):
            buckets.setdefault(worth[card], []).append(card)
        found: list[Cards] = []
        for score in sorted(buckets):
            for chosen in combinations(buckets[score], max(0, many)):
                table.work(max(1, many))
                found.append(list(chosen))
        return found

    return Expression(GROUPS, run)


@builds("partition")
def _partition(node: Node, scope: Scope) -> Expression:
    """``(partition KEY LOC ...)``: by an attribute, in the order of first appearance; the key may come last."""
    if len(node.items) > 1 and node.items[1].has("word", "runs"):
        return _partition_runs(node, scope)
    if len(node.items) < 3:
        raise Wrong(node.problem("partition takes a key and lists of cards"))
    first, *others = [scope.expect(item, STRING, CARDS, GROUPS) for item in node.items[1:]]
    parts = others if first.sort == STRING else [first, *others[:-1]]
    key = (first if first.sort == STRING else others[-1]).run
    if [first.sort, *[part.sort for part in others]].count(STRING) != 1:
        raise Wrong(node.problem("partition takes one key and lists of cards"))
    lists = _lists_of(parts)

    def run(table: CardTable) -> list[Cards]:
        column = table.columns[key(table)]
        groups: dict[str, Cards] = {}
        for held in lists(table):
            for card in table.visit(held):
                groups.setdefault(column[card], []).append(card)
        return list(groups.values())

    return Expression(GROUPS, run)


def _partition_runs(node: Node, scope: Scope) -> Expression:
    """``(partition runs LOC using MAP)``: by stretches of consecutive points, the lowest first."""
    points, cards = scope.map(node, 3), scope.cards(node.items[2])

    def run(table: CardTable) -> list[Cards]:
        stretches = _stretches(table.visit(cards(table)), points(table).table)
        return [[card for step in stretch for card in step] for stretch in stretches]

    return Expression(GROUPS, run)


@builds("subsets")
def _subsets(node: Node, scope: Scope) -> Expression:
    """``(subsets LOC)``, ``(subsets LOC <= N)``: all of these sizes, counted in binary."""
    scope.arity(node, 2, 4)
    cards, sizes = scope.cards(node.items[1]), _sizes(node, scope)
    least = 0 if scope.empty_subset else 1

    def run(table: CardTable) -> list[Cards]:
        held = list(cards(table))
        wanted = [size for size in sizes(table, len(held)) if size >= least]
        many = sum(comb(len(held), size) for size in wanted)
        if many > MAX_SUBSETS:
            raise Broken(f"{len(held)} cards have {many:,} such subsets (the limit is {MAX_SUBSETS:,})", node)
        table.work(many)
        if len(wanted) <= len(held) - least:
            return _of_sizes(held, wanted)
        found: list[Cards] = [[]]
        for card in held:
            found += [[*subset, card] for subset in found]
        return found[least:]

    return Expression(GROUPS, run)


def _of_sizes(held: Cards, sizes: Sequence[int]) -> list[Cards]:
    """List the subsets of some sizes, in the order in which counting in binary comes to them."""
    chosen = [places[::-1] for size in sizes for places in combinations(range(len(held)), size)]
    return [[held[place] for place in reversed(places)] for places in sorted(chosen)]


def _sizes(node: Node, scope: Scope) -> Callable[[CardTable, int], Sequence[int]]:
    """Compile which sizes of subsets are wanted of a number of cards."""
    if len(node.items) == 2:
        return lambda _, most: range(most + 1)
    sign, number = node.items[2], scope.number(node.items[3])
    if sign.text not in COMPARISONS:
        message = f"the size of subsets is told by one of {', '.join(COMPARISONS)}, as in (subsets LIST == 2): {sign}"
        raise Wrong(sign.problem(message))
    holds = COMPARISONS[sign.text]

    def sizes(table: CardTable, most: int) -> list[int]:
        bound = number(table)
        return [size for size in range(most + 1) if holds(size, bound)]

    return sizes


@builds("runs")
def _runs(node: Node, scope: Scope) -> Expression:
    """Read ``(runs largest|all N LOC using MAP)``: consecutive points, one run for each choice of equal cards."""
    points = scope.map(node, 4)
    which = node.items[1]
    if not which.has("word", "largest", "all"):
        raise Wrong(which.problem(f"runs takes largest or all, not {which}"))
    number, cards = scope.number(node.items[2]), scope.cards(node.items[3])
    every = which.text == "all"

    def run(table: CardTable) -> list[Cards]:
        least = max(1, number(table))
        found: list[Cards] = []
        for stretch in _stretches(table.visit(cards(table)), points(table).table):
            for first, last in _spans(len(stretch), least, every=every):
                found += _forked(stretch[first:last], table, node)
        return found

    def grown(table: CardTable) -> list[Cards]:
        worth = points(table).table
        held = sorted(table.visit(cards(table)), key=worth.__getitem__)
        return _grown(held, worth, max(1, number(table)), table, every=every)

    return Expression(GROUPS, grown if scope.compat else run)


def _grown(held: Cards, worth: Sequence[int], least: int, table: CardTable, *, every: bool) -> list[Cards]:
    """Find runs as the original does, card by card: all of one growing run, noted at several lengths, are one list."""
    found: list[Cards] = []
    growing = [held[:1]] if held else []
    for before, card in pairwise(held):
        table.work(len(growing))
        more = worth[card] - worth[before]
        if more == 0:
            growing += [[*run[:-1], card] for run in growing if run[-1] == before]
        elif more == 1:
            found += [run for run in growing if every and len(run) >= least]
            for run in growing:
                run.append(card)
        else:
            found += [run for run in growing if len(run) >= least]
            growing = [] if every else [[card]]
        if every:
            growing.append([card])
    return found + [run for run in growing if len(run) >= least]


def _stretches(cards: Sequence[int], worth: Sequence[int]) -> list[list[Cards]]:
    """Return the maximal stretches of consecutive points: for each step the cards that have them."""
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


def _forked(steps: list[Cards], table: CardTable, node: Node) -> list[Cards]:
    ways = 1
    for step in steps:
        ways *= len(step)
    if ways > FUEL:
        raise Broken("too many runs", node)
    table.work(ways * len(steps))
    return [list(run) for run in product(*steps)]


@builds("run")
def _run(node: Node, scope: Scope) -> Expression:
    """Read ``(run top|bottom N LOC using MAP)``: the longest consecutive stretch from that end, of N cards or more."""
    points = scope.map(node, 4)
    end = node.items[1]
    if not end.has("word", "top", "bottom"):
        raise Wrong(end.problem(f"run takes top or bottom, not {end}"))
    number, cards = scope.number(node.items[2]), scope.cards(node.items[3])

    def run(table: CardTable) -> Cards:
        held, worth = list(table.visit(cards(table))), points(table).table
        if end.text == "top":
            held.reverse()
        for many in range(len(held), max(0, number(table) - 1), -1):
            scores = sorted(worth[card] for card in held[:many])
            if all(after == score + 1 for score, after in pairwise(scores)):
                return held[:many]
        return []

    return Expression(CARDS, run)


@builds("let")
def _let(node: Node, scope: Scope) -> Expression:
    """``(let EXPRESSION 'V BODY)`` as an expression: the body with the value bound."""
    scope.arity(node, 4)
    value = scope.read(node.items[1])
    with scope.bound(node.items[2], value.sort, "let") as slot:
        body = scope.read(node.items[3])
    if body.sort not in ELEMENT:
        raise Wrong(node.problem(f"a let here must give a collection, and {shown(node.items[3])} is none"))

    def run(table: CardTable) -> Any:
        table.env[slot] = value.run(table)
        return body.run(table)

    return scope.over(Expression(body.sort, run), slot)
