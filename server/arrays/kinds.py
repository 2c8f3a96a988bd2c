"""Kinds: which column each kind of field becomes. A kind that is not here becomes tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from croupier.protocol.sexp import parse
from croupier.protocol.views import dominion, doppelkopf, jass, view
from croupier.server.arrays.columns import (
    CardCounts,
    CardsByPlayer,
    Column,
    Flag,
    Number,
    PackedCards,
    Player,
    Players,
    Table,
    Tokens,
    TrickCards,
    TrickList,
    Word,
    Words,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from croupier.protocol.views.view import Field
    from croupier.server.arrays.columns import Seats, Sizes


class OtherPlayers(Column):
    """The other players of Dominion, clockwise from the observer."""

    dtype = np.int16
    most = None
    about = (
        "by seat from 1: the cards in deck, hand and discards, the top of the discards by its number from 1, "
        "and how many of each card the player owns"
    )

    def __init__(self, sizes: Sizes) -> None:
        self._cards = sizes.vocabulary.cards
        self.shape = (sizes.vocabulary.seats - 1, 4 + len(self._cards))

    def row(self, value: Mapping[str, dominion.Other], seats: Seats) -> bytes:
        """Return what is known of each."""
        rows = np.zeros(self.shape, self.dtype)
        for name, other in value.items():
            top = 0 if other.top is None else 1 + self._cards[other.top]
            owns = [other.owns.get(card, 0) for card in self._cards]
            rows[seats[name] - 1] = [other.deck, other.hand, other.discards, top, *owns]
        return rows.tobytes()


class Written(Tokens):
    """A field of a kind that is not known here: the tokens of its text."""

    def __init__(self, sizes: Sizes, field: Field) -> None:
        super().__init__(sizes)
        self._field = field

    def row(self, value: Any, seats: Seats) -> bytes:
        """Return the tokens of what STATE has after the field's key."""
        return super().row(parse(f"({self._field.write(value)})"), seats)


def _cards(sizes: Sizes) -> Column:
    if not sizes.vocabulary.cards:
        return Tokens(sizes)
    return CardCounts(sizes) if sizes.pack is None else PackedCards(sizes.pack)


KINDS: Mapping[Field, Callable[[Sizes], Column]] = {
    view.NUMBER: lambda _: Number(),
    view.FLAG: lambda _: Flag(),
    view.SYMBOL: Word,
    view.SYMBOLS: Words,
    view.PLAYER: Player,
    view.PLAYERS: Players,
    view.TABLE: Table,
    view.CARDS: _cards,
    view.TRICK: TrickCards,
    view.TRICKS: TrickList,
    view.FORMS: Tokens,
    jass.SHOWN: CardsByPlayer,
    doppelkopf.CONTRACT: lambda sizes: Tokens(sizes, 8),
    dominion.PILES_LEFT: CardCounts,
    dominion.OTHERS: OtherPlayers,
}


def column_of(field: Field, sizes: Sizes) -> Column:
    """Return the column of a field."""
    kind = KINDS.get(field)
    return Written(sizes, field) if kind is None else kind(sizes)
