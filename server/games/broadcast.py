"""Broadcast: how a game is described and drawn for people who watch; a game may have its own, ``Game.BROADCAST``."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from croupier.protocol import views
from croupier.protocol.sexp import parse, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from croupier.protocol.views.view import View
    from croupier.server.games.game import Game, Play


class Role(StrEnum):
    """How the cards of a place are laid out."""

    HAND = "hand"
    ROW = "row"
    PILE = "pile"
    TRICK = "trick"
    SUPPLY = "supply"
    BADGE = "badge"
    """Written small beside the seat, such as cards given away."""


class Place(NamedTuple):
    """Cards in one place: the visible ones, first to last, and how many more are face down."""

    name: str
    owner: int | None
    """The seat; None for the table."""
    role: Role
    cards: tuple[str, ...] = ()
    hidden: int = 0
    counts: tuple[int, ...] = ()
    """The owner of each card of a trick; the number of each card of a supply."""
    winner: int | None = None
    """The winner of a finished trick."""


class Picture(NamedTuple):
    """A table: its places, the notes beside each seat, and the notes about all."""

    places: tuple[Place, ...]
    beside: tuple[tuple[str, ...], ...]
    facts: tuple[str, ...] = ()


class Face(NamedTuple):
    """The print on a card of a game's own."""

    kind: str
    cost: int | None
    text: str


_SILENT = {"game", "options", "players", "clock", "bank", "legal", "choices"}


class Said(NamedTuple):
    """A sentence about a seat, whose name goes before it, or about the table (None)."""

    seat: int | None
    words: str

    def line(self, players: Sequence[str]) -> str:
        """Return the sentence with the player's name."""
        return self.words if self.seat is None else f"{players[self.seat]} {self.words}"


class Broadcast:
    """The description of a game, asked for around each play: `before` it, the other methods after it.

    `open_hands` and `automatic_moves` are for a reader who sees all cards; `endings` is for everybody.
    """

    SUITS: ClassVar[str] = "french"
    """The suits on the cards: ``french`` or ``german``."""
    FACES: ClassVar[Mapping[str, Face]] = {}
    """The print on the game's own cards, by name."""

    CONTRACTS: ClassVar[Mapping[str, str]] = {}
    """The words of a contract, each with a text that is then in every record of it, empty if none has to be."""

    VERBS: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """The verb of a play by its first word, for choosing and for telling it: ``give`` is ``pass``, ``passes``."""
    QUESTIONS: ClassVar[Mapping[str, str]] = {}
    """The question to a person, by phase of the game."""

    together = "turn"
    """The unit made of several decisions that a reader can step over at once."""
    drawn = False
    """Whether words name a card as a picture does, for a reader who sees it drawn, or by its print if that differs."""

    def __init__(self, game: Game) -> None:
        self.game: Any = game

    def before(self, seat: int, play: Play) -> str:
        """Look at the game before a play is applied, and return the play in words, with everything that it hides."""
        return self._in_words(play)

    def words_for_others(self, seat: int, seen: Play) -> str:
        """Return a seat's play in words, in the form in which the others are told of it."""
        return self._in_words(seen)

    def words_for_choice(self, view: View, play: Play) -> str:
        """Return in words a play that the seat on turn may choose."""
        return self._in_words(play, told=False)

    def chosen(self, view: View, play: Play) -> str:
        """Return in words a play, for the player who has chosen it."""
        return self._in_words(play)

    def question(self, view: View) -> str:
        """Return the question to a person for the next play, in the game's words."""
        return self.QUESTIONS.get(str(getattr(view, "phase", "")), "It is your turn.")

    def announced(self, news: Play) -> str:
        """Return in words what the table tells everybody."""
        match news:
            case (word, *parts) if self.drawn and parts and all(isinstance(part, tuple) for part in parts):
                return f"{word}: " + ", ".join(write(part).strip("()") for part in parts)
            case ("deal", number) if self.drawn:
                return f"hand {number} is dealt"
        return say(news)

    def _in_words(self, play: Play, *, told: bool = True) -> str:
        """Return a play with its verb, as news or as a choice, if it is drawn; else as it was written."""
        verbs = self.VERBS.get(str(play[0])) if self.drawn else None
        return say(play) if verbs is None else " ".join((verbs[told], *map(write, play[1:])))

    def contract(self) -> Sequence[str]:
        """Return the words in ``CONTRACTS`` that apply to the contract; empty before there is one."""
        return ()

    def open_hands(self) -> Iterator[Said]:
        """Yield the hands that are new."""
        yield from ()

    def endings(self) -> Iterator[Said]:
        """Yield what the last play ended, such as a trick."""
        yield from ()

    def automatic_moves(self) -> Iterator[Said]:
        """Yield what the game has done by itself since the last play."""
        yield from ()

    def progress(self) -> tuple[int, object]:
        """Return the number of the hand, and a value that changes with each trick or turn."""
        return 1, self.game.turn

    def before_sweep(self) -> Self | None:
        """Return the broadcast of the table just after the last play, if that table has already been cleared."""
        return None

    def last(self, seat: int) -> Place | None:
        """Return the last cards that a seat saw leave together, such as a trick, in games that have such."""
        return None

    def picture(self, seat: int | None) -> Picture:
        """Draw the table as a seat sees it; for None, with all cards open."""
        seats = range(len(self.game.players))
        shown = seats if seat is None else (seat,)
        known = [facts(self.game.view(each)) if each in shown else {} for each in seats]
        return Picture((), tuple([tuple([f"{key} {value}" for key, value in said.items()]) for said in known]))


def facts(view: View) -> dict[str, str]:
    """Return a seat's knowledge, field by field as in STATE, without fields that never change."""
    fields = views.fields(parse(str(view)))
    return {str(key): " ".join(map(write, forms)) for key, *forms in fields if key not in _SILENT and forms}


def counted(number: int, thing: str) -> str:
    """Write a number of things, ``1 point`` or ``3 points``."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def say(play: Play) -> str:
    """Write a play for a person: without its outer parentheses."""
    return write(play)[1:-1]
