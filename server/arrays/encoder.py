"""Encoder: the observations and actions of one game at a table of some size, as arrays."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from croupier.protocol.sexp import write
from croupier.protocol.views.view import HEAD, TAIL
from croupier.server.arrays.actions import Actions, Features, Legal
from croupier.server.arrays.columns import Column, PackedCards, Sizes, Vocabulary
from croupier.server.arrays.kinds import column_of
from croupier.server.games.game import Dice
from croupier.server.games.recycle.game import RecycleGame

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.protocol.views.view import View
    from croupier.server.arrays.columns import Array
    from croupier.server.games.game import Game

MASK = "action_mask"
CANDIDATES = "candidates"
_UNTOLD = {*HEAD, *TAIL}
"""Fields that have no array: what is the same for a whole game, the clock, and the legal plays."""


NOTHING = Legal()


class Moment(NamedTuple):
    """What one seat sees and may do: the bytes of its fields, and its legal plays if it is on turn."""

    rows: Sequence[bytes]
    legal: Legal


class Encoder:
    """Turns what seats of a game see into arrays.

    ``columns`` are the arrays of an observation by field, in the order of STATE; ``actions`` are the plays as numbers.
    """

    def __init__(self, rules: type[Game], seats: int, options: Mapping[str, Atom]) -> None:
        game = rules([f"p{seat}" for seat in range(seats)], options, Dice(Random(0)))
        self.rules = rules
        self.seats = seats
        self.options = game.options
        self.pack = getattr(game, "PACK", None)
        if isinstance(game, RecycleGame):
            from croupier.server.arrays.recycle_columns import recycle_columns  # noqa: PLC0415  only programs need it

            columns: dict[str, Column]
            features: Any
            legends: dict[str, list[str]]
            columns, features, legends = recycle_columns(game)
        else:
            columns, features, legends = _page_columns(game)
        self.columns = columns
        self.legends = legends | ({"features": features.names} if game.most_candidates() else {})
        """What cells stand for, in the order of their numbers: words, cards and more, the features of candidates."""
        self.names = tuple(columns)
        self.empty = [column.empty for column in columns.values()]
        self.actions = Actions(game, features)
        self._hand = None if self.pack is None else PackedCards(self.pack)

    def __str__(self) -> str:
        """Describe the arrays, field by field, and what their cells and the actions stand for."""
        rows = [f"{name} {shape} {dtype}: {self.about(name)}" for name, (shape, dtype, _) in self.shapes().items()]
        legends = [f"{name}: {', '.join(names)}" for name, names in self.legends.items() if names]
        return "\n".join([*rows, *legends, f"actions: {', '.join(self.action_names())}"])

    def action_names(self) -> list[str]:
        """Return the play of each action in the table, and which actions are candidates."""
        table = [write(play) for play in self.actions.table]
        return [*table, f"{len(table)} to {self.actions.size - 1}: candidates"] if self.actions.most else table

    def about(self, name: str) -> str:
        """Return what the cells of an array mean."""
        if name == MASK:
            return "1 at each legal action"
        return "the features of each candidate" if name == CANDIDATES else self.columns[name].about

    def shapes(self) -> dict[str, tuple[tuple[int, ...], Any, int | None]]:
        """Return the shape, the dtype and the greatest value of each array; None where only the dtype bounds it."""
        shapes: dict[str, tuple[tuple[int, ...], Any, int | None]] = {
            name: (column.shape, np.dtype(column.dtype), column.most) for name, column in self.columns.items()
        }
        actions = self.actions
        if actions.most:
            dtype = np.dtype(actions.features.dtype)
            shapes[CANDIDATES] = (actions.most, actions.features.size), dtype, None
        shapes[MASK] = (actions.size,), np.dtype(np.int8), 1
        return shapes

    def of_view(self, view: View, *, asked: bool = True) -> Moment:
        """Return the moment of a view, with its legal plays if its player is ``asked`` for one."""
        seats = {name: seat for seat, name in enumerate(view.players)}
        rows = []
        for name, column in self.columns.items():
            value = getattr(view, name)
            rows.append(column.empty if value is None else column.row(value, seats))
        if not asked:
            return Moment(rows, NOTHING)
        choices = getattr(view, "choices", None)
        return Moment(rows, self.actions.sort(view.legal_plays(), seats, choices=choices))

    def batch(self, moments: Sequence[Moment]) -> dict[str, Array]:
        """Return the arrays of many moments, each of shape (moments, *shape)."""
        arrays = {
            name: column.batch(rows)
            for (name, column), rows in zip(
                self.columns.items(), zip(*[moment.rows for moment in moments], strict=True), strict=True
            )
        }
        legals = [moment.legal for moment in moments]
        if self.actions.most:
            arrays[CANDIDATES] = self.actions.candidates(legals)
        masks = arrays[MASK] = np.zeros((len(moments), self.actions.size), np.int8)
        if self._hand is not None:
            hands = self._hand.batch([self._hand.of_hand(legal.hand) for legal in legals])
            masks[:, : hands.shape[1]] = hands > 0
        self.actions.masks(legals, masks)
        return arrays

    def observation(self, moment: Moment) -> dict[str, Array]:
        """Return the arrays of one moment, without a batch."""
        return {name: array[0] for name, array in self.batch([moment]).items()}


def _page_columns(game: Game) -> tuple[dict[str, Column], Features, dict[str, list[str]]]:
    """Return the columns of a page's fields, the features of candidates, and what their cells stand for."""
    pack = getattr(game, "PACK", None)
    cards = game.CARDS if pack is None else tuple(pack.units)
    vocabulary = Vocabulary(game.PAGE.WORDS, cards, len(game.players))
    around = getattr(game, "around", (game.players,))
    tricks = _MOST_TRICKS if pack is None else pack.size // min(game.SEATS)
    sizes = Sizes(vocabulary, pack, max(map(len, around)), tricks)
    fields = {name: codec for name, (_, codec) in game.PAGE.codecs().items() if name not in _UNTOLD}
    columns = {name: column_of(codec, sizes) for name, codec in fields.items()}
    legends = {"words": [*vocabulary.words, "any other"], "cards": [*vocabulary.cards]}
    return columns, Features(vocabulary), legends


_MOST_TRICKS = 16
"""The tricks of a hand in a game of which nothing is known."""
