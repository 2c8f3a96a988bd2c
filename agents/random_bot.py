"""Random: plays any game, badly and without prejudice."""

from __future__ import annotations

import random

from croupier.agents.agent import Agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from croupier.protocol.views.view import Play, View


class Random(Agent):
    """Choose any legal play, each as likely as the others.

    Its chance comes from the games it has played and how this one begins: the same deals in the same seats are the same
    games again, and yet it does not always do the same with the same hand.
    """

    def __init__(self, rng: random.Random | None = None) -> None:
        self.rng = rng or random.Random()
        self.past = 0.0

    def started(self, state: View) -> None:
        """Draw anew from what was and from what this seat sees of the deal."""
        self.rng.seed(f"{self.past} {state}")
        self.past = self.rng.random()

    def choose(self, state: View) -> Play:
        """Choose by chance alone."""
        return self.rng.choice(list(state.legal_plays()))
