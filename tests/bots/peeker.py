"""An open bot for every game that ignores the others' cards, or plays by them (``peek``)."""

import sys
from zlib import crc32

from croupier.agents.agent import Agent
from croupier.agents.driver import drive


class Peeker(Agent):
    """Any legal play: the first, or one chosen by what the others see."""

    def __init__(self, peeks):
        self.peeks = peeks
        self.seen = ""

    def opened(self, deal):
        """Look at all hands."""
        if self.peeks:
            self.seen = str(deal)

    def choose(self, state):
        """Choose by the number of the position, and of what was seen."""
        plays = list(state.legal_plays())
        return plays[crc32(self.seen.encode()) % len(plays)]


drive(Peeker("peek" in sys.argv))
