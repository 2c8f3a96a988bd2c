"""Phrases: what an action does, as STATE writes it, said from its words alone: it is not done and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.games.recycle.places import POINTED, owner
from croupier.server.games.recycle.reader import KINDS
from croupier.server.games.recycle.scope import CARD, CARDS, NUMBER, STRING

if TYPE_CHECKING:
    from croupier.server.games.recycle.reader import Node
    from croupier.server.games.recycle.scope import Scope


def phrase(action: Node, scope: Scope) -> str:
    """Return the text that says an action, or nothing where that hangs on what is done before it.

    It may hang on variables, on who is on turn and on what is on cards; so there may be one move in an option.
    """
    match action.head:
        case "move" if action.items[1].kind == "variable" and action.items[2].head in ("top", "bottom"):
            _, card, end = action.items
            if _own(end.items[-1], KINDS):
                return f"sight.moving({scope.text(card, CARD)}, {scope.text(end.items[-1], CARDS)}, {end.head!r})"
        case "set" if _own(action.items[1], ("sto", "str")) and _known(action.items[2]):
            _, stored, value = action.items
            who, text = owner(stored.items[0], scope), scope.text(value, NUMBER, STRING)
            put = f"{text} or 'none'" if stored.head == "str" else text
            return f"('set', sight.owner({who}), {stored.items[2].text!r}, {put})"
        case "turn":
            return "('pass',)"
    return ""


def _own(thing: Node, kinds: tuple[str, ...]) -> bool:
    """Tell whether this is a list or a store of these kinds, by name, whose owner is known before."""
    return thing.head in kinds and len(thing.items) == 3 and thing.items[2].kind == "name" and _known(thing.items[0])


def _known(value: Node) -> bool:
    """Tell whether a value is known before anything is done."""
    if value.head == "cardatt":
        return all(map(_known, value.items[1:]))
    return value.kind != "form" or value.head in POINTED
