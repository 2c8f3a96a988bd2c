"""Point maps: awards of points to cards, as a table by card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.games.recycle.card_table import Watched

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.protocol.sexp import Sexp
    from croupier.server.games.recycle.card_table import Veil
    from croupier.server.games.recycle.deck import Deck

    Award = tuple[tuple[tuple[str, str], ...], int]

_KEPT = 512


class PointMap:
    """What each card is worth: the sum of all awards whose every part it has."""

    __slots__ = ("_listed", "awards", "table")

    def __init__(self, awards: tuple[Award, ...], table: Sequence[int]) -> None:
        self.awards = awards
        self.table = table
        self._listed: dict[tuple[Sexp, str], tuple[Sexp, ...]] = {}

    def form(self, owner: Sexp, name: str) -> tuple[Sexp, ...]:
        """Return the map as STATE lists it: made once, as it is shown in every STATE."""
        form = self._listed.get((owner, name))
        if form is None:
            form = self._listed[owner, name] = (owner, name, *map(_written, self.awards))
        return form

    @classmethod
    def of(cls, awards: tuple[Award, ...], deck: Deck) -> PointMap:
        """Return the map of these awards over a deck; maps that come again, trick by trick, are kept."""
        kept = deck.maps.get(awards)
        if kept is None:
            if len(deck.maps) >= _KEPT:
                deck.maps.clear()
            kept = deck.maps[awards] = cls(awards, _totals(awards, deck))
        return kept

    def awards_with(self, more: PointMap) -> tuple[Award, ...]:
        """Return the awards with those of another map, which replace the ones for the same keys."""
        renewed = {_keys(award) for award in more.awards}
        return (*[award for award in self.awards if _keys(award) not in renewed], *more.awards)

    def watched(self, veil: Veil) -> PointMap:
        """Return the same map, which tells the veil when a hidden card is scored."""
        return PointMap(self.awards, Watched(self.table, veil))


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
