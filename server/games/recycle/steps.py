"""Steps: actions, conditions, `do`, `any`, `all`, `let` and `repeat`, run by the machine or unfolded for a choice.

Run by the machine, a step acts at once, and `any` and `all` are the same loop. Unfolded for a choice, a step acts and
leaves the pending steps, and `any` branches.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.server.games.recycle.actions import ACTIONS
from croupier.server.games.recycle.places import POINTED, owner, real
from croupier.server.games.recycle.reader import KINDS, Broken, Node
from croupier.server.games.recycle.scope import Sort, excerpt, meaning
from croupier.server.games.recycle.values import MAX_RANGE, for_each_player

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.server.games.recycle.card_table import CardTable
    from croupier.server.games.recycle.scope import Expression, Scope
    from croupier.server.games.recycle.source import Act, Source

    LinesOfMany = Callable[[Node, str, "ProgramStep", Scope], list[str]]

WORDS = ("do", "any", "all", "let", "repeat", *ACTIONS)
"""The heads of steps, except conditions."""


class Pending(NamedTuple):
    """The steps of an option that are still to come, each with its variables."""

    step: ProgramStep
    env: list[Any]
    rest: Pending | None


class ProgramStep:
    """A step of a program, as lines: run by the machine, or unfolded for a choice."""

    sure = False
    """Whether at least one action is certain to be performed."""
    branches = False
    """Whether it contains an `any`."""
    branching = False
    """Whether it is an `any`, with an option for each of its elements."""
    phrases: tuple[str, ...] = ()
    """The texts that describe its effect, if that is possible without performing it."""

    def __init__(self, source: Source, lines: list[str]) -> None:
        self.source = source
        self.lines = lines

    # compiled only when it is called by itself: most steps become part of a longer text
    @cached_property
    def run(self) -> Act:
        """The function that acts, compiled when it is first needed."""
        return self.source.function_doing(self.lines)

    def unfold(self, table: CardTable, rest: Pending | None) -> Pending | None:
        """Act, or put steps that must come first before the pending ones."""
        self.run(table)
        return rest


class Action(ProgramStep):
    """One action."""

    def __init__(self, source: Source, lines: list[str], *, sure: bool, phrase: str = "") -> None:
        super().__init__(source, lines)
        self.sure = sure
        self.phrases = (phrase,) if phrase else ()


class Conditional(ProgramStep):
    """``(CONDITION STEP)``."""

    def __init__(self, node: Node, test: Expression, body: ProgramStep) -> None:
        self.test = test
        self.body = body
        self.branches = body.branches
        super().__init__(body.source, [f"if {test.text}:", *body.source.within(node, body.lines)])

    def unfold(self, table: CardTable, rest: Pending | None) -> Pending | None:
        """Put the body before the pending steps if the condition holds."""
        return Pending(self.body, table.env, rest) if self.test.run(table) else rest


class DoBlock(ProgramStep):
    """``(do (STEP ...))``."""

    def __init__(self, source: Source, steps: list[ProgramStep]) -> None:
        self.steps = steps
        self.sure = any(step.sure for step in steps)
        self.branches = any(step.branches for step in steps)
        phrases = [text for step in steps for text in step.phrases or ("",)]
        if all(phrases) and sum(text.startswith("sight.move(") for text in phrases) < 2:
            self.phrases = tuple(phrases)
        super().__init__(source, [line for step in steps for line in step.lines])

    def unfold(self, table: CardTable, rest: Pending | None) -> Pending | None:
        """Put the block's steps before the pending ones."""
        for step in reversed(self.steps):
            rest = Pending(step, table.env, rest)
        return rest


class Loop(ProgramStep):
    """``(any COLLECTION 'V STEP)``, ``(all COLLECTION 'V STEP)``."""

    def __init__(self, node: Node, items: Expression, slot: int, body: ProgramStep) -> None:
        self.items, self.slot, self.body = items, slot, body
        self.branching = node.head == "any"
        self.branches = self.branching or body.branches
        self.opening = f"for table.env[{slot}] in table.pay({items.text}):"
        super().__init__(body.source, [self.opening, *body.source.within(node, body.lines)])

    def unfold(self, table: CardTable, rest: Pending | None) -> Pending | None:
        """Put the body before the pending steps, once for each element."""
        for element in reversed(table.pay(self.items.run(table))):
            env = table.env[:]
            env[self.slot] = element
            rest = Pending(self.body, env, rest)
        return rest


class Let(ProgramStep):
    """``(let VALUE 'V STEP)``."""

    def __init__(self, _node: Node, value: Expression, slot: int, body: ProgramStep) -> None:
        self.value, self.slot, self.body = value, slot, body
        self.sure, self.branches = body.sure, body.branches
        self.opening = f"table.env[{slot}] = {value.text}"
        super().__init__(body.source, [self.opening, *body.lines])

    def unfold(self, table: CardTable, rest: Pending | None) -> Pending | None:
        """Bind the variable, and put the body before the pending steps."""
        env = table.env[:]
        env[self.slot] = self.value.run(table)
        return Pending(self.body, env, rest)


def step(node: Node, scope: Scope) -> ProgramStep:
    """Compile a step."""
    if node.kind != "form" or not node.items:
        raise node.wrong(f"an action is needed here, and {node} is none")
    if own := scope.own_steps.get(node.head):
        return own(node, scope)
    match node.head:
        case "do":
            return DoBlock(scope.source, [each for _, each in steps(node, scope)])
        case "any" | "all":
            return bind(node, scope, Loop)
        case "let":
            return bind(node, scope, Let)
        case "repeat":
            return repeat(node, scope, lines_of_many)
        case "choice" | "stage":
            raise node.wrong(f"a {node.head} stands directly in the game or in a stage, not inside a step")
        case head if head in ACTIONS:
            return Action(scope.source, [ACTIONS[head](node, scope)], sure=True, phrase=phrase(node, scope))
    if len(node.items) == 2 and node.items[0].kind == "form":
        return Conditional(node, scope.expect(node.items[0], Sort.TRUTH), step(node.items[1], scope))
    if len(node.items) == 1 and node.items[0].kind == "form":
        return step(node.items[0], scope)
    raise node.wrong(meaning(node, WORDS) or f"there is no such action: {excerpt(node)}")


def steps(node: Node, scope: Scope) -> list[tuple[Node, ProgramStep]]:
    """Compile the steps of a `do` or a `choice`, each with its node; a problem in one does not hide later ones."""
    scope.arity(node, 2)
    listed = node.items[1]
    if listed.kind != "form":
        raise listed.wrong(f"{node.items[0]} takes a list of steps in parentheses of its own")
    if listed.head in WORDS:
        said = f"{node.items[0]} takes a list: put one more pair of parentheses around {excerpt(listed)}"
        raise listed.wrong(said)
    compiled = [(item, scope.attempt(lambda each: step(each, scope), item)) for item in listed.items]
    return [(item, each) for item, each in compiled if each is not None]


def bind(node: Node, scope: Scope, kind: type[Loop | Let]) -> ProgramStep:
    """Compile an `any`, an `all` or a `let` as a step of this kind; a short `all` of players is written out."""
    scope.arity(node, 4)
    _, bound, name, body = node.items
    value, sort = ((value := scope.read(bound)), value.sort) if node.head == "let" else scope.collection(bound)
    with scope.binding(name, sort, node.head) as slot:
        compiled = kind(node, value, slot, step(body, scope))
    if body.head in ACTIONS and node.head != "let":
        each = for_each_player(node, lambda action: step(action, scope), scope)
        compiled.lines = [line for one in each for line in one.lines] or compiled.lines
    return compiled


def repeat(node: Node, scope: Scope, many: LinesOfMany) -> ProgramStep:
    """Compile a `repeat` to lines."""
    scope.arity(node, 3)
    _, number, action = node.items
    if number.has("word", "all"):
        return _repeat_all(node, scope, many)
    times, body = scope.text(number, Sort.NUMBER), step(action, scope)
    if body.branches:
        raise node.wrong("repeat takes one action, without any")

    def pay(table: CardTable, times: int) -> int:
        if times > MAX_RANGE:
            raise Broken(f"an action repeated more than {MAX_RANGE:,} times", node)
        table.work(max(0, times))
        return times

    lines = many(node, scope.source.call(node, pay, times), body, scope)
    return Action(scope.source, lines, sure=body.sure and number.kind == "number" and int(number.text) > 0)


def _repeat_all(node: Node, scope: Scope, many: LinesOfMany) -> ProgramStep:
    """``(repeat all (move A B))``, ``(repeat all (forget A))``: as often as there are cards in A's list now."""
    action = node.items[2]
    match action:
        case Node("move" | "forget" | "remember", (_, Node("actual", (_, card)), *_)):
            pass
        case Node("move" | "forget" | "remember", (_, card, *_)):
            pass
        case _:
            raise node.wrong("repeat all takes a move or a forget")
    if card.head not in ("top", "bottom", "nth", "max", "min") or len(card.items) < 2:
        raise node.wrong(f"repeat all must know a list, as in (top LIST), and {excerpt(card)} names none")
    times = f"len(table.pay({scope.text(card.items[1], Sort.CARDS)}))"
    return Action(scope.source, many(node, times, step(action, scope), scope), sure=False)


def lines_of_many(node: Node, times: str, body: ProgramStep, scope: Scope) -> list[str]:
    """Return the lines of a repeated action, in which each repetition sees the results of the ones before."""
    match node.items[2]:
        case Node("move", (_, Node("top", (_, source)), Node("top", (_, to)))) if _is_fixed(source) and _is_fixed(to):
            times = f"deal(table, {real(source, scope)}, {real(to, scope)}, {times})"
    return [f"for _ in range({times}):", *scope.source.within(node, body.lines)]


def _is_fixed(place: Node) -> bool:
    """Return whether a list stays the same one while cards are moved."""
    return _is_named(place) and (place.items[0].kind in ("word", "variable") or place.items[0].head in POINTED)


def phrase(action: Node, scope: Scope) -> str:
    """Return text that describes an action, empty if its description depends on earlier actions.

    It may depend on variables, on who is on turn and on cards' values, so an option with one move can be described.
    """
    match action:
        case Node("move", (_, card, Node("top" | "bottom" as end, (_, place)))):
            if card.kind == "variable" and _is_named(place) and _is_known(place.items[0]):
                return f"sight.move({scope.text(card, Sort.CARD)}, {scope.text(place, Sort.CARDS)}, {end!r})"
        case Node("set", (_, Node("sto" | "str", (who, _, name)), value)):
            if name.kind == "name" and _is_known(who) and _is_known(value):
                text = scope.text(value, Sort.NUMBER, Sort.STRING)
                put = text if action.items[1].head == "sto" else f"{text} or 'none'"
                return f"('set', sight.owner({owner(who, scope)}), {name.text!r}, {put})"
        case Node("turn"):
            return "('pass',)"
    return ""


def _is_named(place: Node) -> bool:
    """Return whether this is a list given by its name."""
    return place.head in KINDS and len(place.items) == 3 and place.items[2].kind == "name"


def _is_known(value: Node) -> bool:
    """Return whether a value is known before any action."""
    if value.head == "cardatt":
        return all(map(_is_known, value.items[1:]))
    return value.kind != "form" or value.head in POINTED
