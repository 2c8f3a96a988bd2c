"""Hearts: its rules, one noun per file."""

from croupier.server.games.hearts.game import Hearts

__all__ = ["Hearts"]
