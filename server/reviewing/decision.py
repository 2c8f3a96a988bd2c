"""Decision: how good one play was beside the other legal ones, by playing on in thought.

It is judged twice. From what the seat knew, every play is tried in worlds that the seat could not tell apart. With all
cards open, there is only the real one.

The loss is the difference between the best play and the one that was made. The best is chosen in some worlds, and
compared with the one that was made in others. In the same worlds the best of many plays would seem better than it is.
A play that is hardly behind there counts as the best, so that what is lost by chance does not add up.

Forced decisions need no thought. Some of the time that they leave is used at the end: where a seat seems to have lost
most, plays are compared longer. These decisions are picked by the worlds in which the best play was chosen, so that no
chance of the comparison decides which they are.
"""

from __future__ import annotations

from collections import defaultdict
from enum import Enum
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from croupier.agents.search.budget import Budget, Stopwatch
from croupier.agents.search.candidates import candidates
from croupier.agents.search.common_chance import CommonChance
from croupier.agents.search.endgame import Endgame
from croupier.agents.search.sampling import Sampling
from croupier.agents.search.world import worths
from croupier.server.games.world import world_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from croupier.agents.agent import Agent
    from croupier.agents.search.playout import Playout
    from croupier.agents.search.world import World
    from croupier.server.games.game import Game, Play

    Array = NDArray[np.float64]
    Lines = dict[Play, Agent | None]
    """Plays, each with the bot that goes on with it; None for the reflex bot."""

CHOOSING, COMPARING, OPEN = 0.4, 0.4, 0.2
"""The shares of a decision's budget: for choosing the best play, for its lead over the one made, for open cards."""
SPARE = 0.4
"""The share of what forced decisions leave that is used for longer comparisons."""
LONGER = 3
"""This many decisions of each seat are compared longer."""
LEAST = 4
"""At least this many worlds are played out for each of them."""
TRIES = 20
"""At most this many worlds are drawn for one with as many plays, which a program's hidden cards may decide."""
SIGNIFICANT = 2.0
"""A loss of fewer standard errors may be chance."""
SERIOUS = 0.125
"""A mistake costs at least this share of the spread of the seat's score over its possible worlds."""


class Label(Enum):
    """How good a play was, in a word."""

    FORCED = "forced"
    BEST = "best"
    EQUAL = "equal"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"


class Worth(NamedTuple):
    """A play's mean worth to its seat: by how much its score is ahead of the others' mean; more is better."""

    play: Play
    mean: float
    error: float


class Loss(NamedTuple):
    """By how much the best play was better than the one made, in points, with its standard error."""

    mean: float
    error: float

    @property
    def is_significant(self) -> bool:
        """Return whether it is more than chance explains."""
        return self.mean > SIGNIFICANT * self.error and self.mean > 0


NOTHING = Loss(0.0, 0.0)


class Judgement(NamedTuple):
    """What a decision was worth: first the play that was made, then the others."""

    plays: tuple[Worth, ...]
    """From what the seat knew."""
    plays_open: tuple[Worth, ...]
    """With all cards open, in the same order."""
    best: Play
    """The best play from what the seat knew."""
    loss: Loss
    effects: tuple[Loss, ...]
    """By seat: what the play that was made cost each seat, its own included, compared with the best."""
    best_open: Play
    loss_open: Loss
    label: Label


class _Comparison(NamedTuple):
    """A decision whose two plays may be compared in more worlds."""

    judgement: Judgement
    seat: int
    promise: float
    """By how much the best play was ahead where it was chosen."""
    worlds: Iterator[World]
    two: Lines
    gains: Array
    rng: Random
    spread: float


class Judge:
    """Judges decisions of one game, with the same budget for each. ``seed`` and its number decide all chance."""

    def __init__(self, playout: Playout, budget: Budget, seed: str = "") -> None:
        self._playout = playout
        self._budget = budget
        self._seed = seed
        self.spread: dict[int, float] = {}
        """By seat: the spread of its worth over its possible worlds, at its first decision."""
        self._spare: dict[int, float] = defaultdict(float)
        """By seat: how many decisions' budgets are left."""
        self._comparisons: dict[int, _Comparison] = {}

    def judge(self, game: Game, played: Play, number: int) -> Judgement:
        """Judge the play that the seat on turn made in a game, which stays as it is; ``number`` seeds its chance."""
        rng = Random(f"{self._seed} {number}")
        world, seat = world_of(game.copy()), game.turn or 0
        lines = self._lines(world, played, rng)
        plays = list(lines)
        if len(plays) == 1:
            self._spare[seat] += 1
            forced = Worth(played, 0.0, 0.0)
            effects = (NOTHING,) * len(game.players)
            return Judgement((forced,), (forced,), played, NOTHING, effects, played, NOTHING, Label.FORCED)
        sampling = Sampling(world, plays, self._playout, rng)
        possible, actual = self._possible(sampling), self._real(world, rng)
        known = self._try(possible, seat, lines, CHOOSING, rng)[:, :, seat]
        best = _best(known)
        two = _only(lines, plays[0], plays[best])
        gains = self._compare(possible, seat, two, COMPARING, rng)
        seen = self._try(actual, seat, lines, OPEN / 2, rng)[:, :, seat]
        best_open = _best(seen)
        two_open = _only(lines, plays[0], plays[best_open])
        lead_open = _losses(self._compare(actual, seat, two_open, OPEN / 2, rng))
        spread = self.spread.setdefault(seat, float(known[:, 0].std(ddof=1)))
        lead = _losses(gains)
        ahead = float(known[:, best].mean() - known[:, 0].mean())
        label = _label(lead[seat], spread, is_best=known[:, 0].mean() >= known.mean(axis=0).max())
        judgement = Judgement(
            _worths(plays, known),
            _worths(plays, seen),
            plays[best],
            lead[seat],
            lead,
            plays[best_open],
            lead_open[seat],
            label,
        )
        if best:
            self._comparisons[number] = _Comparison(judgement, seat, ahead, possible, two, gains, rng, spread)
        return judgement

    def compare_longer(self) -> Iterator[tuple[int, Judgement]]:
        """Yield, by their numbers, better judgements of the decisions by which each seat seems to have lost most."""
        by_promise = sorted(self._comparisons.items(), key=lambda item: -item[1].promise)
        for seat, spare in sorted(self._spare.items()):
            chosen = [item for item in by_promise if item[1].seat == seat][:LONGER]
            for number, each in chosen:
                judged = each.judgement
                more = self._compare(each.worlds, seat, each.two, SPARE * spare / len(chosen), each.rng)
                lead = _losses(np.concatenate([each.gains, more]))
                label = _label(lead[seat], each.spread, is_best=False)
                yield number, judged._replace(loss=lead[seat], effects=lead, label=label)

    def _lines(self, world: World, played: Play, rng: Random) -> Lines:
        """Return the plays to compare, the one that was made first; only that if no thought was needed for it."""
        routine = world.routine()
        proposed: Lines = {}
        for play, bot in self._playout.proposals(world):
            proposed.setdefault(play, bot)
        if routine is not None:
            return dict.fromkeys([played, routine])
        plays = list(dict.fromkeys([played, *proposed]))
        if not self._playout.advice.alone:
            plays = candidates(world, plays, rng)
        return {play: proposed.get(play) for play in plays}

    def _compare(self, worlds: Iterator[World], seat: int, two: Lines, share: float, rng: Random) -> Array:
        """Return by how much the second of two plays is better than the first for each seat, by world."""
        if len(two) == 1:
            return np.zeros((LEAST, len(next(worlds).game.players)))
        values = self._try(worlds, seat, two, share, rng)
        gains: Array = values[:, 1] - values[:, 0]
        return gains

    def _try(self, worlds: Iterator[World], seat: int, lines: Lines, share: float, rng: Random) -> Array:
        """Return the worth to each seat of each play, by world; more worlds until a share of the budget is spent."""
        ms, iterations = self._budget
        watch = Stopwatch(Budget(ms * share, None if iterations is None else round(iterations * share)), None)
        rows: list[list[tuple[float, ...]]] = []
        while len(rows) < LEAST or not watch.over:
            world, luck = next(worlds), rng.random()
            end = Endgame.of(world)
            row = []
            for play, bot in lines.items():
                row.append(end.values(play) if end else self._playout_worths(world, seat, play, bot, Random(luck)))
                watch.spend()
            rows.append(row)
        return np.array(rows)

    def _playout_worths(self, world: World, seat: int, play: Play, bot: Agent | None, rng: Random) -> tuple[float, ...]:
        """Return what a play is worth to each seat in a world that is played out after it."""
        twin = world.copy()
        twin.game.play(seat, play)
        self._playout.finish(twin, seat, rng, bot=bot)
        return worths(twin)

    def _possible(self, sampling: Sampling) -> Iterator[World]:
        """Yield worlds that the seat cannot tell from the real one; where none offers the same plays, that one."""
        while True:
            drawn = (sampling.likely() for _ in range(TRIES))
            world = next(filter(sampling.offers_as_much, drawn), None) or sampling.world.copy()
            world.deal_by(CommonChance(sampling.rng))
            yield world

    def _real(self, world: World, rng: Random) -> Iterator[World]:
        """Yield the real world again and again; only shuffles that are still to come differ."""
        while True:
            twin = world.copy()
            twin.deal_by(CommonChance(rng))
            yield twin


def _only(lines: Lines, *plays: Play) -> Lines:
    return {play: lines[play] for play in plays}


def _losses(gains: Array) -> tuple[Loss, ...]:
    return tuple(map(Loss, gains.mean(axis=0).tolist(), _standard_errors(gains).tolist()))


def _standard_errors(values: Array) -> Array:
    """Return the standard error of each column's mean; for a few rows it is enlarged, as their spread is uncertain."""
    rows = len(values)
    errors: Array = values.std(axis=0, ddof=1) / np.sqrt(rows) * (1 + 2 / rows)
    return errors


def _worths(plays: Sequence[Play], values: Array) -> tuple[Worth, ...]:
    return tuple(map(Worth, plays, values.mean(axis=0).tolist(), _standard_errors(values).tolist()))


def _best(values: Array) -> int:
    """Return the number of the best play by its mean, or of the first unless it is a standard error behind."""
    best = int(values.mean(axis=0).argmax())
    gains = values[:, [best]] - values[:, [0]]
    return best if gains.mean() > _standard_errors(gains)[0] else 0


def _label(loss: Loss, spread: float, *, is_best: bool) -> Label:
    if not loss.is_significant:
        return Label.BEST if is_best else Label.EQUAL
    return Label.MISTAKE if loss.mean >= SERIOUS * spread else Label.INACCURACY
