"""Skat: its rules, a file a noun."""

from croupier.server.games.skat.game import Skat

__all__ = ["Skat"]
