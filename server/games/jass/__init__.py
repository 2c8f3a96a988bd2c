"""Jass: its rules, a file a noun."""

from croupier.server.games.jass.game import Jass

__all__ = ["Jass"]
