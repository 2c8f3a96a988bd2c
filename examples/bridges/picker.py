"""Picker: a bridge to a program that reads the number of plays, then each on a line, and answers with a number."""

import subprocess
import sys

from croupier.agents import Agent
from croupier.agents.bridges.base import NoPlay, run
from croupier.protocol.sexp import write


class Picker(Agent):
    """Ask the program for each play."""

    def __init__(self, *command):
        self.program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def choose(self, state):
        """Return the play whose number the program answers."""
        plays = list(state.legal_plays())
        print(len(plays), *map(write, plays), sep="\n", file=self.program.stdin, flush=True)
        answer = self.program.stdout.readline().strip()
        if not answer.isdecimal() or not 1 <= int(answer) <= len(plays):
            raise NoPlay(f"the program answered {answer!r}, not a number from 1 to {len(plays)}")
        return plays[int(answer) - 1]


run(Picker(*sys.argv[1:]))
