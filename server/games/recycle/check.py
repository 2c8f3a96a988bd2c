"""Check: all errors and suspicious parts of a program, each with its line and column.

The program is read and compiled first, then its text is examined, then some random games are played.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from croupier.server.games.recycle.game import NO_OPTION, find, game_of, read_bytes
from croupier.server.games.recycle.lints import lint
from croupier.server.games.recycle.program import CompiledProgram
from croupier.server.games.recycle.reader import BadProgram, Problem, decode

if TYPE_CHECKING:
    from croupier.server.games.recycle.game import RecycleGame
    from croupier.server.games.recycle.reader import Node

TRIAL_GAMES = 200
ENOUGH_GAMES = 40
TRIAL_SECONDS = 0.7
ENDLESS_GAMES = 10
"""If this many games in a row do not end, no more are played."""
_NO_OPTION_CURE = " (as with an empty hand): end the stage before that, or offer one option more, such as (turn pass)"


class Checked(NamedTuple):
    """The checker's findings about a program; ``passed`` if it can be played."""

    program: str
    problems: list[Problem]

    @property
    def passed(self) -> bool:
        """Whether there is no error."""
        return all(problem.severity != "error" for problem in self.problems)

    def document(self) -> dict[str, object]:
        """Return the findings as one JSON document."""
        problems = [problem._asdict() for problem in self.problems]
        return {"program": self.program, "passed": self.passed, "problems": problems}


def check(file: str) -> Checked:
    """Check the program in a file, or a game of the library by name."""
    path = find(file)
    return Checked(path.stem, problems(read_bytes(path)))


def problems(data: bytes) -> list[Problem]:
    """Return the problems of a program's bytes, in the order of the text."""
    try:
        text = decode(data)
        program = CompiledProgram(text)
    except BadProgram as bad:
        return bad.problems
    found = program.problems + ([] if program.start is None else lint(program.tree, program.start.deck.cards))
    if not program.errors():
        found += Trial(game_of("trial", data, program)).problems()
    return sorted(set(found))


class Trial:
    """Some random games, to find what only shows in play."""

    def __init__(self, rules: type[RecycleGame]) -> None:
        self.rules = rules
        self.games = 0
        self.offered: dict[Node, bool] = {}
        self.ties: list[Node] = []
        self.failure: Problem | None = None
        self.endless: Counter[tuple[Node, str]] = Counter()
        start = rules.compiled().start
        assert start is not None
        start.ties = self.ties
        self._play_some()

    def _play_some(self) -> None:
        deadline = time.process_time() + TRIAL_SECONDS
        while self.games < TRIAL_GAMES and time.process_time() <= deadline:
            for game in self.rules.by_chance(self.games):
                if game.turn is None:
                    self._judge(game)
                elif time.process_time() > deadline:
                    return
                else:
                    self._note(game)
            if self.failure is not None:
                return
            self.games += 1
            if self.games == ENDLESS_GAMES == self.endless.total():
                return

    def _judge(self, game: RecycleGame) -> None:
        """Note how a game ended, unless it ended by its own rules."""
        at = game.ended_at or game.program.tree
        if game.outcome == "broken":
            cure = _NO_OPTION_CURE if game.why == NO_OPTION else ""
            self.failure = at.problem(f"a random game came to no good end: {game.why}{cure}")
        elif game.void is not None:
            self.endless[at, game.void] += 1

    def _note(self, game: RecycleGame) -> None:
        """Note which options of a choice are offered."""
        assert game.choice is not None
        if not all(self.offered.get(node) for node, _ in game.choice.steps):
            table = game.table_at_choice()
            for node, step in game.choice.steps:
                self.offered[node] = bool(game.choice.unfold(step, table)) or self.offered.get(node, False)

    def _no_end(self, at: Node, why: str, many: int) -> Problem:
        games = "every random game" if many >= self.games else f"{many} of {self.games} random games"
        return at.problem(f"{games} came to no good end in here: {why}", "warning")

    def problems(self) -> list[Problem]:
        """Report ties, options that were never offered, and games that did not end."""
        if self.failure is not None:
            return [self.failure]
        found = [self._no_end(at, why, many) for (at, why), many in self.endless.items()]
        if self.endless and self.endless.total() == self.games:
            return found
        tie = "cards tie here in play, and chance decides; say so in the rules or in the map"
        found += [node.problem(tie, "warning") for node in dict.fromkeys(self.ties)]
        never = [node for node, seen in self.offered.items() if not seen] if self.games >= ENOUGH_GAMES else []
        message = f"this option was never offered in {self.games} random games"
        return [*found, *[node.problem(message, "warning") for node in never]]
