"""Doppelkopf: its rules, a file a noun."""

from croupier.server.games.doppelkopf.game import Doppelkopf

__all__ = ["Doppelkopf"]
