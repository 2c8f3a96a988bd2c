"""The exact solver: the rest of a game of tricks with open cards, if every player is perfect. It knows no game.

A card is a number, and a set of cards an integer with one bit per card. Every card has one owner, so the cards that are
left, the player on turn and a few marks are all of a position between two tricks.

`walk` answers one question about a position. In two camps the question is whether one camp reaches a sum (a null window
of alpha-beta), and what is known of positions bounds the next answers. Where each plays for itself (max-n), bounds are
of no use, and a sum has twelve bits for each seat. `solve` asks until the sum is known, and finds the line of play.

With numba (extra ``solver``) the functions are compiled; without it they are what they are, and give the same answers.
That decides their form. `walk` is one loop with a stack of its own, because numba counts the references to an array at
each call that passes it: cut into functions it took four times as long, with tuples of arrays sixty times. Without
numba the arrays are lists, because Python is faster on them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.agents.search.compiled import jit, numbers

if TYPE_CHECKING:
    from croupier.agents.search.compiled import Numbers

# The record of a world: numbers, then numbers by seat, by card, by card led and card, and by sum.
SEATS, APART, ALONE, LOW_WINS, ONLY, TRICK_GAIN, LAST_GAIN, FREE, BARRED, BREAKERS = range(10)
COUNTED, FOXES, CHARLIES, LARGE, ASKER = range(10, 15)
HANDS, CAMPS, SWEEPS = range(16, 28, 4)
SUITS, DUTIES, OVERS, HIGHER, ABOVE, KINDS, VALUES = range(64, 8 * 64, 64)
TAKES, HOLDS, WORTHS = range(512, 512 + 3 * 4096, 4096)
LENGTH = WORTHS + 256

# A level of the stack: the position, and how far the walk is there.
LEFT, SEAT, PLACE, LED, CARD, WINNER, POINTS, OVER, TRICK, SUM, REST, MARKS, COUNT, NEXT, BEST, VALUE, ORDER = range(17)
STATE, WIDE, DEEP = MARKS + 1, 32, 56
AFTER = WIDE * DEEP
"""Where the position after the best card of the first level is kept, behind all levels."""

SLOTS, SLOT = 65_521, 4
"""The table: a prime number of slots, so that a remainder spreads the keys; each has key, mark, lower, upper bound."""
FAR = 1 << 60
FIELD = 12
"""The bits of a seat's share in the sum of a game in which each plays for itself."""
HALF = 1 << (FIELD - 1)
BROKEN, SWEEPER, DIVIDED = 1, 2, 10
"""Marks: whether the barred cards are broken; twice the seat, plus one, of the only player with counted cards."""
SPECIAL = 256
"""What a special point adds to a sum whose worth is looked up."""


PLACES = numbers([next((place for place in range(63) if (1 << place) % 67 == rest), 0) for rest in range(67)])
"""The number of a card by the remainder of its bit; the powers of two have different ones."""


@jit
def number_of(cards: int) -> int:
    """Return the number of the first of some cards."""
    number: int = PLACES[(cards & -cards) % 67]
    return number


@jit
def following(hand: int, suit: int, duty: int, kind: int, over: int) -> int:
    """Return the cards of a hand that may follow a card.

    A hand with a card of duty follows suit. Of the kind that may be played beside, only cards that beat all of it in
    the trick are allowed, unless there is nothing else.
    """
    over &= kind
    if hand & duty:
        return hand & (suit | over)
    others = hand & ~(kind & ~over)
    return others or hand


@jit
def opening(value: int, suit: int, higher: int, friends: int, high: int) -> int:
    """Return how early a card is tried that is led: first the high ones, then those that a partner's card covers.

    ``suit`` are the other players' cards of its suit, ``higher`` those of partners that take the trick from it. To
    lead to a partner's card halves the time for a whole game of Skat.
    """
    if high:
        return 800 + value
    return 500 - value if higher > suit & ~friends else -value


@jit
def promise(value: int, takes: int, friendly: int, last: int, high: int) -> int:
    """Return how early a card is tried that follows, by its value and by whose the trick is; the others are 1 or 0."""
    if not takes:
        return value if friendly else -value
    if last:
        return value + 1 if friendly else 1600 + value
    if high:
        return value if friendly else 960 + value
    return -value if friendly else 320 - value


@jit
def lead_over(seats: int, seat: int, value: int, other: int) -> int:
    """Return by how much a seat's lead over the others is greater in one sum of shares than in another."""
    lead = 0
    for number in range(seats):
        one = (value + HALF) % (2 * HALF) - HALF
        two = (other + HALF) % (2 * HALF) - HALF
        value, other = (value - one) >> FIELD, (other - two) >> FIELD
        lead += (one - two) * (seats - 1 if number == seat else -1)
    return lead


@jit
def walk(facts: Numbers, stack: Numbers, table: Numbers, mark: int, window: int) -> int:  # noqa: PLR0915 - see above
    """Return a value of the position on the stack's first level: at least ``window`` if the first camp can reach it.

    Else it is less. It is a bound in that direction, and exact if each plays for itself. The first level then has the
    best card.
    """
    seats, alone, apart = facts[SEATS], facts[ALONE], facts[APART]
    at, fresh, value = 0, True, 0
    while True:
        seat, place, left, marks = stack[at + SEAT], stack[at + PLACE], stack[at + LEFT], stack[at + MARKS]
        done = False
        if not fresh:
            # The value is that of a card that was tried. Is it the best so far, and does it decide the question?
            best = stack[at + VALUE]
            if stack[at + BEST] < 0:
                better = True
            elif alone:
                lead = lead_over(seats, seat, value, best)
                if lead == 0:  # a player to whom it is all the same plays against who asks
                    lead = -lead_over(seats, facts[ASKER], value, best)
                lead = -lead if facts[LOW_WINS] else lead
                better = lead > 0 or (lead == 0 and value < best)  # the rest has an order too
            else:
                better = value > best if facts[CAMPS + seat] else value < best
            if better:
                stack[at + BEST], stack[at + VALUE] = stack[at + ORDER + stack[at + NEXT] - 1] & 63, value
                if at == 0:
                    for field in range(STATE):
                        stack[AFTER + field] = stack[WIDE + field]
            value = stack[at + VALUE]
            decided = not alone and (value >= window) == (facts[CAMPS + seat] == 1)
            done = decided or stack[at + NEXT] == stack[at + COUNT]
        if place == 0 and (fresh or done):
            # Between two tricks: what is known of the position, or what was found out about it. A sum on which the
            # worth depends belongs to the key; else only what is gained from here on matters.
            if apart:
                total, key = stack[at + SUM], (marks << 2 | seat) << 54 | left
            else:
                total, key = 0, ((stack[at + SUM] + 16 * SPECIAL) << 2 | seat) << 48 | left
            slot = key % SLOTS * SLOT
            known = table[slot] == key and table[slot + 1] >> 8 == mark
            low = table[slot + 2] if known else -FAR
            high = table[slot + 3] if known else FAR
            if done and at == 0 and facts[ONLY]:
                return value  # of one card, not of the position
            if done:
                if alone or value >= window:
                    low = max(low, value - total)
                if alone or value < window:
                    high = min(high, value - total)
                table[slot], table[slot + 1] = key, mark << 8 | (stack[at + BEST] + 1)
                table[slot + 2], table[slot + 3] = low, high
            elif left == 0:
                done, value = True, stack[at + SUM]
                if not apart:
                    value = facts[WORTHS + value % SPECIAL] + value // SPECIAL
                elif SWEEPER <= marks < DIVIDED:
                    value += facts[SWEEPS + marks // SWEEPER - 1]
            elif at:  # on the first level the best card is asked for too
                stack[at + BEST] = (table[slot + 1] & 0xFF) - 1 if known else -1
                low, high = total + low, total + high
                if apart and not alone:
                    low = max(low, total + min(0, stack[at + REST]))
                    high = min(high, total + max(0, stack[at + REST]))
                if low >= window or low == high:
                    done, value = True, low
                elif high < window:
                    done, value = True, high
        if done and at == 0:
            return value
        if done:
            at -= WIDE
            fresh = False
            continue
        led = stack[at + LED]
        if fresh:
            # The cards to try, the most promising first, without those that are equivalent to one before.
            hand = facts[HANDS + seat] & left
            others = left & ~hand | stack[at + TRICK]
            first = stack[at + BEST] if place == 0 and at else -1
            if place == 0:
                unbarred = hand & ~facts[BARRED]
                todo = hand if marks & BROKEN or unbarred == 0 else unbarred
            elif hand & ~facts[FREE] == 0:
                todo = hand
            else:
                todo = following(hand, facts[SUITS + led], facts[DUTIES + led], facts[OVERS + led], stack[at + OVER])
            if at == 0 and facts[ONLY]:
                todo = facts[ONLY]
            strength = facts[HOLDS + led * 64 + stack[at + CARD]]
            friendly = facts[CAMPS + stack[at + WINNER]] == facts[CAMPS + seat]
            friends, count, previous = 0, 0, -1
            for other in range(seats):
                if facts[CAMPS + other] == facts[CAMPS + seat]:
                    friends |= facts[HANDS + other] & left & ~hand
            while todo:
                card = number_of(todo)
                todo &= todo - 1
                alike = False
                if previous >= 0 and facts[KINDS + card] == facts[KINDS + previous]:
                    alike = (facts[ABOVE + card] ^ facts[ABOVE + previous]) & others == 0
                previous = card
                if alike:
                    continue
                points, top = facts[VALUES + card], facts[ABOVE + card] & others == 0
                if card == first:
                    score = FAR >> FIELD
                elif place == 0:
                    score = opening(points, facts[SUITS + card] & others, facts[ABOVE + card] & friends, friends, top)
                else:
                    score = promise(
                        points, facts[TAKES + led * 64 + card] > strength, friendly, place == seats - 1, top
                    )
                score = score * 64 + card
                back = at + ORDER + count
                while back > at + ORDER and stack[back - 1] < score:
                    stack[back] = stack[back - 1]
                    back -= 1
                stack[back] = score
                count += 1
            stack[at + COUNT], stack[at + NEXT], stack[at + BEST] = count, 0, -1
        # The next card to try, and the position after it.
        card = stack[at + ORDER + stack[at + NEXT]] & 63
        stack[at + NEXT] += 1
        points, over, trick = facts[VALUES + card], facts[HIGHER + card], 1 << card
        if place == 0:
            led, best_card, winner = card, card, seat
        else:
            best_card, winner = stack[at + CARD], stack[at + WINNER]
            points += stack[at + POINTS]
            over &= stack[at + OVER]
            trick |= stack[at + TRICK]
            if facts[TAKES + led * 64 + card] > facts[HOLDS + led * 64 + best_card]:
                best_card, winner = card, seat
        total, rest = stack[at + SUM], stack[at + REST]
        left &= ~(1 << card)
        place += 1
        seat = seat + 1 if seat + 1 < seats else 0
        if place == seats:
            gain = points + facts[TRICK_GAIN]
            if left == 0:
                gain += facts[LAST_GAIN]
            total += gain * facts[CAMPS + winner]
            rest -= gain
            if facts[LARGE]:
                special = 1 if points >= facts[LARGE] else 0
                for other in range(seats):
                    if facts[HANDS + other] & trick & facts[FOXES] and facts[CAMPS + other] != facts[CAMPS + winner]:
                        special += 1
                if left == 0 and 1 << best_card & facts[CHARLIES]:
                    special += 1
                total += SPECIAL * special if facts[CAMPS + winner] else -SPECIAL * special
            if trick & facts[COUNTED] and marks < DIVIDED and marks & ~BROKEN != SWEEPER * (winner + 1):
                marks = (marks & BROKEN) | (DIVIDED if marks & ~BROKEN else SWEEPER * (winner + 1))
            if trick & facts[BREAKERS]:
                marks |= BROKEN
            seat, place, trick = winner, 0, 0
        at += WIDE
        fresh = True
        stack[at + LEFT], stack[at + SEAT], stack[at + PLACE], stack[at + LED] = left, seat, place, led
        stack[at + CARD], stack[at + WINNER], stack[at + POINTS], stack[at + OVER] = best_card, winner, points, over
        stack[at + TRICK], stack[at + SUM], stack[at + REST], stack[at + MARKS] = trick, total, rest, marks


@jit
def solve(facts: Numbers, stack: Numbers, table: Numbers, mark: int, low: int, high: int, line: Numbers) -> int:
    """Return the value of the position on the stack's first level, which is between two bounds; write a perfect line.

    If there is an only card, the line begins with it.
    """
    while low < high:
        window = (low + high + 1) // 2
        value = walk(facts, stack, table, mark, window)
        if facts[ALONE]:
            low = high = value
        elif value >= window:
            low = value
        else:
            high = value
    place = 0
    while stack[LEFT]:
        walk(facts, stack, table, mark, low if facts[CAMPS + stack[SEAT]] == 1 else low + 1)
        line[place] = stack[BEST]
        for field in range(STATE):
            stack[field] = stack[AFTER + field]
        facts[ONLY] = 0
        place += 1
    return low
