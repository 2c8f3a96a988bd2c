"""Choices: what the player on turn may do, option by option.

An option is what performs it and what that needs. Most options are only noted, with their variables, and acted out when
they are chosen; where a later part of an option depends on an earlier one, it is tried out and taken back.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from croupier.server.games.recycle.blocks import numbered_steps
from croupier.server.games.recycle.card_table import Broken, CardTable, Veil, Watched, undo
from croupier.server.games.recycle.flat import FlatUnfolding
from croupier.server.games.recycle.looking import looks_behind
from croupier.server.games.recycle.points import PointMap
from croupier.server.games.recycle.sight import Unseen
from croupier.server.games.recycle.steps import (
    Conditional,
    DoBlock,
    Let,
    Loop,
    Pending,
    ProgramStep,
    Unfolding,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from croupier.server.games.recycle.card_table import Entry
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Scope
    from croupier.server.games.recycle.sight import Form, Sight
    from croupier.server.games.recycle.source import Source
    from croupier.server.games.recycle.steps import Way

    Listing = Callable[[CardTable], list[Way]]
    Teller = Callable[[CardTable, Any, Sight], tuple[Form, ...]]

U = TypeVar("U", bound=Unfolding)


class Described(NamedTuple):
    """The actions of an option, as far as one seat may know them; ``known`` tells whether that is all."""

    entries: tuple[Entry, ...]
    known: bool


class Choice:
    """A ``(choice (STEP ...))`` of a program."""

    def __init__(self, node: Node, scope: Scope) -> None:
        self.node = node
        self.nodes, self.steps = numbered_steps(node, scope)
        self.tellers: dict[Any, Teller] = {}
        """What says an option without acting it out, by what performs it."""
        if not scope.compat:
            self.options = self._lister(scope.source)
            """List the options, in the order of the program."""
        self.clear = not any(map(looks_behind, self.nodes))
        """Whether no option depends on what its chooser cannot know."""

    def _lister(self, source: Source) -> Listing:
        """Return what lists the options, step by step; what cannot be listed is tried out."""
        lines = ["options = []"]
        for step, node in zip(self.steps, self.nodes, strict=True):
            listed = _listing(step, node, self.tellers)
            lines += listed or [f"options += {source.call(node, partial(self._tried_out, step))}"]
        return source.done(source.shared([*lines, "return options"]))

    @classmethod
    def _tried_out(cls, step: ProgramStep, table: CardTable) -> list[Way]:
        return cls._unfolded(step, Unfolding(table)).options

    def tried(self, table: CardTable, hidden: frozenset[int]) -> list[Way]:
        """List the options in the order of the original engine, which may leave the lists in another order.

        Each knows up to where it may be told to a seat from whom these cards are hidden.
        """
        unfolding = FlatUnfolding(table)
        with _veiled(table, Veil(hidden, unfolding.log, draws=True)) as veil:
            for step in self.steps:
                veil.lifted = None
                self._unfolded(step, unfolding)
        return unfolding.options

    def sources(self, table: CardTable) -> list[int]:
        """Return how many options each step of the choice has now."""
        describing = _Describing(table)
        with _veiled(table, Veil(frozenset(), describing.log)):
            return [len(self._unfolded(step, describing).described) for step in self.steps]

    @staticmethod
    def _unfolded(step: ProgramStep, unfolding: U) -> U:
        """Find the options of one step."""
        table = unfolding.table
        env = table.env
        unfolding.begin()
        try:
            unfolding.explore(Pending(step, env, None))
        finally:
            undo(table, 0)
            table.log, table.env = None, env
        return unfolding

    def told(self, sight: Sight, options: Sequence[Way]) -> tuple[Form, ...]:
        """Write what each option does; one that has to be done to know it is acted out, and taken back."""
        told = [self.said(sight, option) for option in options]
        if None in told:
            hidden = sight.hidden_from(sight.table.seat)
            for place, option in enumerate(options):
                if told[place] is None:
                    told[place] = sight.option(acted_out(sight.table, [option])[0], hidden)
        return tuple([(number, *(actions or ())) for number, actions in enumerate(told, 1)])

    def said(self, sight: Sight, option: Way) -> Form | None:
        """Write what an option does from its words alone; return None where it has to be done to know it."""
        perform, what = option
        teller = self.tellers.get(perform)
        try:
            return None if teller is None else teller(sight.table, what, sight)
        except Unseen:
            return None

    def described(self, table: CardTable, hidden: frozenset[int]) -> list[Described]:
        """List what the options do, as a seat from whom these cards are hidden may know it.

        What is looked up of a card notes when the card is hidden: what an option does from there on is not told. The
        table is left as it was.
        """
        describing = _Describing(table)
        with _veiled(table, Veil(hidden, describing.log)):
            return [option for step in self.steps for option in self._unfolded(step, describing).described]


class _Describing(Unfolding):
    """The options with the actions that their chooser may know."""

    def __init__(self, table: CardTable) -> None:
        super().__init__(table)
        self.described: list[Described] = []

    def begin(self) -> None:
        """Begin a step: nothing is described of it, and nothing hidden was looked at."""
        super().begin()
        self.described = []
        if self.table.veil is not None:
            self.table.veil.lifted = None

    def explore(self, pending: Pending | None) -> None:
        """Follow the steps; an option that the program could not go on with is an option too."""
        try:
            super().explore(pending)
        except Broken:
            self._tell(known=False)

    def finish(self) -> None:
        """Add an option with all its actions taken."""
        self._tell(known=True)

    def _tell(self, *, known: bool) -> None:
        """Describe an option by the actions taken, up to where they depend on what is hidden."""
        veil = self.table.veil
        lifted = veil.lifted if veil is not None else None
        self.described.append(Described(tuple(self.log[:lifted]), known and lifted is None))


@contextmanager
def _veiled(table: CardTable, veil: Veil) -> Iterator[Veil]:
    """Put watched tables in the place of all that tells something about a card, for a while."""
    kept = table.columns, table.maps, table.fuel
    table.veil = veil
    table.columns = _WatchedColumns(table.deck.columns, veil)
    table.maps = [
        {name: PointMap.of(points.awards, table.deck).watched(veil) for name, points in maps.items()}
        for maps in table.maps
    ]
    try:
        yield veil
    finally:
        table.columns, table.maps, table.fuel = kept
        table.veil = None


class _WatchedColumns(dict[str, list[str]]):
    def __init__(self, columns: dict[str, list[str]], veil: Veil) -> None:
        super().__init__()
        self.columns = columns
        self.veil = veil

    def __missing__(self, key: str) -> Watched:
        made = self[key] = Watched(self.columns[key], self.veil)
        return made


def _listing(
    step: ProgramStep, node: Node, tellers: dict[Any, Teller], slots: tuple[int, ...] = ()
) -> list[str] | None:
    """Return the lines that list the options of a step without trying them, or None if it must be tried out.

    An option is kept as the variables that are bound around it, in these slots.
    """
    if step.sure and not step.branches:
        bound = ", ".join([f"table.env[{slot}]" for slot in slots])
        binding = [f"{bound} = what"] if bound else []
        perform = step.source.done([*binding, *step.lines], "what")
        if step.told:
            tellers[perform] = step.source.done([*binding, f"return ({', '.join(step.told)},)"], "what", "sight")
        return [f"options.append(({step.source.name(node, perform, 'option')}, ({bound})))"]
    if isinstance(step, DoBlock) and len(step.steps) == 1:
        return _listing(step.steps[0], node, tellers, slots)
    if isinstance(step, Let | Loop):
        slots = (*slots, step.slot)
    body = _listing(step.body, node, tellers, slots) if isinstance(step, Conditional | Let | Loop) else None
    if body is None:
        return None
    match step:
        case Conditional():
            return [f"if {step.test.text}:", *step.source.within(node, body, "options")]
        case Let():
            return [step.opening, *body]
        case Loop(branching=True):
            return [step.opening, *step.source.within(node, body, "options"), "refuse_many(options)"]
    return None


def acted_out(table: CardTable, options: Iterable[Way]) -> list[Described]:
    """Describe each option by what it does, and leave the table as it is; where one breaks, the rest is not known."""
    described = []
    env, fuel = table.env, table.fuel
    log = table.log = []
    for perform, what in options:
        known = True
        try:
            perform(table, what)
        except Broken:
            known = False
        described.append(Described(tuple(log), known))
        undo(table, 0)
    table.log, table.env, table.fuel = None, env, fuel
    return described


def entries_of(table: CardTable, option: Way) -> tuple[Entry, ...]:
    """Return the actions of an option as they would be logged, and leave the table as it is: no chance is drawn."""
    drawn = dict(table.drawn)
    table.veil = Veil(frozenset(), [])
    entries = acted_out(table, [option])[0].entries
    table.veil, table.drawn = None, drawn
    return entries


def as_followed(table: CardTable, option: Way) -> Described:
    """Describe an option of the original engine by what it does as things lie now."""
    lifted = option[1].lifted
    return Described(entries_of(table, option)[:lifted], known=lifted is None)
