"""TrickBroadcast: describes and draws a game of tricks: hands, the trick on the table, and what each view shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from croupier.server.games.broadcast import Broadcast, Picture, Place, Role, Said, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from croupier.protocol.views.view import View
    from croupier.server.games.game import Game, Play

_DRAWN = {"phase", "hand", "trick", "tricks"}
_COUNTED = {"points", "tricks"}
_LABELS = {"chosen_by": "chose", "taken": "points", "won": "tricks"}


class TrickBroadcast(Broadcast):
    """Describe a game of tricks; everything but cards is taken from the views, by the shape of their fields."""

    together = "trick"
    VERBS: ClassVar[Mapping[str, tuple[str, str]]] = {
        "give": ("pass", "passes"),
        "bid": ("bid", "bids"),
        "hold": ("hold", "holds"),
        "pass": ("pass", "passes"),
        "announce": ("announce", "announces"),
        "stop": ("end the trick", "ends the trick"),
    }
    QUESTIONS: ClassVar[Mapping[str, str]] = {
        "play": "Which card do you play?",
        "bid": "What do you bid?",
        "give": "Choose the cards to pass.",
    }
    OWN: ClassVar[frozenset[str]] = frozenset({"position"})
    """Fields about the seat that has the view."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._told: Sequence[int] = ()
        self._hand: tuple[int, str] | None = None
        self._trick: Callable[[], Iterator[Said]] = _nothing
        self._before: tuple[Any, int, Play] | None = None

    def before(self, seat: int, play: Play) -> str:
        """Remember the table, and return the play in words."""
        self._before = (self.game.copy(), seat, play)
        self._trick = _watched(self.game) if self.game.trick else _nothing
        return super().before(seat, play)

    def endings(self) -> Iterator[Said]:
        """Yield the trick that the play ended."""
        return self._trick()

    def open_hands(self) -> Iterator[Said]:
        """Yield the hands of a new deal, and hands that changed before the first card is played."""
        game = self.game
        if game.turn is None:
            return
        before, self._hand = self._hand, (game.number, game.phase)
        new = before is None or before[0] != game.number
        if new or (before != self._hand and game.phase == "play" and not game.all_tricks()):
            for seat, held in enumerate(game.hands):
                if held and (new or held != self._told[seat]):
                    yield Said(seat, f"holds {' '.join(game.PACK.cards[held])}")
            self._told = tuple(game.hands)

    def progress(self) -> tuple[int, object]:
        """Return the number of the hand, and how many tricks are finished and whether cards are being played."""
        game = self.game
        return game.number, (len(game.tricks), game.phase == "play" or bool(game.trick))

    def before_sweep(self) -> Self | None:
        """Return the broadcast of the table with the last card on it, if the next hand is already dealt."""
        if self._before is None or self._before[0].number == self.game.number:
            return None
        table, seat, play = self._before
        if play[0] == "play":
            table.hands[seat] -= table.units[play[1]]
            table.trick.append(play[1])
        table.turn = None
        return type(self)(table)

    # The picture

    def picture(self, seat: int | None) -> Picture:
        """Draw the hands, the trick on the table or the last one, and what the views show."""
        game = self.game
        seats = range(len(game.players))
        views = {each: game.view(each) for each in (seats if seat is None else (seat,))}
        one = next(iter(views.values()))
        hands = [
            Place("", each, Role.HAND, tuple(views[each].hand))
            if each in views
            else Place("", each, Role.HAND, hidden=game.PACK.count(game.hands[each]))
            for each in seats
        ]
        beside: list[list[str]] = [[] for _ in seats]
        facts: list[str] = [] if one.phase == "play" else [str(one.phase)]
        for words in self._common(one):
            (facts if words.seat is None else beside[words.seat]).append(words.words)
        places = [*hands, self._on_table(one)]
        for each, view in views.items():
            beside[each] += self.beside(view)
            places += self._rows(each, view)
        if "won" not in one.FIELDS:
            for each, many in enumerate(self._trick_counts(one)):
                beside[each] += [counted(many, "trick")] if many else []
        return Picture(tuple(places), tuple(map(tuple, beside)), tuple(facts))

    def last(self, seat: int) -> Place | None:
        """Return the trick that was taken last."""
        view: Any = self.game.view(seat)
        return self._last_trick(view)

    def _on_table(self, view: View) -> Place:
        """Return the trick on the table, or the last one."""
        if not view.trick:
            return self._last_trick(view) or Place("trick", None, Role.TRICK)
        order = self._order(view.trick)
        winner = order[self.game.table.winner(view.trick.cards)] if len(view.trick) == len(order) else None
        return _trick_of(view.trick, order, winner)

    def _last_trick(self, view: View) -> Place | None:
        if not view.tricks:
            return None
        return _trick_of(view.tricks[-1], self._order(view.tricks[-1]), self.game.leader)

    def _order(self, trick: Any) -> Sequence[int]:
        """Return the seats in the order in which they play to a trick."""
        order: Sequence[int] = self.game.around[self.game.players.index(trick.leader)]
        return order

    def _trick_counts(self, view: View) -> list[int]:
        """Count each seat's tricks: the leader of a trick won the one before."""
        players = self.game.players
        leaders = [players.index(trick.leader) for trick in view.tricks[1:]]
        leaders += [self.game.leader] if view.tricks else []
        return [leaders.count(seat) for seat in range(len(players))]

    def _common(self, view: View) -> Iterator[Said]:
        """Yield what a view shows of the table and its players."""
        for key in view.FIELDS:
            name = key.replace("-", "_")
            value = getattr(view, name)
            if name not in _DRAWN | self.OWN and not self._is_row(value):
                yield from self.field(view, _LABELS.get(name, key), value)

    def beside(self, view: View) -> Iterator[str]:
        """Yield what a view shows of its own seat alone."""
        yield from (str(value) for key in self.OWN if (value := getattr(view, key, None)))

    def field(self, view: View, label: str, value: Any) -> Iterator[Said]:
        """Yield the meaning of one field, by its shape."""
        players = self.game.players
        match value:
            case None | False | ():
                return
            case True:
                yield Said(None, label)
            case dict():
                yield from _by_name(players, label, value)
            case str() if value in players:
                yield Said(players.index(value), label)
            case ((str(), _), *_) if all(pair[0] in players for pair in value):
                for seat, name in enumerate(players):
                    if calls := " ".join(str(call) for who, call in value if who == name):
                        yield Said(seat, f"{label} {calls}")
            case (str(), *_) if all(each in players for each in value):
                yield from (Said(players.index(each), label) for each in value)
            case _:
                yield Said(None, f"{label} {' '.join(_flat(value))}")

    def _is_row(self, value: Any) -> bool:
        cards = self.game.PACK.units
        return isinstance(value, tuple) and bool(value) and all(isinstance(c, str) and c in cards for c in value)

    def _rows(self, seat: int, view: View) -> Iterator[Place]:
        """Yield the cards that a seat knows in addition to its hand, such as gifts, until the first card is played."""
        for key in view.FIELDS:
            value = getattr(view, key.replace("-", "_"))
            if key not in _DRAWN and not (view.trick or view.tricks) and self._is_row(value):
                yield Place(key, seat, Role.BADGE, value)


def _trick_of(trick: Any, order: Sequence[int], winner: int | None) -> Place:
    return Place("trick", None, Role.TRICK, trick.cards, counts=tuple(order[: len(trick)]), winner=winner)


def _by_name(players: Sequence[str], label: str, value: Mapping[str, Any]) -> Iterator[Said]:
    """Yield what a field shows of each player, unless it is empty for all."""
    if any(value.values()):
        for seat, name in enumerate(players):
            if name in value and value[name] not in ((), None):
                is_count = label in _COUNTED and isinstance(value[name], int)
                words = counted(value[name], label[:-1]) if is_count else f"{label} {' '.join(_flat(value[name]))}"
                yield Said(seat, words)


def _flat(value: Any) -> Iterator[str]:
    if isinstance(value, tuple):
        for each in value:
            yield from _flat(each)
    else:
        yield str(value)


def _nothing() -> Iterator[Said]:
    yield from ()


def _watched(game: Any) -> Callable[[], Iterator[Said]]:
    """Return a copy of the trick before a card, which may begin the next hand with new lists."""
    tricks, order, table, points = game.tricks, game.around[game.leader], game.table, game.counting()
    ended, before = len(tricks), sum(points)

    def trick() -> Iterator[Said]:
        for _, cards in tricks[ended:]:
            worth = f", {counted(sum(points) - before, 'point')}" if points else ""
            yield Said(order[table.winner(cards)], f"takes {' '.join(cards)}{worth}")

    return trick
