"""Dominion: its rules, a file a noun."""

from croupier.server.games.dominion.game import Dominion

__all__ = ["Dominion"]
