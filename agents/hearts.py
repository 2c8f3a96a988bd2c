"""Duck: plays Hearts as a careful person does, below what lies, and gets rid of danger when it can."""

from __future__ import annotations

from croupier.agents.agent import first
from croupier.agents.tricks import ACE_HIGH, TrickAgent, card, lengths, playable, unseen
from croupier.protocol.cards import PACK_52

TYPE_CHECKING = False
if TYPE_CHECKING:
    from croupier.protocol.views.hearts import HeartsView
    from croupier.protocol.views.view import Play

QUEEN = "sQ"
ABOVE_THE_QUEEN = ("sA", "sK")
GUARDED = 5


def height(name: str) -> int:
    """Return how high a card is, 0 for a two."""
    return ACE_HIGH[name[1]]


def points(name: str) -> int:
    """Return what a card counts."""
    return 13 if name == QUEEN else int(name[0] == "h")


class Duck(TrickAgent):
    """Give away high spades, high hearts and short suits; duck; dump points on others; hardly ever shoot the moon."""

    def tryBid(self, state: HeartsView) -> Play | None:
        """Give the three most dangerous cards."""
        hand = state.hand
        held = lengths(hand)

        def danger(name: str) -> int:
            if name == QUEEN or name in ABOVE_THE_QUEEN:
                return 100 + height(name) * (name == QUEEN) if held["s"] < GUARDED else 0
            if name[0] == "s":
                return -20 + height(name)
            return height(name) + (3 if name[0] == "h" else 6 - 2 * held[name[0]])

        return ("give", *sorted(hand, key=danger)[-3:])

    def tryShoot(self, state: HeartsView) -> Play | None:
        """Go for the moon if nobody else has a point and nothing that is out can beat a card of the hand."""
        taken = state.taken
        if taken[state.me] == 0 or sum(taken.values()) > taken[state.me]:
            return None
        out = unseen(state, PACK_52)
        if any(name[0] == other[0] and height(other) > height(name) for name in state.hand for other in out):
            return None
        return card(max(playable(state), key=height))

    def tryLead(self, state: HeartsView) -> Play | None:
        """Lead what is likeliest to be beaten; spades below the queen while she is out."""
        out = unseen(state, PACK_52)
        hunting = QUEEN in out and not any(name in state.hand for name in ABOVE_THE_QUEEN)

        def risk(name: str) -> tuple[float, int]:
            rivals = [other for other in out if other[0] == name[0]]
            above = sum(height(other) > height(name) for other in rivals)
            if name == QUEEN or (name in ABOVE_THE_QUEEN and QUEEN in out):
                return (20, height(name))
            if not rivals:
                return (15, height(name))
            if name[0] == "s" and hunting:
                return (-1, height(name))
            return (len(rivals) / (len(rivals) + 3) * 2 - above / len(rivals) * 3, height(name))

        return card(min(playable(state), key=risk))

    def tryFollow(self, state: HeartsView) -> Play | None:
        """Duck as high as possible; win with the highest card only where that is cheap or cannot be helped."""
        cards = sorted(playable(state), key=height)
        best = height(self.best(state))
        lower = [name for name in cards if height(name) < best]
        last = len(state.trick) == 3
        cheap = not any(map(points, state.trick.cards))
        rest = [name for name in cards if name != QUEEN] or cards
        if QUEEN in lower:
            return card(QUEEN)
        if last and cheap and cards[0][0] != "h":
            return card(rest[-1])
        if lower:
            return card(lower[-1])
        return card(rest[-1] if last or not state.tricks else rest[0])

    def tryDiscard(self, state: HeartsView) -> Play | None:
        """Dump the queen, then what might catch her, then hearts and high cards from short suits."""
        held = lengths(state.hand)
        queen_is_out = QUEEN in unseen(state, PACK_52)

        def danger(name: str) -> int:
            if name == QUEEN:
                return 100
            if name in ABOVE_THE_QUEEN and queen_is_out:
                return 90
            return height(name) + (20 if name[0] == "h" and height(name) > 5 else 3 * (4 - held[name[0]]))

        return card(max(playable(state), key=danger))

    tryPlay = first(tryShoot, TrickAgent.tryPlay)
