"""Worlds: a game retold with other cards where a player cannot see them, to find out what the player can distinguish.

A `Past` is the history of a random game, including its shuffles. Its method `retell` plays it again with some cards of
the last shuffle exchanged, and reports where the observing player would have noticed. The game itself is never asked
what anybody knows.
"""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from croupier.protocol import views
from croupier.protocol.sexp import parse, write
from croupier.server.games.game import Defended, Dice, Told
from croupier.server.laws.trial import Untried, atoms, choose_varied, looks, refusal, shorter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.protocol.sexp import Sexp
    from croupier.server.games.game import Deal, Game, Label, News, Play
    from croupier.server.laws.trial import Trial

    Slot = tuple[int, str]
    Slots = Mapping[Slot, frozenset[str]]
    Swap = Mapping[str, str]

NO_PLACE = {"game", "options", "players", "phase", "clock", "bank", "legal"}
"""Fields of STATE that do not tell where a card is."""


class NoticedError(Exception):
    """The past would have been different; the message says what a rule or the player would have noticed."""


class Shuffled(NamedTuple):
    """A shuffle: its result, and the number of plays made before or leading to it."""

    cards: tuple[str, ...]
    after: int


_UNSHUFFLED = Shuffled((), 0)


class Moment(NamedTuple):
    """A decision: its seat, the play, what the others saw of it, and what each seat saw before."""

    seat: int
    play: Play
    public: Play
    news: tuple[object, ...]
    looks: list[str]


class Recorder:
    """A deal from a random generator that keeps its shuffles."""

    def __init__(self, rng: Random) -> None:
        self.dice = Dice(rng)
        self.plays = 0
        self.shuffles: dict[Label, Shuffled] = {}
        self.numbers: dict[Label, int] = {}

    def shuffle(self, label: Label, cards: Sequence[str]) -> tuple[str, ...]:
        """Shuffle and keep the result."""
        shuffled = self.dice.shuffle(label, cards)
        self.shuffles[label] = Shuffled(shuffled, self.plays)
        return shuffled

    def draw(self, label: Label, bound: int) -> int:
        """Draw a number and keep it."""
        self.numbers[label] = number = self.dice.draw(label, bound)
        return number


class Swapped:
    """A past deal with some cards of one shuffle exchanged."""

    def __init__(self, past: Recorder, label: Label, swap: Swap) -> None:
        self.shuffles = past.shuffles
        self.numbers = past.numbers
        self.label = label
        self.swap = swap

    def shuffle(self, label: Label, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the past shuffle, with the cards exchanged."""
        if label not in self.shuffles:
            raise NoticedError("another shuffle would have been needed")
        shuffled = self.shuffles[label].cards
        if label == self.label:
            shuffled = tuple([self.swap.get(card, card) for card in shuffled])
        if sorted(shuffled) != sorted(cards):
            raise NoticedError("other cards would have been shuffled")
        return shuffled

    def draw(self, label: Label, bound: int) -> int:
        """Return the number that was drawn."""
        number = self.numbers.get(label, bound)
        if number >= bound:
            raise NoticedError("another number would have been drawn")
        return number


class Past:
    """The history of a game so far; `go_on` makes the next decision at random."""

    def __init__(self, trial: Trial, seed: int) -> None:
        self.trial = trial
        self.rng = Random(f"{trial} past {seed}")
        self.moments: list[Moment] = []
        self.deal = Recorder(self.rng)
        self.game = trial.begin(self.deal)
        self.spent: dict[str, set[Slot]] = defaultdict(set)
        """The places where a card was before everybody saw it played."""

    def go_on(self) -> None:
        """Make a random decision."""
        game, seat = self.game, self.game.turn
        if seat is None:
            raise ValueError("the game is over")
        play, before, seen = choose_varied(game, self.rng), slots(game), looks(game)
        public = game.public(seat, play)
        self.deal.plays += 1
        news = _plain(game.play(seat, play))
        self.moments.append(Moment(seat, play, public, news, seen))
        if self.deal.plays == self.since():
            self.spent.clear()
        elif public == play:
            after = slots(game)
            for card in map(str, atoms(play)):
                lost = {slot for slot, cards in before.items() if card in cards and card not in after.get(slot, ())}
                self.spent[card] |= lost

    def shuffle_with(self, cards: set[str]) -> Label | None:
        """Return the last shuffle's label if it contains all these cards, and none twice; None before the first."""
        label, (shuffled, _) = next(reversed(self.deal.shuffles.items()), (None, _UNSHUFFLED))
        once = len(set(shuffled)) == len(shuffled)
        return label if once and cards <= set(shuffled) else None

    def since(self) -> int:
        """Return the number of plays before the last shuffle."""
        return next(reversed(self.deal.shuffles.values()), _UNSHUFFLED).after

    def hidden_cards(self, game: Game, observer: int) -> dict[str, frozenset[Slot]]:
        """Return, for each card of the last shuffle, where it is or was that ``observer`` does not see."""
        where: dict[str, set[Slot]] = {
            card: {slot for slot in self.spent[card] if slot[0] != observer} for card in self.cards()
        }
        found = slots(game)
        for (seat, key), cards in found.items():
            if seat != observer:
                for card in cards - found.get((observer, key), frozenset()):
                    if card in where:
                        where[card].add((seat, key))
        return {card: frozenset(places) for card, places in where.items()}

    def cards(self) -> tuple[str, ...]:
        """Return the cards of the last shuffle."""
        return next(reversed(self.deal.shuffles.values()), _UNSHUFFLED).cards

    def require_repeatable(self, observer: int, label: Label) -> None:
        """Raise Untried unless the history repeats itself with the same cards, as ``observer`` sees it."""
        try:
            self.retell(observer, label, {})
        except NoticedError as noticed:
            raise Untried(
                f"what has happened does not happen again with the same shuffles and plays: {noticed}"
            ) from None

    def retell(self, observer: int, label: Label, swap: Swap) -> Game:
        """Play again with other cards; raise NoticedError where a rule forbids it or ``observer`` would notice.

        Secret plays of others use the exchanged card in place of the original.
        """
        deal: Deal = Swapped(self.deal, label, swap)
        game, since = self.trial.begin(deal), self.deal.shuffles[label].after
        for number, moment in enumerate(self.moments):
            if moment.seat == observer:
                self._same(str(game.view(observer)), moment.looks[observer], observer)
            secret = number >= since and moment.public != moment.play
            play: Play = tuple([_other(form, swap) for form in moment.play]) if secret else moment.play
            self._repeat(game, moment, play)
        self._same(str(game.view(observer)), str(self.game.view(observer)), observer)
        return game

    def _repeat(self, game: Game, moment: Moment, play: Play) -> None:
        name = self.trial.players[moment.seat]
        why = refusal(game, moment.seat, play)
        if why is not None:
            raise NoticedError(f"{name} could not have played {write(play)}: {why}")
        if game.public(moment.seat, play) != moment.public or _plain(game.play(moment.seat, play)) != moment.news:
            raise NoticedError(f"something else would have been told after {name}'s {write(moment.public)}")

    def _same(self, now: str, then: str, observer: int) -> None:
        if now != then:
            name = self.trial.players[observer]
            raise NoticedError(f"{name} would have seen something else: {shorter(difference(then, now))}")


def slots(game: Game) -> Slots:
    """Return the words in each field of each seat's STATE."""
    found: dict[Slot, frozenset[str]] = {}
    for seat, text in enumerate(looks(game)):
        for field in views.fields(parse(text)):
            key = str(field[0])
            if key not in NO_PLACE:
                found[seat, key] = frozenset(map(str, atoms(field[1:])))
    return found


def difference(one: str, other: str) -> str:
    """Return the fields in which two STATEs differ."""
    both = zip(views.fields(parse(one)), views.fields(parse(other)), strict=False)
    return "; ".join(f"{write(was)} or {write(now)}" for was, now in both if was != now)


def _other(form: Sexp, swap: Swap) -> Sexp:
    if isinstance(form, tuple):
        return tuple([_other(item, swap) for item in form])
    return swap.get(str(form), form)


def _plain(news: Sequence[News]) -> tuple[object, ...]:
    return tuple([tuple(item) for item in news if isinstance(item, Told | Defended)])
