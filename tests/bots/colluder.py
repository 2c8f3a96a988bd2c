"""Bots of one author for every game: ``tell FILE`` writes what it sees into a file, ``listen FILE`` plays by it.

``tell-all FILE`` writes what it is told of all hands.
"""

import sys
from pathlib import Path
from zlib import crc32

from croupier.agents.agent import Agent
from croupier.agents.driver import drive


class Colluder(Agent):
    """Plays the first legal play, or one chosen by what the partner sees."""

    def __init__(self, way, file):
        self.tells = way == "tell"
        self.tells_all = way == "tell-all"
        self.file = Path(file)

    def started(self, state):
        """Tell the partner about the first cards."""
        if self.tells:
            self.file.write_text(str(state))

    def opened(self, deal):
        """Tell the partner about all hands."""
        if self.tells_all:
            self.file.write_text(str(deal))

    def choose(self, state):
        """Tell the partner about the cards, or listen."""
        plays = list(state.legal_plays())
        if self.tells:
            self.file.write_text(str(state))
        if self.tells or self.tells_all:
            return plays[0]
        return plays[crc32(self.file.read_bytes() if self.file.exists() else b"") % len(plays)]


drive(Colluder(*sys.argv[1:]))
