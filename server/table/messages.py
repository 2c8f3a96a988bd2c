"""All messages of a table to its seats: the start of a game, a question, the news of a play, a fault, the end.

The referee sends them, `records.sent` reproduces them from a record, and `conformance` sends them to one bot alone. A
seat's reply comes back as an `Answer`, which `judge` checks against the rules.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from croupier.protocol import json_dialect
from croupier.protocol.notifications import CLASSIC, JSON, NATIVE, TABLE, Attacked, Defended, Request, Update
from croupier.protocol.sexp import write
from croupier.server.games.game import IllegalPlay, Told, UnknownPlay
from croupier.server.games.sheets import typed_sheet
from croupier.server.table.faults import Fault, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from croupier.protocol.notifications import Notification
    from croupier.protocol.views.view import View
    from croupier.server.games.game import Attack, Game, News, Play
    from croupier.server.games.sheets import Text, Typed
    from croupier.server.table.clock import Clock

    Question = Request | Attacked


@dataclass(slots=True)
class Answer:
    """The answer to a question: a play, or the fault instead of one.

    ``used`` is the time it took in seconds, less the start-up allowance that it needed; ``asked`` is the question as it
    was sent, ``received`` the bytes that came; both are empty if the player is in this process. ``again`` are the
    seconds given back because this machine had withheld them.
    """

    outcome: Play | Fault
    used: float = 0.0
    asked: str = ""
    received: bytes = b""
    again: float = 0.0


def start(game: Game, seat: int, clock: Clock, sheet: Typed | Text | None = None) -> tuple[Update, Update]:
    """Return the message that a game begins, with STATE as the seat's sheet has it: a view, or text for a process."""
    state: Any = (sheet or typed_sheet(game.players, seat)).state(game, *clock)
    return Update(TABLE, ("start", state)), _FIRST_HAND


def question(game: Game, clock: Clock, sheet: Typed | Text | None = None) -> Question:
    """Return the question to the seat on turn: for a play, or for its defense against an attack."""
    seat, attack = game.turn, game.attack
    assert seat is not None
    state = (sheet or typed_sheet(game.players, seat)).state(game, *clock)
    return Request(state) if attack is None else Attacked(attack.play, game.players[attack.attacker], state)


def after(
    game: Game, seat: int, seen: Play, attack: Attack | None, news: Sequence[News]
) -> Sequence[tuple[Notification, int | None]]:
    """List the messages to the players after a play, each with the seat that is not told.

    A defense is not told by itself: the game's news report it when all defenses are in.
    """
    told: list[tuple[Notification, int | None]] = [(Update(game.players[seat], seen), seat)] if attack is None else []
    for item in news:
        if isinstance(item, Told):
            told.append((Update(TABLE, item.play), None))
        else:
            told.append((Defended(game.players[item.seat], item.defense), item.seat))
    return told


def fault(name: str, kind: str) -> Update:
    """Return the message to the others about a player's fault."""
    return Update(TABLE, ("fault", name, kind))


def end(scores: Iterable[tuple[str, int]]) -> Update:
    """Return the message to all players that the game is over, with the scores if it has any."""
    return Update(TABLE, ("end", *scores))


def judge(game: Game, seat: int, answer: Answer) -> Answer:
    """Return the answer, or a fault if its play is not one of the game, or not allowed now."""
    play = answer.outcome
    if isinstance(play, Fault):
        return answer
    try:
        game.check(seat, play)
    except IllegalPlay as problem:
        kind = Kind.UNKNOWN if isinstance(problem, UnknownPlay) else Kind.ILLEGAL
        return replace(answer, outcome=Fault(kind, str(problem)), received=answer.received or write(play).encode())
    return answer


_FIRST_HAND = Update(TABLE, ("deal", 1))


class Speech:
    """How one seat is spoken to: its dialect, and for a classic client names with their index before them."""

    def __init__(self, dialect: str, players: Sequence[str]) -> None:
        self.dialect = dialect
        self.players = players
        self._names = {name: f"{seat}-{name}" if name[0].isalpha() else name for seat, name in enumerate(players)}

    def text(self, note: Notification) -> str:
        """Return the line for a notification; empty if the dialect cannot express it."""
        if self.dialect == NATIVE:
            return note.write()
        if self.dialect == JSON:
            return json_dialect.write(note)
        match note:
            case Update(name, _) if name == TABLE:
                return ""
            case Update(name, play):
                note = Update(self._names[name], play)
            case Defended(name, defense):
                note = Defended(self._names[name], defense)
            case Attacked(play, name, view):
                note = Attacked(play, self._names[name], self._rename(view))
            case Request(view):
                note = Request(self._rename(view))
        return note.write(CLASSIC)

    def _rename(self, view: View) -> View:
        """Return a copy of the view with classic names; the view itself may be used again."""
        names = tuple([self._names[name] for name in view.players])
        return type(view)(**view.values() | {"players": names})
