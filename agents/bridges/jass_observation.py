"""The observations of jass-kit, from which its players decide, and its words for cards and choices."""

from __future__ import annotations

from croupier.protocol.cards import RANKS
from croupier.protocol.jass import POINTS, TRUMP_RANKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from croupier.protocol.views.view import Play

VERSION = "V0.2"
CARDS = {suit.upper() + ("10" if rank == "T" else rank): suit + rank for suit in "dhsc" for rank in reversed(RANKS[4:])}
"""Each card by its name there, in the order there."""
SHIFT: Play = ("shift",)
CHOICES: dict[int, Play] = {number: ("trump", name) for number, name in enumerate("dhscou")} | {10: SHIFT}
"""What may be said before the cards, by its number there."""
NAMES = {card: name for name, card in CARDS.items()}
NUMBERS = {play: number for number, play in CHOICES.items()}


def observation(view: Any, hand: Sequence[str] | None = None) -> dict[str, Any]:
    """Return what jass-kit tells a player on turn. The viewer is North (0), then West (3), South and East clockwise.

    ``hand`` replaces the view's own, if given.
    """
    places = {name: -seat % 4 for seat, name in enumerate(view.players)}
    chosen = view.phase != "trump"
    rows = [(trick.leader, trick.cards) for trick in view.tricks]
    if chosen:
        rows.append((view.trick.leader or view.me, view.trick.cards))
        first, forehand = rows[0][0], int(view.chosen_by in {None, rows[0][0]})
    else:
        first, forehand = (view.me, -1) if SHIFT in view.legal else (view.players[2], 0)
    tricks: list[dict[str, Any]] = []
    for number, (leader, cards) in enumerate(rows, 1):
        tricks.append({"cards": [NAMES[card] for card in cards]} if cards else {})
        if number < len(rows):
            points = sum(POINTS[view.contract][card] for card in cards)
            tricks[-1] |= {"points": points, "win": places[rows[number][0]]}
        tricks[-1]["first"] = places[leader]
    held = view.hand if hand is None else hand
    return {
        "version": VERSION,
        "trump": NUMBERS.get(("trump", view.contract), -1),
        "dealer": (places[first] + 1) % 4,
        "currentPlayer": 0,
        "playerView": 0,
        "forehand": forehand,
        "tricks": tricks,
        "player": [{"hand": [name for name, card in CARDS.items() if card in held]}, *([{"hand": []}] * 3)],
        "jassTyp": "SCHIEBER",
    }


def undertrumps_there(view: Any, hand: Sequence[str], card: str) -> bool:
    """Return whether a card undertrumps as only jass-kit allows it.

    There a hand of nothing but trumps need not overtrump, and of two trumps in the trick the one that is lower in a
    plain suit is to be beaten.
    """
    trump, (led, *others) = view.contract, view.trick.cards
    trumps = [other for other in others if other[0] == trump]
    if card[0] != trump or led[0] == trump or not trumps:
        return False
    least = min(trumps, key=lambda other: RANKS.index(other[1]))
    overtrumps = TRUMP_RANKS.index(card[1]) > TRUMP_RANKS.index(least[1])
    return overtrumps or all(other[0] == trump for other in hand)
