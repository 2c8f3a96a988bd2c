"""A bot for every game that plays the first legal play, or something else at times, by the word it is given."""

import random
import sys
from zlib import crc32

from croupier.agents.agent import Agent
from croupier.agents.driver import drive


class Peeker(Agent):
    """Chooses by what it is told of all hands (``peek``), by chance, by the games so far, by the bank; or crashes."""

    def __init__(self, way="honest"):
        self.way = way
        self.seen = ""
        self.games = 0
        self.asked = 0

    def started(self, state):
        """Count the game."""
        self.games += 1
        self.asked = 0

    def opened(self, deal):
        """Look at all hands."""
        self.seen = str(deal)

    def choose(self, state):
        """Choose one of the legal plays."""
        self.asked += 1
        plays = list(state.legal_plays())
        return plays[self.number(state) % len(plays)]

    def number(self, state):
        """Return any number."""
        match self.way:
            case "peek":
                return crc32(self.seen.encode())
            case "chance":
                return random.randrange(1 << 20)
            case "seldom":
                return self.asked == 5 and random.randrange(2)
            case "count":
                return self.games
            case "bank":
                return state.bank
            case "crash" if self.asked == 4:
                sys.exit("broken")
        return 0


drive(Peeker(*sys.argv[1:]))
