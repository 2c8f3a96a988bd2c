"""Doppelkopf: its rules, one noun per file."""

from croupier.server.games.doppelkopf.game import Doppelkopf

__all__ = ["Doppelkopf"]
