"""Sentences: descriptions in words of choices, of actions and of a table of a RECYCLE program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.protocol.views.recycle import named_cards
from croupier.server.games.broadcast import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from croupier.protocol.views.recycle import RecycleView
    from croupier.server.games.game import Play

    Place = tuple[Any, ...]
    """``(OWNER KIND NAME)``, followed by a number if there are several."""

_PLAIN = "DEFAULT"
"""The back of the cards in a program with only one."""
_UNSEEN = {"iloc", "hloc"}
"""Kinds of lists that nobody sees if they belong to the table."""


class Layout(NamedTuple):
    """The place of each card, and the value of each store by owner and name. Two layouts are compared for changes."""

    places: Mapping[int, Place] = {}
    stores: Mapping[tuple[Any, str], Any] = {}

    @classmethod
    def of(cls, table: RecycleView) -> Layout:
        """Return the layout of a table that is seen as a whole."""
        places = {card: place for place, *cards in table.visible for card in cards if place[1] != "mem"}
        return cls(places, {(owner, name): value for owner, name, value in table.stores})

    def after(self, actions: Iterable[Any]) -> Layout:
        """Return the layout after these actions of a choice."""
        places, stores = dict(self.places), dict(self.stores)
        for action in actions:
            match action:
                case ("move", card, _, to, *_):
                    places[card] = to
                case ("set", owner, name, value):
                    stores[owner, name] = value
        return Layout(places, stores)

    def changes(self, before: Layout, verb: str, name: Callable[[int], str]) -> Iterator[str]:
        """Yield in words the cards that have come to each list since, and the stores that have changed."""
        come: dict[Place, list[int]] = {}
        for card, place in self.places.items():
            if before.places.get(card) != place:
                come.setdefault(place, []).append(card)
        for place, cards in come.items():
            what = f"{len(cards)} cards" if is_unseen(place) else ", ".join(map(name, cards))
            yield f"{place_in_words(place)} {verb} {what}"
        changed = {key: value for key, value in self.stores.items() if before.stores.get(key, 0) != value}
        if changed:
            yield ", ".join(f"{_owner(owner)}{store} is {value}" for (owner, store), value in changed.items())


def is_unseen(place: Place) -> bool:
    """Return whether nobody sees the cards of a list."""
    return place[0] == "table" and place[1] in _UNSEEN


def say_table(view: RecycleView) -> Iterator[str]:
    """Yield what a seat sees of a RECYCLE table, a line per list of cards or point map."""
    card = cards_of(view)
    yield from Layout.of(view).changes(Layout(), "holds", card)
    for place, *cards in view.visible or ():
        if place[1] == "mem":
            yield f"{place_in_words(place)} recalls {', '.join(map(card, cards))}"
    for place, many, back in view.hidden or ():
        yield f"{place_in_words(place)} holds {many} {'cards' if back == _PLAIN else back}"
    for owner, name, *awards in view.maps or ():
        said_of = [" ".join([*[str(value) for _, value in parts], str(points)]) for *parts, points in awards]
        yield f"{_owner(owner)}{name}: {', '.join(said_of)}"


def say_values(attributes: Mapping[str, str]) -> str:
    """Return a card's values in words."""
    return " ".join(map(str, attributes.values()))


def cards_of(view: RecycleView, name: Callable[[Mapping[str, str]], str] = say_values) -> Callable[[int], str]:
    """Return a function that describes the cards of a view."""
    return lambda card: name(view.card(card))


def say_option(view: RecycleView, play: Play, name: Callable[[Mapping[str, str]], str] = say_values) -> str:
    """Describe a choice of the seat that has this view by what it does."""
    actions = next((actions for number, *actions in view.choices or () if ("choose", number) == play), None)
    return say(play) if actions is None else say_actions(actions, cards_of(view, name))


def say_choice(play: Play, name: Callable[[Mapping[str, str]], str] = say_values) -> str:
    """Describe a choice as all are told of it; it contains the values of its cards itself."""
    if not isinstance(play[-1], tuple):
        return say(play)
    cards = named_cards(play)
    actions = [action for action in play[1:] if isinstance(action, tuple) and action[0] != "cards"]
    return say_actions(actions, lambda card: name(cards.get(card, {})))


def say_actions(actions: Sequence[Any], card: Callable[[int], str]) -> str:
    """Describe what a choice does."""

    def say_action(action: Any) -> str:
        match action:
            case ("move", moved, source, to, *at):
                where = "".join([" (at the bottom)" if place == "bottom" else f" (at {place})" for place in at])
                return f"{what(moved)} from {what(source)} to {what(to)}{where}"
            case ("set", owner, name):
                return f"{_owner(owner)}{name} is changed"
            case ("set", owner, name, value):
                return f"{_owner(owner)}{name} is {value}"
            case ("remember" | "forget" | "swap" | "shuffle" as verb, *things):
                return " ".join([verb, *map(what, things)])
        return say(action)

    def what(thing: Any) -> str:
        if isinstance(thing, tuple):
            return place_in_words(thing)
        if isinstance(thing, int):
            return card(thing) or f"card {thing}"
        return "a card" if thing == _PLAIN else f"a {thing}"

    return ", ".join(map(say_action, actions)) or "nothing"


def place_in_words(place: Any) -> str:
    """Describe a list by its owner and its name."""
    owner, _, name, *number = place
    return " ".join([_owner(owner) + str(name), *map(str, number)])


def _owner(owner: Any) -> str:
    if owner == "table":
        return ""
    return f"{'/'.join(owner[1:])} " if isinstance(owner, tuple) else f"{owner} "
