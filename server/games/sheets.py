"""Sheets: what a seat sees of a game, as a typed view or as the text of STATE.

A game states it once, in `Game.show`, by calling a `Sheet`'s methods with the data of its rules, such as masks of cards
and numbers by seat. A `Typed` sheet makes the page of it, a `Text` sheet the text for the wire. A sheet belongs to one
seat among these players and keeps what stays the same; the game itself keeps nothing for it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from croupier.protocol.views.view import PLAYS, TRICKS, Trick, View, list_legal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.server.games.game import Game, Play
    from croupier.server.games.hands import Hand, Pack

    Tricks = list[tuple[int, tuple[str, ...]]]

NO_TRICK = Trick()
_UNWRITTEN = object(), ""
TABLES = 1 << 9
"""The number of seats whose sheets are kept from game to game."""
VALUES = 1 << 12
"""The number of remembered values of all players, as shown to a seat: the same few occur again and again."""


class NoSuchField(Exception):
    """A field that a game states and its page does not have: a mistake in the rules or the page."""

    def __init__(self, page: type[View], name: str) -> None:
        super().__init__(f"show states {name}, which {page.__name__} does not have: add it to FIELDS")


class Sheet:
    """One seat's sheet. Fields are named by their attributes on the page; a value of None is left out."""

    def __init__(self, players: tuple[str, ...], seat: int) -> None:
        self.seat = seat
        self.players = players[seat:] + players[:seat]
        self._names = players
        self._rules: type[Game] | None = None
        self._options: object = None

    # The methods that a game calls

    def put(self, name: str, value: Any) -> None:
        """State a field by its value in the view, which must not be changed later."""
        raise NotImplementedError

    def cards(self, name: str, hand: Hand | None) -> None:
        """State cards by the mask of a hand."""
        raise NotImplementedError

    def around(self, name: str, values: Sequence[Any]) -> None:
        """State a value of each player, seat by seat from 0; players with None are left out."""
        raise NotImplementedError

    def once(self, token: object, part: Callable[[int, Sheet], None]) -> None:
        """State what a method of the game states. It is called again only when the token is a different object.

        What the method states must depend on the token alone.
        """
        raise NotImplementedError

    def table(self, hand: Hand, leader: int, trick: Sequence[str], tricks: Tricks) -> None:
        """State a hand, the trick on the table with the seat that led, and the finished tricks."""
        raise NotImplementedError

    def offer(self, hand: Hand, beside: Sequence[Play] = ()) -> None:
        """State that these cards may be played, and what else may be said, in place of a list of the legal plays."""
        raise NotImplementedError

    # What both sheets share

    def _turn_to(self, game: Game) -> None:
        """Reset for a game with other rules or options than the last."""
        self._rules, self._options = type(game), game.options
        self._pack: Pack = getattr(game, "PACK", None)  # type: ignore[assignment]  # games without tricks state no hands
        self._kept: dict[Callable[..., object], tuple[object, Any]] = {}
        self._around: dict[str, tuple[Sequence[Any], Any]] = {}


class Typed(Sheet):
    """A sheet that fills the game's page."""

    def __init__(self, players: tuple[str, ...], seat: int) -> None:
        super().__init__(players, seat)
        self._finished = _as_values(players)

    def state(self, game: Game, clock: int | None = None, bank: int | None = None, *, legal: bool = True) -> View:
        """Return the seat's view, without its legal plays if these are not asked for."""
        if game.options is not self._options or type(game) is not self._rules:
            self._turn_to(game)
            head = {"game": game.NAME, "options": game.options, "players": self.players}
            self._empty: dict[str, Any] = dict.fromkeys(game.PAGE.NAMES) | head
        fields = self._fields = self._empty.copy()
        self._legal: tuple[Play, ...] | None = None
        game.show(self.seat, self)
        if len(fields) > len(self._empty):
            raise NoSuchField(game.PAGE, min(fields.keys() - self._empty.keys()))
        fields["clock"], fields["bank"] = clock, bank
        if legal and self.seat == game.turn:
            fields["legal"] = self._legal or list_legal(game.legal())
        return game.PAGE.showing(fields)

    def put(self, name: str, value: Any) -> None:
        """Store the value."""
        self._fields[name] = value

    def cards(self, name: str, hand: Hand | None) -> None:
        """Store the list of the cards."""
        self._fields[name] = None if hand is None else self._pack.cards.of(hand)

    def around(self, name: str, values: Sequence[Any]) -> None:
        """Store the values by name."""
        before, made = self._around.get(name, (None, None))
        if before != values:
            made = _by_name(self._names, self.seat, tuple(values))
            self._around[name] = values[:], made  # a copy, because the rules may change the list
        self._fields[name] = made

    def once(self, token: object, part: Callable[[int, Sheet], None]) -> None:
        """Store the values that were stated when the token was first seen."""
        which = getattr(part, "__func__", part)
        before, stated = self._kept.get(which, (None, None))
        # by identity: tokens are objects that rules replace when they change, and comparing them would cost more than
        # `part`
        if before is not token or stated is None:
            fields, self._fields = self._fields, {}
            part(self.seat, self)
            stated, self._fields = self._fields, fields
            self._kept[which] = token, stated
        self._fields.update(stated)

    def table(self, hand: Hand, leader: int, trick: Sequence[str], tricks: Tricks) -> None:
        """Store the hand, and the tricks with the names of their leaders."""
        fields = self._fields
        fields["hand"] = self._pack.cards.of(hand)
        fields["trick"] = Trick(self._names[leader], tuple(trick)) if trick else NO_TRICK
        fields["tricks"] = self._finished.of(tricks)

    def offer(self, hand: Hand, beside: Sequence[Play] = ()) -> None:
        """Store the list of plays."""
        self._legal = (*self._pack.plays.of(hand), *beside)


class Text(Sheet):
    """A sheet that writes STATE."""

    def __init__(self, players: tuple[str, ...], seat: int) -> None:
        super().__init__(players, seat)
        self._finished = _as_text(players)

    def state(self, game: Game, clock: int | None = None, bank: int | None = None) -> str:
        """Return STATE for the seat: what the view of a `Typed` sheet would write."""
        if game.options is not self._options or type(game) is not self._rules:
            self._turn_to(game)
            self._writers = _Writers(game.PAGE)
            self._last: dict[str, tuple[object, str]] = {}
            self._parts: list[str] = []
            for name, value in (("game", game.NAME), ("options", game.options), ("players", self.players)):
                self.put(name, value)
            self._head = f"({''.join(self._parts)[1:]}"
        parts = self._parts = [self._head]
        self._legal = ""
        game.show(self.seat, self)
        if clock is not None:
            parts.append(f" (clock {clock})" if bank is None else f" (clock {clock}) (bank {bank})")
        if self.seat == game.turn and (legal := self._legal or _listing(list_legal(game.legal()))):
            parts.append(f" (legal{legal})")
        parts.append(")")
        return "".join(parts)

    def put(self, name: str, value: Any) -> None:
        """Write the value with the page's codec, unless it is the same as last time."""
        before, text = self._last.get(name, _UNWRITTEN)
        # by identity: rules replace a value when it changes; an equal new object is only written again
        if before is not value:
            opening, write = self._writers[name]
            text = "" if value is None else f"{opening}{write(value)})"
            self._last[name] = value, text
        self._parts.append(text)

    def cards(self, name: str, hand: Hand | None) -> None:
        """Write the cards by the pack's lookup."""
        if hand is not None:
            opening, _ = self._writers[name]
            self._parts.append(f"{opening}{self._pack.held.of(hand)})")

    def around(self, name: str, values: Sequence[Any]) -> None:
        """Write the values by name, if they have changed."""
        before, text = self._around.get(name, _UNWRITTEN)
        if before != values:
            opening, write = self._writers[name]
            text = f"{opening}{_write_values(write, self._names, self.seat, tuple(values))})"
            self._around[name] = values[:], text  # a copy, because the rules may change the list
        self._parts.append(text)

    def once(self, token: object, part: Callable[[int, Sheet], None]) -> None:
        """Write what was stated when the token was first seen."""
        which = getattr(part, "__func__", part)
        before, text = self._kept.get(which, _UNWRITTEN)
        # by identity, as in `Typed.once`
        if before is not token or which not in self._kept:
            parts, self._parts = self._parts, []
            part(self.seat, self)
            text, self._parts = "".join(self._parts), parts
            self._kept[which] = token, text
        self._parts.append(text)

    def table(self, hand: Hand, leader: int, trick: Sequence[str], tricks: Tricks) -> None:
        """Write the hand, and the tricks with the names of their leaders."""
        writers = self._writers
        on_table = f" {self._names[leader]} {' '.join(trick)}" if trick else ""
        self._parts.append(
            f"{writers['hand'][0]}{self._pack.held.of(hand)}){writers['trick'][0]}{on_table})"
            f"{writers['tricks'][0]}{self._finished.of(tricks)})"
        )

    def offer(self, hand: Hand, beside: Sequence[Play] = ()) -> None:
        """Write the plays by the pack's lookup."""
        self._legal = self._pack.offered.of(hand) + (_listing(beside) if beside else "")


class _Writers(dict[str, tuple[str, "Callable[[Any], str]"]]):
    """The beginning and the codec of each field of the page, by the name of its attribute."""

    def __init__(self, page: type[View]) -> None:
        super().__init__({name: (f" ({key}", codec.write) for name, (key, codec) in page.codecs().items()})
        self._page = page

    def __missing__(self, name: str) -> tuple[str, Callable[[Any], str]]:
        raise NoSuchField(self._page, name)


class _Finished:
    """The finished tricks of a hand as a tuple or a text, of which only new tricks are converted."""

    def __init__(self, players: tuple[str, ...], make: Callable[[tuple[Trick, ...]], Any], nothing: Any) -> None:
        self._players = players
        self._make = make
        self._nothing = self._made = nothing
        self._tricks: Tricks = []

    def of(self, tricks: Tricks) -> Any:
        """Return the converted tricks."""
        if tricks != self._tricks:
            number = len(self._tricks)
            if tricks[:number] != self._tricks:
                self._made, number = self._nothing, 0
            self._made += self._make(tuple([Trick(self._players[leader], cards) for leader, cards in tricks[number:]]))
            self._tricks = tricks[:]
        return self._made


def _listing(plays: Sequence[Play] | None) -> str:
    """Return the text of some plays; for a list that the rules hand over again, the text from last time."""
    known, text = _listings.get(id(plays), _UNWRITTEN)
    # the id alone is not enough: it may be that of another list, if an entry was just evicted
    if known is not plays:
        text = PLAYS.write(plays or ())
        if len(_listings) >= VALUES:
            _listings.clear()
        _listings[id(plays)] = plays, text  # the entry keeps the list alive, so that no other list gets its id
    return text


_listings: dict[int, tuple[object, str]] = {}


@lru_cache(VALUES)
def _by_name(players: tuple[str, ...], seat: int, values: tuple[Any, ...]) -> dict[str, Any]:
    """Return the values that are not None by name, beginning with a seat. Cached, because all decisions repeat them."""
    both = zip(players[seat:] + players[:seat], values[seat:] + values[:seat], strict=True)
    return {name: value for name, value in both if value is not None}


# cached because the same few values of all players recur at every seat
@lru_cache(VALUES)
def _write_values(write: Callable[[Any], str], players: tuple[str, ...], seat: int, values: tuple[Any, ...]) -> str:
    """Return the text of these values, by name."""
    return write(_by_name(players, seat, values))


# cached so that the seats of a table convert a trick once, not once each
@lru_cache(TABLES)
def _as_values(players: tuple[str, ...]) -> _Finished:
    """Return the finished tricks as views have them, shared by the seats of these players."""
    return _Finished(players, tuple, ())


# cached so that the seats of a table convert a trick once, not once each
@lru_cache(TABLES)
def _as_text(players: tuple[str, ...]) -> _Finished:
    """Return the finished tricks as STATE has them, shared by the seats of these players."""
    return _Finished(players, TRICKS.write, "")


@lru_cache(TABLES)
def typed_sheet(players: tuple[str, ...], seat: int) -> Typed:
    """Return the seat's sheet for views. Cached, so that it is the same from game to game."""
    return Typed(players, seat)


@lru_cache(TABLES)
def text(players: tuple[str, ...], seat: int) -> Text:
    """Return the seat's sheet for STATE. Cached, so that it is the same from game to game."""
    return Text(players, seat)
