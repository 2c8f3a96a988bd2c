"""Layout: what lies where on a RECYCLE table, and what is kept in its stores; two of them tell what came between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from croupier.protocol.views.recycle import RecycleView

    Place = tuple[Any, ...]
    """``(OWNER KIND NAME)``, with a number behind it where there are several."""

_UNSEEN = {"iloc", "hloc"}
"""Kinds of lists that nobody sees where they belong to the table."""


class Layout(NamedTuple):
    """Where each card lies, and the value of each store by its owner and name."""

    places: Mapping[int, Place] = {}
    stores: Mapping[tuple[Any, str], Any] = {}

    @classmethod
    def of(cls, table: RecycleView) -> Layout:
        """Return how a table is laid out that is seen as a whole."""
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

    def arrivals(self, before: Layout) -> dict[Place, list[int]]:
        """Return the cards that have come to each list since, the bottom first."""
        come: dict[Place, list[int]] = {}
        for card, place in self.places.items():
            if before.places.get(card) != place:
                come.setdefault(place, []).append(card)
        return come

    def changes(
        self, before: Layout, verb: str, say: Callable[[Place], str], card: Callable[[int], str]
    ) -> Iterator[str]:
        """Yield in words what has come to each list since, and which stores have another value."""
        for place, cards in self.arrivals(before).items():
            unseen = place[0] == "table" and place[1] in _UNSEEN
            yield f"{say(place)} {verb} {f'{len(cards)} cards' if unseen else ', '.join(map(card, cards))}"
        changed = {key: value for key, value in self.stores.items() if before.stores.get(key, 0) != value}
        if changed:
            yield ", ".join(f"{say((owner, '', name))} is {value}" for (owner, name), value in changed.items())
