"""Hearts at OpenSpiel: its cards, gifts and parameters."""

from __future__ import annotations

from croupier.agents.bridges.openspiel_counterpart import Counterpart
from croupier.protocol.cards import RANKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from croupier.agents.bridges.openspiel_counterpart import Views
    from croupier.protocol.views.view import Play

_CARDS = {suit + rank: 4 * number + place for number, rank in enumerate(RANKS) for place, suit in enumerate("cdhs")}
"""OpenSpiel's numbers of the cards."""


class Hearts(Counterpart):
    """The player to move sits in OpenSpiel's first seat: it asks all in turn for their gifts, we ask at once."""

    def name(self, view: Any) -> str:
        """Return the game by the options."""
        options = view.options
        switches = {
            "no_pts_on_first_trick": options["first-trick"] == "safe",
            "must_break_hearts": options["break"] == "yes",
            "qs_breaks_hearts": options["queen-breaks"] == "yes",
            "jd_bonus": options["jack"] == 10,
        }
        return f"hearts({','.join(f'{name}={value}' for name, value in switches.items())})"

    def why_not(self, view: Any) -> str:
        """Return what OpenSpiel has no parameter for."""
        if view.options["lead"] != "c2":
            return "the holder of the two of clubs leads with it there, with lead=first the first player leads anything"
        if view.options["moon"] != "others-up":
            return "a moon gives the others 26 points there, with moon=shooter-down it takes 26 from the shooter"
        return ""

    def history(self, views: Views) -> list[int]:
        """Return the direction of passing, the deal card by card around the table, the gifts and the cards played."""
        names, mine = list(views), next(iter(views.values()))
        direction = ("none", "left", "across", "right").index(mine.passing)
        played: list[tuple[str, str]] = []
        for trick in filter(None, (*mine.tricks, mine.trick)):
            first = names.index(trick.leader)
            played += zip((names * 2)[first:], trick.cards, strict=False)
        hands = []
        for name, view in views.items():
            held = {*view.hand, *(card for player, card in played if player == name)}
            hands.append(sorted(held - {*(view.received or ())} | {*(view.gave or ())}))
        gifts = [view.gave or () for view in views.values()] if mine.phase == "play" else []
        order = [*zip(*hands, strict=True), *gifts, [card for _, card in played]]
        return [direction, *(_CARDS[card] for cards in order for card in cards)]

    def steps(self, view: Any) -> int:
        """Return the three cards of a gift, or one card."""
        return 3 if view.phase == "give" else 1

    def actions(self, view: Any) -> dict[int, Play]:
        """Return the cards that may be played, or that may be a part of the gift."""
        may = view.hand if view.phase == "give" else [card for _, card in view.legal]
        return {_CARDS[card]: ("play", card) for card in may}

    def play(self, view: Any, actions: Sequence[int]) -> Play:
        """Return the card, or the gift of three."""
        cards = [str(self.actions(view)[action][1]) for action in actions]
        return ("give", *cards) if view.phase == "give" else ("play", *cards)
