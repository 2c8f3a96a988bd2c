"""What a table says to its seats, in one place: how a game starts, a question, what follows a play, a fault, the end.

The referee says it, `records.sent` says it again from a record, and `conformance` says it to one bot alone. What a seat
answers comes back as an `Answer`, which `judge` holds to the rules.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from croupier.protocol.notifications import CLASSIC, NATIVE, TABLE, Attacked, Defended, Request, Update
from croupier.protocol.sexp import write
from croupier.protocol.views.known import Known
from croupier.server.games.game import IllegalPlay, Told, UnknownPlay
from croupier.server.table.faults import Fault, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from croupier.protocol.notifications import Notification
    from croupier.protocol.views.view import View
    from croupier.server.games.game import Attack, Game, News, Play
    from croupier.server.table.clock import Clock

    Question = Request | Attacked


@dataclass(slots=True)
class Answer:
    """What came of a question: the play as answered, or the fault instead of one.

    ``used`` is the time it took in seconds, less what of the start-up allowance it needed; ``asked`` is the question
    as it was sent, ``received`` the bytes that came; both are empty where the player is in this process. ``again`` are
    the seconds that were given back, as this machine had withheld them.
    """

    outcome: Play | Fault
    used: float = 0.0
    asked: str = ""
    received: bytes = b""
    again: float = 0.0


class Turn(Request):
    """The request to the seat on turn. Its view is built when somebody looks, as long as the game has not gone on."""

    __slots__ = ("_clock", "_game", "_seat", "_view")

    def __init__(self, game: Game, seat: int, clock: Clock) -> None:
        self._game = game
        self._seat = seat
        self._clock = clock
        self._view: View | None = None

    @property
    def view(self) -> View:  # type: ignore[override]  # nobody sets it
        """What the seat may know."""
        if self._view is None:
            self._view = _seen(self._game, self._seat, self._clock)
        return self._view

    def write(self, dialect: str = NATIVE, known: Known | None = None) -> str:
        """Return ``(request STATE)``, as the rules have it written where they do; else by the view."""
        if known is None or self._view is not None or dialect != NATIVE:
            return super().write(dialect, known)
        state = self._game.as_text(self._seat, known, self._clock)
        return super().write(dialect, known) if state is None else f"(request {state})"


class Beginning(Update):
    """What tells a seat that a game begins where only its line is wanted: no view is built if the rules write STATE."""

    __slots__ = ("_clock", "_game", "_seat")

    def __init__(self, game: Game, seat: int, clock: Clock) -> None:
        self.name = TABLE
        self._game = game
        self._seat = seat
        self._clock = clock

    @property
    def play(self) -> Play:  # type: ignore[override]  # nobody sets it
        """The news, with the view."""
        return ("start", _seen(self._game, self._seat, self._clock))  # type: ignore[return-value]  # views.read takes it

    def write(self, dialect: str = NATIVE, known: Known | None = None) -> str:
        """Return ``(update table (start STATE))``, as the rules have it written where they do; else by the view."""
        state = None if known is None else self._game.as_text(self._seat, known, self._clock)
        return super().write(dialect, known) if state is None else f"(update {TABLE} (start {state}))"


def start(game: Game, seat: int, clock: Clock, *, as_line: bool = False) -> tuple[Update, Update]:
    """Return what tells a seat that a game begins: the view itself, unless it is wanted ``as_line`` alone."""
    begins = Beginning(game, seat, clock)
    return begins if as_line else Update(TABLE, begins.play), _FIRST_HAND


def question(game: Game, clock: Clock) -> Question:
    """Return what the seat on turn is asked: for a play, or for its defense against an attack."""
    seat, attack = game.turn, game.attack
    assert seat is not None
    if attack is None:
        return Turn(game, seat, clock)
    return Attacked(attack.play, game.players[attack.attacker], _seen(game, seat, clock))


def kept(question: Question) -> Question:
    """Return the question as it may be asked again when the game has gone on."""
    return Request(question.view) if isinstance(question, Turn) else question


def played(name: str, seen: Play) -> Update:
    """Return what tells the others of a play, as they may see it."""
    return Update(name, seen)


def after(
    game: Game, seat: int, seen: Play, attack: Attack | None, news: Sequence[News]
) -> Sequence[tuple[Notification, int | None]]:
    """List what the players are told after a play was applied, each with the seat that is not told.

    A defense is not told by itself: the game's news tell of it when all defenses are in.
    """
    told: list[tuple[Notification, int | None]] = [(played(game.players[seat], seen), seat)] if attack is None else []
    for item in news:
        if isinstance(item, Told):
            told.append((Update(TABLE, item.play), None))
        else:
            told.append((Defended(game.players[item.seat], item.defense), item.seat))
    return told


def fault(name: str, kind: str) -> Update:
    """Return what the others are told of a player's fault."""
    return Update(TABLE, ("fault", name, kind))


def end(scores: Iterable[tuple[str, int]]) -> Update:
    """Return what tells all players that the game is over, with the scores if it has any."""
    return Update(TABLE, ("end", *scores))


def judge(game: Game, seat: int, answer: Answer) -> Answer:
    """Return the answer, as a fault if its play is none of the game, or one that the rules do not allow now."""
    play = answer.outcome
    if isinstance(play, Fault):
        return answer
    try:
        game.check(seat, play)
    except IllegalPlay as problem:
        kind = Kind.UNKNOWN if isinstance(problem, UnknownPlay) else Kind.ILLEGAL
        return replace(answer, outcome=Fault(kind, str(problem)), received=answer.received or write(play).encode())
    return answer


def _seen(game: Game, seat: int, clock: Clock) -> View:
    """Return the seat's view with the clock in it."""
    view = game.view(seat)
    view.clock = clock.reply
    if clock.bank is not None:
        view.bank = clock.bank
    return view


_FIRST_HAND = Update(TABLE, ("deal", 1))


class Speech:
    """How one seat is spoken to: its dialect, and for a classic client names with their index before them."""

    def __init__(self, dialect: str, players: Sequence[str]) -> None:
        self.dialect = dialect
        self.players = players
        self._known = Known()
        self._names = {name: f"{seat}-{name}" if name[0].isalpha() else name for seat, name in enumerate(players)}

    def text(self, note: Notification) -> str:
        """Return the line for a notification; nothing where the dialect has no words for it."""
        if self.dialect == NATIVE:
            return note.write(NATIVE, self._known)
        match note:
            case Update(name, _) if name == TABLE:
                return ""
            case Update(name, play):
                note = Update(self._names[name], play)
            case Defended(name, defense):
                note = Defended(self._names[name], defense)
            case Attacked(play, name, view):
                note = Attacked(play, self._names[name], self._renamed(view))
            case Request(view):
                note = Request(self._renamed(view))
        return note.write(CLASSIC)

    def _renamed(self, view: View) -> View:
        """Return the view with classic names; it is itself left as it is, as it may be spoken again."""
        names = tuple([self._names[name] for name in view.players])
        return type(view)(**view.values() | {"players": names})


@lru_cache(1 << 9)
def speech(dialect: str, name: str, players: tuple[str, ...]) -> Speech:  # noqa: ARG001  each player has his own
    """Return how a player is spoken to among these: what was written for him at the tables before is still known."""
    return Speech(dialect, players)
