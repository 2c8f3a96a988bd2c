"""The verdict on the record of a bot's plays after it was run again."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple


class Word(Enum):
    """The kinds of verdict."""

    AGREES = "agrees"
    DIFFERS = "differs"
    CHANCE = "not deterministic"
    UNASKED = "not asked"


class FirstDifference(NamedTuple):
    """The first decision that was answered differently, and the command that prints what the bot was sent up to it."""

    file: str
    game: int
    """Its index in the file, from 1."""
    deal: int
    player: str
    decision: int
    recorded: str
    now: str
    look: str


@dataclass
class RerunVerdict:
    """How many decisions of a bot were asked again, and how many were answered as recorded."""

    name: str
    word: Word = Word.UNASKED
    why: str = "it played in none of these games"
    """Why it was not asked."""
    games: int = 0
    decisions: int = 0
    agreed: int = 0
    late: int = 0
    """How many of the different answers were late, now or in the record, which may be the machine's fault."""
    first: FirstDifference | None = None

    def count(self, agreed: int, other: int, late: int) -> None:
        """Count the decisions of a game that it was asked: as recorded, different, and late."""
        if agreed or other:
            self.word = Word.AGREES if self.word is Word.UNASKED else self.word
            self.games += 1
            self.decisions += agreed + other
            self.agreed += agreed
            self.late += late

    def document(self) -> dict[str, Any]:
        """Return it in the form of ``verify --json``."""
        return {
            "name": self.name,
            "verdict": self.word.value,
            "why": self.why if self.word is Word.UNASKED else None,
            "games": self.games,
            "decisions": self.decisions,
            "agreed": self.agreed,
            "late": self.late,
            "first": None if self.first is None else self.first._asdict(),
        }

    def line(self) -> str:
        """Return the line for a person."""
        counted = f"{self.agreed} of {self.decisions} decisions in {self.games} games answered as recorded"
        late = f", {self.late} too late now or then" if self.late else ""
        match self.word:
            case Word.UNASKED:
                return f"{self.name}: not asked: {self.why}: whether its plays are its own stays open"
            case Word.CHANCE:
                return (
                    f"{self.name}: not deterministic: asked the same again, it answers now so, now otherwise, so that"
                    f" nothing is proved; {counted} until then{self._look()}"
                )
            case Word.DIFFERS | Word.AGREES:
                return f"{self.name}: {counted}{late}{self._look()}"

    def _look(self) -> str:
        return "" if self.first is None else f"; the first other: {self.first.look}"
