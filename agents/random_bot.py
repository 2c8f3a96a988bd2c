"""Random: plays any game by choosing among the legal plays."""

from __future__ import annotations

import random

from croupier.agents.agent import Agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from croupier.protocol.views.view import Play, View


class Random(Agent):
    """Choose any legal play, each with the same probability.

    The random numbers depend on the games played so far and on how this one begins. So the same deals in the same seats
    are repeated exactly, and yet the bot does not always do the same with the same hand.
    """

    def __init__(self, rng: random.Random | None = None) -> None:
        self.rng = rng or random.Random()
        self.past = 0.0

    def started(self, state: View) -> None:
        """Reseed from the games so far and from what this seat sees of the deal."""
        self.rng.seed(f"{self.past} {state}")
        self.past = self.rng.random()

    def choose(self, state: View) -> Play:
        """Choose at random."""
        return self.rng.choice(list(state.legal_plays()))
