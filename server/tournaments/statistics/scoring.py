"""Scoring: what the statistics need to know of a game. The rules of our games say it, and so does a table's reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from croupier.server.games.game import Game


class Scoring(NamedTuple):
    """How a game without rules here is scored, under the names that the rules of a game use."""

    NAME: str
    LOW_WINS: bool
    PENALTY: float
    """The worst score of a game that has to be reckoned with."""
    PARTNERS: tuple[tuple[int, ...], ...] = ()


if TYPE_CHECKING:
    Rules = type[Game] | Scoring
