"""OpenSpiel's games: which games of ours its players can play, and why they cannot play others."""

from __future__ import annotations

from croupier.agents.bridges.openspiel_hearts import Hearts
from croupier.agents.bridges.openspiel_recycle import Gops, Kuhn, Leduc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from croupier.agents.bridges.openspiel_counterpart import Counterpart

COUNTERPARTS: Mapping[str, Counterpart] = {
    "hearts": Hearts(),
    "recycle:gops": Gops(),
    "recycle:kuhn-poker": Kuhn(),
    "recycle:leduc-poker": Leduc(),
}
DIFFERENCES = {
    "recycle:spades": (
        "there a player may bid nil for 100 points, partners bid at most 13 together, ten overtricks cost 100,"
        " and spades are led only from a hand of spades"
    ),
    "recycle:euchre": (
        "there the maker may play alone for four points, and the dealer may not put away the card that was turned"
    ),
    "recycle:oh-hell": "there each trick scores a point, whether or not the bid comes true",
    "recycle:go-fish": (
        "there only the winner counts, not the number of books, and nobody asks a player who has no cards"
    ),
}
"""Games of the same name by other rules, and the rules."""


def find(view: Any) -> Counterpart:
    """Return the counterpart of a view's game. Raise ValueError with the reason if there is none."""
    game = f"recycle:{view.program}" if view.game == "recycle" else view.game
    if game in DIFFERENCES:
        raise ValueError(f"OpenSpiel plays {game} by other rules: {DIFFERENCES[game]}")
    if game not in COUNTERPARTS:
        raise ValueError(f"OpenSpiel's players know {', '.join(COUNTERPARTS)}; they do not know {game}")
    found = COUNTERPARTS[game]
    if why := found.why_not(view):
        raise ValueError(f"OpenSpiel plays {game} by other rules: {why}")
    return found
