"""ArraySheet: a sheet on which a game shows itself to a seat as rows of arrays, without a view or a text in between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.server.arrays.actions import Legal
from croupier.server.arrays.columns import Table
from croupier.server.arrays.encoder import NOTHING, Moment
from croupier.server.games.sheets import Sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.protocol.views.view import Play
    from croupier.server.arrays.encoder import Encoder
    from croupier.server.games.game import Game
    from croupier.server.games.hands import Hand
    from croupier.server.games.sheets import Tricks


class ArraySheet(Sheet):
    """A sheet that fills the rows of an encoder. It belongs to one seat of one table."""

    def __init__(self, encoder: Encoder, players: tuple[str, ...], seat: int) -> None:
        super().__init__(players, seat)
        self._encoder = encoder
        self._seats = {name: place for place, name in enumerate(self.players)}
        self._columns: dict[str, tuple[int, Any]] = {
            name: (place, column) for place, (name, column) in enumerate(encoder.columns.items())
        }
        self._hand, self._trick, self._tricks = (
            self._columns.get(name, (0, None)) for name in ("hand", "trick", "tricks")
        )
        self._finished: tuple[int, object, bytes] = (0, None, b"")
        """How many tricks were written, the last of them, and the bytes."""
        self._turned = [(place - seat) % len(players) for place in range(len(players))]
        """Each seat, counted from this one."""
        self._kept: dict[Callable[..., object], tuple[object, Any]] = {}

    def moment(self, game: Game) -> Moment:
        """Return what the seat sees, and its legal plays if it is on turn."""
        encoder = self._encoder
        self._rows: Any = encoder.empty[:]
        self._offered: tuple[Hand, Sequence[Play]] | None = None
        self._choices: Sequence[Any] | None = None
        game.show(self.seat, self)
        if self.seat != game.turn:
            return Moment(self._rows, NOTHING)
        if self._offered is None:
            return Moment(self._rows, encoder.actions.sort(game.legal(), self._seats, choices=self._choices))
        hand, beside = self._offered
        legal = encoder.actions.sort(beside, self._seats, hand) if beside else Legal(hand)
        return Moment(self._rows, legal)

    def put(self, name: str, value: Any) -> None:
        """Write the row of a value."""
        if name == "choices":
            self._choices = value
        elif value is not None and name in self._columns:
            place, column = self._columns[name]
            self._rows[place] = column.row(value, self._seats)

    def cards(self, name: str, hand: Hand | None) -> None:
        """Write the bits of a hand."""
        if hand is not None:
            place, column = self._columns[name]
            self._rows[place] = column.of_hand(hand)

    def around(self, name: str, values: Sequence[Any]) -> None:
        """Write the values from the observer's on."""
        place, column = self._columns[name]
        turned = (*values[self.seat :], *values[: self.seat])
        if column.__class__ is Table:
            self._rows[place] = column.by_seat(turned)
        else:
            stated = {name: value for name, value in zip(self.players, turned, strict=True) if value is not None}
            self._rows[place] = column.row(stated, self._seats)

    def once(self, token: object, part: Callable[[int, Sheet], None]) -> None:
        """Write the rows that were written when the token was first seen."""
        which = getattr(part, "__func__", part)
        before, stated = self._kept.get(which, (None, None))
        # by identity, as in `Typed.once`
        if before is not token or stated is None:
            rows, self._rows = self._rows, {}
            part(self.seat, self)
            stated, self._rows = self._rows, rows
            self._kept[which] = token, stated
        for place, row in stated.items():
            self._rows[place] = row

    def table(self, hand: Hand, leader: int, trick: Sequence[str], tricks: Tricks) -> None:
        """Write the hand and the tricks; of the finished ones only those that are new."""
        rows = self._rows
        place, column = self._hand
        rows[place] = column.of_hand(hand)
        place, column = self._trick
        if trick:
            rows[place] = column.of_cards(self._turned[leader], trick)
        place, column = self._tricks
        if tricks:
            rows[place] = self._tricks_row(column, tricks)

    def _tricks_row(self, column: Any, tricks: Tricks) -> bytes:
        """Return the row of the finished tricks, to which only those since the last are added."""
        known, last, row = self._finished
        # by identity: a finished trick is one object as long as its hand lasts
        if known > len(tricks) or tricks[known - 1] is not last:
            known, row = 0, b""
        if known < len(tricks):
            turned, of_finished = self._turned, column.trick.of_finished
            row += b"".join([of_finished(turned[leader], cards) for leader, cards in tricks[known:]])
            self._finished = len(tricks), tricks[-1], row
        return row.ljust(column.size, b"\0")

    def offer(self, hand: Hand, beside: Sequence[Play] = ()) -> None:
        """Keep the cards that may be played, and what else may be said."""
        self._offered = hand, beside
