"""Scope: the compiler's state while it reads an expression, and the table of all that it can read.

An expression becomes an `Expression`: the sort of its value, and the Python text that computes it from the `CardTable`.
Most words are declared by their form together with a text (`says`) or a function (`reads`). The others have a builder
(`builds`) under their head.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from croupier.server.games.recycle.reader import POINTING, Wrong
from croupier.server.games.recycle.source import LONGEST, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from croupier.server.games.recycle.reader import Node, Problem
    from croupier.server.games.recycle.source import Run
    from croupier.server.games.recycle.steps import ProgramStep

    Builder = Callable[[Node, "Scope"], "Expression"]
    StepBuilder = Callable[[Node, "Scope"], ProgramStep]

F = TypeVar("F", bound="Callable[..., Any]")


class Sort(StrEnum):
    """The sort of a value, and its name in messages."""

    words: str

    NUMBER = "number", "a number"
    STRING = "string", "a name"
    TRUTH = "truth", "a condition"
    CARD = "card", "a card"
    PLAYER = "player", "a player"
    TEAM = "team", "a team"
    GAME = "game", "the game"
    MAP = "map", "a point map"
    CARDS = "cards", "a list of cards"
    GROUPS = "groups", "a list of lists of cards"
    PLAYERS = "players", "players"
    TEAMS = "teams", "teams"
    NAMES = "names", "a list of names"
    NUMBERS = "numbers", "a range of numbers"

    def __new__(cls, value: str, words: str = "") -> Self:
        """Make a sort of a value and a name; an existing sort is found by its value alone."""
        sort = str.__new__(cls, value)
        sort._value_, sort.words = value, words
        return sort


ELEMENT: dict[str, Sort] = {
    Sort.CARDS: Sort.CARD,
    Sort.GROUPS: Sort.CARDS,
    Sort.PLAYERS: Sort.PLAYER,
    Sort.TEAMS: Sort.TEAM,
    Sort.NAMES: Sort.STRING,
    Sort.NUMBERS: Sort.NUMBER,
}
LIST_OF: dict[str, Sort] = {element: Sort(many) for many, element in ELEMENT.items()}

CHANCE = {"random", "shuffle", "max", "min"}
"""The heads that may draw random numbers; a tie of the best is decided by a coin."""


@dataclass
class Expression:
    """A compiled expression: the sort of its value, and the text that computes it."""

    sort: str
    text: str
    """Its text as part of a larger one."""
    source: Source
    constant: Any = None
    """The value, if it is always the same."""
    real: bool = False
    """Whether it is a real list of cards, not one assembled from others."""

    # compiled only when it is called by itself: most expressions become part of a longer text
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
    """Its text."""


BUILDERS: dict[str, Builder] = {}
"""The readers of expressions, by head."""


def builds(*heads: str) -> Callable[[F], F]:
    """Register the reader of the expressions with these heads."""

    def register(builder: F) -> F:
        BUILDERS.update(dict.fromkeys(heads, builder))
        return builder

    return register


def reads(form: str, sort: str) -> Callable[[F], F]:
    """Register a function for forms such as ``score CARD using MAP``.

    It is called with the node, the table and the parts.
    """

    def register(function: F) -> F:
        BUILDERS[_head(form)] = lambda node, scope: scope.expression(sort, scope.call(node, form, function))
        return function

    return register


def says(sort: str, texts: Mapping[str, str]) -> None:
    """Register forms by their Python text, with the parts of the form in braces."""

    def builder(form: str, text: str) -> Builder:
        return lambda node, scope: scope.expression(sort, text.format(*scope.parts(node, form)))

    BUILDERS.update({_head(form): builder(form, text) for form, text in texts.items()})


def _head(form: str) -> str:
    """Return the head of the nodes that a form describes."""
    first, *rest = form.split()
    return f"nth {rest[0]}" if first.isupper() else f"{first} {rest[0]}" if first in POINTING else first


PARTS: dict[str, Callable[[Node, Scope], Sequence[str]]] = {
    "COLLECTION": lambda node, scope: [scope.collection(node)[0].text],
}
"""The other words that may occur in a form in place of a value, and their texts."""


class Scope:
    """The variables in scope, the words of a dialect, and the problems found so far."""

    unrolls = True
    """Whether a short loop over the players is written out for each of them."""

    def __init__(self) -> None:
        self.own_words: dict[str, Builder] = {}
        """The readers of expressions that this dialect reads differently, by head."""
        self.own_steps: dict[str, StepBuilder] = {}
        """The readers of steps that this dialect reads differently, by head."""
        self.players = 0
        self.source = Source()
        self.variables: dict[str, Variable] = {}
        self.slots = 0
        self.problems: list[Problem] = []
        self.binder: list[tuple[str, Node]] = []
        """The enclosing forms that bind a variable, innermost last, to explain what an unbound variable should be."""

    def declare(self, name: str, sort: str, by: str = "declare", value: str = "") -> int:
        """Bind a name for the whole game; return its slot.

        A variable with a constant ``value`` is written as that value, and needs no slot.
        """
        slot = self.slot(name, sort)
        self.slots = max(self.slots, slot + (not value))
        self.variables[name] = Variable(slot, sort, by, value or f"table.env[{slot}]")
        return slot

    def slot(self, _name: str, _sort: str) -> int:
        """Return the slot of a variable that is currently bound."""
        return self.slots

    @contextmanager
    def binding(self, name: Node, sort: str, by: str, value: str = "") -> Iterator[int]:
        """Bind a variable inside a form, with its value if that is known; yield its slot."""
        if name.kind != "variable":
            raise name.wrong(f"{by} needs a variable here, as in 'X, not {name}")
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
        """Compile an expression of any sort; a long text becomes a function that others call."""
        made = self._read(node)
        if len(made.text) > LONGEST:
            made.text = self.source.call(node, made.run)
        if made.sort in (Sort.CARDS, Sort.GROUPS) and not made.real and self._steady(node):
            self.source.steady.add(made.text)
        return made

    def _steady(self, node: Node) -> bool:
        """Return whether a form depends neither on chance nor on a variable that is bound outside it."""
        bound = {name for name, variable in self.variables.items() if variable.by != "declare"}
        return not any(part.head in CHANCE or (part.kind == "variable" and part.text in bound) for part in node.walk())

    def _read(self, node: Node) -> Expression:
        match node.kind:
            case "number":
                value = _number(node)
                return self.expression(Sort.NUMBER, str(value), constant=value)
            case "name":
                return self.expression(Sort.STRING, repr(node.text), constant=node.text)
            case "variable":
                return self.variable(node)
            case "word" if node.text in ("player", "team", "game"):
                return self.expression(*_WHOLE[node.text])
            case "form" if (builder := self.own_words.get(node.head) or BUILDERS.get(node.head)) is not None:
                return builder(node, self)
        if node.kind == "form":
            raise node.wrong(meaning(node, BUILDERS) or f"there is no such expression: {excerpt(node)}")
        raise node.wrong(f"{node} is a word of the language, not a value; names are in capitals")

    def variable(self, node: Node) -> Expression:
        """Compile a variable."""
        known = self.variables.get(node.text)
        if known is None:
            raise node.wrong(self._unbound(node.text))
        return self.expression(known.sort, known.text)

    def close(self, loop: Expression, _slot: int) -> Expression:
        """Return the text for a loop or a `let` with the variable in a slot."""
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
            wanted = " or ".join(Sort(sort).words for sort in sorts)
            raise node.wrong(f"{wanted} is needed here, and {excerpt(node)} is {Sort(expression.sort).words}")
        return expression

    def expression(self, sort: str, text: str, *, constant: Any = None, real: bool = False) -> Expression:
        """Return the expression for a text."""
        return Expression(sort, text, self.source, constant, real=real)

    def parts(self, node: Node, form: str) -> list[str]:
        """Compile the parts of a form at the capitals of, for example, ``runs largest|all NUMBER CARDS using MAP``.

        The capitals are sorts or words of `PARTS`; the other words must occur literally.
        """
        wanted = form.split()
        if len(node.items) != len(wanted) or not all(map(_fits, node.items, wanted)):
            raise node.wrong(f"this is written as ({form}), and not as {excerpt(node)}")
        texts: list[str] = []
        for item, part in zip(node.items, wanted, strict=True):
            if part in PARTS:
                texts += PARTS[part](item, self)
            elif part.isupper():
                texts.append(self.text(item, part.lower()))
        return texts

    def call(self, node: Node, form: str, function: Callable[..., Any]) -> str:
        """Compile a form to the call of a function with the node, the table, and its parts."""
        return self.source.call(node, partial(function, node), *self.parts(node, form))

    def text(self, node: Node, *sorts: str) -> str:
        """Compile an expression that must be of one of these sorts, as part of a text."""
        return self.expect(node, *sorts).text

    def collection(self, node: Node) -> tuple[Expression, str]:
        """Compile a collection as an expression; return it and the sort of its elements."""
        expression = self.read(node)
        if expression.sort == Sort.TEAM:
            return self.expression(Sort.PLAYERS, f"table.teams[{expression.text}]"), Sort.PLAYER
        if expression.sort not in ELEMENT:
            raise node.wrong(
                f"something with elements is needed here, and {excerpt(node)} is {Sort(expression.sort).words}"
            )
        return expression, ELEMENT[expression.sort]

    def arity(self, node: Node, *counts: int) -> None:
        """Raise an error unless a form has this many items."""
        if len(node.items) not in counts:
            wanted = " or ".join(str(count - 1) for count in counts)
            raise node.wrong(f"{node.head} takes {wanted} things, and here are {len(node.items) - 1}: {excerpt(node)}")

    def attempt(self, build: Callable[[Node], Any], node: Node) -> Any:
        """Build from a node; if that fails, note the problem and return None."""
        try:
            return build(node)
        except Wrong as wrong:
            self.problems.append(wrong.problem)
            return None


def _fits(item: Node, part: str) -> bool:
    """Return whether an item fits a form at a place for this sort, or for one of these words."""
    return part.isupper() or item.text in part.split("|")


_WHOLE = {
    "player": (Sort.PLAYERS, "range(table.players)"),
    "team": (Sort.TEAMS, "range(len(table.teams))"),
    "game": (Sort.GAME, "table.players"),
}


def _number(node: Node) -> int:
    if len(node.text) > 10 or int(node.text) > 0x7FFFFFFF:
        raise node.wrong(f"numbers end at {0x7FFFFFFF}")
    return int(node.text)


def meaning(node: Node, words: Iterable[str]) -> str | None:
    """Return a hint about the word that a form's misspelled first word probably is, if any."""
    first = node.items[0] if node.kind == "form" and node.items else node
    close = get_close_matches(first.text, words, 1, 0.7) if first.kind == "word" else []
    return f"there is no {first.text}; did you mean {close[0]}?" if close and close[0] != first.text else None


def excerpt(node: Node, limit: int = 60) -> str:
    """Return a form as one short line."""
    text = str(node)
    return text if len(text) <= limit else text[: limit - 4] + " ..."
