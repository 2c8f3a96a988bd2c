"""Trial: a table of a game at which laws are tried, in random games that are reproducible."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from croupier.server.games.game import Dice, IllegalPlay

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from croupier.protocol.sexp import Atom, Sexp
    from croupier.server.games.game import Deal, Game, Play

MANY = 2000
"""More plays than are listed one by one; a Cellar may have millions."""
LONG = 50_000
"""More decisions than any game that ends takes."""


class Broken(Exception):
    """A law that a game breaks, with one sentence that says how."""


class Untried(Exception):
    """A law that cannot be tried at a table, with one sentence that says why."""


class Trial:
    """A game with its options at a table of some size; ``at`` says how far the current random game has come."""

    def __init__(self, rules: type[Game], seats: int, options: Mapping[str, Atom]) -> None:
        self.rules = rules
        self.seats = seats
        self.options = options
        self.players = ("alice", "bob", "carol", "dave", *(f"player-{seat}" for seat in range(4, seats)))[:seats]
        self.at = ""

    def __str__(self) -> str:
        known = self.rules.OPTIONS
        chosen = [
            f"{name}={value}"
            for name, value in self.options.items()
            if name not in known or value != known[name].default
        ]
        return " ".join([f"{self.seats} players", *chosen])

    def begin(self, deal: Deal) -> Game:
        """Seat the players."""
        return self.rules(self.players, self.options, deal)

    def decisions(self, seed: int, *, most: int = LONG) -> Iterator[tuple[Game, Random]]:
        """Play one random game; yield it before every decision, until it ends or has `LONG` decisions."""
        rng = Random(f"{self} {seed}")
        game = self.begin(Dice(rng))
        if game.turn is None:
            raise Untried(f"random game {seed} is over before the first decision")
        for number in range(1, most + 1):
            if game.turn is None:
                return
            self.at = f"in random game {seed}, decision {number}, {self.players[game.turn]} on turn"
            yield game, rng
            game.play(game.turn, choose_varied(game, rng))

    def finish(self, game: Game, rng: Random) -> Game:
        """Play to the end at random."""
        for _ in range(LONG):
            if game.turn is None:
                return game
            game.play(game.turn, game.sample(rng))
        raise Broken(f"after {LONG} more decisions the game has not ended")


def demand(holds: object, why: str) -> None:
    """Raise Broken unless something holds."""
    if not holds:
        raise Broken(why)


def choose_varied(game: Game, rng: Random) -> Play:
    """Return a random play, first choosing its kind, so that rare kinds are not drowned by frequent ones."""
    plays = list(islice(game.legal(), MANY))
    demand(plays, "no play is legal, and the game has not ended")
    word = rng.choice(sorted({str(play[0]) for play in plays}))
    return rng.choice([play for play in plays if play[0] == word])


def looks(game: Game) -> list[str]:
    """Return each seat's STATE."""
    return [str(game.view(seat)) for seat in range(len(game.players))]


def refusal(game: Game, seat: int, play: Play) -> str | None:
    """Return why the seat may not make this play, None if it may."""
    try:
        game.check(seat, play)
    except IllegalPlay as problem:
        return str(problem)
    return None


def atoms(form: Sexp) -> Iterator[Atom]:
    """List the words and numbers in a form."""
    if isinstance(form, tuple):
        for item in form:
            yield from atoms(item)
    else:
        yield form


def shorter(text: str) -> str:
    """Shorten a text to fit into a sentence."""
    return text if len(text) <= 300 else f"{text[:300]} ..."
