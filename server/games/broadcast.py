"""Broadcast: how a game is told and drawn for people who watch; a game may have its own, ``Game.BROADCAST``."""

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
    """How the cards of a place lie."""

    HAND = "hand"
    ROW = "row"
    PILE = "pile"
    TRICK = "trick"
    SUPPLY = "supply"
    BADGE = "badge"
    """Written beside the seat in small: cards given away, for one."""


class Place(NamedTuple):
    """Cards that lie together: those that are seen, first to last, and how many more lie there face down."""

    name: str
    owner: int | None
    """The seat; None: the table."""
    role: Role
    cards: tuple[str, ...] = ()
    hidden: int = 0
    counts: tuple[int, ...] = ()
    """Of a trick, whose each card is; of a supply, how many there are of each."""
    winner: int | None = None
    """Of a finished trick, whose it is."""


class Picture(NamedTuple):
    """A table: its places, what is said beside each seat, and what is said of all."""

    places: tuple[Place, ...]
    beside: tuple[tuple[str, ...], ...]
    facts: tuple[str, ...] = ()


class Face(NamedTuple):
    """What is printed on a card of a game's own."""

    kind: str
    cost: int | None
    text: str


_SILENT = {"game", "options", "players", "clock", "bank", "legal", "choices"}


class Said(NamedTuple):
    """A sentence about a seat, whose name goes before it, or about the table (None)."""

    seat: int | None
    words: str

    def line(self, players: Sequence[str]) -> str:
        """Return the sentence with its name."""
        return self.words if self.seat is None else f"{players[self.seat]} {self.words}"


class Broadcast:
    """What there is to tell of a game, asked for around each play: `before` it, then the others.

    What `open_hands` and `automatic_moves` say is for a reader who sees all cards; `endings` is for everybody.
    """

    TOGETHER: ClassVar[str] = "turn"
    """What several decisions make, and a reader steps over at once."""
    SUITS: ClassVar[str] = "french"
    """The suits on the cards: ``french`` or ``german``."""
    FACES: ClassVar[Mapping[str, Face]] = {}
    """What is printed on the game's own cards, by their names."""

    CONTRACTS: ClassVar[Mapping[str, str]] = {}
    """Each word that a contract may have, with what then stands somewhere in a record; nothing if nothing must."""

    VERBS: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """The verb of a play by its first word, to choose it and to tell of it: ``give`` is ``pass``, ``passes``."""
    QUESTIONS: ClassVar[Mapping[str, str]] = {}
    """What a person is asked, by the phase of the game."""

    drawn = False
    """Whether words name a card as a picture does, for who draws it there too; by what is on it where it differs."""

    def __init__(self, game: Game) -> None:
        self.game: Any = game

    def before(self, seat: int, play: Play) -> str:
        """Look at the game before a play is applied, and say the play, with all that it hides."""
        return self._in_words(play)

    def words_for_others(self, seen: Play) -> str:
        """Say a play in the form in which the others are told of it."""
        return self._in_words(seen)

    def words_for_choice(self, view: View, play: Play) -> str:
        """Say a play that the seat on turn may choose."""
        return self._in_words(play, told=False)

    def chosen(self, view: View, play: Play) -> str:
        """Say a play to the player who has chosen it."""
        return self._in_words(play)

    def question(self, view: View) -> str:
        """Ask a person for the play that is wanted, in the game's words."""
        return self.QUESTIONS.get(str(getattr(view, "phase", "")), "It is your turn.")

    def announced(self, news: Play) -> str:
        """Say what the table tells everybody."""
        match news:
            case ("score", *scores) if self.drawn:
                return "score: " + ", ".join(write(pair).strip("()") for pair in scores)
            case ("deal", number) if self.drawn:
                return f"hand {number} is dealt"
        return say(news)

    def _in_words(self, play: Play, *, told: bool = True) -> str:
        """Say a play with its verb, as something told or as a choice, where it is drawn; else as it was written."""
        verbs = self.VERBS.get(str(play[0])) if self.drawn else None
        return say(play) if verbs is None else " ".join((verbs[told], *map(write, play[1:])))

    def contract(self) -> Sequence[str]:
        """Return the words of the contract that is played, of those in ``CONTRACTS``; none before there is one."""
        return ()

    def open_hands(self) -> Iterator[Said]:
        """Yield the hands that are new."""
        yield from ()

    def endings(self) -> Iterator[Said]:
        """Yield what the last play ended: a trick, for one."""
        yield from ()

    def automatic_moves(self) -> Iterator[Said]:
        """Yield what the game has done by itself since the last play."""
        yield from ()

    def progress(self) -> tuple[int, object]:
        """Return the number of the hand, and something that changes with each trick or turn."""
        return 1, self.game.turn

    def before_sweep(self) -> Self | None:
        """Return the broadcast of the table as the last play left it, where what came then has already covered that."""
        return None

    def last(self, seat: int) -> Place | None:
        """Return what a seat saw go last, where a game's cards come and go together: a trick."""
        return None

    def picture(self, seat: int | None) -> Picture:
        """Draw the table as a seat sees it, None: with all cards open."""
        seats = range(len(self.game.players))
        shown = seats if seat is None else (seat,)
        known = [facts(self.game.view(each)) if each in shown else {} for each in seats]
        return Picture((), tuple([tuple([f"{key} {value}" for key, value in said.items()]) for said in known]))


def facts(view: View) -> dict[str, str]:
    """Return what a seat knows, field by field as STATE has it, without what never changes."""
    fields = views.fields(parse(str(view)))
    return {str(key): " ".join(map(write, forms)) for key, *forms in fields if key not in _SILENT and forms}


def say(play: Play) -> str:
    """Say a play as a person would read it: without its outer parentheses."""
    return write(play)[1:-1]
