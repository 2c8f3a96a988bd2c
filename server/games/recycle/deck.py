"""Decks: the cards of a program, numbered in order of creation, and their values."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from croupier.server.games.recycle.reader import Broken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.protocol.sexp import Sexp
    from croupier.server.games.recycle.reader import Node

    Attributes = dict[str, str]
    Award = tuple[tuple[tuple[str, str], ...], int]

BACK = "DEFAULT"
MAX_CARDS = 5_000
_KEPT = 512


class Columns(dict[str, list[str]]):
    """The values of each key by card; a key that no card has is empty everywhere."""

    def __init__(self, cards: list[Attributes]) -> None:
        super().__init__()
        self.cards = cards

    def __missing__(self, key: str) -> list[str]:
        made = self[key] = [card.get(key, "") for card in self.cards]
        return made


class Deck:
    """All cards of a game and their backs. Immutable: `with_more` makes a larger one."""

    def __init__(self, cards: list[Attributes], backs: list[str]) -> None:
        self.cards = cards
        self.backs = backs
        self.columns = Columns(cards)
        self.maps: dict[tuple[Any, ...], PointMap] = {}
        """Point maps that may recur, by their awards, or by their form in the program and the values put into it."""

    # a deck never changes, so this is computed once for all games of a program
    @cached_property
    def words(self) -> list[str]:
        """The word for each card in a shuffle."""
        return [str(card) for card in range(len(self.cards))]

    # a deck never changes, so this is computed once for all games of a program
    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each card, by its word."""
        return {word: card for card, word in enumerate(self.words)}

    # a deck never changes, so this is computed once for all games of a program
    @cached_property
    def written(self) -> list[tuple[Sexp, ...]]:
        """The values of each card, as in STATE."""
        return [(number, *card.items()) for number, card in enumerate(self.cards)]

    # a deck never changes, so this is computed once for all games of a program
    @cached_property
    def alike(self) -> bool:
        """Whether all cards have the same back."""
        return len(set(self.backs)) < 2

    def with_more(self, cards: list[Attributes], back: str) -> Deck:
        """Return a deck with more cards after these."""
        if len(self.cards) + len(cards) > MAX_CARDS:
            raise Broken(f"more than {MAX_CARDS:,} cards")
        return Deck(self.cards + cards, self.backs + [back] * len(cards))


def cards_of(deck: Node, lists: dict[str, list[str]]) -> list[Attributes]:
    """Return the cards of ``(deck ATTRIBUTE ...)``: the cross product, the first attribute outermost.

    ``lists`` are the declared lists of names, which may stand for the values of a key.
    """
    cards: list[Attributes] = [{}]
    for attribute in deck.items[1:]:
        leaves = _leaves(attribute, lists)
        if len(cards) * len(leaves) > MAX_CARDS:
            raise Broken(f"more than {MAX_CARDS:,} cards", attribute)
        cards = [{**card, **leaf} for card in cards for leaf in leaves]
    return cards


def _leaves(attribute: Node, lists: dict[str, list[str]]) -> list[Attributes]:
    """Return the possible values of one attribute: each under its key, a nested one with all keys on its path."""
    if len(attribute.items) < 2 or attribute.items[0].kind != "name":
        raise Broken("an attribute of a deck is (KEY (VALUE, ...))", attribute)
    key = attribute.items[0].text
    leaves: list[Attributes] = []
    for values in attribute.items[1:]:
        leaves += _values(key, values, lists)
    return leaves


def _values(key: str, values: Node, lists: dict[str, list[str]]) -> list[Attributes]:
    items = values.items
    if len(items) > 1 and items[1].kind == "form":
        return [{key: items[0].text, **leaf} for inner in items[1:] for leaf in _leaves(inner, lists)]
    found: list[Attributes] = []
    for value in items or (values,):
        if value.kind == "variable":
            if value.text not in lists:
                raise Broken(f"'{value.text} is not a declared list of names", value)
            found += [{key: name} for name in lists[value.text]]
        elif value.kind in ("name", "number"):
            found.append({key: value.text})
        else:
            raise Broken("a value of a deck is a NAME", value)
    return found


class PointMap:
    """The points of each card: the sum of all awards of which it has every part."""

    __slots__ = ("_listed", "awards", "table")

    def __init__(self, awards: tuple[Award, ...], table: Sequence[int]) -> None:
        self.awards = awards
        self.table = table
        self._listed: dict[tuple[Sexp, str], tuple[Sexp, ...]] = {}

    def form(self, owner: Sexp, name: str) -> tuple[Sexp, ...]:
        """Return the map as STATE lists it. Computed once, because every STATE shows it."""
        form = self._listed.get((owner, name))
        if form is None:
            form = self._listed[owner, name] = (owner, name, *map(_written, self.awards))
        return form

    @classmethod
    def of(cls, awards: tuple[Award, ...], deck: Deck) -> PointMap:
        """Return the map of these awards over a deck.

        It is kept, because the same maps are needed trick after trick.
        """
        kept = deck.maps.get(awards)
        if kept is None:
            if len(deck.maps) >= _KEPT:
                deck.maps.clear()
            kept = deck.maps[awards] = cls(awards, _totals(awards, deck))
        return kept

    def awards_with(self, more: PointMap) -> tuple[Award, ...]:
        """Return the awards updated with those of another map."""
        renewed = {_keys(award) for award in more.awards}
        return (*[award for award in self.awards if _keys(award) not in renewed], *more.awards)


def _keys(award: Award) -> tuple[str, ...]:
    return tuple(sorted(key for key, _ in award[0]))


def _written(award: Award) -> tuple[Sexp, ...]:
    parts, points = award
    return (*[(key, value or "none") for key, value in parts], points)


def _totals(awards: tuple[Award, ...], deck: Deck) -> list[int]:
    totals = [0] * len(deck.cards)
    for parts, points in awards:
        for card, attributes in enumerate(deck.cards):
            if all(attributes.get(key, "") == value for key, value in parts):
                totals[card] += points
    return totals
