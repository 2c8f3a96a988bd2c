"""Improvement: whether a new version of a bot is better than the old on the same deals."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from croupier.server.tournaments.statistics.columns import Columns
from croupier.server.tournaments.statistics.credit import Usual, credit_with, opposing_pairs, shares
from croupier.server.tournaments.statistics.intervals import Interval, rounded
from croupier.server.tournaments.statistics.stopping import (
    LEAST,
    LIMIT,
    NOTHING,
    SKEWED,
    Bounds,
    PowerSums,
    decide,
    sequence,
    sprt,
)
from croupier.server.tournaments.statistics.strength import advantage, ahead

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from croupier.server.table.played_game import Names, PlayedGame
    from croupier.server.tournaments.statistics.columns import Array, Flags
    from croupier.server.tournaments.statistics.credit import Credited
    from croupier.server.tournaments.statistics.scoring import Rules
    from croupier.server.tournaments.statistics.stopping import Tested

    Word = Literal["better", "worse", "same", "undecided"]

A_LOOK = 10
"""The number of deals between two looks, also in a run of the format paired."""


class Question(NamedTuple):
    """The two to compare, the margin that does not matter, or the bounds to decide between."""

    old: str
    new: str
    margin: float | None = None
    bounds: Bounds | None = None
    unit: Literal["points", "strength"] = "points"
    """Of the bounds: with strength, 400 points are odds of ten to one between the two."""


class Verdict(NamedTuple):
    """The knowledge about the new version: by how much a game brings it more, turned so that more is better."""

    word: Word
    difference: float | None
    low: float | None
    high: float | None
    sets: int
    passed: bool
    """Whether it is better; with bounds, whether the higher one was accepted."""
    test: Tested | None = None
    """The test between two bounds, if that is the question."""

    @property
    def ratio(self) -> str:
        """The progress of the test, for a person; empty if there is none."""
        if self.test is None:
            return ""
        lopsided = f"; the sets are skewed by {self.test.skew:.1f}, so that more than 5 % of such verdicts are wrong"
        found = f"log-likelihood ratio {self.test.ratio:+.2f}, decided at {-LIMIT:.2f} or {LIMIT:+.2f}"
        return found + (lopsided if abs(self.test.skew) > SKEWED else "")

    def document(self) -> dict[str, Any]:
        """Return the JSON of ``improve --json``."""
        known = Interval(self.difference, self.low, self.high, self.sets)
        numbers = known.document("difference", "low", "high")
        return {"verdict": self.word, **numbers, "sets": self.sets, **self._test_numbers()}

    def _test_numbers(self) -> dict[str, Any]:
        if self.test is None:
            return {}
        bounds = [rounded(-LIMIT), rounded(LIMIT)]
        return {"llr": rounded(self.test.ratio), "llr_bounds": bounds, "skewness": rounded(self.test.skew)}


def judge(games: Iterable[PlayedGame] | Columns, rules: Rules, question: Question) -> Verdict:
    """Judge the new version by the complete sets, with as many looks as a run has."""
    trial, games = ImprovementTest(rules, question), Columns.of(games)
    piece = (games.deal - 1) // A_LOOK
    for number in np.unique(piece):
        trial.look(games.take(piece == number))
    return trial.verdict


def judge_counts(counts: Sequence[int], question: Question) -> Verdict:
    """Judge by a single look at numbers of sets, from those that were lost by most to those that were won by most.

    Three are sets of one game, five are pairs of games that have 0, 1/2, 1, 3/2 or 2 points.
    """
    half = 0.5 if question.unit == "strength" else 1.0
    results = np.linspace(-half, half, len(counts)).tolist()
    last = int(np.argmax(counts))
    trial = Trial(question, PowerSums.of_counts(results, [n - (each == last) for each, n in enumerate(counts)]))
    trial.take([(results[last], LEAST)])
    return trial.verdict


class Trial:
    """A question that is asked again after further sets, of which only sums are kept; a decision stays."""

    def __init__(self, question: Question, before: PowerSums = NOTHING) -> None:
        self.question = question
        self.verdict = Verdict("undecided", None, None, None, 0, passed=False)
        self._sums = before

    def take(self, measured: Sequence[tuple[float, float]]) -> None:
        """Take sets into account: the difference of each, and the largest possible one of a game."""
        if not measured or self.verdict.word != "undecided":
            return
        means, worst = zip(*measured, strict=True)
        self.verdict = self._decide(means, worst) if self.question.bounds is None else self._test(means, worst)
        self._sums = self._sums.and_then(means, worst)

    def _decide(self, means: Sequence[float], worst: Sequence[float]) -> Verdict:
        margin = self.question.margin
        if margin is not None and self.question.unit == "strength":
            margin = advantage(margin)
        found = decide(means, margin, worst, before=self._sums)
        different: Word = "better" if found.low + found.high > 0 else "worse"
        word: Word = "undecided" if found.verdict is None else "same" if found.verdict == "alike" else different
        return self._verdict(word, means, worst, found.sets, passed=word == "better")

    def _test(self, means: Sequence[float], worst: Sequence[float]) -> Verdict:
        bounds = self.question.bounds or Bounds(0, 0)
        in_strength = self.question.unit == "strength"
        found = sprt(means, worst, Bounds(*map(advantage, bounds)) if in_strength else bounds, before=self._sums)
        words: dict[str | None, Word] = {
            None: "undecided",
            "high": "better" if bounds.low >= 0 else "same",
            "low": "worse" if bounds.high <= 0 else "same",
        }
        word, passed = words[found.accepted], found.accepted == "high"
        return self._verdict(word, means, worst, found.sets, passed=passed)._replace(test=found)

    def _verdict(
        self, word: Word, means: Sequence[float], worst: Sequence[float], sets: int, *, passed: bool
    ) -> Verdict:
        """Return the verdict after this many sets, in the unit of the question."""
        fresh = slice(sets - self._sums.sets)
        low, high = (float(bound[0, -1]) for bound in sequence(means[fresh], worst[fresh], before=self._sums))
        mean = self._sums.and_then(means[fresh], worst[fresh]).total / sets
        return Verdict(word, self._in_unit(mean), self._in_unit(low), self._in_unit(high), sets, passed)

    def _in_unit(self, number: float) -> float | None:
        told = ahead(number) if self.question.unit == "strength" else number
        return told if np.isfinite(told) else None


class ImprovementTest(Trial):
    """A trial by the games of further sets; a look costs as much as their number."""

    def __init__(self, rules: Rules, question: Question) -> None:
        super().__init__(question)
        self._rules = rules
        self._usual = Usual()

    def look(self, games: Iterable[PlayedGame] | Columns) -> None:
        """Take further sets into account."""
        counted = credit_with(self._usual, games, self._rules)
        self.take(self._shares(counted) if self.question.unit == "strength" else self._differences(counted))

    def _differences(self, counted: Credited) -> list[tuple[float, float]]:
        """Return each deal's difference for the new version, and the largest possible one of a game.

        Sets spoilt by a third player count for neither version.
        """
        sign, question = -1 if self._rules.LOW_WINS else 1, self.question
        deals: Mapping[int, Mapping[str, list[float]]] = defaultdict(lambda: {question.old: [], question.new: []})
        found = counted.entries
        told, counts = _rows_that_tell(counted, {question.old, question.new})
        rows = np.flatnonzero(told)
        for name, deal, score in zip(found.names(rows), found.deal[rows].tolist(), counts[rows].tolist(), strict=True):
            deals[deal][name].append(sign * score)
        pairs = [(deals[deal][question.old], deals[deal][question.new]) for deal in sorted(deals)]
        return [
            (
                sum(sorted(new)) / len(new) - sum(sorted(old)) / len(old),
                max(LEAST, max(new) - min(old), max(old) - min(new)),
            )
            for old, new in pairs
            if old and new
        ]

    def _shares(self, counted: Credited) -> list[tuple[float, float]]:
        """Return, for each deal, the new version's share of wins against the old one, minus one half."""
        old, new = self.question.old, self.question.new
        deals: dict[int, list[float]] = defaultdict(list)
        pairs = counted.comparable(opposing_pairs(counted.entries, self._rules))
        won, lost = shares(counted.entries, pairs)
        names = zip(*map(counted.entries.names, pairs), strict=True)
        dealt = counted.entries.deal[pairs.one].tolist()
        for pair, deal, more in zip(names, dealt, ((won - lost) / 2).tolist(), strict=True):
            if set(pair) == {old, new}:
                deals[deal].append(more if pair[0] == new else -more)
        return [(sum(sorted(won)) / len(won), LEAST) for _, won in sorted(deals.items())]


def _rows_that_tell(counted: Credited, names: Collection[str]) -> tuple[Flags, Array]:
    """Return the rows that are evidence about these two, and their values: the game's, or a fault of theirs.

    If the two play apart, each in the same seats with the same others, games are compared one by one, when neither was
    spoilt by a third player. If they meet, a set spoilt by a third player is not used.
    """
    found, games = counted.entries, counted.entries.games
    ours = np.isin(found.who, [number for number, name in enumerate(games.names) if name in names])
    if any(len(set(pairing).intersection(names)) > 1 for pairing in games.pairings):
        sets = games.sets[found.game]
        blamed: Flags = np.bincount(sets, ours & counted.guilty) > 0
        return ours & (counted.seen | blamed[sets]), counted.score
    clean = games.clean[found.game]
    own = np.zeros(len(found.who), bool)
    own[found.row[games.guilty]] = True
    alike: dict[tuple[int, Names], list[int]] = defaultdict(list)
    for row, name in zip(np.flatnonzero(ours).tolist(), found.names(np.flatnonzero(ours)), strict=True):
        seating = games.seatings[games.seating[found.game[row]]]
        others = tuple("" if other == name else other for other in seating)
        alike[int(games.deal[found.game[row]]), others].append(row)
    told = np.zeros(len(found.who), bool)
    for rows in alike.values():
        told[rows] = len(set(found.who[rows].tolist())) > 1 and bool((clean | own)[rows].all())
    return told, np.where(clean, found.score, counted.score)
