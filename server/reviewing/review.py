"""Review: all decisions of a recorded game, judged, and each player's result split into its causes."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.agents.search.world import worths
from croupier.protocol.sexp import write
from croupier.server.games.tricks import TrickTaking
from croupier.server.games.world import world_of
from croupier.server.records.notes import Questions
from croupier.server.records.replay import Replay, ReplayedPlay
from croupier.server.reviewing.decision import Judge, Judgement, Label, Loss
from croupier.server.thinking import manner
from croupier.server.viewer import page_data

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from croupier.agents.search.budget import Budget
    from croupier.server.games.game import Game, Play

KINDS = {
    **dict.fromkeys(("bid", "hold", "pass"), "bidding"),
    **dict.fromkeys(("declare", "pick-up", "hand", "trump", "shift", "solo", "wedding", "poverty"), "declaring"),
    **dict.fromkeys(("give", "exchange"), "passing"),
    **dict.fromkeys(("announce", "contra", "re", "weis"), "announcing"),
    **dict.fromkeys(("moat", "discard"), "defending"),
    **dict.fromkeys(("take", "healthy"), "bidding"),
    "buy": "buying",
    "act": "acting",
    "add": "paying",
    "clean": "ending the turn",
}
"""The kind of a decision by the first word of its play. The play of a card to a trick has three kinds of its own."""


class ReviewedDecision(NamedTuple):
    """A decision of a game: the moment of the viewer at which it was to be made, its line in the record, its kind.

    ``question`` is its number among the questions to its player, from 1, as ``replay --sent`` counts them.
    """

    moment: int
    line: int
    seat: int
    question: int
    kind: str
    judgement: Judgement


class Split(NamedTuple):
    """A player's worth, split into three parts that add up to it, each with a standard error; None if not known."""

    worth: float
    """By how much the score was ahead of the others' mean; more is better."""
    deal: Loss | None
    others: Loss | None
    own: Loss


class Review(NamedTuple):
    """A game's decisions in their order, and its worth to each seat; None if it was not played to its end."""

    game: str
    players: tuple[str, ...]
    decisions: tuple[ReviewedDecision, ...]
    worths: tuple[float, ...] | None
    judged: tuple[str, ...] = ()
    """The players whose decisions were judged; all if none are named."""

    def of_seat(self, seat: int) -> list[ReviewedDecision]:
        """Return the decisions of one seat."""
        return [each for each in self.decisions if each.seat == seat]

    def split(self, seat: int) -> Split | None:
        """Split a seat's result into the deal, the others' mistakes and its own; None without a result.

        What is left of the result is the deal: the cards, and everything else that nobody could know. The two cannot be
        told apart, and are None, where not all others' decisions were judged.
        """
        if self.worths is None:
            return None
        own = _sum(each.judgement.effects[seat] for each in self.of_seat(seat))
        others = _sum(each.judgement.effects[seat] for each in self.decisions if each.seat != seat)
        worth = self.worths[seat]
        mine = Loss(-own.mean, own.error)
        if not all(self.is_judged(other) for other in range(len(self.players))):
            return Split(worth, None, None, mine)
        rest = Loss(worth + own.mean + others.mean, sqrt(own.error**2 + others.error**2))
        return Split(worth, rest, Loss(-others.mean, others.error), mine)

    def is_judged(self, seat: int) -> bool:
        """Return whether the decisions of a seat were judged."""
        return not self.judged or self.players[seat] in self.judged

    def document(self) -> dict[str, Any]:
        """Return the review in the form of ``review --json``."""
        return {
            "game": self.game,
            "players": [self._player(seat, name) for seat, name in enumerate(self.players)],
            "decisions": [self._decision(each) for each in self.decisions],
        }

    def _player(self, seat: int, name: str) -> dict[str, Any]:
        mine, split = self.of_seat(seat), self.split(seat)
        labels = Counter(each.judgement.label for each in mine)
        kinds: dict[str, list[Loss]] = defaultdict(list)
        for each in mine:
            kinds[each.kind].append(each.judgement.loss)
        return {
            "name": name,
            "decisions": len(mine),
            "labels": {label.value: labels[label] for label in Label},
            "loss": _document(_sum(each.judgement.loss for each in mine)),
            "kinds": {kind: {"decisions": len(losses), **_document(_sum(losses))} for kind, losses in kinds.items()},
            "worth": None if split is None else round(split.worth, 4),
            "deal": None if split is None or split.deal is None else _document(split.deal),
            "others": None if split is None or split.others is None else _document(split.others),
            "own": None if split is None else _document(split.own),
            "brought": {
                other: self._brought(place, seat)
                for place, other in enumerate(self.players)
                if place != seat and self.is_judged(place)
            },
        }

    def _brought(self, seat: int, to: int) -> dict[str, float]:
        """Return what the losses of one seat brought another."""
        effect = _sum(each.judgement.effects[to] for each in self.of_seat(seat))
        return _document(Loss(-effect.mean, effect.error))

    def _decision(self, each: ReviewedDecision) -> dict[str, Any]:
        judged = each.judgement
        return {
            "moment": each.moment,
            "line": each.line,
            "question": each.question,
            "player": self.players[each.seat],
            "kind": each.kind,
            "play": write(judged.plays[0].play),
            "label": judged.label.value,
            "best": write(judged.best),
            **_document(judged.loss),
            "best_open": write(judged.best_open),
            "loss_open": _document(judged.loss_open)["loss"],
            "error_open": _document(judged.loss_open)["error"],
            "plays": [
                {
                    "play": write(known.play),
                    "worth": round(known.mean, 4),
                    "error": round(known.error, 4),
                    "worth_open": round(seen.mean, 4),
                    "error_open": round(seen.error, 4),
                }
                for known, seen in zip(judged.plays, judged.plays_open, strict=True)
            ],
        }


def review(text: str, find: Callable[[str], type[Game]], budget: Budget, seats: Sequence[str] = ()) -> Review:
    """Judge every decision of a record, or those of some players; raise Invalid if it breaks the rules.

    Decisions of a stand-in are nobody's. Without random numbers from outside, a budget of playouts gives the same
    review again.
    """
    *_, whole = reviews_so_far(text, find, budget, seats)
    return whole


def reviews_so_far(
    text: str, find: Callable[[str], type[Game]], budget: Budget, seats: Sequence[str] = ()
) -> Iterator[Review]:
    """Yield the review after each decision that was judged, or judged better, and at last the whole with the result."""
    moments = _moments(text, find)
    replay = Replay(text, find)
    game = replay.game
    judge = Judge(manner(game.NAME), budget)
    questions = Questions(replay)
    found: list[ReviewedDecision] = []
    for step in replay.steps():
        question = questions.number(step)
        if isinstance(step, ReplayedPlay) and _is_reviewed(step, replay, seats):
            judged = judge.judge(game, step.play, step.line)
            kind = kind_of(game, step.play)
            at = moments[step.line] - 1
            found.append(ReviewedDecision(at, step.line, step.seat, question or 0, kind, judged))
            yield Review(game.NAME, game.players, tuple(found), None)
    places = {each.line: place for place, each in enumerate(found)}
    for line, judged in judge.compare_longer():
        found[places[line]] = found[places[line]]._replace(judgement=judged)
        yield Review(game.NAME, game.players, tuple(found), None)
    result = worths(world_of(game)) if game.turn is None else None
    yield Review(game.NAME, game.players, tuple(found), result, tuple(seats))


def count_decisions(text: str, find: Callable[[str], type[Game]], seats: Sequence[str] = ()) -> int:
    """Return how many decisions of a record a review judges."""
    replay = Replay(text, find)
    return sum(isinstance(step, ReplayedPlay) and _is_reviewed(step, replay, seats) for step in replay.steps())


def _is_reviewed(step: ReplayedPlay, replay: Replay, seats: Sequence[str]) -> bool:
    return step.seat not in replay.standing_in and (not seats or replay.game.players[step.seat] in seats)


def _moments(text: str, find: Callable[[str], type[Game]]) -> dict[int, int]:
    """Return the number of the viewer's first moment of each line of a record."""
    found: dict[int, int] = {}
    for number, moment in enumerate(page_data(Replay(text, find), "", seat=0)["moments"]):
        found.setdefault(moment[1], number)
    return found


def kind_of(game: Game, play: Play) -> str:
    """Return the kind of a decision in words: what was to be decided."""
    word = str(play[0])
    if word == "play" and isinstance(game, TrickTaking):
        if not game.trick:
            return "leading"
        led = game.suits[game.trick[0]]
        return "following" if game.units[str(play[1])] & led else "discarding"
    return KINDS.get(word, word)


def _sum(losses: Iterable[Loss]) -> Loss:
    listed = list(losses)
    return Loss(sum(each.mean for each in listed), sqrt(sum(each.error**2 for each in listed)))


def _document(loss: Loss) -> dict[str, float]:
    return {"loss": round(loss.mean, 4) + 0.0, "error": round(loss.error, 4)}
