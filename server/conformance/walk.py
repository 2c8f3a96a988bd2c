"""A walk: one game through which the examined bot is led, while all other seats play at random."""

from __future__ import annotations

import random
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from croupier.server.deals import Key
from croupier.server.table import messages
from croupier.server.table.clock import Clock

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from croupier.protocol.sexp import Atom
    from croupier.server.games.game import Game, Play
    from croupier.server.table.messages import Answer, Question
    from croupier.server.table.seat import Seat

    Answerer = Callable[["Walk", Question], Awaitable[Play | None]]

_KEY = Key.from_seed("croupier check")
_ENOUGH_DECISIONS = 10_000
_ENOUGH_GAMES = 1500
_WHOLE_GAMES = 10
_NOTHING_NEW = 12
_FEW_ROUTES = 8
_LISTED = 64
_PLAY = "play"


class Situation(NamedTuple):
    """A kind of question: its phase, whether it asks for a defense, whether the legal plays are listed."""

    phase: str
    attacked: bool
    listed: bool

    def __str__(self) -> str:
        """Describe it in a few words."""
        return f"{self.phase}{'' if self.listed else ' with more plays than are listed'}"


class Route(NamedTuple):
    """A game by its deal's number and the bot's seat; ``free`` if the bot's own answers are played."""

    number: int
    place: int
    free: bool


class Walk:
    """A game with one bot in it.

    On a route that is not free, the bot's seat plays at random too, whatever it answers. So it is asked in phases that
    its own plays would never reach.
    """

    def __init__(self, rules: type[Game], options: Mapping[str, Atom], route: Route, name: str, clock: float) -> None:
        players = [f"other-{number}" for number in range(1, seats(rules, route.number))]
        players.insert(route.place, name)
        self.route = route
        self.clock = Clock(round(clock * 1000))
        self.game = rules(players, options, _KEY.deal(route.number))
        self._rng = random.Random(route.number)

    async def begin(self, seat: Seat) -> None:
        """Seat the bot and tell it that a game begins."""
        seat.sit(self.game.players)
        seat.follow(self.game, self.route.place)
        seat.ready()
        for note in messages.start(self.game, self.route.place, self.clock):
            seat.tell(note, {})

    async def go(self, seat: Seat, answer: Answerer) -> None:
        """Play until the game is over, or until ``answer`` returns None to a question.

        On a route that is not free it may return an empty play, which means that the bot was not asked.
        """
        game, place = self.game, self.route.place
        while (turn := game.turn) is not None:
            play = by_chance(game, self._rng) if turn != place or not self.route.free else None
            if turn == place:
                answered = await answer(self, self.question())
                if answered is None:
                    break
                play = play or answered
            assert play is not None
            self._apply(seat, turn, play)
        seat.tell(messages.end(zip(game.players, game.scores(), strict=True)), {})

    def question(self) -> Question:
        """Return the bot's next question."""
        return messages.question(self.game, self.clock)

    async def ask(self, seat: Seat, question: Question, seconds: float) -> Answer:
        """Ask the bot; return its answer, with a play only if the rules allow it."""
        return messages.judge(self.game, self.route.place, await seat.ask(question, seconds))

    def _apply(self, seat: Seat, turn: int, play: Play) -> None:
        game, attack = self.game, self.game.attack
        seen = game.public(turn, play)
        for note, but in messages.after(game, turn, seen, attack, game.play(turn, play)):
            if but != self.route.place:
                seat.tell(note, {})


def seats(rules: type[Game], number: int) -> int:
    """Return the number of seats in game ``number``, from 1; the sizes of table that the rules allow take turns."""
    return rules.SEATS[(number - 1) % len(rules.SEATS)]


def situation(game: Game, seat: int) -> Situation:
    """Return the kind of question that the seat on turn has."""
    view = game.view(seat)
    return Situation(str(view.phase or _PLAY), game.attack is not None, view.legal is not None)


def by_chance(game: Game, rng: random.Random) -> Play:
    """Return a random legal play. Each kind of play has the same probability, so that rare ones occur."""
    plays = list(islice(game.legal(), _LISTED + 1))
    if len(plays) > _LISTED:
        return game.sample(rng)
    head = rng.choice(sorted({str(play[0]) for play in plays}))
    return rng.choice([play for play in plays if str(play[0]) == head])


def survey(rules: type[Game], options: Mapping[str, Atom]) -> dict[Situation, list[Route]]:
    """Play random games; return the routes that lead to each kind of question.

    After some whole games only the openings are played, for as long as they bring something new.
    """
    return _survey(rules, tuple(options.items()))


@cache  # cached because several bots are checked one after another with the same questions
def _survey(rules: type[Game], options: tuple[tuple[str, Atom], ...]) -> dict[Situation, list[Route]]:
    found: dict[Situation, list[Route]] = {}
    decisions = 0
    for number in range(1, _ENOUGH_GAMES + 1):
        game, rng = _begin(rules, dict(options), number)
        stale = 0
        while (turn := game.turn) is not None and (number <= _WHOLE_GAMES or stale < _NOTHING_NEW):
            routes = found.setdefault(situation(game, turn), [])
            stale = stale + 1 if len(routes) >= _FEW_ROUTES else 0
            route = Route(number, turn, free=False)
            if route not in routes[-_FEW_ROUTES:]:
                routes.append(route)
            game.play(turn, by_chance(game, rng))
            decisions += 1
            if decisions >= _ENOUGH_DECISIONS:
                return found
    return found


def _begin(rules: type[Game], options: Mapping[str, Atom], number: int) -> tuple[Game, random.Random]:
    """Return a game and its random generator, as a walk on a route of this number has them."""
    walk = Walk(rules, options, Route(number, 0, free=False), "bot", 1.0)
    return walk.game, random.Random(number)
