"""Faults: the closed set of things a player can do wrong at a table, and their consequences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from croupier.server.processes.crash_lines import cure

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from croupier.server.games.game import Game


class Kind(Enum):
    """What went wrong, by the word in the record."""

    TIMEOUT = "timeout"
    MALFORMED = "malformed"
    UNKNOWN = "unknown"
    ILLEGAL = "illegal"
    FLOODED = "flooded"
    UNASKED = "unasked"
    CRASHED = "crashed"
    WITHDRAWN = "withdrawn"
    """The bot was not asked, because a tournament had withdrawn it before the game."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One player's fault: its kind, and the cause in one sentence.

    ``effort`` is what was measured while the player was asked, such as CPU time; it differs between otherwise equal
    faults.
    """

    kind: Kind
    why: str
    effort: str = ""

    @property
    def plain(self) -> Fault:
        """The fault without measurements."""
        return replace(self, effort="")

    @property
    def description(self) -> str:
        """The cause with measurements."""
        return f"{self.why}; {self.effort}" if self.effort else self.why


LAST_WORDS = "; its last words: "
"""In the cause of a crash, the text before the end of the program's standard error."""


def without_last_words(why: str) -> str:
    """Return the cause of a fault without what the program wrote to standard error."""
    return why.partition(LAST_WORDS)[0]


class PlayerFault(NamedTuple):
    """A fault and its seat."""

    seat: int
    fault: Fault


class Policy(Enum):
    """What a match does about a fault."""

    STAND_IN = "stand-in"
    FORFEIT = "forfeit"

    @classmethod
    def default(cls, players: int) -> Policy:
        """Return the usual policy at a table of this size: the game of the others goes on, if there are others."""
        return cls.FORFEIT if players == 2 else cls.STAND_IN


class Outcome(Enum):
    """How a game ended."""

    FINISHED = "finished"
    FORFEIT = "forfeit"
    VOID = "void"
    INTERRUPTED = "interrupted"


def settle(game: Game, offenders: Collection[int], outcome: Outcome) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the scores and ranks of a finished game in the light of its faults.

    No fault ever pays: an offender gets the worse of the seat's score and the game's penalty, and is ranked last. In a
    forfeit the others get at least what a winner gets.
    """
    scores = list(game.scores())
    better, worse = (min, max) if game.LOW_WINS else (max, min)
    for seat, score in enumerate(scores):
        if seat in offenders:
            scores[seat] = worse(score, game.penalty())
        elif outcome is Outcome.FORFEIT:
            scores[seat] = better(score, game.award())
    return tuple(scores), ranks_after(game.ranks(scores), offenders)


def ranks_after(ranks: Sequence[int], offenders: Collection[int]) -> tuple[int, ...]:
    """Return ranks with the offenders last, together; the others keep their order among themselves."""
    honest = sorted([rank for seat, rank in enumerate(ranks) if seat not in offenders])
    last = len(honest) + 1
    return tuple([last if seat in offenders else 1 + honest.index(rank) for seat, rank in enumerate(ranks)])


# What the author of a bot can do about a fault

FLUSH = "Flush your output after every reply: into a pipe it is written only when a buffer is full."
WAITS = (
    "It used next to no CPU time meanwhile: it sleeps, or waits for more input, a lock, a file or another program."
    " `clock` in STATE says how many milliseconds a reply may take."
)
NO_LOOP = (
    "It ended by itself: one process answers all questions. Read standard input in a loop until that ends;"
    " a Python agent ends with drive(YourAgent())."
)
_ONE_LIST = (
    "A reply is one list of symbols and whole numbers such as (play h9), in plain ASCII;"
    ' in the JSON dialect one array, ["play", "h9"].'
)
BY_KIND = {
    Kind.TIMEOUT: "`clock` in STATE says how many milliseconds a reply may take; answer within them.",
    Kind.MALFORMED: _ONE_LIST,
    Kind.FLOODED: _ONE_LIST,
    Kind.UNKNOWN: "Look at `phase` in STATE: each has plays of its own; `croupier games GAME` lists them.",
    Kind.ILLEGAL: "Choose among the plays of `legal` in STATE; where it is left out there are more than 64.",
    Kind.UNASKED: "One reply to each `request` and each `attacked`, no more; notes go to standard error.",
}


def remedy(kind: Kind, why: str, received: str, errors: str = "") -> str:
    """Return what to do about a fault in a finished game; empty if there is no remedy.

    ``why`` is the table's explanation, ``received`` the bot's answer, ``errors`` the end of its standard error.
    """
    match kind:
        case Kind.CRASHED if "it left with exit status 0" in why:
            return NO_LOOP
        case Kind.CRASHED:
            return cure(f"{errors}\n{why}")
        case Kind.TIMEOUT if why.endswith("it waits"):
            return f"{WAITS} {FLUSH}"
        case Kind.MALFORMED if not received.startswith(("(", "[", "{")):
            return BY_KIND[Kind.UNASKED]
    return BY_KIND.get(kind, "")
