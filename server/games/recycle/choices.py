"""Choices: what the player on turn may do, option by option.

An option is what performs it, what that needs, and how many of its actions its chooser may be told (None: all). Most
options are only noted, with their variables, and acted out when they are chosen; where a later part of an option
depends on an earlier one, it is tried out and taken back, and its actions are what is noted.
"""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.server.games.recycle.blocks import numbered_steps
from croupier.server.games.recycle.card_table import Broken, CardTable, Veil, Watched, undo
from croupier.server.games.recycle.looking import looks_behind
from croupier.server.games.recycle.sight import Unseen
from croupier.server.games.recycle.steps import Conditional, DoBlock, Let, Loop, ProgramStep, Unfolding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from croupier.server.games.recycle.card_table import Entry
    from croupier.server.games.recycle.points import PointMap
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Scope
    from croupier.server.games.recycle.sight import Form, Sight
    from croupier.server.games.recycle.source import Source
    from croupier.server.games.recycle.steps import Way

    Phrasing = Callable[[CardTable, Any, Sight], tuple[Form, ...]]


class Trace(NamedTuple):
    """The actions of an option, and how many of them one seat may know (None: all)."""

    entries: tuple[Entry, ...]
    known: int | None


class Choice:
    """A ``(choice (STEP ...))`` of a program."""

    reorders = False
    """Whether listing the options may leave the lists in another order."""

    def __init__(self, node: Node, scope: Scope) -> None:
        self.node = node
        self.nodes, self.steps = numbered_steps(node, scope)
        self.clear = not self.reorders and not any(map(looks_behind, self.nodes))
        """Whether no option depends on what its chooser cannot know."""
        self._phrasings: dict[Any, Phrasing] = {}
        """What says an option without acting it out, by what performs it."""
        self.listing = self._listing(scope.source) if self.clear else None
        """What lists the options of a clear choice, where nobody need watch."""

    def _listing(self, source: Source) -> Callable[[CardTable], list[Way]]:
        """Return what lists the options of a clear choice, step by step; what cannot be noted is tried out."""
        lines = ["options = []"]
        for step, node in zip(self.steps, self.nodes, strict=True):
            act = _only_act(step)
            if act is None:
                lines.append(f"options += {source.call(node, partial(self.unfold, step))}")
            else:
                lines += self._noting(step, act, node)
        return source.function_doing(source.once_each([*lines, "return options"]))

    def _noting(self, step: ProgramStep, act: ProgramStep, node: Node, slots: tuple[int, ...] = ()) -> list[str]:
        """Return the lines that note an option each time a step comes to its act, with the variables in these slots."""
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
                return self._noting(step.steps[0], act, node, slots)
            case Let():
                return [step.opening, *self._noting(step.body, act, node, (*slots, step.slot))]
            case Loop():
                body = source.within(node, self._noting(step.body, act, node, (*slots, step.slot)), "options")
                return [step.opening, *body, "refuse_many(options)"]
        assert isinstance(step, Conditional)
        return [f"if {step.test.text}:", *source.within(node, self._noting(step.body, act, node, slots), "options")]

    def unfold(self, step: ProgramStep, table: CardTable) -> list[Way]:
        """List the options of one step by following it, and leave the table as it is."""
        return Unfolding(table, _only_act(step)).options_of(step)

    def options(self, sight: Sight) -> list[Way]:
        """List the options, in the order of the program."""
        table = sight.table
        if self.listing is not None:
            return self.listing(table)
        with _veil(table, sight.hidden_from(table.seat), draws=True):
            return [option for step in self.steps for option in self.unfold(step, table)]

    def count_by_step(self, table: CardTable) -> list[int]:
        """Return how many options each step of the choice has now."""
        return [len(self.unfold(step, table)) for step in self.steps]

    def describe(self, sight: Sight, options: Sequence[Way]) -> tuple[Form, ...]:
        """Write what each option does, as its chooser may know it: from its words alone, or else by acting it out."""
        table, forms = sight.table, [self.phrase(sight, option) for option in options]
        if None in forms:
            hidden = sight.hidden_from(table.seat)
            with nullcontext() if self.clear else _veil(table, hidden):
                for place, option in enumerate(options):
                    if forms[place] is None:
                        forms[place] = sight.option(trace_of(table, option), hidden)
        return tuple([(number, *(actions or ())) for number, actions in enumerate(forms, 1)])

    def phrase(self, sight: Sight, option: Way) -> Form | None:
        """Write what an option does from its words alone; return None where it has to be done to know it."""
        perform, what, _ = option
        phrasing = self._phrasings.get(perform)
        try:
            return None if phrasing is None else phrasing(sight.table, what, sight)
        except Unseen:
            return None


def entries_of(table: CardTable, option: Way) -> tuple[Entry, ...]:
    """Return the actions of an option as they would be logged, and leave the table as it is: no chance is drawn."""
    with _veil(table, frozenset()):
        return trace_of(table, option).entries


def trace_of(table: CardTable, option: Way) -> Trace:
    """Act an option out, and take it back. Where it breaks, or looked at what the veil hides, the rest is not known."""
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
    trace = Trace(tuple(log), known)
    undo(table, 0)
    table.log, table.env, table.fuel = None, env, fuel
    return trace


def _only_act(step: ProgramStep) -> ProgramStep | None:
    """Return the one step that acts in every option of a step, where it is certain to: all before it only binds."""
    if step.sure and not step.branches:
        return step
    match step:
        case DoBlock(steps=[only]):
            return _only_act(only)
        case Conditional() | Let() | Loop(branching=True):
            return _only_act(step.body)
    return None


@contextmanager
def _veil(table: CardTable, hidden: frozenset[int], *, draws: bool = False) -> Iterator[None]:
    """Let a table note for a while when one of these cards is looked at, or chance is asked."""
    columns, maps = table.columns, table.maps
    veil = table.veil = Veil(table, hidden, draws=draws)
    if hidden:
        table.columns = _WatchedColumns(columns, veil)
        table.maps = [_WatchedMaps(held, veil) for held in maps]
    try:
        yield
    finally:
        table.columns, table.maps, table.veil = columns, maps, None


class _WatchedColumns(dict[str, list[str]]):
    """The value of each key by card, which tells the veil when a hidden card is looked at."""

    def __init__(self, columns: dict[str, list[str]], veil: Veil) -> None:
        super().__init__()
        self.columns = columns
        self.veil = veil

    def __missing__(self, key: str) -> Watched:
        made = self[key] = Watched(self.columns[key], self.veil)
        return made


class _WatchedMaps(dict[str, "PointMap"]):
    """An owner's point maps, which tell the veil when a hidden card is scored."""

    def __init__(self, maps: dict[str, PointMap], veil: Veil) -> None:
        super().__init__(maps)
        self.veil = veil

    def get(self, name: str, default: Any = None) -> Any:
        """Return a map."""
        points = super().get(name)
        return default if points is None else points.watched(self.veil)
