"""Jass: its rules, one noun per file."""

from croupier.server.games.jass.game import Jass

__all__ = ["Jass"]
