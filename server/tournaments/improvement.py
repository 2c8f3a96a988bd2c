"""Improvement: whether a new version of a bot is better than the old on the same deals."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from croupier.server.tournaments.statistics.credit import credited
from croupier.server.tournaments.statistics.likelihood import Bounds, sprt
from croupier.server.tournaments.statistics.stopping import LEAST, decide, sequence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.server.games.game import Game
    from croupier.server.table.played import PlayedGame

    Word = Literal["better", "worse", "same", "undecided"]

PLACES = 4


class Question(NamedTuple):
    """Which two are compared, what difference does not matter, or between which bounds is to be decided."""

    old: str
    new: str
    margin: float | None = None
    bounds: Bounds | None = None


class Verdict(NamedTuple):
    """What is known of the new version: by how much more a game brings it, turned so that more is better."""

    word: Word
    difference: float | None
    low: float | None
    high: float | None
    sets: int
    passed: bool
    """Whether it is better; with bounds, whether the higher was accepted."""

    def document(self) -> dict[str, Any]:
        """Return what ``improve --json`` prints."""
        numbers = {"difference": self.difference, "low": self.low, "high": self.high}
        rounded = {name: None if value is None else round(value, PLACES) + 0.0 for name, value in numbers.items()}
        return {"verdict": self.word, **rounded, "sets": self.sets}


def judged(games: Sequence[PlayedGame], rules: type[Game], question: Question) -> Verdict:
    """Judge the new version by the sets that have been played whole."""
    means, worst = _differences(games, rules, question)
    if not means:
        return Verdict("undecided", None, None, None, 0, passed=False)
    if question.bounds is not None:
        return _tested(means, worst, question.bounds)
    found = decide(means, question.margin, worst)
    different: Word = "better" if found.low + found.high > 0 else "worse"
    word: Word = "undecided" if found.verdict is None else "same" if found.verdict == "alike" else different
    return _verdict(word, means[: found.sets], found.low, found.high, passed=word == "better")


def _tested(means: Sequence[float], worst: Sequence[float], bounds: Bounds) -> Verdict:
    found = sprt(means, worst, bounds)
    words: dict[str | None, Word] = {
        None: "undecided",
        "high": "better" if bounds.low >= 0 else "same",
        "low": "worse" if bounds.high <= 0 else "same",
    }
    low, high = (float(bound[0, -1]) for bound in sequence(means[: found.sets], worst[: found.sets]))
    return _verdict(words[found.accepted], means[: found.sets], low, high, passed=found.accepted == "high")


def _verdict(word: Word, means: Sequence[float], low: float, high: float, *, passed: bool) -> Verdict:
    known = np.isfinite(low)
    return Verdict(word, float(np.mean(means)), low if known else None, high if known else None, len(means), passed)


def _differences(games: Sequence[PlayedGame], rules: type[Game], question: Question) -> tuple[list[float], list[float]]:
    """Return by how much more each deal brought the new version, and the most that one of its games may have."""
    sign = -1 if rules.LOW_WINS else 1
    deals: Mapping[int, Mapping[str, list[float]]] = defaultdict(lambda: {question.old: [], question.new: []})
    for each in credited(games, rules):
        for name in (question.old, question.new):
            if name in each.scores:
                deals[each.game.deal][name].append(sign * each.scores[name])
    pairs = [(deals[deal][question.old], deals[deal][question.new]) for deal in sorted(deals)]
    whole = [(old, new) for old, new in pairs if old and new]
    means = [sum(sorted(new)) / len(new) - sum(sorted(old)) / len(old) for old, new in whole]
    worst = [max(LEAST, max(new) - min(old), max(old) - min(new)) for old, new in whole]
    return means, worst
