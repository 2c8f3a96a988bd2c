"""Source: the Python text of a program, and the functions made of it.

A text is an expression of the ``table``, or a line that acts on it; it is composed of the texts of its parts. A form
without such a text is called as a function, named after its word and its place in the program: ``max_42_7(table)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.server.games.recycle.card_table import CardTable
    from croupier.server.games.recycle.reader import Node

    Run = Callable[[CardTable], Any]
    Act = Callable[[CardTable], None]

F = TypeVar("F", bound="Callable[..., Any]")

LONGEST = 300
"""The longest text, in characters, that is inserted into others; longer ones become functions."""
DEEPEST = 10
"""The deepest nesting of lines."""
_CALLABLE: dict[str, Any] = {}


def callable_in_texts(function: F) -> F:
    """Let every text call a function by its name."""
    _CALLABLE[function.__name__] = function
    return function


class _Unbound:
    """The value of a variable that is not bound."""


UNBOUND = _Unbound()


class Source:
    """The names that the texts of one program may use."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"UNBOUND": UNBOUND, **_CALLABLE}
        self.steady: set[str] = set()
        """Assembled lists that depend on neither chance nor an outer variable: they stay the same until a change."""
        self.stores: set[str] = set()
        """Numbers and words of an owner who always exists, so that they can be read in advance."""

    def call(self, node: Node, function: Callable[..., Any], *texts: str) -> str:
        """Return the call of a function that is made for a form, with the table and the values of these texts."""
        return f"{self.name(node, function)}({', '.join(('table', *texts))})"

    def name(self, node: Node, function: Callable[..., Any], word: str = "") -> str:
        """Return the name by which texts call a function that is made for a form."""
        name = f"{word or (node.head if node.head.isidentifier() else 'form')}_{node.line}_{node.column}"
        while self.names.setdefault(name, function) is not function:
            name += "_"
        return name

    def within(self, node: Node, lines: Sequence[str], *given: str) -> list[str]:
        """Return lines indented one level, for the body of a condition or a loop."""
        if any(line.startswith("    " * DEEPEST) for line in lines):
            lines = [self.call(node, self.function_doing(lines, *given), *given)]
        return [f"    {line}" for line in lines or ["pass"]]

    def once_each(self, lines: Sequence[str]) -> list[str]:
        """Return the given lines, which change nothing, so that each list in them is computed at most once."""
        text = "\n".join(lines)
        again = [steady for steady in sorted(self.steady, key=len, reverse=True) if text.count(steady) > 1]
        for number, steady in enumerate(again):
            once = f"(kept[{number}] if {number} in kept else kept.setdefault({number}, {steady}))"
            text = text.replace(steady, once)
        often = [store for store in sorted(self.stores) if text.count(store) > 1]
        for number, store in enumerate(often):
            text = text.replace(store, f"store_{number}")
        stores = [f"store_{number} = {store}" for number, store in enumerate(often)]
        return ["kept = {}", *stores, *text.split("\n")]

    def function_of(self, text: str) -> Run:
        """Return the function from the table to the value of a text."""
        run: Run = eval(f"lambda table: {text}", self.names)  # noqa: S307  program words occur only as literals
        return run

    def function_doing(self, lines: Sequence[str], *given: str) -> Callable[..., Any]:
        """Return a function that executes lines with the table and the ``given`` arguments."""
        made: dict[str, Callable[..., Any]] = {}
        text = "\n    ".join([f"def act({', '.join(('table', *given))}):", *(lines or ["pass"])])
        exec(text, self.names, made)  # noqa: S102  as above
        return made["act"]
