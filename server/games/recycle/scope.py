"""Scope: what the compiler knows while it reads an expression, and the table of all that it can read.

An expression becomes an `Expression`: the sort of its value, and the Python text that works it out from the
`CardTable`. Builders register themselves under the head of the forms that they read; most words are no more than a
function and the form that it is written in.
"""

from __future__ import annotations

from contextlib import contextmanager
from difflib import get_close_matches
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from croupier.server.games.recycle.looking import CHANCE
from croupier.server.games.recycle.source import LONGEST, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from croupier.server.games.recycle.reader import Node, Problem
    from croupier.server.games.recycle.source import Run
    from croupier.server.games.recycle.steps import ProgramStep

    Builder = Callable[[Node, "Scope"], "Expression"]
    StepBuilder = Callable[[Node, "Scope"], ProgramStep]

F = TypeVar("F", bound="Callable[..., Any]")

NUMBER, STRING, TRUTH, CARD, PLAYER, TEAM, GAME, MAP = (
    "number",
    "string",
    "truth",
    "card",
    "player",
    "team",
    "game",
    "map",
)
CARDS, GROUPS, PLAYERS, TEAMS, NAMES, NUMBERS = "cards", "groups", "players", "teams", "names", "numbers"
ELEMENT = {CARDS: CARD, GROUPS: CARDS, PLAYERS: PLAYER, TEAMS: TEAM, NAMES: STRING, NUMBERS: NUMBER}
LIST_OF = {element: many for many, element in ELEMENT.items()}

SAID = {
    NUMBER: "a number",
    STRING: "a name",
    TRUTH: "a condition",
    CARD: "a card",
    PLAYER: "a player",
    TEAM: "a team",
    GAME: "the game",
    MAP: "a point map",
    CARDS: "a list of cards",
    GROUPS: "a list of lists of cards",
    PLAYERS: "players",
    TEAMS: "teams",
    NAMES: "a list of names",
    NUMBERS: "a range of numbers",
}


class Wrong(Exception):
    """A form that cannot be compiled; carries the Problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


class Expression:
    """A compiled expression: the sort of its value, and the text that works it out."""

    def __init__(self, sort: str, text: str, source: Source, constant: Any = None, *, real: bool = False) -> None:
        self.sort = sort
        self.text = text
        """How it stands in the text of what it is a part of."""
        self.source = source
        self.constant = constant
        """The value, where it is the same always."""
        self.real = real
        """Whether it is a list in which cards lie, not a list put together from such."""

    @cached_property
    def run(self) -> Run:
        """The function from the table to the value."""
        return self.source.function_of(self.text)


class Variable(NamedTuple):
    """A variable in scope."""

    slot: int
    sort: str
    by: str
    """The head of the form that binds it."""
    text: str
    """How it stands in a text."""


BUILDERS: dict[str, Builder] = {}


def builds(*heads: str) -> Callable[[Builder], Builder]:
    """Register the reader of the expressions with these heads."""

    def register(builder: Builder) -> Builder:
        for head in heads:
            BUILDERS[head] = builder
        return builder

    return register


def reads(form: str, sort: str) -> Callable[[F], F]:
    """Register a function for forms such as ``score CARD using MAP``; see `Scope.fill` for what it is given."""

    def register(function: F) -> F:
        def build(node: Node, scope: Scope) -> Expression:
            return scope.fill(node, form, sort, function)

        BUILDERS[form.split(maxsplit=1)[0]] = build
        return function

    return register


class Scope:
    """The variables in scope, the words that a dialect has for itself, and the problems found so far."""

    unrolls = True
    """Whether a short loop over the players is written out for each of them."""

    def __init__(self) -> None:
        self.own_words: dict[str, Builder] = {}
        """The readers of expressions that are read otherwise in this dialect, by their heads."""
        self.own_steps: dict[str, StepBuilder] = {}
        """The same of steps."""
        self.empty_subset = False
        self.players = 0
        self.source = Source()
        self.variables: dict[str, Variable] = {}
        self.slots = 0
        self.problems: list[Problem] = []
        self.binder: list[tuple[str, Node]] = []
        """The forms around, innermost last, that bind a variable: for saying what an unbound one should have been."""

    def declare(self, name: str, sort: str, by: str = "declare", value: str = "") -> int:
        """Bind a name for the whole game; return its slot.

        A variable that always has the same ``value`` stands in texts as that, and needs no slot.
        """
        slot = self.slot(name, sort)
        self.slots = max(self.slots, slot + (not value))
        self.variables[name] = Variable(slot, sort, by, value or f"table.env[{slot}]")
        return slot

    def slot(self, _name: str, _sort: str) -> int:
        """Return where a variable lies that is bound now."""
        return self.slots

    @contextmanager
    def binding(self, name: Node, sort: str, by: str, value: str = "") -> Iterator[int]:
        """Bind a variable inside a form, if that is known to one value; yield its slot."""
        if name.kind != "variable":
            raise Wrong(name.problem(f"{by} needs a variable here, as in 'X, not {name}"))
        outer = self.variables.get(name.text)
        slot = self.declare(name.text, sort, by, value)
        self.binder.append((by, name))
        try:
            yield slot
        finally:
            self.binder.pop()
            if outer is None:
                del self.variables[name.text]
            else:
                self.variables[name.text] = outer

    def read(self, node: Node) -> Expression:
        """Compile an expression of any sort; what has a long text stands in others as a call."""
        made = self._read(node)
        if len(made.text) > LONGEST:
            made.text = self.source.call(node, made.run)
        if made.sort in (CARDS, GROUPS) and not made.real and self._steady(node):
            self.source.steady.add(made.text)
        return made

    def _steady(self, node: Node) -> bool:
        """Tell whether a form hangs neither on chance nor on a variable that is bound around it."""
        bound = {name for name, variable in self.variables.items() if variable.by != "declare"}
        return not any(part.head in CHANCE or (part.kind == "variable" and part.text in bound) for part in node.walk())

    def _read(self, node: Node) -> Expression:
        match node.kind:
            case "number":
                value = _number(node)
                return self.expression(NUMBER, str(value), constant=value)
            case "name":
                return self.expression(STRING, repr(node.text), constant=node.text)
            case "variable":
                return self.variable(node)
            case "word" if node.text in ("player", "team", "game"):
                return self.expression(*_WHOLE[node.text])
            case "form" if (builder := self.own_words.get(node.head) or BUILDERS.get(node.head)) is not None:
                return builder(node, self)
        if node.kind == "form":
            raise Wrong(node.problem(meaning(node, BUILDERS) or f"there is no such expression: {excerpt(node)}"))
        raise Wrong(node.problem(f"{node} is a word of the language, not a value; names are in capitals"))

    def variable(self, node: Node) -> Expression:
        """Compile a variable."""
        known = self.variables.get(node.text)
        if known is None:
            raise Wrong(node.problem(self._unbound(node.text)))
        return self.expression(known.sort, known.text)

    def close(self, loop: Expression, _slot: int) -> Expression:
        """Return what becomes of a loop, or a `let`, with the variable in a slot."""
        return loop

    def _unbound(self, name: str) -> str:
        said = f"the variable '{name} is not bound here"
        if self.binder:
            by, bound = self.binder[-1]
            said = f"{said}: the {by} around it at line {bound.line} binds '{bound.text}"
            others = [other for other in self.variables if other != bound.text]
        else:
            others = list(self.variables)
        close = get_close_matches(name, others, 1)
        return f"{said}; did you mean '{close[0]}?" if close else said

    def expect(self, node: Node, *sorts: str) -> Expression:
        """Compile an expression that must be of one of these sorts."""
        expression = self.read(node)
        if expression.sort not in sorts:
            wanted = " or ".join(SAID[sort] for sort in sorts)
            raise Wrong(node.problem(f"{wanted} is needed here, and {excerpt(node)} is {SAID[expression.sort]}"))
        return expression

    def expression(self, sort: str, text: str, *, constant: Any = None, real: bool = False) -> Expression:
        """Return the expression of a text."""
        return Expression(sort, text, self.source, constant, real=real)

    def fill(self, node: Node, form: str, sort: str, function: Callable[..., Any]) -> Expression:
        """Compile a form to the call of a function: with the node, the table, and the values in it.

        ``form`` is how it is written, as ``runs largest|all NUMBER CARDS using MAP``: sorts in capitals, and words that
        stand there as they are.
        """
        parts = form.split()[1:]
        items = node.items[1:]
        if len(items) != len(parts) or not all(map(_fits, items, parts)):
            raise Wrong(node.problem(f"this is written as ({form}), and not as {excerpt(node)}"))
        texts = [self.text(item, part.lower()) for item, part in zip(items, parts, strict=True) if part.isupper()]
        return self.expression(sort, self.source.call(node, partial(function, node), *texts))

    def text(self, node: Node, *sorts: str) -> str:
        """Compile an expression that must be of one of these sorts, to stand within a text."""
        return self.expect(node, *sorts).text

    def collection(self, node: Node) -> tuple[Expression, str]:
        """Compile a collection as an expression; return it and the sort of its elements."""
        expression = self.read(node)
        if expression.sort == TEAM:
            return self.expression(PLAYERS, f"table.teams[{expression.text}]"), PLAYER
        if expression.sort not in ELEMENT:
            raise Wrong(
                node.problem(f"something with elements is needed here, and {excerpt(node)} is {SAID[expression.sort]}")
            )
        return expression, ELEMENT[expression.sort]

    def arity(self, node: Node, *counts: int) -> None:
        """Demand that a form has so many items."""
        if len(node.items) not in counts:
            wanted = " or ".join(str(count - 1) for count in counts)
            raise Wrong(
                node.problem(f"{node.head} takes {wanted} things, and here are {len(node.items) - 1}: {excerpt(node)}")
            )

    def attempt(self, build: Callable[[Node], Any], node: Node) -> Any:
        """Build from a node; note the problem and go on with None where that fails."""
        try:
            return build(node)
        except Wrong as wrong:
            self.problems.append(wrong.problem)
            return None


def _fits(item: Node, part: str) -> bool:
    """Return whether an item may stand in a form where this sort, or one of these words, does."""
    return part.isupper() or item.text in part.split("|")


_WHOLE = {
    "player": (PLAYERS, "range(table.players)"),
    "team": (TEAMS, "range(len(table.teams))"),
    "game": (GAME, "table.players"),
}


def _number(node: Node) -> int:
    if len(node.text) > 10 or int(node.text) > 0x7FFFFFFF:
        raise Wrong(node.problem(f"numbers end at {0x7FFFFFFF}"))
    return int(node.text)


def meaning(node: Node, words: Iterable[str]) -> str | None:
    """Say which word a form's misspelt first word is likely to be, if any."""
    first = node.items[0] if node.kind == "form" and node.items else node
    close = get_close_matches(first.text, words, 1, 0.7) if first.kind == "word" else []
    return f"there is no {first.text}; did you mean {close[0]}?" if close and close[0] != first.text else None


def excerpt(node: Node, limit: int = 60) -> str:
    """Return a form as one short line."""
    text = str(node)
    return text if len(text) <= limit else text[: limit - 4] + " ..."
