"""Game: whose turn it is, what is legal, who sees what, and what it scored.

A game is a pure state machine between seats 0 to n-1, clockwise. Chance enters only through its `Deal`, whose shuffles
are labelled. Nothing here reads a clock, a pipe or a global random number.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, Self

from croupier.server.games.broadcast import Broadcast
from croupier.server.games.sheets import typed_sheet
from croupier.server.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from random import Random

    from croupier.protocol.sexp import Atom, Sexp
    from croupier.protocol.views.view import View
    from croupier.server.games.sheets import Sheet
    from croupier.server.games.world import World

    Play = tuple[Sexp, ...]


class IllegalPlay(Exception):
    """A play that is against the rules now; the message is the reason a person would give."""


class UnknownPlay(IllegalPlay):
    """Not a play of this game at all, whatever the moment."""


class BadOption(ValueError):
    """An option that the game does not have, or a value that it does not take."""


class Label(NamedTuple):
    """What a shuffle is for: ``deal``, ``(deal 2)``, ``(reshuffle SEAT 1)``. Unique within a game."""

    word: str
    seat: int | None = None
    number: int | None = None

    def text(self, players: Sequence[str]) -> Sexp:
        """Return the label as a record shows it: seats by their players' names."""
        seat = () if self.seat is None else (players[self.seat],)
        number = () if self.number is None else (self.number,)
        return (self.word, *seat, *number) if seat or number else self.word


class Deal(Protocol):
    """Where a game's chance comes from."""

    def shuffle(self, label: Label, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the cards in a new order, top first: the same for the same label, deal and multiset of cards."""
        ...

    def draw(self, label: Label, bound: int) -> int:
        """Return a number from 0 to bound-1, each equally likely: the same for the same label, deal and bound."""
        ...


class Option(NamedTuple):
    """One option of a game: its default, its values (symbols, or a range of integers), and what it decides."""

    default: Atom
    values: tuple[Atom, ...] | range
    about: str

    def read(self, name: str, value: Atom) -> Atom:
        """Return the value in its own type, or raise BadOption with the values there are."""
        text = str(value)
        for known in self.values if not isinstance(self.values, range) else ():
            if text == str(known):
                return known
        if isinstance(self.values, range):
            if text.isdecimal() and len(text) < 19 and int(text) in self.values:
                return int(text)
            raise BadOption(
                f"{name} takes a whole number from {self.values[0]} to {self.values[-1]}, not {text or 'nothing'}"
            )
        values = [*map(str, self.values)]
        raise BadOption(f"{name} is one of {', '.join(values)}, not {text or 'nothing'}{did_you_mean(text, values)}")


def switch(default: str, about: str) -> Option:
    """Declare an option that is ``yes`` or ``no``."""
    return Option(default, ("yes", "no"), about)


class Attack(NamedTuple):
    """An attack that waits for the defense of the seat on turn: Dominion's Militia."""

    play: Play
    attacker: int


class Told(NamedTuple):
    """News from the table to every player: ``(update table PLAY)``."""

    play: Play


class Defended(NamedTuple):
    """A defense that every player but its author is told of, in the form that they may see."""

    seat: int
    defense: Play


News = Told | Defended


def ranks_by_score(scores: Sequence[int], *, low_wins: bool) -> tuple[int, ...]:
    """Rank scores by themselves, 1 best; equal ones share a rank."""
    best_first = sorted(scores, reverse=not low_wins)
    return tuple([1 + best_first.index(mine) for mine in scores])


@lru_cache(64)
def _every_option(
    read_options: Callable[[Mapping[str, Atom]], dict[str, Atom]], given: tuple[tuple[str, Atom], ...]
) -> dict[str, Atom]:
    """Return every option with its value: of all games that are given the same, one object."""
    return read_options(dict(given))


class Game(ABC):
    """The state of one game between named players.

    ``turn`` is the seat to decide next, None once the game is over. ``attack`` is set while that decision is a defense.
    Subclasses keep their state in attributes of their own.
    """

    NAME: ClassVar[str]
    PAGE: ClassVar[type[View]]
    """What a player sees: the fields that `show` states."""
    SEATS: ClassVar[tuple[int, ...]]
    OPTIONS: ClassVar[Mapping[str, Option]] = {}
    PRESETS: ClassVar[Mapping[str, Mapping[str, Mapping[str, Atom]]]] = {}
    """``{"variant": {"seed": {"pass": "none", ...}}}``: an option name and value that stand for several."""
    PLAYS: ClassVar[Mapping[str, str]] = {}
    """Each form of play and what it means, for ``croupier games GAME``."""
    LOW_WINS: ClassVar[bool] = False
    PARTNERS: ClassVar[tuple[tuple[int, ...], ...]] = ()
    """Seats that share a score, where the seats decide it."""
    PENALTY: ClassVar[int]
    """A worst reasonable score of a whole hand: what a fault costs at least."""
    AWARD: ClassVar[int]
    """The least that a winner gets: what an opponent's forfeit is worth at least."""

    BROADCAST: ClassVar[type[Broadcast]] = Broadcast
    """How it is told and drawn for people who watch."""

    WORLD: ClassVar[type[World]]
    """What a search asks of it."""

    LUCK: ClassVar[str] = ""
    """The module whose source says what luck is: nothing where the game does not say it."""

    _defaults: ClassVar[dict[str, Atom]] = {}

    players: tuple[str, ...]
    options: dict[str, Atom]
    turn: int | None
    attack: Attack | None = None
    void: str | None = None
    """Why a game that is over counts for nobody: one from a file may run into a wall of its own making."""

    def __init_subclass__(cls) -> None:
        cls._defaults = {name: option.default for name, option in cls.OPTIONS.items()}

    def __init__(self, players: Sequence[str], options: Mapping[str, Atom], deal: Deal) -> None:
        if len(players) not in self.SEATS:
            raise BadOption(f"{self.NAME} is played by {' or '.join(map(str, self.SEATS))}, not by {len(players)}")
        self.players = tuple(players)
        self.options = _every_option(self.read_options, tuple(options.items()))
        self.deal = deal
        self.attack = None  # looked up with each decision: sooner found here than in the class

    @classmethod
    def read_options(cls, given: Mapping[str, Atom]) -> dict[str, Atom]:
        """Return every option with its value: defaults, then presets, then what is named beside them."""
        presets: dict[str, Atom] = {}
        named: dict[str, Atom] = {}
        for name, value in given.items():
            if name in cls.PRESETS:
                if str(value) not in cls.PRESETS[name]:
                    meant = did_you_mean(str(value), cls.PRESETS[name])
                    raise BadOption(f"{name} is one of {', '.join(cls.PRESETS[name])}, not {value}{meant}")
                presets.update(cls.PRESETS[name][str(value)])
            elif name in cls.OPTIONS:
                named[name] = cls.OPTIONS[name].read(name, value)
            else:
                known = [*cls.OPTIONS, *cls.PRESETS]
                meant = did_you_mean(name, known)
                raise BadOption(f"{cls.NAME} has no option {name}{meant}; its options: {', '.join(known) or 'none'}")
        return cls._defaults | presets | named

    @abstractmethod
    def legal(self) -> Iterable[Play]:
        """List the legal plays of the seat on turn: each once, a play of several cards with its cards sorted."""

    @abstractmethod
    def check(self, seat: int, play: Play) -> None:
        """Raise IllegalPlay with the reason why ``seat`` may not play this now, UnknownPlay if nobody ever may.

        Whatever tuple of atoms and tuples a stranger sent may come here. A seat that is not on turn may play
        where the rules allow it.
        """

    def check_turn(self, seat: int) -> None:
        """Raise IllegalPlay unless it is this seat's turn."""
        if seat != self.turn:
            raise IllegalPlay("the game is over" if self.turn is None else f"it is {self.players[self.turn]}'s turn")

    def admit(self, seat: int, play: Play) -> None:
        """Raise IllegalPlay unless a record may have this here: what `check` allows, where a game does not allow more.

        Other programs let pass what has no effect; whoever is asked for a play is held to `check`.
        """
        self.check(seat, play)

    @abstractmethod
    def play(self, seat: int, play: Play) -> Sequence[News]:
        """Apply a play that `check` allows; return the news beyond the play itself, in order, usually ``()``."""

    def public(self, seat: int, play: Play) -> Play:
        """Return the play as the other players may see it; asked before the play is applied."""
        return play

    @abstractmethod
    def show(self, seat: int, to: Sheet) -> None:
        """State what ``seat`` may know now: every field of the page in its order, None where there is nothing to see.

        The sheet itself states ``game``, ``options`` and ``players``, the clock, and the legal plays.
        """

    def view(self, seat: int) -> View:
        """Return what ``seat`` may know now; `View.legal` is set if it is on turn."""
        return typed_sheet(self.players, seat).state(self)

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """Return the score of each seat: final when ``turn`` is None, until then as it stands."""

    def copy(self) -> Self:
        """Return an independent copy; both go on from here with the same deal.

        Lists are copied. A game that changes anything else in place copies that too.
        """
        twin = type(self).__new__(type(self))
        state: Any = self.__getstate__()  # of a game with slots two dicts
        slots = state[1] if isinstance(state, tuple) else {}
        for name, value in {**self.__dict__, **slots}.items():
            setattr(twin, name, value[:] if value.__class__ is list else value)
        return twin

    def ranks(self, scores: Sequence[int] | None = None) -> tuple[int, ...]:
        """Rank the seats, 1 best; equal scores share a rank unless the game breaks ties."""
        return ranks_by_score(self.scores() if scores is None else scores, low_wins=self.LOW_WINS)

    def penalty(self) -> int:
        """Return a worst reasonable score for this game so far: who committed a fault gets this, or worse."""
        return self.PENALTY

    def award(self) -> int:
        """Return the least that a winner gets."""
        return self.AWARD

    def partners(self, seat: int) -> tuple[int, ...]:
        """Return the seats that share ``seat``'s score by their place at the table, itself among them."""
        return next((pair for pair in self.PARTNERS if seat in pair), (seat,))

    @classmethod
    def luck(cls, game: Self | None, label: Label, order: Sequence[str], seats: int) -> Sequence[float]:
        """Return by how much the order of a shuffle favours each seat; over all orders of its cards the mean is 0.

        ``game`` is the game as it is shuffled in, None while it is being set up.
        """
        return (0.0,) * seats

    def sample(self, rng: Random) -> Play:
        """Return one legal play, each equally likely."""
        return rng.choice(list(self.legal()))


class Dice:
    """A deal from a random number generator: for playouts and tests, where nothing must be provable."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def shuffle(self, label: Label, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the cards in a random order, whatever the label."""
        draw = self.rng.random
        return tuple(sorted(cards, key=lambda _: draw()))

    def draw(self, label: Label, bound: int) -> int:
        """Return a random number below the bound, whatever the label."""
        return self.rng.randrange(bound)


class Stacked:
    """A deal whose only shuffle is known before."""

    def __init__(self, cards: Sequence[str]) -> None:
        self.cards = tuple(cards)

    def shuffle(self, label: Label, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the cards as they were stacked."""
        return self.cards

    def draw(self, label: Label, bound: int) -> int:
        """Return the least number."""
        return 0
