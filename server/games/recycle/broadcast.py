"""RecycleBroadcast: describes and draws a game from a program: its lists by owner and name, and its stores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from croupier.server.games.broadcast import Broadcast, Said
from croupier.server.games.picture import Picture, Place, Role
from croupier.server.games.recycle import sentences
from croupier.server.games.recycle.sentences import Layout, is_unseen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from croupier.protocol.views.recycle import RecycleView
    from croupier.protocol.views.view import View
    from croupier.server.games.game import Game, Play

_SMALL = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_RANKS = {word: figure for figure, word in zip("23456789T", _SMALL, strict=True)}
_RANKS |= {"jack": "J", "queen": "Q", "king": "K", "ace": "A", "10": "T"}
_RANKS |= {rank.lower(): rank for rank in "23456789TJQKA"}
_SUITS = {f"{name}{end}": name[0] for name in ("club", "diamond", "heart", "spade") for end in ("", "s")}
_COLOURS = {"red", "black"}
_PILES = {"hloc", "oloc"}
_ROW = 13
"""At most this many open cards lie side by side; more are a pile."""


class RecycleBroadcast(Broadcast):
    """Describe and draw a game from a program."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._laid: Layout | None = None
        self._taken: Any = None

    def before(self, seat: int, play: Play) -> str:
        """Remember the cards' places after the choice, and return it in words with each card that it names."""
        if self.drawn:
            self._taken = self.game.copy()
            self._taken.stand(play)
        full = self.game.in_full(play)
        self._laid = Layout.of(self.game.overview()).after(full[1:])
        return sentences.say_choice(full, self._name)

    def words_for_others(self, seen: Play) -> str:
        """Return a choice in words, as everybody is told of it."""
        return sentences.say_choice(seen, self._name)

    def words_for_choice(self, view: View, play: Play) -> str:
        """Return in words what a choice does."""
        open_: Any = view
        return sentences.say_option(open_, play, self._name)

    def chosen(self, view: View, play: Play) -> str:
        """Return a choice for its player as it was offered: by what it does."""
        return self.words_for_choice(view, play)

    def automatic_moves(self) -> Iterator[Said]:
        """Yield what the program has done by itself since the last choice: cards moved to a list, values set."""
        view, verb = self.game.overview(), "holds" if self._laid is None else "gets"
        before, self._laid = self._laid or Layout(), Layout.of(view)
        lines = self._laid.changes(before, verb, sentences.cards_of(view, self._name))
        return (Said(None, line) for line in lines)

    @property
    def _name(self) -> Callable[[Mapping[str, str]], str]:
        """Return a function that names a card by its values."""
        return face if self.drawn else sentences.say_values

    def progress(self) -> tuple[int, object]:
        """Return a value that changes with the current player."""
        return 1, self.game.table.seat

    def before_sweep(self) -> Self | None:
        """Return the table after the last choice, if the program has already removed what all have seen."""
        if self._taken is None or _open_to_all(self._taken) <= _open_to_all(self.game):
            return None
        return type(self)(self._taken)

    def picture(self, seat: int | None) -> Picture:
        """Draw each list beside its owner, visible cards or their number, and the stores."""
        view: RecycleView = self.game.overview() if seat is None else self.game.view(seat)
        seats = {name: number for number, name in enumerate(self.game.players)}
        places: dict[Any, Place] = {}
        for place, *cards in view.visible or ():
            faces = () if is_unseen(place) else tuple([face(view.card(card)) for card in cards])
            places[place] = _place(place, seats)._replace(cards=faces, hidden=len(cards) - len(faces))
        for place, many, _ in view.hidden or ():
            known = places.get(place, _place(place, seats))
            places[place] = known._replace(hidden=known.hidden + many)
        beside: list[list[str]] = [[] for _ in seats]
        facts: list[str] = []
        for owner, name, value in view.stores or ():
            (beside[seats[owner]] if owner in seats else facts).append(_name_with_team(owner, f"{name} {value}"))
        return Picture(tuple(map(_pile_up, places.values())), tuple(map(tuple, beside)), tuple(facts))


def _open_to_all(game: Any) -> set[tuple[Any, int]]:
    """Return where the cards are that every player sees."""
    seen = [
        {(place, card) for place, *cards in game.view(seat).visible or () if place[1] != "mem" for card in cards}
        for seat in range(len(game.players))
    ]
    return set.intersection(*seen)


def _name_with_team(owner: Any, name: str) -> str:
    """Return the name of a list or store, with its team if it has one; a player's is drawn beside him anyway."""
    return f"{'/'.join(owner[1:])} {name}" if isinstance(owner, tuple) else name


def _place(place: Any, seats: Mapping[Any, int]) -> Place:
    owner, kind, name, *number = place
    said = _name_with_team(owner, " ".join(map(str, (name, *number))))
    return Place(said + " (remembered)" * (kind == "mem"), seats.get(owner), Role.PILE if kind in _PILES else Role.ROW)


def _pile_up(place: Place) -> Place:
    """Put many cards, and cards that nobody sees, on a pile, and a player's own side by side."""
    many = len(place.cards) > _ROW or (place.owner is None and place.hidden)
    return place._replace(role=Role.PILE) if many else place


def face(attributes: Mapping[str, str]) -> str:
    """Return a card's face: that of a common card if it is one, else its values."""
    values = [value.lower() for value in attributes.values()]
    ranks = [_RANKS[value] for value in values if value in _RANKS]
    suits = [_SUITS[value] for value in values if value in _SUITS]
    if len(ranks) == len(suits) == 1 and len([value for value in values if value not in _COLOURS]) == 2:
        return suits[0] + ranks[0]
    return " ".join(attributes.values())
