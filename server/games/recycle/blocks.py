"""Blocks: compile the steps of a program: actions, conditions, `do`, `any`, `all`, `let` and `repeat`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.games.recycle.actions import ACTIONS
from croupier.server.games.recycle.card_table import Broken
from croupier.server.games.recycle.phrases import phrase
from croupier.server.games.recycle.places import POINTED, real
from croupier.server.games.recycle.reader import KINDS
from croupier.server.games.recycle.scope import CARDS, NUMBER, TRUTH, Wrong, excerpt, meaning
from croupier.server.games.recycle.steps import Action, Conditional, DoBlock, Let, Loop, ProgramStep
from croupier.server.games.recycle.values import MAX_RANGE, for_each_player

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.server.games.recycle.card_table import CardTable
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Scope

    LinesOfMany = Callable[[Node, str, ProgramStep, Scope], list[str]]


def step(node: Node, scope: Scope) -> ProgramStep:
    """Compile a step."""
    if node.kind != "form" or not node.items:
        raise Wrong(node.problem(f"an action is needed here, and {node} is none"))
    if own := scope.own_steps.get(node.head):
        return own(node, scope)
    match node.head:
        case "do":
            return DoBlock(scope.source, steps(node, scope))
        case "any" | "all":
            return _loop(node, scope)
        case "let":
            return let(node, scope, Let)
        case "repeat":
            return repeat(node, scope, lines_of_many)
        case "choice" | "stage":
            raise Wrong(node.problem(f"a {node.head} stands directly in the game or in a stage, not inside a step"))
        case head if head in ACTIONS:
            return Action(scope.source, [ACTIONS[head](node, scope)], sure=True, phrase=phrase(node, scope))
    if len(node.items) == 2 and node.items[0].kind == "form":
        return Conditional(node, scope.expect(node.items[0], TRUTH), step(node.items[1], scope))
    if len(node.items) == 1 and node.items[0].kind == "form":
        return step(node.items[0], scope)
    known = ("do", "any", "all", "let", "repeat", *ACTIONS)
    raise Wrong(node.problem(meaning(node, known) or f"there is no such action: {excerpt(node)}"))


def steps(node: Node, scope: Scope) -> list[ProgramStep]:
    """Compile the steps of ``(do (STEP ...))``."""
    return numbered_steps(node, scope)[1]


def numbered_steps(node: Node, scope: Scope) -> tuple[list[Node], list[ProgramStep]]:
    """Compile the steps of a `do` or a `choice`, each with its node; a problem in one does not hide the others'."""
    scope.arity(node, 2)
    listed = node.items[1]
    if listed.kind != "form":
        raise Wrong(listed.problem(f"{node.items[0]} takes a list of steps in parentheses of its own"))
    if listed.head in ("any", "all", "let", "do", "repeat", *ACTIONS):
        raise Wrong(
            listed.problem(f"{node.items[0]} takes a list: put one more pair of parentheses around {excerpt(listed)}")
        )
    compiled = [(item, scope.attempt(lambda each: step(each, scope), item)) for item in listed.items]
    sound = [(item, each) for item, each in compiled if each is not None]
    return [item for item, _ in sound], [each for _, each in sound]


def _loop(node: Node, scope: Scope) -> ProgramStep:
    compiled = loop(node, scope, Loop)
    if node.items[3].head in ACTIONS:
        each = for_each_player(node, lambda action: step(action, scope), scope)
        compiled.lines = [line for one in each for line in one.lines] or compiled.lines
    return compiled


def loop(node: Node, scope: Scope, kind: type[Loop]) -> Loop:
    """Compile an `any` or an `all` as a loop of this kind."""
    scope.arity(node, 4)
    items, element = scope.collection(node.items[1])
    with scope.binding(node.items[2], element, node.head) as slot:
        body = step(node.items[3], scope)
    return kind(node, items, slot, body)


def let(node: Node, scope: Scope, kind: type[Let]) -> Let:
    """Compile a `let` of this kind."""
    scope.arity(node, 4)
    value = scope.read(node.items[1])
    with scope.binding(node.items[2], value.sort, "let") as slot:
        body = step(node.items[3], scope)
    return kind(value, slot, body)


def repeat(node: Node, scope: Scope, many: LinesOfMany) -> ProgramStep:
    """Compile a `repeat`, of which this gives the lines."""
    scope.arity(node, 3)
    if node.items[1].has("word", "all"):
        return _repeat_all(node, scope, many)
    number, body = scope.text(node.items[1], NUMBER), step(node.items[2], scope)
    if body.branches:
        raise Wrong(node.problem("repeat takes one action, without any"))

    def pay(table: CardTable, times: int) -> int:
        if times > MAX_RANGE:
            raise Broken(f"an action repeated more than {MAX_RANGE:,} times", node)
        table.work(max(0, times))
        return times

    lines = many(node, scope.source.call(node, pay, number), body, scope)
    sure = node.items[1].kind == "number" and node.items[1].text.strip("0") != ""
    return Action(scope.source, lines, sure=sure and body.sure)


def _repeat_all(node: Node, scope: Scope, many: LinesOfMany) -> ProgramStep:
    """``(repeat all (move A B))``, ``(repeat all (forget A))``: as often as there are cards in A's list now."""
    body = node.items[2]
    if body.head not in ("move", "forget", "remember") or len(body.items) < 2:
        raise Wrong(node.problem("repeat all takes a move or a forget"))
    source = body.items[1]
    if source.head == "actual" and len(source.items) == 2:
        source = source.items[1]
    if source.head not in ("top", "bottom", "nth", "max", "min") or source.head in KINDS:
        raise Wrong(node.problem(f"repeat all must know a list, as in (top LIST), and {excerpt(source)} names none"))
    times = f"len(table.paid({scope.text(source.items[1], CARDS)}))"
    return Action(scope.source, many(node, times, step(body, scope), scope), sure=False)


def lines_of_many(node: Node, times: str, body: ProgramStep, scope: Scope) -> list[str]:
    """Return the lines of an action done so many times, each seeing what the ones before have done."""
    action = node.items[2]
    if action.head == "move" and all(map(_top_of_one, action.items[1:])):
        source, to = [real(end.items[1], scope) for end in action.items[1:]]
        times = f"deal(table, {source}, {to}, {times})"
    return [f"for _ in range({times}):", *scope.source.within(node, body.lines)]


def _top_of_one(end: Node) -> bool:
    """Tell whether this is the top of a list that stays the same one while cards are moved."""
    place = end.items[-1]
    if end.head != "top" or len(end.items) != 2 or place.head not in KINDS or len(place.items) != 3:
        return False
    owner, _, name = place.items
    return name.kind == "name" and (owner.kind in ("word", "variable") or owner.head in POINTED)
