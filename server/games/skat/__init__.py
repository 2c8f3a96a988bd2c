"""Skat: its rules, one noun per file."""

from croupier.server.games.skat.game import Skat

__all__ = ["Skat"]
