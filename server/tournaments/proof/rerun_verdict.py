"""What a bot that was run again says of the record of its plays."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple


class Word(Enum):
    """What has come of it."""

    AGREES = "agrees"
    DIFFERS = "differs"
    CHANCE = "not deterministic"
    UNASKED = "not asked"


class FirstDifference(NamedTuple):
    """The first decision that was answered otherwise, and the command that prints what the bot was sent up to it."""

    file: str
    game: int
    """Its place in the file, from 1."""
    deal: int
    player: str
    decision: int
    recorded: str
    now: str
    look: str


@dataclass
class RerunVerdict:
    """How many decisions of a bot were asked again, and how many answered as recorded."""

    name: str
    word: Word = Word.UNASKED
    why: str = "it played in none of these games"
    """Why it was not asked."""
    games: int = 0
    decisions: int = 0
    agreed: int = 0
    late: int = 0
    """Of those that differ: how many came too late now, or in the record; that may be the machine's doing."""
    first: FirstDifference | None = None

    def count(self, agreed: int, other: int, late: int) -> None:
        """Count the decisions of a game that it was asked, if any: as recorded, otherwise, and those that were late."""
        if agreed or other:
            self.word = Word.AGREES if self.word is Word.UNASKED else self.word
            self.games += 1
            self.decisions += agreed + other
            self.agreed += agreed
            self.late += late

    def document(self) -> dict[str, Any]:
        """Return what ``verify --json`` prints of it."""
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
        """Return what a person is told."""
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
