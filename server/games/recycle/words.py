"""Words: what a RECYCLE program lets a player choose, what it did and how a table lies, said in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.protocol.views.recycle import named_cards
from croupier.server.games.broadcast import say
from croupier.server.games.recycle.layout import Layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from croupier.protocol.views.recycle import RecycleView
    from croupier.server.games.game import Play

_PLAIN = "DEFAULT"
"""The back of the cards of a program that knows only one."""
_VERBS = {"remember", "forget", "swap"}
"""What RECYCLE does with cards or lists, but to move them."""


def laid_out(view: RecycleView) -> Iterator[str]:
    """Yield what a seat sees of a RECYCLE table, a list of cards or a point map a line."""
    card = cards_of(view)
    yield from Layout.of(view).changes(Layout(), "holds", place_in_words, card)
    for place, *cards in view.visible or ():
        if place[1] == "mem":
            yield f"{place_in_words(place)} recalls {', '.join(map(card, cards))}"
    for place, many, back in view.hidden or ():
        yield f"{place_in_words(place)} holds {many} {'cards' if back == _PLAIN else back}"
    for owner, name, *awards in view.maps or ():
        yield f"{_owner(owner)}{name}: {', '.join(_award(*award) for award in awards)}"


def plain(attributes: Mapping[str, str]) -> str:
    """Say a card by what is on it."""
    return " ".join(map(str, attributes.values()))


def cards_of(view: RecycleView, name: Callable[[Mapping[str, str]], str] = plain) -> Callable[[int], str]:
    """Return what says each card that a view shows."""
    return lambda card: name(view.card(card))


def _award(*award: Any) -> str:
    *parts, points = award
    return " ".join([*[str(value) for _, value in parts], str(points)])


def chosen(view: RecycleView, play: Play, name: Callable[[Mapping[str, str]], str] = plain) -> str:
    """Say a choice of the seat whose view this is by what it does."""
    actions = next((actions for number, *actions in view.choices or () if ("choose", number) == play), None)
    return say(play) if actions is None else acted(actions, cards_of(view, name))


def heard(play: Play, name: Callable[[Mapping[str, str]], str] = plain) -> str:
    """Say a choice as all are told of it: it names its cards itself."""
    if not isinstance(play[-1], tuple):
        return say(play)
    cards, actions = (
        named_cards(play),
        [action for action in play[1:] if isinstance(action, tuple) and action[0] != "cards"],
    )
    return acted(actions, lambda card: name(cards.get(card, {})))


def acted(actions: Sequence[Any], card: Callable[[int], str]) -> str:
    """Say what a choice does."""

    def one(action: Any) -> str:
        match action:
            case ("move", moved, source, to, *slot):
                return " ".join(
                    [what(moved), "from", place_in_words(source), "to", place_in_words(to), *map(_slot, slot)]
                )
            case ("set", owner, name):
                return f"{_owner(owner)}{name} is changed"
            case ("set", owner, name, value):
                return f"{_owner(owner)}{name} is {value}"
            case (verb, *things) if verb in _VERBS:
                return " ".join([verb, *map(what, things)])
            case ("shuffle", place):
                return f"shuffle {place_in_words(place)}"
        return say(action)

    def what(thing: Any) -> str:
        if isinstance(thing, tuple):
            return place_in_words(thing)
        return card(thing) or f"card {thing}" if isinstance(thing, int) else f"a {_back(thing)}"

    return ", ".join(map(one, actions)) or "nothing"


def _back(back: str) -> str:
    return "card" if back == _PLAIN else back


def _slot(slot: Any) -> str:
    return "(at the bottom)" if slot == "bottom" else f"(at {slot})"


def place_in_words(place: Any) -> str:
    """Say a list: its owner and its name."""
    owner, _, name, *number = place
    return " ".join([_owner(owner) + str(name), *map(str, number)])


def _owner(owner: Any) -> str:
    if owner == "table":
        return ""
    return f"{'/'.join(owner[1:])} " if isinstance(owner, tuple) else f"{owner} "
