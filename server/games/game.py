"""Game: whose turn it is, what is legal, who sees what, and what it scored.

A game is a pure state machine between seats 0 to n-1, clockwise. Chance enters only through its `Deal`, whose shuffles
are labelled. Nothing here reads a clock, a pipe or a global random number.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache
from operator import attrgetter
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


MOST_CANDIDATES = 64
"""As many plays without a number of their own are told apart, unless a game knows better."""


class IllegalPlay(Exception):
    """A play that is against the rules now; the message is the reason a person would give."""


class UnknownPlay(IllegalPlay):
    """Never a play of this game, at any moment."""


class BadOption(ValueError):
    """An option that the game does not have, or a value that it does not take."""


class Label(NamedTuple):
    """The purpose of a shuffle: ``deal``, ``(deal 2)``, ``(reshuffle SEAT 1)``. Unique within a game."""

    word: str
    seat: int | None = None
    number: int | None = None

    def text(self, players: Sequence[str]) -> Sexp:
        """Return the label as a record has it, with players' names instead of seats."""
        seat = () if self.seat is None else (players[self.seat],)
        number = () if self.number is None else (self.number,)
        return (self.word, *seat, *number) if seat or number else self.word


class Deal(Protocol):
    """The source of a game's chance."""

    def shuffle(self, label: Label, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the cards in a new order, top first; the same for the same label, deal and multiset of cards."""
        ...

    def draw(self, label: Label, bound: int) -> int:
        """Return a number from 0 to bound-1, each equally likely; the same for the same label, deal and bound."""
        ...


class Option(NamedTuple):
    """One option of a game: its default, its values (symbols, or a range of integers), and what it decides."""

    default: Atom
    values: tuple[Atom, ...] | range
    about: str

    def read(self, name: str, value: Atom) -> Atom:
        """Return the value in its own type, or raise BadOption, listing the valid values."""
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


class OptionInWords(NamedTuple):
    """An option as it was given, such as ``pass=none``, what it decides, and whether it has its default."""

    given: str
    about: str
    is_usual: bool


class Attack(NamedTuple):
    """An attack that waits for the defense of the seat on turn, such as Dominion's Militia."""

    play: Play
    attacker: int


class Told(NamedTuple):
    """News from the table to every player: ``(update table PLAY)``."""

    play: Play


class Defended(NamedTuple):
    """A defense that every other player is told of, in the form that they may see."""

    seat: int
    defense: Play


News = Told | Defended


def ranks_by_score(scores: Sequence[float], *, low_wins: bool) -> tuple[int, ...]:
    """Rank scores, 1 best; equal ones share a rank."""
    best_first = sorted(scores, reverse=not low_wins)
    return tuple([1 + best_first.index(mine) for mine in scores])


@lru_cache(64)
def _every_option(
    read_options: Callable[[Mapping[str, Atom]], dict[str, Atom]], given: tuple[tuple[str, Atom], ...]
) -> dict[str, Atom]:
    """Return every option with its value.

    Cached, so that games with the same options share one dict, which sheets compare by identity.
    """
    return read_options(dict(given))


class Game(ABC):
    """The state of one game between named players.

    ``turn`` is the seat to decide next, None once the game is over. ``attack`` is set while that decision is a defense.
    Subclasses keep their state in attributes of their own.
    """

    NAME: ClassVar[str]
    PAGE: ClassVar[type[View]]
    """A player's view: the fields that `show` states."""
    SEATS: ClassVar[tuple[int, ...]]
    OPTIONS: ClassVar[Mapping[str, Option]] = {}
    PRESETS: ClassVar[Mapping[str, Mapping[str, Mapping[str, Atom]]]] = {}
    """``{"variant": {"seed": {"pass": "none", ...}}}``: an option's name and value that stand for several options."""
    PLAYS: ClassVar[Mapping[str, str]] = {}
    """Each form of play and its meaning, for ``croupier games GAME``."""
    LOW_WINS: ClassVar[bool] = False
    PARTNERS: ClassVar[tuple[tuple[int, ...], ...]] = ()
    """Seats that share a score, if partners are fixed by the seats."""
    CARDS: ClassVar[tuple[str, ...]] = ()
    """Every card that STATE may name, each once; a game of tricks has its ``PACK`` instead."""
    ACTIONS: ClassVar[tuple[Play, ...]] = ()
    """The plays with a number of their own where plays are numbers; in a game of tricks, those beside its cards'."""
    PENALTY: ClassVar[int]
    """A bad but plausible score of a whole hand: the least cost of a fault."""
    AWARD: ClassVar[int]
    """The least that a winner gets, which is what an opponent's forfeit is worth at least."""

    BROADCAST: ClassVar[type[Broadcast]] = Broadcast
    """How it is described and drawn for people who watch."""

    WORLD: ClassVar[type[World]]
    """What a search asks of it."""

    LUCK: ClassVar[str] = ""
    """The module whose source defines luck; empty if the game does not define it."""

    _defaults: ClassVar[dict[str, Atom]] = {}

    players: tuple[str, ...]
    options: dict[str, Atom]
    turn: int | None
    attack: Attack | None = None
    void: str | None = None
    """Why a game that is over does not count; one from a file may run into a limit of its own making."""

    def __init_subclass__(cls) -> None:
        cls._defaults = {name: option.default for name, option in cls.OPTIONS.items()}

    def __init__(self, players: Sequence[str], options: Mapping[str, Atom], deal: Deal) -> None:
        if len(players) not in self.SEATS:
            raise BadOption(f"{self.NAME} is played by {' or '.join(map(str, self.SEATS))}, not by {len(players)}")
        self.players = tuple(players)
        self.options = _every_option(self.read_options, tuple(options.items()))
        self.deal = deal
        self.attack = None  # read at each decision, and an instance attribute is found faster than the class's

    @classmethod
    def read_options(cls, given: Mapping[str, Atom]) -> dict[str, Atom]:
        """Return every option with its value: defaults, then presets, then what was given explicitly."""
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

    @classmethod
    def options_in_words(cls, options: Mapping[str, Atom]) -> list[OptionInWords]:
        """Return for readers each of these options of which the game has a description, changed ones first."""
        known = [
            OptionInWords(f"{name}={value}", cls.OPTIONS[name].about, value == cls.OPTIONS[name].default)
            for name, value in options.items()
            if name in cls.OPTIONS
        ]
        return sorted(known, key=attrgetter("is_usual"))

    @abstractmethod
    def legal(self) -> Iterable[Play]:
        """List the legal plays of the seat on turn, each once; a play of several cards has them sorted."""

    @abstractmethod
    def check(self, seat: int, play: Play) -> None:
        """Raise IllegalPlay with the reason why ``seat`` may not play this now, UnknownPlay if it is never a play.

        It must accept any tuple of atoms and tuples, because strangers send them. A seat that is not on turn may play
        if the rules allow it.
        """

    def check_turn(self, seat: int) -> None:
        """Raise IllegalPlay unless it is this seat's turn."""
        if seat != self.turn:
            raise IllegalPlay("the game is over" if self.turn is None else f"it is {self.players[self.turn]}'s turn")

    def admit(self, seat: int, play: Play) -> None:
        """Raise IllegalPlay unless a record may contain this here: what `check` allows, unless a game admits more.

        Other programs accept plays without effect; a player who is asked must pass `check`.
        """
        self.check(seat, play)

    @abstractmethod
    def play(self, seat: int, play: Play) -> Sequence[News]:
        """Apply a play that `check` allows; return the news beyond the play itself, in order, usually ``()``."""

    def public(self, seat: int, play: Play) -> Play:
        """Return the play as the other players may see it; called before the play is applied."""
        return play

    @abstractmethod
    def show(self, seat: int, to: Sheet) -> None:
        """State what ``seat`` may know now: every field of the page in order, None where there is nothing to see.

        The sheet itself states ``game``, ``options`` and ``players``, the clock, and the legal plays.
        """

    def view(self, seat: int) -> View:
        """Return what ``seat`` may know now; `View.legal` is set if the seat is on turn."""
        return typed_sheet(self.players, seat).state(self)

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """Return the score of each seat: final when ``turn`` is None, before that the current one."""

    def copy(self) -> Self:
        """Return an independent copy; both continue with the same deal.

        Lists are copied. A game that mutates anything else must copy that too.
        """
        twin = type(self).__new__(type(self))
        state: Any = self.__getstate__()  # for a game with slots, a pair of dicts
        slots = state[1] if isinstance(state, tuple) else {}
        for name, value in {**self.__dict__, **slots}.items():
            setattr(twin, name, value[:] if value.__class__ is list else value)
        return twin

    def ranks(self, scores: Sequence[int] | None = None) -> tuple[int, ...]:
        """Rank the seats, 1 best; equal scores share a rank unless the game breaks ties."""
        return ranks_by_score(self.scores() if scores is None else scores, low_wins=self.LOW_WINS)

    def penalty(self) -> int:
        """Return a bad but plausible score for this game so far: a player who commits a fault gets this, or worse."""
        return self.PENALTY

    def award(self) -> int:
        """Return the least that a winner gets."""
        return self.AWARD

    def partners(self, seat: int) -> tuple[int, ...]:
        """Return the seats that share ``seat``'s score by their place at the table, itself included."""
        return next((pair for pair in self.PARTNERS if seat in pair), (seat,))

    @classmethod
    def luck(cls, game: Self | None, label: Label, order: Sequence[str], seats: int) -> Sequence[float]:
        """Return by how much the order of a shuffle favors each seat; the mean over all orders of its cards is 0.

        ``game`` is the game at the time of the shuffle, None while it is being set up.
        """
        return (0.0,) * seats

    def numbered_plays(self) -> Iterable[Play]:
        """List the plays that have a number of their own, in the order of the numbers."""
        return self.ACTIONS

    def most_candidates(self) -> int:
        """Return how many legal plays without a number of their own are to be told apart at one moment, at most."""
        return MOST_CANDIDATES

    def sample(self, rng: Random) -> Play:
        """Return one legal play, each equally likely."""
        return rng.choice(list(self.legal()))


class Dice:
    """A deal from a random generator, for playouts and tests, where nothing needs to be proved."""

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
    """A deal whose only shuffle is given."""

    def __init__(self, cards: Sequence[str]) -> None:
        self.cards = tuple(cards)

    def shuffle(self, label: Label, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the cards as they were given."""
        return self.cards

    def draw(self, label: Label, bound: int) -> int:
        """Return 0, the least number."""
        return 0
