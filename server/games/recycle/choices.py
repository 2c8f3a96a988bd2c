"""Choices: what the player on turn may do, option by option.

An option consists of a function that performs it, its argument, and how many of its actions its chooser may be told
(None: all). Most options are only noted, with their variables, and performed when they are chosen. Where a later part
of an option depends on an earlier one, the option is tried out and undone, and its actions are noted instead.
"""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

from croupier.server.games.recycle.card_table import CardTable, Veil, redo, undo
from croupier.server.games.recycle.reader import Broken
from croupier.server.games.recycle.scope import CHANCE
from croupier.server.games.recycle.source import callable_in_texts
from croupier.server.games.recycle.steps import Conditional, DoBlock, Let, Loop, Pending, ProgramStep, steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from croupier.server.games.recycle.card_table import Entry
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Scope
    from croupier.server.games.recycle.sight import Form, Sight
    from croupier.server.games.recycle.source import Act, Source

    Way = tuple[Callable[[CardTable, Any], None], Any, int | None]
    """A function that performs an option, its argument, and how many actions its chooser may be told (None: all)."""
    Trace = tuple[tuple[Entry, ...], int | None]
    """The actions of an option, and how many of them one seat may know (None: all)."""
    Phrasing = Callable[[CardTable, Any, Sight], tuple[Any, ...]]

MAX_OPTIONS = 10_000
MAX_BRANCHES = 150
"""How many `any` may be nested or follow one another in one option."""
LOOKING = {"cardatt", "score", "scoremax", "scoremin", "sum", "tuples", "partition", "runs", "run"}
LOOKING |= {"intersect", "disjunction"}
"""The heads of forms that look at cards' values, not only at their places and number."""


class Choice:
    """A ``(choice (STEP ...))`` of a program."""

    reorders = False
    """Whether listing the options may leave the lists in another order."""

    def __init__(self, node: Node, scope: Scope) -> None:
        self.node = node
        self.steps = steps(node, scope)
        self.clear = not self.reorders and not any(looks_behind(step) for step, _ in self.steps)
        """Whether no option depends on what its chooser cannot know."""
        self._phrasings: dict[Any, Phrasing] = {}
        """The function that describes an option without performing it, by the one that performs it."""
        self.listing = self._listing(scope.source) if self.clear else None
        """The function that lists the options of a clear choice, which needs no veil."""

    def _listing(self, source: Source) -> Callable[[CardTable], list[Way]]:
        """Return a function that lists a clear choice's options, step by step; what cannot be noted is tried out."""
        lines = ["options = []"]
        for node, step in self.steps:
            act = _only_act(step)
            if act is None:
                lines.append(f"options += {source.call(node, partial(self.unfold, step))}")
            else:
                lines += self._note(step, act, node)
        return source.function_doing(source.once_each([*lines, "return options"]))

    def _note(self, step: ProgramStep, act: ProgramStep, node: Node, slots: tuple[int, ...] = ()) -> list[str]:
        """Return lines that note an option each time a step reaches its act, with the variables in these slots."""
        source = step.source
        if step is act:
            bound = ", ".join([f"table.env[{slot}]" for slot in slots])
            binding = [f"{bound} = what"] if bound else []
            perform = source.function_doing([*binding, *step.lines], "what")
            if step.phrases:
                phrases = [*binding, f"return ({', '.join(step.phrases)},)"]
                self._phrasings[perform] = source.function_doing(phrases, "what", "sight")
            return [f"options.append(({source.name(node, perform, 'option')}, ({bound}), None))"]
        match step:
            case DoBlock():
                return self._note(step.steps[0], act, node, slots)
            case Let():
                return [step.opening, *self._note(step.body, act, node, (*slots, step.slot))]
            case Loop():
                body = source.within(node, self._note(step.body, act, node, (*slots, step.slot)), "options")
                return [step.opening, *body, "refuse_many(options)"]
        assert isinstance(step, Conditional)
        return [f"if {step.test.text}:", *source.within(node, self._note(step.body, act, node, slots), "options")]

    def unfold(self, step: ProgramStep, table: CardTable) -> list[Way]:
        """List the options of one step by following it, and restore the table."""
        return Unfolding(table, _only_act(step)).options_of(step)

    def options(self, sight: Sight) -> list[Way]:
        """List the options, in the order of the program."""
        table = sight.table
        if self.listing is not None:
            return self.listing(table)
        with _veil(table, sight.hidden_from(table.seat), draws=True):
            return [option for _, step in self.steps for option in self.unfold(step, table)]

    def describe(self, sight: Sight, options: Sequence[Way]) -> tuple[Form, ...]:
        """Describe what each option does, as far as its chooser may know: by its words alone, else by trying it out."""
        table, forms = sight.table, [self.phrase(sight, option) for option in options]
        if None in forms:
            hidden = sight.hidden_from(table.seat)
            with nullcontext() if self.clear else _veil(table, hidden):
                for place, option in enumerate(options):
                    if forms[place] is None:
                        forms[place] = sight.option(trace_of(table, option), hidden)
        return tuple([(number, *(actions or ())) for number, actions in enumerate(forms, 1)])

    def phrase(self, sight: Sight, option: Way) -> Form | None:
        """Describe an option by its words alone; return None if it has to be tried out."""
        perform, what, _ = option
        phrasing = self._phrasings.get(perform)
        form = (None,) if phrasing is None else phrasing(sight.table, what, sight)
        return None if None in form else form


class Unfolding:
    """The options of one step while they are found: the actions of each are performed and undone."""

    def __init__(self, table: CardTable, noted: ProgramStep | None = None) -> None:
        self.table = table
        self.noted = noted
        """The step that is only noted with its variables, and performed when its option is chosen."""
        self.log: list[Entry] = []
        self.options: list[Way] = []
        self.branches = 0

    def options_of(self, step: ProgramStep) -> list[Way]:
        """List the options of a step, and restore the table."""
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
            self.add(redo, tuple(self.log))

    def elements(self, step: Any) -> list[Any]:
        """List the elements for which a step gives an option each, in the order of the options."""
        return list(step.items.run(self.table))

    def follow(self, step: Any, element: Any, rest: Pending | None, _place: int) -> None:
        """Follow the branch of one element."""
        bound = self.table.env[:]
        bound[step.slot] = element
        self.explore(Pending(step.body, bound, rest))

    def add(self, perform: Callable[[CardTable, Any], None], what: Any) -> None:
        """Add an option; its chooser may be told the actions before the first look at anything hidden."""
        veil = self.table.veil
        self.options.append((perform, what, None if veil is None else veil.lifted))
        refuse_many(self.options)

    def _branch(self, step: ProgramStep, elements: list[Any], rest: Pending | None) -> None:
        """Follow one branch for each element, undoing its actions afterwards."""
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
    """Perform a step with the variables at the time it was noted."""
    run, table.env = what
    run(table)


@callable_in_texts
def refuse_many(options: Sequence[Way]) -> None:
    """Raise Broken if there are more options than can be shown to anybody."""
    if len(options) > MAX_OPTIONS:
        raise Broken(f"a choice of more than {MAX_OPTIONS:,} options")


def entries_of(table: CardTable, option: Way) -> tuple[Entry, ...]:
    """Return the actions of an option as they would be logged, and restore the table; no random numbers are drawn."""
    with _veil(table, frozenset()):
        return trace_of(table, option)[0]


def trace_of(table: CardTable, option: Way) -> Trace:
    """Perform an option and undo it. Actions after an error, or after a look behind the veil, are unknown."""
    perform, what, known = option
    env, fuel, veil = table.env, table.fuel, table.veil
    log = table.log = []
    if veil is not None:
        veil.lifted = None
    try:
        perform(table, what)
    except Broken:
        known = len(log) if known is None else known
    if veil is not None and veil.lifted is not None:
        known = veil.lifted if known is None else min(known, veil.lifted)
    trace = tuple(log), known
    undo(table, 0)
    table.log, table.env, table.fuel = None, env, fuel
    return trace


@contextmanager
def _veil(table: CardTable, hidden: frozenset[int], *, draws: bool = False) -> Iterator[None]:
    """Let a table note, while the context lasts, that one of these cards is looked at or chance is asked."""
    table.veil = Veil(table, hidden, draws=draws)
    try:
        yield
    finally:
        table.veil = None


def _only_act(step: ProgramStep) -> ProgramStep | None:
    """Return the only step that acts in every option, if it is certain to act: the steps before it only bind."""
    if step.sure and not step.branches:
        return step
    match step:
        case DoBlock(steps=[only]):
            return _only_act(only)
        case Conditional() | Let() | Loop(branching=True):
            return _only_act(step.body)
    return None


def looks_behind(step: Node) -> bool:
    """Return whether the result of a step may depend on chance, or on cards that its chooser does not see."""
    heads = {node.head for node in step.walk()}
    if not heads.isdisjoint(CHANCE):
        return True
    seen = () if "cycle" in heads else ("current player",)
    return not heads.isdisjoint(LOOKING) and any(_is_closed(node, seen) for node in step.walk())


def _is_closed(node: Node, seen: Sequence[str]) -> bool:
    """Return whether this is a list that nobody sees, or only an owner who is not among these."""
    return node.head in ("hloc", "oloc") or (node.head == "iloc" and node.items[0].head not in seen)
