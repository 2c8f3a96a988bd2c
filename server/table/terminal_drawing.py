"""Drawing a table on a terminal: colored cards, playable ones with their numbers, the trick, who has what.

With NO_COLOR, on a dumb terminal and in a file there are no colors; where suits cannot be written, their letters are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from croupier.server.games.picture import Role
from croupier.server.table.spelling import SUITS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from croupier.server.console import Console
    from croupier.server.games.picture import Picture, Place

_CARD = re.compile(r"\b([cdhs][2-9TJQKA])\b")
_COLOURS = {"c": "", "d": "red", "h": "red", "s": ""}


class Pen:
    """Draws on a console."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._suits = SUITS if _can_write(console.encoding, "".join(SUITS.values())) else {suit: suit for suit in SUITS}

    def words(self, words: str) -> Text:
        """Write a sentence in which each card is drawn."""
        drawn = Text()
        for at, part in enumerate(_CARD.split(words)):
            drawn.append_text(self._card(part) if at % 2 else Text(part))
        return drawn

    def table(self, picture: Picture, players: Sequence[str], me: int, numbers: Mapping[str, int]) -> Table:
        """Draw the others clockwise, then the table, and the player's own cards last, with the numbers of plays."""
        around = [*range(me + 1, len(players)), *range(me)]
        grid = Table.grid(padding=(0, 2))
        for seat in around:
            self._seat(grid, picture, players, seat, {})
        mine = {card for place in picture.places if place.owner == me for card in place.cards}
        others = {card: number for card, number in numbers.items() if card not in mine}
        for place in picture.places:
            if place.owner is None and (place.cards or place.hidden):
                self._row(grid, place.name, self.place(place, players, others))
        if picture.facts:
            self._row(grid, "", self._list(map(self.words, picture.facts)))
        self._seat(grid, picture, players, me, numbers)
        return grid

    def place(self, place: Place, players: Sequence[str], numbers: Mapping[str, int]) -> Text:
        """Draw the cards of a place as they are laid out."""
        if place.role is Role.TRICK:
            return self._trick(place, players)
        if place.role is Role.SUPPLY:
            return Text("   ").join(
                self._card(card, numbers).append(f"\u00d7{many}" if self._suits is SUITS else f"x{many}", "dim")
                for card, many in zip(place.cards, place.counts, strict=True)
            )
        if place.role is Role.PILE:
            top = [Text("on top ").append_text(self._card(place.cards[-1]))] if place.cards else []
            return self._list([Text(_many(len(place.cards) + place.hidden)), *top])
        seen = [self._card(card, numbers) for card in place.cards]
        hidden = [Text(_many(place.hidden) + (" face down" if seen else ""), "dim")] if place.hidden else []
        return Text("  ").join([*seen, *hidden])

    def _seat(
        self, grid: Table, picture: Picture, players: Sequence[str], seat: int, numbers: Mapping[str, int]
    ) -> None:
        """Add a player's rows: the notes beside the name, the hand, and the player's other places."""
        mine = [place for place in picture.places if place.owner == seat and (place.cards or place.hidden)]
        parts = [self.place(place, players, numbers) for place in mine if not place.name and not place.cards]
        parts += map(self.words, picture.beside[seat])
        self._row(grid, players[seat], self._list(parts), style="bold")
        for place in mine:
            if place.name or place.cards:
                self._row(grid, f"  {place.name or 'hand'}", self.place(place, players, numbers))

    def _row(self, grid: Table, label: str, drawn: Text, style: str = "dim") -> None:
        grid.add_row(Text(label, style), drawn)

    def _trick(self, place: Place, players: Sequence[str]) -> Text:
        """Draw who played which card, who led, and who won a finished trick."""
        parts = []
        for at, (card, seat) in enumerate(zip(place.cards, place.counts, strict=True)):
            said = [word for word, true in (("led", at == 0), ("took it", seat == place.winner)) if true]
            drawn = Text(f"{players[seat]} ").append_text(self._card(card))
            parts.append(drawn.append(f" {', '.join(said)}", "dim") if said else drawn)
        return Text("   ").join(parts)

    def _card(self, card: str, numbers: Mapping[str, int] | None = None) -> Text:
        """Draw a card; a playable one with its number, the other cards faint."""
        number = (numbers or {}).get(card)
        style = "" if not numbers else "dim" if number is None else "bold"
        drawn = Text() if number is None else Text.assemble((f"{number}:", "cyan"))
        if not _CARD.fullmatch(card):
            return drawn.append(card, style)
        rank = "10" if card[1] == "T" and self._suits is SUITS else card[1]
        return drawn.append(self._suits[card[0]] + rank, f"{style} {_COLOURS[card[0]]}".strip())

    def _list(self, parts: Iterator[Text] | Sequence[Text]) -> Text:
        return Text(" \u00b7 " if self._suits is SUITS else ", ").join(parts)


def _many(cards: int) -> str:
    return f"{cards} card{'' if cards == 1 else 's'}"


def _can_write(encoding: str, text: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
