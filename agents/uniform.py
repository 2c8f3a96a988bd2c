"""Random: plays any game, badly and without prejudice."""

from __future__ import annotations

import random

from croupier.agents.agent import Agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from croupier.protocol.views.view import Play, View


class Random(Agent):
    """Choose any legal play, each as likely as the others.

    The chance of a game comes from how it begins, so that the same deal in the same seats is the same game again.
    """

    def __init__(self, rng: random.Random | None = None) -> None:
        self.rng = rng or random.Random()  # noqa: S311  nobody gains by guessing it

    def started(self, state: View) -> None:
        """Draw anew from what this seat sees of the deal."""
        self.rng.seed(str(state))

    def choose(self, state: View) -> Play:
        """Choose by chance alone."""
        return self.rng.choice(list(state.legal_plays()))
