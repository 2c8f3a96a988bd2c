"""Hearts: its rules, a file a noun."""

from croupier.server.games.hearts.game import Hearts

__all__ = ["Hearts"]
