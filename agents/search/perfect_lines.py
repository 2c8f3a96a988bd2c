"""PerfectLines: how a hand with open cards goes on if everybody plays perfectly, by the exact solver."""

from __future__ import annotations

from functools import cache
from itertools import count
from operator import mul
from threading import Lock
from typing import TYPE_CHECKING, Any

from croupier.agents.search import solver
from croupier.agents.search.compiled import COMPILED, numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.protocol.open_cards import NumberedCards, OpenCards

__all__ = ["COMPILED", "PerfectLines"]

STACK = numbers([0] * solver.WIDE * (solver.DEEP + 1))
TABLE = numbers([0] * solver.SLOTS * solver.SLOT)
LINE = numbers([0] * solver.DEEP)
"""Where the solver works, for all hands: a hand has a mark of its own in the table."""
MARKS = count(1)
IN_USE = Lock()
"""Held by the thread that works there: a page may review a game while the next one is played."""


class PerfectLines:
    """The perfect lines of a hand; what is found out about its positions is kept until another hand needs the room."""

    def __init__(self, hand: OpenCards) -> None:
        self.hand = hand
        self.mark = next(MARKS)

    def begin_with(self, card: str | None) -> list[str]:
        """Return the cards of a perfect line from this card on, which the player on turn holds; None for any card."""
        hand, facts = self.hand, record(self.hand.cards)
        faces, left = hand.cards.faces, sum(hand.hands)
        mine = [
            1 << number for number, face in enumerate(faces) if face == card and hand.hands[hand.turn] >> number & 1
        ]
        with IN_USE:
            self._deal(facts)
            facts[solver.ONLY] = mine[0] if mine else 0
            low, high = self._lay(left)
            solver.solve(facts, STACK, TABLE, self.mark, low, high, LINE)
            return [faces[LINE[place]] for place in range(left.bit_count())]

    def _deal(self, facts: Any) -> None:
        """Write the hand to the record of its contract."""
        hand, seats = self.hand, len(self.hand.hands)
        camps = [1 << solver.FIELD * seat for seat in range(seats)] if hand.camps is None else hand.camps
        facts[solver.SEATS], facts[solver.APART] = seats, not hand.worths
        facts[solver.ASKER] = hand.turn
        facts[solver.ALONE], facts[solver.LOW_WINS] = hand.camps is None, hand.low_wins
        write(facts, solver.HANDS, hand.hands)
        write(facts, solver.CAMPS, camps)
        write(facts, solver.SWEEPS, [sum(map(mul, sweep, camps)) for sweep in hand.sweeps])
        write(facts, solver.WORTHS, hand.worths)

    def _lay(self, left: int) -> tuple[int, int]:
        """Write the position to the first level of the stack; return the bounds of its value."""
        hand, cards, trick, seats = self.hand, self.hand.cards, self.hand.trick, len(self.hand.hands)
        best, over = 0, -1
        for place, card in enumerate(trick):
            over &= cards.higher[card]
            if cards.takes[trick[0]][card] > cards.holds[trick[0]][trick[best]]:
                best = place
        points = sum([cards.values[card] for card in trick])
        rest = points + sum([value for card, value in enumerate(cards.values) if left >> card & 1])
        rest += (left.bit_count() + len(trick)) // seats * cards.trick_gain + cards.last_gain
        marks = solver.DIVIDED if hand.divided else 0 if hand.sweeper is None else solver.SWEEPER * (hand.sweeper + 1)
        STACK[solver.LEFT], STACK[solver.SEAT], STACK[solver.PLACE] = left, hand.turn, len(trick)
        STACK[solver.LED], STACK[solver.CARD] = (trick[0], trick[best]) if trick else (0, 0)
        STACK[solver.WINNER] = (hand.turn - len(trick) + best) % seats
        STACK[solver.POINTS], STACK[solver.OVER], STACK[solver.TRICK] = points, over, sum([1 << card for card in trick])
        STACK[solver.SUM], STACK[solver.REST] = hand.gained, rest
        STACK[solver.MARKS] = marks | (solver.BROKEN if hand.broken else 0)
        return hand.bounds or (min(0, rest), max(0, rest))


# cached because a contract's cards are one object
@cache
def record(cards: NumberedCards) -> Any:
    """Return the solver's record of a contract, without a hand."""
    facts = numbers([0] * solver.LENGTH)
    facts[solver.TRICK_GAIN], facts[solver.LAST_GAIN] = cards.trick_gain, cards.last_gain
    facts[solver.FREE], facts[solver.BARRED], facts[solver.BREAKERS] = cards.free, cards.barred, cards.breakers
    facts[solver.COUNTED], facts[solver.FOXES], facts[solver.CHARLIES] = cards.counted, cards.foxes, cards.charlies
    facts[solver.LARGE] = cards.large
    fields = (solver.SUITS, solver.DUTIES, solver.OVERS, solver.HIGHER, solver.ABOVE, solver.KINDS, solver.VALUES)
    lists = (cards.suits, cards.duties, cards.overs, cards.higher, cards.above, cards.kinds, cards.values)
    for field, values in zip(fields, lists, strict=True):
        write(facts, field, values)
    for led, (takes, holds) in enumerate(zip(cards.takes, cards.holds, strict=True)):
        write(facts, solver.TAKES + 64 * led, takes)
        write(facts, solver.HOLDS + 64 * led, holds)
    return facts


def write(facts: Any, start: int, values: Sequence[int]) -> None:
    """Write numbers to a record."""
    for place, value in enumerate(values):
        facts[start + place] = value


# compiles the solver, or loads what was compiled before, so that no decision pays for it
solver.solve(numbers([0] * solver.LENGTH), STACK, TABLE, 0, 0, 0, LINE)
