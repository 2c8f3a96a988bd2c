"""Steps: actions, conditions, `do`, `any`, `all`, `let` and `repeat`, run by the machine or unfolded for a choice.

Run by the machine, a step acts at once, and `any` and `all` are the same loop. Unfolded for a choice, a step acts and
leaves what is still pending, and `any` branches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.server.games.recycle.actions import ACTIONS
from croupier.server.games.recycle.reader import KINDS
from croupier.server.games.recycle.scope import Wrong, shown
from croupier.server.games.recycle.table import Broken, redo, undo
from croupier.server.games.recycle.values import MAX_RANGE

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Run, Scope
    from croupier.server.games.recycle.table import Entry, Table

    Act = Callable[[Table], None]
    Option = tuple[Callable[[Table, Any], None], Any]

MAX_OPTIONS = 10_000
MAX_BRANCHES = 150
"""How many `any` may stand within one another, or follow one another, in one option."""


class Pending(NamedTuple):
    """The steps of an option that are still to come, each with the variables that it was met with."""

    step: Step
    env: list[Any]
    rest: Pending | None

    def reversed(self) -> Pending:
        """Return the same steps, the last first."""
        turned = Pending(self.step, self.env, None)
        pending = self.rest
        while pending is not None:
            turned = Pending(pending.step, pending.env, turned)
            pending = pending.rest
        return turned


class Unfolding:
    """The options of one choice as they are found: the actions of each, taken and taken back."""

    def __init__(self, table: Table, *, compat: bool) -> None:
        self.table = table
        self.compat = compat
        self.log: list[Entry] = []
        self.options: list[Option] = []
        self.branches = 0

    def begin(self) -> None:
        """Begin a step: what is done from here on is logged."""
        self.table.log = self.log

    def explore(self, pending: Pending | None) -> None:
        """Follow the steps to the end of every option."""
        table = self.table
        while pending is not None:
            step, table.env, rest = pending
            table.fuel -= 1
            if table.fuel < 0:
                table.work(0)
            if isinstance(step, Loop) and step.branching:
                self._branch(step, rest)
                return
            pending = step.unfold(table, rest)
        if self.log:
            self.finish()

    def finish(self) -> None:
        """Add the option whose actions have been taken."""
        self.add((redo, tuple(self.log)))

    def add(self, option: Option) -> None:
        """Add an option."""
        self.options.append(option)
        if len(self.options) > MAX_OPTIONS:
            raise Broken(f"a choice of more than {MAX_OPTIONS:,} options")

    def _branch(self, step: Loop, rest: Pending | None) -> None:
        """Follow one branch for each element; with none, go on as if the step were not there."""
        table = self.table
        elements, env, mark = list(step.items(table)), table.env, len(self.log)
        if not elements:
            self.explore(rest)
            return
        if self.compat:
            elements[1:] = elements[:0:-1]
        self.branches += 1
        if self.branches > MAX_BRANCHES:
            raise Broken(f"more than {MAX_BRANCHES} times any within one option")
        veil = table.veil
        lifted = veil.lifted if veil is not None else None
        for place, element in enumerate(elements):
            bound = env[:]
            bound[step.slot] = element
            pending = Pending(step.body, bound, rest)
            self.explore(pending.reversed() if self.compat and place else pending)
            undo(table, mark)
            if veil is not None:
                veil.lifted = lifted
        self.branches -= 1


class Step:
    """A step of a program."""

    sure = False
    """Whether at least one action is certain to be taken."""
    branches = False
    """Whether an `any` is inside."""

    run: Act

    def unfold(self, table: Table, rest: Pending | None) -> Pending | None:
        """Act, or put what must be done first before the rest."""
        self.run(table)
        return rest


class Action(Step):
    """One action."""

    def __init__(self, act: Act, *, sure: bool) -> None:
        self.run = act
        self.sure = sure


class Conditional(Step):
    """``(CONDITION STEP)``."""

    def __init__(self, test: Run, body: Step) -> None:
        self.test = test
        self.body = body
        self.branches = body.branches
        act = body.run

        def run(table: Table) -> None:
            if test(table):
                act(table)

        self.run = run

    def unfold(self, table: Table, rest: Pending | None) -> Pending | None:
        """Put the body before the rest if the condition holds."""
        return Pending(self.body, table.env, rest) if self.test(table) else rest


class Sequence(Step):
    """``(do (STEP ...))``."""

    def __init__(self, steps: list[Step]) -> None:
        self.steps = steps
        self.sure = any(step.sure for step in steps)
        self.branches = any(step.branches for step in steps)
        runs = [step.run for step in steps]

        def run(table: Table) -> None:
            for act in runs:
                act(table)

        self.run = runs[0] if len(runs) == 1 else run

    def unfold(self, table: Table, rest: Pending | None) -> Pending | None:
        """Put the steps before the rest."""
        for step in reversed(self.steps):
            rest = Pending(step, table.env, rest)
        return rest


class Loop(Step):
    """``(any COLLECTION 'V STEP)``, ``(all COLLECTION 'V STEP)``."""

    def __init__(self, items: Run, slot: int, body: Step, *, branching: bool, reverse: bool) -> None:
        self.items = items
        self.slot = slot
        self.body = body
        self.branching = branching
        self.branches = branching or body.branches
        self.reverse = reverse
        act = body.run

        def run(table: Table) -> None:
            elements = list(items(table))
            table.work(len(elements))
            for element in elements:
                table.env[slot] = element
                act(table)

        self.run = run

    def unfold(self, table: Table, rest: Pending | None) -> Pending | None:
        """Put the body before the rest for every element (the original begins with the last)."""
        elements = list(self.items(table))
        table.work(len(elements))
        for element in elements if self.reverse else reversed(elements):
            env = table.env[:]
            env[self.slot] = element
            rest = Pending(self.body, env, rest)
        return rest


class Let(Step):
    """``(let VALUE 'V STEP)``."""

    def __init__(self, value: Run, slot: int, body: Step) -> None:
        self.value = value
        self.slot = slot
        self.body = body
        self.sure = body.sure
        self.branches = body.branches
        act = body.run

        def run(table: Table) -> None:
            table.env[slot] = value(table)
            act(table)

        self.run = run

    def unfold(self, table: Table, rest: Pending | None) -> Pending | None:
        """Bind, and put the body before the rest."""
        env = table.env[:]
        env[self.slot] = self.value(table)
        return Pending(self.body, env, rest)


def step(node: Node, scope: Scope) -> Step:
    """Compile a step."""
    if node.kind != "form" or not node.items:
        raise Wrong(node.problem(f"an action is needed here, and {node} is none"))
    match node.head:
        case "do":
            return Sequence(steps(node, scope))
        case "any" | "all":
            return _loop(node, scope)
        case "let":
            return _let(node, scope)
        case "repeat":
            return _repeat(node, scope)
        case "choice" | "stage":
            raise Wrong(node.problem(f"a {node.head} stands directly in the game or in a stage, not inside a step"))
        case head if head in ACTIONS:
            return Action(ACTIONS[head](node, scope), sure=not (scope.old and head in ("remember", "forget")))
    if len(node.items) == 2 and node.items[0].kind == "form":
        return Conditional(scope.truth(node.items[0]), step(node.items[1], scope))
    if len(node.items) == 1 and node.items[0].kind == "form":
        return step(node.items[0], scope)
    raise Wrong(node.problem(f"there is no such action: {shown(node)}"))


def steps(node: Node, scope: Scope) -> list[Step]:
    """Compile the steps of ``(do (STEP ...))``."""
    return numbered_steps(node, scope)[1]


def numbered_steps(node: Node, scope: Scope) -> tuple[list[Node], list[Step]]:
    """Compile the steps of a `do` or a `choice`, each with its node; a problem in one does not hide the others'."""
    scope.arity(node, 2)
    listed = node.items[1]
    if listed.kind != "form":
        raise Wrong(listed.problem(f"{node.items[0]} takes a list of steps in parentheses of its own"))
    if listed.head in ("any", "all", "let", "do", "repeat", *ACTIONS):
        raise Wrong(
            listed.problem(f"{node.items[0]} takes a list: put one more pair of parentheses around {shown(listed)}")
        )
    compiled = [(item, scope.attempt(lambda each: step(each, scope), item)) for item in listed.items]
    sound = [(item, each) for item, each in compiled if each is not None]
    return [item for item, _ in sound], [each for _, each in sound]


def _loop(node: Node, scope: Scope) -> Step:
    scope.arity(node, 4)
    items, element = scope.items(node.items[1])
    with scope.bound(node.items[2], element, node.head) as slot:
        body = step(node.items[3], scope)
    return Loop(items, slot, body, branching=node.head == "any", reverse=scope.compat)


def _let(node: Node, scope: Scope) -> Step:
    scope.arity(node, 4)
    value = scope.read(node.items[1])
    with scope.bound(node.items[2], value.sort, "let") as slot:
        body = step(node.items[3], scope)
    return Let(value.run, slot, body)


def _repeat(node: Node, scope: Scope) -> Step:
    scope.arity(node, 3)
    if node.items[1].has("word", "all"):
        return _repeat_all(node, scope)
    number, body = scope.number(node.items[1]), step(node.items[2], scope)
    if body.branches:
        raise Wrong(node.problem("repeat takes one action, without any"))
    act = body.run
    once = scope.compat and node.items[2].head in ("set", "inc", "dec")

    def run(table: Table) -> None:
        times = number(table)
        if times > MAX_RANGE:
            raise Broken(f"an action repeated more than {MAX_RANGE:,} times", node)
        table.work(max(0, times))
        for _ in range(min(times, 1) if once else times):
            act(table)

    sure = node.items[1].kind == "number" and node.items[1].text.strip("0") != ""
    return Action(run, sure=sure and body.sure)


def _repeat_all(node: Node, scope: Scope) -> Step:
    """``(repeat all (move A B))``, ``(repeat all (forget A))``: as often as there are cards in A's list now."""
    body = node.items[2]
    if body.head not in ("move", "forget", "remember") or len(body.items) < 2:
        raise Wrong(node.problem("repeat all takes a move or a forget"))
    source = body.items[1]
    if source.head == "actual" and len(source.items) == 2:
        source = source.items[1]
    if source.head not in ("top", "bottom", "nth", "max", "min") or source.head in KINDS:
        raise Wrong(node.problem(f"repeat all must know a list, as in (top LIST), and {shown(source)} names none"))
    cards, act = scope.cards(source.items[1]), step(body, scope).run

    def run(table: Table) -> None:
        times = len(cards(table))
        table.work(times)
        for _ in range(times):
            act(table)

    return Action(run, sure=False)
