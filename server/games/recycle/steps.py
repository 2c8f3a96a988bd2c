"""Steps: actions, conditions, `do`, `any`, `all`, `let` and `repeat`, run by the machine or unfolded for a choice.

Run by the machine, a step acts at once, and `any` and `all` are the same loop. Unfolded for a choice, a step acts and
leaves what is still pending, and `any` branches.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.server.games.recycle.card_table import Broken, redo, undo
from croupier.server.games.recycle.source import callable_in_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.server.games.recycle.card_table import CardTable, Entry
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Expression
    from croupier.server.games.recycle.source import Act, Source

    Way = tuple[Callable[[CardTable, Any], None], Any, int | None]
    """What performs it, what that needs, and how many of its actions its chooser may be told (None: all)."""

MAX_OPTIONS = 10_000
MAX_BRANCHES = 150
"""How many `any` may stand within one another, or follow one another, in one option."""


@callable_in_texts
def refuse_many(options: Sequence[Way]) -> None:
    """Refuse more options than anybody could be shown."""
    if len(options) > MAX_OPTIONS:
        raise Broken(f"a choice of more than {MAX_OPTIONS:,} options")


class Pending(NamedTuple):
    """The steps of an option that are still to come, each with the variables that it was met with."""

    step: ProgramStep
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
    """The options of one step as they are found: the actions of each, taken and taken back."""

    def __init__(self, table: CardTable, noted: ProgramStep | None = None) -> None:
        self.table = table
        self.noted = noted
        """The step that is only noted with its variables, and done when its option is chosen."""
        self.log: list[Entry] = []
        self.options: list[Way] = []
        self.branches = 0

    def options_of(self, step: ProgramStep) -> list[Way]:
        """List the options of a step, and leave the table as it is."""
        table, env = self.table, self.table.env
        table.log = self.log
        if table.veil is not None:
            table.veil.lifted = None
        try:
            self.explore(Pending(step, env, None))
        finally:
            undo(table, 0)
            table.log, table.env = None, env
        return self.options

    def explore(self, pending: Pending | None) -> None:
        """Follow the steps to the end of every option."""
        table = self.table
        while pending is not None:
            step, table.env, rest = pending
            table.fuel -= 1
            if table.fuel < 0:
                table.work(0)
            if step is self.noted:
                self.add(_act, (step.run, table.env))
                return
            if not step.branching:
                pending = step.unfold(table, rest)
            elif elements := self.elements(step):
                self._branch(step, elements, rest)
                return
            else:
                pending = rest
        if self.log:
            self.finish()

    def elements(self, step: Any) -> list[Any]:
        """List the elements that a step gives an option each for, in the order of the options."""
        return list(step.items.run(self.table))

    def follow(self, step: Any, element: Any, rest: Pending | None, _place: int) -> None:
        """Follow the branch of one element."""
        bound = self.table.env[:]
        bound[step.slot] = element
        self.explore(Pending(step.body, bound, rest))

    def finish(self) -> None:
        """Add the option whose actions have been taken."""
        self.add(redo, tuple(self.log))

    def add(self, perform: Callable[[CardTable, Any], None], what: Any) -> None:
        """Add an option, of which may be told what was done before anything hidden was looked at."""
        veil = self.table.veil
        self.options.append((perform, what, None if veil is None else veil.lifted))
        refuse_many(self.options)

    def _branch(self, step: ProgramStep, elements: list[Any], rest: Pending | None) -> None:
        """Follow one branch for each element, and take back what was done on it."""
        table = self.table
        env, mark = table.env, len(self.log)
        self.branches += 1
        if self.branches > MAX_BRANCHES:
            raise Broken(f"more than {MAX_BRANCHES} times any within one option")
        veil = table.veil
        lifted = veil.lifted if veil is not None else None
        for place, element in enumerate(elements):
            table.env = env
            self.follow(step, element, rest, place)
            undo(table, mark)
            if veil is not None:
                veil.lifted = lifted
        self.branches -= 1


def _act(table: CardTable, what: tuple[Act, list[Any]]) -> None:
    """Act out a step with the variables that it was met with."""
    run, table.env = what
    run(table)


class ProgramStep:
    """A step of a program, as the lines of it: acted out by the machine, or unfolded for a choice."""

    sure = False
    """Whether at least one action is certain to be taken."""
    branches = False
    """Whether an `any` is inside."""
    branching = False
    """Whether it is one: an option for each of its elements."""
    phrases: tuple[str, ...] = ()
    """The texts that say what it does, where that can be said without doing it."""

    def __init__(self, source: Source, lines: list[str]) -> None:
        self.source = source
        self.lines = lines

    @cached_property
    def run(self) -> Act:
        """The function that acts, made when it is first wanted."""
        return self.source.function_doing(self.lines)

    def unfold(self, table: CardTable, rest: Pending | None) -> Pending | None:
        """Act, or put what must be done first before the rest."""
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
        """Put the body before the rest if the condition holds."""
        return Pending(self.body, table.env, rest) if self.test.run(table) else rest


class DoBlock(ProgramStep):
    """``(do (STEP ...))``."""

    def __init__(self, source: Source, steps: list[ProgramStep]) -> None:
        self.steps = steps
        self.sure = any(step.sure for step in steps)
        self.branches = any(step.branches for step in steps)
        phrases = [text for step in steps for text in step.phrases or ("",)]
        if all(phrases) and sum(text.startswith("sight.moving(") for text in phrases) < 2:
            self.phrases = tuple(phrases)
        super().__init__(source, [line for step in steps for line in step.lines])

    def unfold(self, table: CardTable, rest: Pending | None) -> Pending | None:
        """Put the steps before the rest."""
        for step in reversed(self.steps):
            rest = Pending(step, table.env, rest)
        return rest


class Loop(ProgramStep):
    """``(any COLLECTION 'V STEP)``, ``(all COLLECTION 'V STEP)``."""

    def __init__(self, node: Node, items: Expression, slot: int, body: ProgramStep) -> None:
        self.items = items
        self.slot = slot
        self.body = body
        self.branching = node.head == "any"
        self.branches = self.branching or body.branches
        self.opening = f"for table.env[{slot}] in table.paid({items.text}):"
        super().__init__(body.source, [self.opening, *body.source.within(node, body.lines)])

    def unfold(self, table: CardTable, rest: Pending | None) -> Pending | None:
        """Put the body before the rest for every element."""
        for element in reversed(table.paid(self.items.run(table))):
            env = table.env[:]
            env[self.slot] = element
            rest = Pending(self.body, env, rest)
        return rest


class Let(ProgramStep):
    """``(let VALUE 'V STEP)``."""

    def __init__(self, value: Expression, slot: int, body: ProgramStep) -> None:
        self.value = value
        self.slot = slot
        self.body = body
        self.sure = body.sure
        self.branches = body.branches
        self.opening = f"table.env[{slot}] = {value.text}"
        super().__init__(body.source, [self.opening, *body.lines])

    def unfold(self, table: CardTable, rest: Pending | None) -> Pending | None:
        """Bind, and put the body before the rest."""
        env = table.env[:]
        env[self.slot] = self.value.run(table)
        return Pending(self.body, env, rest)
