"""Lints: what is allowed in a program, and probably not what its author means."""

from __future__ import annotations

from contextlib import suppress
from difflib import get_close_matches
from typing import TYPE_CHECKING

from croupier.server.games.recycle.card_table import Broken
from croupier.server.games.recycle.deck import cards_of
from croupier.server.games.recycle.reader import KINDS, STORES
from croupier.server.games.recycle.scope import excerpt
from croupier.server.games.recycle.values import COMPARISONS, OPERATIONS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from croupier.server.games.recycle.reader import Node, Problem

COUNTS = ("set", "update", "inc", "dec")


_FILLS = ("set", "update")
_NOTHING = "NONE"
"""What programs write into a store that is to hold nothing."""


def lint(tree: Node, cards: Sequence[Mapping[str, str]]) -> list[Problem]:
    """Report everything suspicious in a normalised program with these cards, in the order of the text."""
    found = [
        *_wrong_way_round(tree),
        *_kinds_that_differ(tree),
        *_any_outside_choice(tree),
        *_never_set(tree),
        *_never_read(tree),
        *_on_no_card(tree, cards),
        *_read_otherwise(tree),
    ]
    return sorted(found)


def _wrong_way_round(tree: Node) -> Iterator[Problem]:
    """Find the flag that lets cards of a kind be played, and is set when there is no card of that kind."""
    guards = dict(guard for choice in _forms(tree, "choice") for guard in _guards(choice))
    for node in tree.walk():
        if node.head != "nth" or len(node.items) != 2:
            continue
        for flag in _flags_set(node.items[1]):
            if (kind := guards.get(flag)) is None:
                continue
            for test in _conjuncts(node.items[0]):
                if _counts_none(test, kind):
                    key, value = kind
                    yield test.problem(
                        f"this test is the wrong way round: it sets {flag} when there is no card with {key} {value}, "
                        f"and while {flag} is 0 just those cards may not be chosen; set it when there is one, "
                        "with != instead of ==",
                        "warning",
                    )


def _guards(choice: Node) -> Iterator[tuple[str, tuple[str, str]]]:
    """Find what a choice holds back while a flag is 0: the flag, and the key and value of such cards."""
    for node in choice.walk():
        if node.head != "nth" or len(node.items) != 2:
            continue
        flags = [str(test.items[1]) for test in _conjuncts(node.items[0]) if _is_zero(test, "sto")]
        for loop in _forms(node.items[1], "any"):
            different = _by_attribute(loop.items[1], "!=") if len(loop.items) == 4 else None
            if different is not None:
                yield from ((flag, different) for flag in flags)


def _by_attribute(node: Node, sign: str) -> tuple[str, str] | None:
    """Return the key and the value by which ``(filter LIST 'V (SIGN (cardatt KEY 'W) VALUE))`` picks its cards."""
    if node.head != "filter" or len(node.items) != 4:
        return None
    test = node.items[3]
    if test.head != sign or len(test.items) != 3 or test.items[1].head != "cardatt" or len(test.items[1].items) != 3:
        return None
    return str(test.items[1].items[1]), str(test.items[2])


def _counts_none(test: Node, kind: tuple[str, str]) -> bool:
    return _is_zero(test, "size") and _by_attribute(test.items[1].items[1], "==") == kind


def _is_zero(test: Node, head: str) -> bool:
    return (
        test.head == "==" and len(test.items) == 3 and test.items[1].head == head and test.items[2].has("number", "0")
    )


def _conjuncts(condition: Node) -> tuple[Node, ...]:
    return condition.items[1:] if condition.head == "and" else (condition,)


def _flags_set(action: Node) -> Iterator[str]:
    for node in _forms(action, "set"):
        if len(node.items) == 3 and node.items[1].head == "sto" and node.items[2].text.strip("0"):
            yield str(node.items[1])


def _forms(tree: Node, head: str) -> Iterator[Node]:
    return (node for node in tree.walk() if node.head == head)


def _kinds_that_differ(tree: Node) -> Iterator[Problem]:
    """Find lists of one owner and name, but of several kinds: each kind is a list of its own."""
    seen: dict[tuple[bool, str], Node] = {}
    told: set[tuple[bool, str, str]] = set()
    for node in tree.walk():
        if node.head not in KINDS or node.head == "mem" or len(node.items) < 3 or node.items[2].kind != "name":
            continue
        owner = node.items[0].has("word", "game")
        name = node.items[2].text
        first = seen.setdefault((owner, name), node)
        if first.head != node.head and (owner, name, node.head) not in told:
            told.add((owner, name, node.head))
            yield node.problem(
                f"{name} is {node.head} here and {first.head} at line {first.line}: these are two different lists",
                "warning",
            )


def _any_outside_choice(tree: Node) -> Iterator[Problem]:
    """Find `any` with an action where nobody chooses: it is the same loop as `all`."""
    for block in _blocks(tree):
        for node in block.walk():
            if node.head == "any" and len(node.items) == 4 and _acts(node.items[3]):
                yield node.problem("outside a choice, any does what all does: the action for every element", "warning")


def _blocks(node: Node) -> Iterator[Node]:
    """Yield what the machine runs: the blocks of the game and its stages that are no choices."""
    for item in node.items:
        if item.head in ("do", "any", "all", "let"):
            yield item
        elif item.head in ("stage", "game"):
            yield from _blocks(item)


def _acts(node: Node) -> bool:
    return any(part.head in ("move", *COUNTS, "do", "cycle", "turn", "remember") for part in node.walk())


def _never_set(tree: Node) -> Iterator[Problem]:
    """Find stores that are read and never set, where all that is set has a plain name."""
    for store in STORES:
        written, dynamic = _written(tree, store)
        if dynamic:
            continue
        told: set[str] = set()
        for node in _forms(tree, store):
            name = node.items[2] if len(node.items) == 3 else node
            if name.kind == "name" and name.text not in written and name.text not in told:
                told.add(name.text)
                what = "point map" if store == "points" else "store"
                yield node.problem(f"the {what} {name.text} is used here and never set", "warning")


def _never_read(tree: Node) -> Iterator[Problem]:
    """Find point maps that are set and never used, and declared variables that are never used."""
    targets = {id(node.items[1]) for head in _FILLS for node in _forms(tree, head) if len(node.items) == 3}
    used = [node.items[2] for node in _forms(tree, "points") if len(node.items) == 3 and id(node) not in targets]
    if all(name.kind == "name" for name in used):
        told = {name.text for name in used}
        for node in _forms(tree, "set"):
            target = node.items[1] if len(node.items) == 3 else node
            if target.head == "points" and target.items[2].kind == "name" and target.items[2].text not in told:
                told.add(target.items[2].text)
                yield target.problem(f"the point map {target.items[2]} is set here and never used", "warning")
    for node in _forms(tree, "declare"):
        if len(node.items) == 3 and sum(part.has("variable", node.items[2].text) for part in tree.walk()) == 1:
            yield node.items[2].problem(f"{node.items[2]} is declared here and never used", "warning")


def _on_no_card(tree: Node, cards: Sequence[Mapping[str, str]]) -> Iterator[Problem]:
    """Find keys and values that no card has, where cards are asked for them or are likely to be."""
    values: dict[str, set[str]] = {}
    for card in [*cards, *(card for deck in _later_decks(tree) for card in deck)]:
        for name, text in card.items():
            values.setdefault(name, set()).add(text)
    told: set[tuple[str, str]] = set()
    for at, key, value in [*_asked(tree), *_misspelt(tree, values)]:
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


def _misspelt(tree: Node, values: Mapping[str, set[str]]) -> Iterator[tuple[Node, str, str]]:
    """Find names that are nearly values of a key, in lists of such and in stores of such: place, key, value.

    Other names, such as NOTRUMP beside four suits, may be meant.
    """
    for names in _forms(tree, "names"):
        for key, known in values.items():
            listed = [name.text for name in names.items if name.kind == "name"]
            if sum(name in known for name in listed) * 2 > len(listed):
                yield from ((at, key, at.text) for at in names.items if _nearly(at, known.difference(listed), known))
    keys = _kept_keys(tree)
    for store, (setting, comparing) in _kept_names(tree).items():
        known = values.get(keys.get(store, ""), set())
        marks = {name.text for name in setting} & {name.text for name in comparing}
        for name in (*setting, *comparing):
            if name.text not in marks and name.text != _NOTHING and _nearly(name, known, known):
                yield name, keys[store], name.text


def _nearly(name: Node, wanted: Collection[str], known: Collection[str]) -> bool:
    """Return whether a name is none of the known ones, but nearly one of those that are wanted."""
    return name.kind == "name" and name.text not in known and bool(get_close_matches(name.text, wanted, 1))


def _kept_keys(tree: Node) -> dict[str, str]:
    """Return for each string store, as it is written, the key whose values it holds."""
    found: dict[str, str] = {}
    for node in tree.walk():
        if node.head in ("==", "!=", "set", ":") and len(node.items) == 3:
            one, other = node.items[1:]
            for store, what in ((one, other), (other, one)):
                key = what if node.head == ":" else what.items[1] if len(what.items) == 3 else what
                if store.head == "str" and key.kind == "name" and (node.head == ":" or what.head == "cardatt"):
                    found.setdefault(str(store), key.text)
    return found


def _kept_names(tree: Node) -> dict[str, tuple[list[Node], list[Node]]]:
    """Return for each string store the names that it is set to, and those that it is compared with."""
    found: dict[str, tuple[list[Node], list[Node]]] = {}
    for node in tree.walk():
        if node.head in ("==", "!=", "set") and len(node.items) == 3:
            for store, name in (node.items[1:], node.items[:0:-1]):
                if store.head == "str" and name.kind == "name":
                    found.setdefault(str(store), ([], []))[node.head != "set"].append(name)
    return found


def _later_decks(tree: Node) -> Iterator[Sequence[Mapping[str, str]]]:
    """Make the cards that a program creates while it runs."""
    for node in _forms(tree, "create"):
        if node.items[1].has("word", "deck") and node.items[-1].head == "deck":
            with suppress(Broken):
                yield cards_of(node.items[-1], {})


def _asked(tree: Node) -> Iterator[tuple[Node, str, str | None]]:
    """Find where cards are asked for a key, and for which value if it is said: place, key, value."""
    for node in tree.walk():
        items = node.items
        if node.head in ("==", "!=") and len(items) == 3:
            for asked, value in ((items[1], items[2]), (items[2], items[1])):
                if asked.head == "cardatt" and len(asked.items) == 3 and asked.items[1].kind == "name":
                    yield node, asked.items[1].text, _literal(value)
        elif node.head in ("cardatt", "partition") and len(items) > 2 and items[1].kind == "name":
            yield node, items[1].text, None
        elif node.head == ":" and len(items) == 3 and items[1].kind == "name":
            yield node, items[1].text, _literal(items[2])


def _literal(value: Node) -> str | None:
    return value.text if value.kind == "name" else None


def _written(tree: Node, store: str) -> tuple[set[str], bool]:
    """Return the names that a program sets among its stores of a kind, and whether it works some out."""
    targets = [node.items[1] for head in COUNTS for node in _forms(tree, head) if len(node.items) == 3]
    names = [target.items[2] for target in targets if target.head == store and len(target.items) == 3]
    return {name.text for name in names if name.kind == "name"}, any(name.kind != "name" for name in names)


def _misread(node: Node) -> bool:
    """Tell whether a form has two literal numbers in a row, the second of several digits: all but its last go over."""
    items = node.items
    two = len(items) == 3 and items[1].kind == items[2].kind == "number"
    return two and node.head in (*OPERATIONS, *COMPARISONS) and len(items[2].text) > 1


def _read_otherwise(tree: Node) -> Iterator[Problem]:
    """Find what the original engine reads or does otherwise."""
    for node in tree.walk():
        items = node.items
        if _misread(node):
            yield node.problem(f"the original engine misreads two literal numbers in a row: {excerpt(node)}", "warning")
        if node.head == "repeat" and len(items) == 3 and items[1].kind != "word" and items[2].head in ("inc", "dec"):
            yield node.problem(f"the original engine counts only once here: {excerpt(node)}", "warning")
