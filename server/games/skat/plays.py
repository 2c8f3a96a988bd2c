"""The plays of Skat, and the phases to which each belongs."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from croupier.protocol.skat import VALUES
from croupier.server.games.game import UnknownPlay
from croupier.server.games.skat.bidding import HOLD, PASS
from croupier.server.games.skat.contract import Declaration

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.server.games.game import Play

PLAYS: Mapping[str, str] = {
    "(bid N)": "bid a value, more than the last",
    "(hold)": "hold what was bid",
    "(pass)": "leave the auction; with contra=yes, say nothing to the game",
    "(pick-up)": "take the skat into the hand",
    "(hand)": "leave the skat",
    "(declare GAME C C [ouvert])": "put two cards down and play clubs, spades, hearts, diamonds, grand or null",
    "(declare GAME [schneider] [schwarz] [ouvert])": "the same from the hand; implied words may be left out",
    "(contra)": "double the game as a defender (contra=yes)",
    "(re)": "double it again as the declarer (contra=yes)",
    "(play C)": "play a card",
}

PICK_UP: Play = ("pick-up",)
HAND: Play = ("hand",)
CONTRA: Play = ("contra",)
RE: Play = ("re",)

PHASES: dict[Play, tuple[str, ...]] = {
    **{("bid", value): ("bid",) for value in VALUES},
    HOLD: ("bid",),
    PASS: ("bid", "contra"),
    PICK_UP: ("skat",),
    HAND: ("skat",),
    CONTRA: ("contra",),
    RE: ("contra",),
}
"""The phases to which every play belongs, but for declarations and cards."""


@lru_cache(4096)
def phases(play: Play) -> tuple[str, ...]:
    """Return the phases to which a play belongs; raise UnknownPlay if it is none of this game."""
    if known := PHASES.get(play):
        return known
    match play:
        case ("declare", *_):
            Declaration.read(play)
            return ("declare",)
        case ("bid", int(value)):
            raise UnknownPlay(f"{value} is not the value of any game, so it cannot be bid")
        case _:
            raise UnknownPlay(f"not a play of Skat; its plays: {' '.join(PLAYS)}")
