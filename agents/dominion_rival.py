"""Rival: how another player of Dominion is expected to play, by the cards that it owns."""

from __future__ import annotations

from croupier.agents.dominion import GOLD, SILVER, VILLAGE, DominionAgent
from croupier.agents.dominion_engine import Engine
from croupier.agents.dominion_siege import Siege

TYPE_CHECKING = False
if TYPE_CHECKING:
    from croupier.protocol.views.dominion import DominionView
    from croupier.protocol.views.view import Play


class Rival(DominionAgent):
    """Play like `siege` with money and no village, else like `engine`: a plan that beats one may lose to the other."""

    def __init__(self) -> None:
        self.engine, self.siege = Engine(), Siege()

    def tryPlay(self, state: DominionView) -> Play | None:
        """Play like the bot that builds such a deck."""
        return self.bot(state).tryPlay(state)

    def discardTo(self, state: DominionView, n: int) -> Play:
        """Discard like that bot."""
        return self.bot(state).discardTo(state, n)

    def bot(self, state: DominionView) -> DominionAgent:
        """Return the bot that builds a deck like the player's."""
        owned = state.owned
        return self.siege if VILLAGE not in owned and (SILVER in owned or GOLD in owned) else self.engine
