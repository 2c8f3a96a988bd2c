"""Ending: whether the results are clear, by the rule to which a tournament is bound before its first deal.

Both the run and ``verify`` ask this after every round, of the same games in the same order. So both know when a
tournament was over, and at which tables the results were clear before.
"""

from __future__ import annotations

from collections import deque
from itertools import combinations
from typing import TYPE_CHECKING

from croupier.server.tournaments.formats import FORMATS, default_format
from croupier.server.tournaments.formats.schedule import Asks
from croupier.server.tournaments.statistics import stopping
from croupier.server.tournaments.statistics.credit import opponents, seats_of
from croupier.server.tournaments.statistics.gaps import Gaps
from croupier.server.tournaments.statistics.improvement import ImprovementTest, Question
from croupier.server.tournaments.statistics.stopping import Bounds, Watch

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from croupier.server.games.game import Game
    from croupier.server.table.played_game import Names, PlayedGame
    from croupier.server.tournaments.config.settings import Settings


class Ending:
    """The question of a tournament; this class has none, so that everything is played."""

    def __init__(self) -> None:
        self._round: list[PlayedGame] = []

    def wants(self, pairing: Names) -> bool:
        """Return whether the results at a table are still unclear."""
        return True

    def note(self, games: Iterable[PlayedGame]) -> None:
        """Add the games of a batch; they count from the next look."""
        self._round += games

    def look(self) -> str:
        """Return, at the end of a round, why the results are clear; an empty string while they are not."""
        games = sorted(
            self._round, key=lambda game: (game.pairing, game.deal, game.seating)
        )  # the result must not depend on the order in which they were kept
        self._round = []
        return self._look(games)

    def _look(self, games: Sequence[PlayedGame]) -> str:
        return ""


class OfTwo(Ending):
    """One question about the first two."""

    def __init__(self, rules: type[Game], settings: Settings) -> None:
        super().__init__()
        self._trial = ImprovementTest(rules, question_of(settings))

    def _look(self, games: Sequence[PlayedGame]) -> str:
        self._trial.look(games)
        word, question = self._trial.verdict.word, self._trial.question
        return "" if word == "undecided" else f"sure: {question.new} is {word} beside {question.old}"


class OfPairs(Ending):
    """The difference of every pair; where it drops, tables whose pairs are all known are no longer played."""

    def __init__(self, rules: type[Game], watch: Watch | Gaps, *, drops: bool) -> None:
        super().__init__()
        self.watch, self._rules, self._drops = watch, rules, drops

    def wants(self, pairing: Names) -> bool:
        """Return whether some two players there cannot be told apart yet."""
        if not self._drops:
            return True
        known = (self.watch.decided.get(pair) for pair in opponents(seats_of(pairing), self._rules))
        return any(decision is not None and decision.verdict is None for decision in known)

    def _look(self, games: Sequence[PlayedGame]) -> str:
        self.watch.look(games)
        asked_for = self._pairs_asked_for(games)
        decided = {pair: decision for pair, decision in self.watch.decided.items() if pair in asked_for}
        return stopping.explain(decided) if decided and stopping.is_sure(decided) else ""

    def _pairs_asked_for(self, games: Sequence[PlayedGame]) -> Collection[tuple[str, str]]:
        return self.watch.decided


class OfNeighbours(OfPairs):
    """The difference of neighbors on a ladder: those who met in one of the last two rounds."""

    def __init__(self, rules: type[Game], watch: Watch) -> None:
        super().__init__(rules, watch, drops=False)
        self._met: deque[set[tuple[str, str]]] = deque(maxlen=2)

    def _pairs_asked_for(self, games: Sequence[PlayedGame]) -> Collection[tuple[str, str]]:
        pairings = {game.pairing for game in games}
        self._met.append({pair for each in pairings for pair in opponents(seats_of(each), self._rules)})
        return set().union(*self._met) if len(self._met) == self._met.maxlen else set()


def ending(rules: type[Game], settings: Settings) -> Ending:
    """Return the question of a tournament with a known format."""
    form = settings.format or default_format(len(settings.bots))
    kind = FORMATS[form]
    if not settings.ends_early or kind.asks is Asks.NOTHING:
        return Ending()
    if settings.sprt is not None or kind.asks is Asks.FIRST_TWO:
        return OfTwo(rules, settings)
    asked_for = pairs([bot.name for bot in settings.bots], form)
    if kind.asks is Asks.NEIGHBOURS:
        return OfNeighbours(rules, Watch(rules, asked_for, settings.margin))
    watch = Watch(rules, asked_for, settings.margin) if kind.same_deals else Gaps(rules, asked_for, settings.margin)
    return OfPairs(rules, watch, drops=drops(settings))


def drops(settings: Settings) -> bool:
    """Return whether tables are no longer played once their pairs are known."""
    kind = FORMATS[settings.format or default_format(len(settings.bots))]
    several = kind.asks is not Asks.FIRST_TWO
    return settings.until_sure and settings.sprt is None and several and kind.same_deals


def question_of(settings: Settings) -> Question:
    """Return the question about the first two."""
    old, new, *_ = (bot.name for bot in settings.bots)
    bounds = None if settings.sprt is None else Bounds(*settings.sprt)
    return Question(old, new, settings.margin, bounds, settings.sprt_in or "points")


def pairs(names: Sequence[str], form: str) -> list[tuple[str, str]]:
    """List the pairs whose differences are asked for: all, or in a gauntlet those of the first entry."""
    if FORMATS[form].asks is Asks.FIRST:
        return [(min(names[0], other), max(names[0], other)) for other in names[1:]]
    return list(combinations(sorted(names), 2))
