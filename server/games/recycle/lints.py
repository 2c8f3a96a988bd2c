"""Lints: parts of a program that are allowed, but probably not what its author means."""

from __future__ import annotations

from contextlib import suppress
from difflib import get_close_matches
from typing import TYPE_CHECKING

from croupier.server.games.recycle.deck import cards_of
from croupier.server.games.recycle.original.generations import read_otherwise
from croupier.server.games.recycle.reader import KINDS, STORES, Broken, Node

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from croupier.server.games.recycle.reader import Problem

COUNTS = ("set", "update", "inc", "dec")


_FILLS = ("set", "update")
_NOTHING = "NONE"
"""The word that programs put into an empty store."""


def lint(tree: Node, cards: Sequence[Mapping[str, str]]) -> list[Problem]:
    """Report everything suspicious in a normalized program with these cards, in the order of the text."""
    found = [
        *_wrong_way_round(tree),
        *_kinds_that_differ(tree),
        *_any_outside_choice(tree),
        *_never_set(tree),
        *_never_read(tree),
        *_on_no_card(tree, cards),
        *read_otherwise(tree),
    ]
    return sorted(found)


def _wrong_way_round(tree: Node) -> Iterator[Problem]:
    """Find a flag that allows cards of a kind, but is set when there is no card of that kind."""
    guards = dict(guard for choice in _forms(tree, "choice") for guard in _guards(choice))
    for tests, action in _conditionals(tree):
        for flag in _flags_set(action):
            for test in tests:
                kind = _attribute_of(test.items[1].items[1], "==") if _is_zero(test, "size") else None
                if kind is not None and guards.get(flag) == kind:
                    yield test.problem(
                        f"this test is the wrong way round: it sets {flag} when there is no card with "
                        f"{' '.join(kind)}, and while {flag} is 0 just those cards may not be chosen; "
                        "set it when there is one, with != instead of ==",
                        "warning",
                    )


def _guards(choice: Node) -> Iterator[tuple[str, tuple[str, str]]]:
    """Find the cards that a choice holds back while a flag is 0: the flag, and their key and value."""
    for tests, action in _conditionals(choice):
        flags = [str(test.items[1]) for test in tests if _is_zero(test, "sto")]
        for loop in _forms(action, "any"):
            different = _attribute_of(loop.items[1], "!=") if len(loop.items) == 4 else None
            if different is not None:
                yield from ((flag, different) for flag in flags)


def _conditionals(tree: Node) -> Iterator[tuple[Sequence[Node], Node]]:
    """Find forms with conditions, ``(CONDITION ACTION)``: all conditions, and the action."""
    for node in tree.walk():
        match node:
            case Node("nth", (Node("and", (_, *tests)), action)) | Node("nth", (*tests, action)) if (
                len(node.items) == 2
            ):
                yield tuple(tests), action


def _attribute_of(node: Node, sign: str) -> tuple[str, str] | None:
    """Return the key and the value by which ``(filter LIST 'V (SIGN (cardatt KEY 'W) VALUE))`` selects cards."""
    match node:
        case Node("filter", (_, _, _, Node(head, (_, Node("cardatt", (_, key, _)), value)))) if head == sign:
            return str(key), str(value)
    return None


def _is_zero(test: Node, head: str) -> bool:
    match test:
        case Node("==", (_, Node(asked, (_, _, *_)), Node(kind="number", text="0"))):
            return asked == head
    return False


def _flags_set(action: Node) -> Iterator[str]:
    for node in action.walk():
        match node:
            case Node("set", (_, Node("sto") as flag, value)) if value.text.strip("0"):
                yield str(flag)


def _forms(tree: Node, *heads: str) -> Iterator[Node]:
    return (node for node in tree.walk() if node.head in heads)


def _kinds_that_differ(tree: Node) -> Iterator[Problem]:
    """Find lists with the same owner and name but of different kinds, because each kind is a separate list."""
    seen: dict[tuple[bool, str], Node] = {}
    told: set[tuple[bool, str, str]] = set()
    for node in _forms(tree, *KINDS):
        if node.head != "mem" and len(node.items) > 2 and node.items[2].kind == "name":
            key = (node.items[0].has("word", "game"), node.items[2].text)
            first = seen.setdefault(key, node)
            if first.head != node.head and (*key, node.head) not in told:
                told.add((*key, node.head))
                said = f"{key[1]} is {node.head} here and {first.head} at line {first.line}"
                yield node.problem(f"{said}: these are two different lists", "warning")


def _any_outside_choice(tree: Node) -> Iterator[Problem]:
    """Find `any` with an action outside choices, where it is the same loop as `all`."""
    for block in _blocks(tree):
        for node in block.walk():
            if node.head == "any" and len(node.items) == 4 and _has_action(node.items[3]):
                yield node.problem("outside a choice, any does what all does: the action for every element", "warning")


def _blocks(node: Node) -> Iterator[Node]:
    """Yield the blocks that the machine runs: those of the game and its stages that are not choices."""
    for item in node.items:
        if item.head in ("do", "any", "all", "let"):
            yield item
        elif item.head in ("stage", "game"):
            yield from _blocks(item)


def _has_action(node: Node) -> bool:
    return any(part.head in ("move", *COUNTS, "do", "cycle", "turn", "remember") for part in node.walk())


def _never_set(tree: Node) -> Iterator[Problem]:
    """Find stores that are read but never set, if all stores that are set have plain names."""
    for store in STORES:
        written = [name for node in _forms(tree, *COUNTS) if (name := _name_of_store(node, store)) is not None]
        told = {name.text for name in written}
        for node in _forms(tree, store) if all(name.kind == "name" for name in written) else ():
            name = node.items[2] if len(node.items) == 3 else node
            if name.kind == "name" and name.text not in told:
                told.add(name.text)
                what = "point map" if store == "points" else "store"
                yield node.problem(f"the {what} {name.text} is used here and never set", "warning")


def _name_of_store(node: Node, store: str) -> Node | None:
    """Return the name of the store that an action changes, of this kind; None if it changes none."""
    match node.items:
        case (_, Node(head, (_, _, name)), _) if head == store:
            return name
    return None


def _never_read(tree: Node) -> Iterator[Problem]:
    """Find point maps that are set but never used, and declared variables that are never used."""
    targets = {id(node.items[1]) for node in _forms(tree, *_FILLS) if len(node.items) == 3}
    used = [node.items[2] for node in _forms(tree, "points") if len(node.items) == 3 and id(node) not in targets]
    told = {name.text for name in used}
    for node in _forms(tree, "set") if all(name.kind == "name" for name in used) else ():
        name = _name_of_store(node, "points")
        if name is not None and name.kind == "name" and name.text not in told:
            told.add(name.text)
            yield node.items[1].problem(f"the point map {name} is set here and never used", "warning")
    for node in _forms(tree, "declare"):
        if len(node.items) == 3 and sum(part.has("variable", node.items[2].text) for part in tree.walk()) == 1:
            yield node.items[2].problem(f"{node.items[2]} is declared here and never used", "warning")


def _on_no_card(tree: Node, cards: Sequence[Mapping[str, str]]) -> Iterator[Problem]:
    """Find keys and values that no card has but that cards are, or probably are, asked for."""
    values: dict[str, set[str]] = {}
    for card in [*cards, *(card for deck in _later_decks(tree) for card in deck)]:
        for name, text in card.items():
            values.setdefault(name, set()).add(text)
    told: set[tuple[str, str]] = set()
    for at, key, value in [*_find_asked(tree), *_find_misspelled(tree, values)]:
        known = values.get(key)
        if known is None:
            wrong, said, near = (key, ""), f"no card has a {key}", get_close_matches(key, values, 1)
        elif value is None or value in known:
            continue
        else:
            wrong, near = (key, value), get_close_matches(value, known, 1)
            said = f"no card has a {key} of {value}"
        if wrong not in told:
            told.add(wrong)
            yield at.problem(f"{said}; did you mean {near[0]}?" if near else said, "warning")


def _find_misspelled(tree: Node, values: Mapping[str, set[str]]) -> Iterator[tuple[Node, str, str]]:
    """Find names that are almost values of a key, in lists and stores of such: place, key, value.

    Other names, such as NOTRUMP beside four suits, may be intended.
    """
    for names in _forms(tree, "names"):
        for key, known in values.items():
            listed = [name.text for name in names.items if name.kind == "name"]
            if sum(name in known for name in listed) * 2 > len(listed):
                yield from ((at, key, at.text) for at in names.items if _is_nearly(at, known.difference(listed), known))
    keys = _kept_keys(tree)
    for store, (setting, comparing) in _kept_names(tree).items():
        known = values.get(keys.get(store, ""), set())
        marks = {name.text for name in setting} & {name.text for name in comparing}
        for name in (*setting, *comparing):
            if name.text not in marks and name.text != _NOTHING and _is_nearly(name, known, known):
                yield name, keys[store], name.text


def _is_nearly(name: Node, wanted: Collection[str], known: Collection[str]) -> bool:
    """Return whether a name is unknown, but almost one of the expected ones."""
    return name.kind == "name" and name.text not in known and bool(get_close_matches(name.text, wanted, 1))


def _kept_keys(tree: Node) -> dict[str, str]:
    """Return, for each string store as written, the key whose values it holds."""
    found: dict[str, str] = {}
    for node, store, other in _stores_beside(tree, "==", "!=", "set", ":"):
        match other:
            case Node("cardatt", (_, Node(kind="name") as key, _)):
                found.setdefault(store, key.text)
            case Node(kind="name", text=key) if node.head == ":":
                found.setdefault(store, key)
    return found


def _kept_names(tree: Node) -> dict[str, tuple[list[Node], list[Node]]]:
    """Return, for each string store, the names that it is set to, and those that it is compared with."""
    found: dict[str, tuple[list[Node], list[Node]]] = {}
    for node, store, other in _stores_beside(tree, "==", "!=", "set"):
        if other.kind == "name":
            found.setdefault(store, ([], []))[node.head != "set"].append(other)
    return found


def _stores_beside(tree: Node, *heads: str) -> Iterator[tuple[Node, str, Node]]:
    """Yield each form of two things of which one is a string store: the form, the store as written, the other."""
    for node in _forms(tree, *heads):
        match node.items:
            case (_, Node("str") as store, other) | (_, other, Node("str") as store):
                yield node, str(store), other


def _later_decks(tree: Node) -> Iterator[Sequence[Mapping[str, str]]]:
    """Return the cards that a program creates while it runs."""
    for node in _forms(tree, "create"):
        match node.items:
            case (_, Node(text="deck"), *_, Node("deck") as deck):
                with suppress(Broken):
                    yield cards_of(deck, {})


def _find_asked(tree: Node) -> Iterator[tuple[Node, str, str | None]]:
    """Find where cards are asked for a key, and for which value if that is stated: place, key, value."""
    for node in tree.walk():
        match node:
            case (
                Node("==" | "!=", (_, Node("cardatt", (_, Node(kind="name") as key, _)), value))
                | Node("==" | "!=", (_, value, Node("cardatt", (_, Node(kind="name") as key, _))))
                | Node(":", (_, Node(kind="name") as key, value))
            ):
                yield node, key.text, value.text if value.kind == "name" else None
            case Node("cardatt" | "partition", (_, Node(kind="name") as key, _, *_)):
                yield node, key.text, None
