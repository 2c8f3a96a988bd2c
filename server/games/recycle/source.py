"""Source: the Python text that a program becomes, and the functions that are made of it.

A text works something out from the ``table``, or is a line that acts on it; it is made of the texts of its parts. What
has no text of its own is called by the word and the place of its form in the program: ``max_42_7(table)``.
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
"""Characters of a text that stands within others; what is longer is a function of its own."""
DEEPEST = 10
"""Levels of lines within others."""
_CALLABLE: dict[str, Any] = {}


def callable_in_texts(function: F) -> F:
    """Let every text call a function by its name."""
    _CALLABLE[function.__name__] = function
    return function


class _Unbound:
    """What a variable holds that is bound to nothing."""


UNBOUND = _Unbound()


class Source:
    """What the texts of one program may name."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"UNBOUND": UNBOUND, **_CALLABLE}
        self.steady: set[str] = set()
        """Lists put together without chance or a variable from around: the same as long as nothing is changed."""
        self.stores: set[str] = set()
        """Numbers and words that are kept for an owner who is always there: what they are can be asked beforehand."""

    def call(self, node: Node, function: Callable[..., Any], *texts: str) -> str:
        """Return the call of a function that is made for a form: with the table, and what these texts come to."""
        return f"{self.name(node, function)}({', '.join(('table', *texts))})"

    def name(self, node: Node, function: Callable[..., Any], word: str = "") -> str:
        """Return under which name texts know a function that is made for a form."""
        name = f"{word or (node.head if node.head.isidentifier() else 'form')}_{node.line}_{node.column}"
        while self.names.setdefault(name, function) is not function:
            name += "_"
        return name

    def within(self, node: Node, lines: Sequence[str], *given: str) -> list[str]:
        """Return lines one level deeper, where they stand under one that says when or how often."""
        if any(line.startswith("    " * DEEPEST) for line in lines):
            lines = [self.call(node, self.function_doing(lines, *given), *given)]
        return [f"    {line}" for line in lines or ["pass"]]

    def once_each(self, lines: Sequence[str]) -> list[str]:
        """Return lines that change nothing so that they work out no more than once what is steady in them."""
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
        """Return the function from the table to what a text comes to."""
        run: Run = eval(f"lambda table: {text}", self.names)  # noqa: S307  a program's words stand in it as literals
        return run

    def function_doing(self, lines: Sequence[str], *given: str) -> Callable[..., Any]:
        """Return the function that does what lines say with the table, and with what else is given."""
        made: dict[str, Callable[..., Any]] = {}
        text = "\n    ".join([f"def act({', '.join(('table', *given))}):", *(lines or ["pass"])])
        exec(text, self.names, made)  # noqa: S102  likewise
        return made["act"]
