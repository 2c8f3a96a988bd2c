"""Moons: a hand of Hearts played to its end in numbers, by players that shoot the moon and stop others who do.

A card is a number: thirteen times its suit (clubs, diamonds, hearts, spades) plus its height, from 0 for the two to 12
for the ace. A set of cards is an integer with one bit per card, as in `croupier.protocol.cards.BITS`.

Unless a moon is in sight, the players play like `croupier.agents.hearts.Duck`. With numba (extra ``solver``) the
functions are compiled; without it they are what they are, and play the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.agents.hearts import ALONE, FALLEN, HUNTING
from croupier.agents.search.compiled import jit, numbers
from croupier.protocol.hearts import DIVIDED, NOBODY

if TYPE_CHECKING:
    from croupier.agents.search.compiled import Numbers
    from croupier.protocol.hearts import OpenHearts

# The record of a hand: numbers by seat, the cards of the trick, and single numbers, in the order of `OpenHearts`.
HANDS, TAKEN, TRICK = range(0, 12, 4)
PLACE, LEADER, SWEEPER, BROKEN, OPENING, BARS, QUEEN_BREAKS, SAFE, TWO_LEADS, JACK_TAKER, LUCK = range(12, 23)
LENGTH = 23

SUIT = (1 << 13) - 1
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
QUEEN, JACK = 13 * SPADES + 10, 13 * DIAMONDS + 9
LADY, CATCHERS, HEARTS_SUIT = 1 << QUEEN, 3 << (QUEEN + 1), SUIT << 13 * HEARTS
POINTS = LADY | HEARTS_SUIT
SPARE = 2
"""A player that has all points so far plays for the rest with at most this many losers.

Of a hundred such players, 38 shot the moon with two losers, 55 with one, 25 with three.
"""
FAR = 1000.0

COUNT = numbers([cards.bit_count() for cards in range(SUIT + 1)])
"""How many cards of one suit there are."""
TOP = numbers([cards.bit_length() - 1 for cards in range(SUIT + 1)])
"""The height of the highest card of one suit; -1 without a card."""


def record(hand: OpenHearts, luck: int) -> Numbers:
    """Return a hand as the functions below take it; ``luck`` decides what is played at random."""
    room = [0] * (4 - len(hand.trick))
    return numbers([*hand.hands, *hand.taken, *hand.trick, *room, len(hand.trick), *hand[3:], luck])


def result(hand: Numbers) -> tuple[list[int], int]:
    """Return the points of each seat, and who took the jack of diamonds."""
    return [int(points) for points in hand[TAKEN:TRICK]], int(hand[JACK_TAKER])


@jit
def of_suit(cards: int, suit: int) -> int:
    """Return a set's cards of one suit, as thirteen bits."""
    return cards >> 13 * suit & SUIT


@jit
def lowest(cards: int) -> int:
    """Return the height of the lowest card of one suit."""
    height: int = TOP[cards & -cards]
    return height


@jit
def worth(card: int) -> int:
    """Return a card's points."""
    return 13 if card == QUEEN else 1 if card // 13 == HEARTS else 0


@jit
def in_hands(hand: Numbers) -> int:
    """Return the cards that are still to be played."""
    cards: int = hand[HANDS] | hand[HANDS + 1] | hand[HANDS + 2] | hand[HANDS + 3]
    return cards


@jit
def draw(hand: Numbers, share: int) -> int:
    """Return a random number below ``share``."""
    hand[LUCK] = (hand[LUCK] * 1103515245 + 12345) & 0x7FFFFFFF
    number: int = (hand[LUCK] >> 8) % share
    return number


@jit
def losers(mine: int, out: int) -> int:
    """Count the cards of a hand that another player will probably beat, if it leads each suit from the top."""
    lost = 0
    for suit in range(4):
        cards, rivals = of_suit(mine, suit), of_suit(out, suit)
        sure = COUNT[cards >> (TOP[rivals] + 1)]
        if COUNT[rivals] > 2 * sure:
            lost += COUNT[cards] - sure
    return lost


@jit
def lead_winner(may: int, out: int) -> int:
    """Return the card with which a shooter leads: the highest of the longest suit, of one with a winner if any."""
    best, card = -FAR, -1
    for suit in range(4):
        cards, rivals = of_suit(may, suit), of_suit(out, suit)
        if cards:
            sure = COUNT[cards >> (TOP[rivals] + 1)]
            value = 100.0 * (sure > 0) + 10.0 * COUNT[cards] + TOP[cards]
            if value > best:
                best, card = value, 13 * suit + TOP[cards]
    return card


@jit
def throw_loser(may: int, mine: int, out: int) -> int:
    """Return the card that a shooter can best spare: no point if possible, the lowest where it has few winners."""
    best, card = -FAR, -1
    for suit in range(4):
        cards, rivals = of_suit(may, suit), of_suit(out, suit)
        if cards:
            low = lowest(cards)
            sure = low > TOP[rivals]
            value = -100.0 * worth(13 * suit + low) - 50.0 * sure - low - COUNT[of_suit(mine, suit)]
            if value > best:
                best, card = value, 13 * suit + low
    return card


@jit
def shoot(may: int, mine: int, out: int, led: int, top: int, place: int, lie: int) -> int:
    """Return the card of a player that wants all tricks with points; -1 if it cannot get them any more.

    ``top`` is the height of the card that holds the trick, ``lie`` the points in it.
    """
    if place == 0:
        return lead_winner(may, out)
    cards = of_suit(may, led)
    if not cards:
        return -1 if lie else throw_loser(may, mine, out)
    high = TOP[cards]
    if high < top:
        return -1 if lie else 13 * led + lowest(cards)
    if place == 3:
        return 13 * led + top + 1 + lowest(cards >> (top + 1))
    return 13 * led + (high if lie or high > TOP[of_suit(out, led)] else lowest(cards))


@jit
def stop(may: int, out: int, led: int, top: int, place: int, his: int) -> int:
    """Return the card with which a player keeps another from sweeping; -1 if there is none.

    ``his`` says whether the trick is the sweeper's so far: 1, 0, or -1 if he is still to play.
    """
    if place == 0:
        high: int = TOP[of_suit(may, HEARTS)]
        return 13 * HEARTS + high if high > TOP[of_suit(out, HEARTS)] else -1
    cards = of_suit(may, led)
    if not cards:
        return guard(may, out, his)
    high = TOP[cards]
    if his and high > top and (place == 3 or high > TOP[of_suit(out, led)]):
        return 13 * led + high
    return -1


@jit
def guard(may: int, out: int, his: int) -> int:
    """Return a discard against a sweeper: a heart for anybody else's trick; else a low card of the weakest suit."""
    hearts = of_suit(may, HEARTS)
    if his == 0 and hearts:
        return 13 * HEARTS + lowest(hearts)
    best, card = FAR, -1
    for suit in range(4):
        cards = of_suit(may, suit)
        if cards and suit != HEARTS:
            missing = TOP[of_suit(out, suit)] - TOP[cards]
            if -missing < best:
                best, card = -missing, 13 * suit + lowest(cards)
    return card


@jit
def lead(may: int, mine: int, out: int) -> int:
    """Return the card most likely to be beaten: the lowest of a suit; spades below the queen while she is out."""
    falling = LADY | CATCHERS if out & LADY else LADY
    least, card = FAR, -1
    for suit in range(4):
        cards = of_suit(may, suit)
        if not cards:
            continue
        low = lowest(of_suit(may & ~falling, suit) or cards)
        rivals = of_suit(out, suit)
        risk: float
        if 1 << 13 * suit + low & falling:
            risk = FALLEN
        elif not rivals:
            risk = ALONE
        elif suit == SPADES and out & LADY and not mine & CATCHERS:
            risk = HUNTING
        else:
            others = COUNT[rivals]
            risk = others / (others + 3) * 2 - COUNT[rivals >> low] / others * 3
        risk += low / FAR
        if risk < least:
            least, card = risk, 13 * suit + low
    return card


@jit
def follow(may: int, led: int, top: int, place: int, lie: int, opening: int) -> int:
    """Return the highest card that does not win; win, with the highest card, only where it is cheap or unavoidable."""
    cards = of_suit(may, led)
    lower = cards & ((1 << top) - 1)
    rest = of_suit(may & ~LADY, led) or cards
    if led == SPADES and lower >> 10 & 1:
        return QUEEN
    height: int = TOP[rest]
    if lower and (place < 3 or lie or led == HEARTS):
        height = TOP[lower]
    elif place < 3 and not opening:
        height = lowest(rest)
    return 13 * led + height


@jit
def discard(may: int, mine: int, out: int) -> int:
    """Return the queen, then cards that might catch her, then hearts and high cards from short suits."""
    if may & LADY:
        return QUEEN
    if out & LADY and may & CATCHERS:
        return 13 * SPADES + lowest(of_suit(may & CATCHERS, SPADES))
    best, card = -FAR, -1
    for suit in range(4):
        cards = of_suit(may, suit)
        if cards:
            height = TOP[cards]
            high_heart = suit == HEARTS and height > 5
            danger = height + (20.0 if high_heart else 3.0 * (4 - COUNT[of_suit(mine, suit)])) - suit / 100
            if danger > best:
                best, card = danger, 13 * suit + height
    return card


@jit
def holder(hand: Numbers) -> int:
    """Return the place in the trick of the card that holds it."""
    best = 0
    for place in range(1, hand[PLACE]):
        card, top = hand[TRICK + place], hand[TRICK + best]
        if card // 13 == top // 13 and card > top:
            best = place
    return best


@jit
def find_shooter(hand: Numbers, shooter: int) -> int:
    """Return the seat that plays for the moon, -1 if there is none.

    It is the ``shooter`` as long as nobody else has a point, or the only player with points if it has few losers. The
    others are taken to know, because a player that shoots plays high cards that nobody else would play.
    """
    sweeper = hand[SWEEPER]
    if sweeper == DIVIDED:
        return -1
    if sweeper in (NOBODY, shooter):
        return shooter
    mine = hand[HANDS + sweeper]
    return sweeper if losers(mine, in_hands(hand) - mine) <= SPARE else -1


@jit
def choose(hand: Numbers, seat: int, may: int, shooter: int) -> int:
    """Return the card of the seat on turn; ``shooter`` is a seat that plays for the moon, -1 if there is none."""
    mine = hand[HANDS + seat]
    out, place, card = in_hands(hand) - mine, hand[PLACE], -1
    led = top = winner = -1
    lie = 0
    if place:
        best = holder(hand)
        led, top, winner = hand[TRICK] // 13, hand[TRICK + best] % 13, hand[LEADER] + best & 3
        for number in range(place):
            lie += worth(hand[TRICK + number])
    sweeper = find_shooter(hand, shooter)
    if sweeper == seat:
        card = shoot(may, mine, out, led, top, place, lie)
    elif sweeper >= 0 and hand[SWEEPER] == sweeper:
        his = 1 if winner == sweeper else -1 if (sweeper - hand[LEADER] & 3) >= place else 0
        card = stop(may, out, led, top, place, his)
    if card >= 0:
        return card
    if place == 0:
        return lead(may, mine, out)
    if of_suit(may, led):
        return follow(may, led, top, place, lie, hand[OPENING])
    return discard(may, mine, out)


@jit
def playable(hand: Numbers, seat: int) -> int:
    """Return the cards that the rules allow to the seat on turn."""
    mine: int = hand[HANDS + seat]
    if hand[PLACE]:
        may = mine & SUIT << 13 * (hand[TRICK] // 13) or mine
    elif hand[TWO_LEADS] and hand[OPENING]:
        may = 1
    else:
        may = mine if hand[BROKEN] or not hand[BARS] else mine & ~HEARTS_SUIT or mine
    if hand[OPENING] and hand[SAFE]:
        may = may & ~POINTS or may
    return may


@jit
def random_card(hand: Numbers, cards: int) -> int:
    """Return a random card of a set."""
    count = 0
    for suit in range(4):
        count += COUNT[of_suit(cards, suit)]
    for _ in range(draw(hand, count)):
        cards &= cards - 1
    suit = 0
    while not of_suit(cards, suit):
        suit += 1
    return 13 * suit + lowest(of_suit(cards, suit))


@jit
def end_trick(hand: Numbers) -> None:
    """Give the trick to its winner, who leads the next."""
    winner = hand[LEADER] + holder(hand) & 3
    points = 0
    for place in range(4):
        card = hand[TRICK + place]
        points += worth(card)
        if card // 13 == HEARTS or (card == QUEEN and hand[QUEEN_BREAKS]):
            hand[BROKEN] = 1
        if card == JACK:
            hand[JACK_TAKER] = winner
    if points:
        hand[TAKEN + winner] += points
        if hand[SWEEPER] == NOBODY:
            hand[SWEEPER] = winner
        elif hand[SWEEPER] != winner:
            hand[SWEEPER] = DIVIDED
    hand[LEADER], hand[PLACE], hand[OPENING] = winner, 0, 0


@jit
def lay(hand: Numbers, seat: int, card: int) -> None:
    """Play a card of the seat on turn to the trick."""
    hand[HANDS + seat] -= 1 << card
    hand[TRICK + hand[PLACE]] = card
    hand[PLACE] += 1
    if hand[PLACE] == 4:
        end_trick(hand)


@jit
def play_out(hand: Numbers, shooter: int, chance: int) -> None:
    """Play a hand to its end, in its record; ``chance`` of a thousand cards are random."""
    while hand[PLACE] or hand[HANDS + hand[LEADER]]:
        seat = hand[LEADER] + hand[PLACE] & 3
        may = playable(hand, seat)
        by_chance = draw(hand, 1000) < chance
        lay(hand, seat, random_card(hand, may) if by_chance else choose(hand, seat, may, shooter))


# compiles the functions, or loads what was compiled before, so that no decision pays for it
play_out(numbers([0] * LENGTH), NOBODY, 0)
