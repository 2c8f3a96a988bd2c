"""Dominion: its rules, one noun per file."""

from croupier.server.games.dominion.game import Dominion

__all__ = ["Dominion"]
