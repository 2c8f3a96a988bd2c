"""RECYCLE: any card game from a text file.

`load` turns a program into a Game like any other; `check` lists its problems, `describe` what it plays.
"""

from __future__ import annotations

from croupier.server.games import library
from croupier.server.games.recycle.game import load, of_bytes
from croupier.server.games.recycle.reader import BadProgram, Problem

__all__ = ["BadProgram", "Problem", "library", "load", "of_bytes"]
