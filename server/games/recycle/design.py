"""Design: hints in a program about drawing its table: which lists are a trick or a pile, which stores matter."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.server.games.recycle.reader import Node

_STORES = {"sto", "str"}
_CHANGES = {"set", "inc", "dec"}
_ENDS = {"top", "bottom", "size"}
"""Forms that only look at an end of a list. With no other forms the list is a pile: it need not be spread out."""
_SWITCH = {"0", "1"}
_CONDITIONS = {"and", "or", "not", "==", "!=", "<", ">", "<=", ">=", "any", "all"}


class Design(NamedTuple):
    """The names of lists and of stores, by purpose.

    ``tricks``: open lists in which a round ends when each player has one card. ``piles``: open lists of which only the
    ends are used. ``followed``: stores on which the scores depend, or whose value a player chooses; the others are a
    program's internal state. ``flags``: stores that are only ever 0 or 1. ``graves``: lists to which cards are moved
    and at which nothing looks again. ``winner_leads``: whether the owner of a card plays next.
    """

    tricks: frozenset[str]
    piles: frozenset[str]
    followed: frozenset[str]
    flags: frozenset[str]
    graves: frozenset[str]
    winner_leads: bool


# cached because every game of a program draws with the same design
@lru_cache(maxsize=64)
def design_of(tree: Node) -> Design:
    """Return the design of a program's tree."""
    stores = _Stores(tree)
    tricks = frozenset(_trick_names(tree))
    looked_at = {_name(each) for parent, each in _edges(tree) if each.head == "vloc" and parent.head not in _ENDS}
    piles = {_name(each) for _, each in _edges(tree) if each.head == "vloc"} - looked_at - tricks
    winner_leads = any(node.head == "cycle" and node.items[-1].head == "owner" for node in _nodes(tree))
    return Design(tricks, frozenset(piles), stores.followed(tree), stores.flags(), _graves(tree), winner_leads)


class _Stores:
    """The stores of a program: the values of each, and the other stores on which they depend."""

    def __init__(self, tree: Node) -> None:
        self.needs: dict[str, set[str]] = {}
        self.values: dict[str, set[str]] = {}
        self.chosen: set[str] = set()
        self._read(tree, frozenset())

    def _read(self, node: Node, conditions: frozenset[str]) -> None:
        """Note each change below a node, with the stores in the conditions before it."""
        if node.head in _CHANGES and len(node.items) > 2 and node.items[1].head in _STORES:
            name, value = _name(node.items[1]), node.items[2]
            self.needs.setdefault(name, set()).update(conditions, _mentioned(value))
            self.values.setdefault(name, set()).add(str(value) if node.head == "set" else node.head)
            if node.head == "set" and _is_chosen(value):
                self.chosen.add(name)
        if len(node.items) == 2 and node.items[0].head in _CONDITIONS:
            conditions |= _mentioned(node.items[0])
        for item in node.items:
            self._read(item, conditions)

    def followed(self, tree: Node) -> frozenset[str]:
        """Return the stores on which the scores depend, even indirectly, and those whose value is chosen."""
        found: set[str] = set()
        due = [name for node in _nodes(tree) if node.head == "scoring" for name in _mentioned(node)]
        while due:
            name = due.pop()
            if name not in found:
                found.add(name)
                due += () if name in self.chosen else self.needs.get(name, ())
        return frozenset(found | self.chosen)

    def flags(self) -> frozenset[str]:
        """Return the stores that are only ever 0 or 1."""
        return frozenset(name for name, values in self.values.items() if values <= _SWITCH)


def _is_chosen(value: Node) -> bool:
    """Return whether a player chooses a value, or it is turned up; the values on a played card are visible there."""
    return value.kind == "variable" or (value.head == "cardatt" and value.items[-1].kind == "form")


def _trick_names(tree: Node) -> Iterator[str]:
    """Yield the lists in which a stage ends when each player's list has one card."""
    for end in _nodes(tree):
        for node in _nodes(end) if end.head == "end" and end.items[-1].head == "all" else ():
            if node.head == "==" and node.items[1].head == "size" and str(node.items[2]) == "1":
                yield from (_name(each) for each in _nodes(node) if each.head == "vloc")


def _graves(tree: Node) -> frozenset[str]:
    """Return the names of open lists that occur only as the goal of a move."""
    goals = {id(each) for node in _nodes(tree) if node.head == "move" for each in _nodes(node.items[2])}
    lists = [each for each in _nodes(tree) if each.head == "vloc"]
    return frozenset(map(_name, lists)) - {_name(each) for each in lists if id(each) not in goals}


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for item in node.items:
        yield from _nodes(item)


def _edges(node: Node) -> Iterator[tuple[Node, Node]]:
    """Yield each node below one, with its parent."""
    for item in node.items:
        yield node, item
        yield from _edges(item)


def _mentioned(node: Node) -> frozenset[str]:
    return frozenset(_name(each) for each in _nodes(node) if each.head in _STORES)


def _name(node: Node) -> str:
    """Return the name of a list or a store; empty if it is a variable."""
    return node.items[2].text if len(node.items) > 2 and node.items[2].kind == "name" else ""
