"""Playing the cards of Skat: as declarer, as defender, in a Null from either side, in a Ramsch."""

from __future__ import annotations

from croupier.protocol.skat import POINTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.agents.skat_cards import Cards


# Found by playing two thousand deals with each of several values, with the same contracts and skats.
SHORT = 0.7
"""The points that each further card of its suit makes a card worth keeping: short suits are thrown first."""
DRAWING = 3
"""The trumps with which a declarer draws others though none of his is high."""
HIGH = 5.0
"""What a high card is worth beyond its points when a declarer leads his last good suit."""
WORTH_A_TRUMP = 10
"""The points of a trick that a declarer takes as the last player by a trump, that trump's included."""
WORTH_A_JACK = 8
"""The points of a trick that a defender takes by a jack."""


# Ways of choosing one of several cards


def cheapest(cards: Cards, of: Sequence[str]) -> str:
    """Return the card that is missed least: few points, no trump and above all no jack, low, from a short suit."""
    suit, cost = cards.order.suit, cards.order.cost

    def loss(card: str) -> tuple[float, int]:
        points, power = cost[card]
        return points + (0.0 if suit[card] == "trump" else SHORT * cards.count_in(suit[card])), power

    return min(of, key=loss)


def fattest(cards: Cards, of: Sequence[str]) -> str:
    """Return the card with the most points, among equal ones the lowest; a jack only if there is nothing else."""
    return max(of, key=cards.order.fat.__getitem__)


def lowest(cards: Cards, of: Sequence[str]) -> str:
    """Return the lowest card."""
    return min(of, key=cards.order.power.__getitem__)


def highest(cards: Cards, of: Sequence[str]) -> str:
    """Return the highest card."""
    return max(of, key=cards.order.power.__getitem__)


# The declarer of a suit game or a Grand


def drive_home(cards: Cards) -> str:
    """Play as declarer: draw trumps, cash high cards, take valuable tricks."""
    if not cards.trick:
        return _lead_as_declarer(cards)
    winners = cards.winners()
    if not winners:
        return cheapest(cards, cards.options)
    if len(cards.trick) == 2:
        return _take_last(cards, winners)
    return _take_second(cards, winners)


def _lead_as_declarer(cards: Cards) -> str:
    suit = cards.order.suit
    trumps = [card for card in cards.hand if suit[card] == "trump"]
    others = cards.out_in("trump")
    if trumps and others:
        high = [card for card in trumps if cards.is_high(card)]
        if high:
            return highest(cards, high)
        if len(trumps) > others or len(trumps) >= DRAWING:
            return cheapest(cards, trumps)
    plain = [card for card in cards.hand if suit[card] != "trump"]
    sure = [card for card in plain if cards.out_in(suit[card]) and _is_safe(cards, card)]
    if sure:
        return max(sure, key=lambda card: (cards.out_in(suit[card]), POINTS[card]))
    if plain:
        return max(plain, key=lambda card: _worth_of_leading(cards, card))
    return highest(cards, trumps)


def _worth_of_leading(cards: Cards, card: str) -> float:
    """Return how good it is for the declarer to lead a plain card that may lose: a low one from a long suit."""
    last = HIGH if _is_safe(cards, card) else 0.0
    return cards.count_in(cards.order.suit[card]) - POINTS[card] / 2 + last


def _take_last(cards: Cards, winners: list[str]) -> str:
    """Take a trick as its last player, unless only a good trump would take a poor one."""
    suit = cards.order.suit
    plain = [card for card in winners if suit[card] != "trump"]
    if plain:
        return fattest(cards, plain)
    card = fattest(cards, winners)
    if suit[cards.trick[0]] != "trump" and cards.worth + POINTS[card] < WORTH_A_TRUMP:
        return _or_throw(cards, card)
    return card


def _take_second(cards: Cards, winners: list[str]) -> str:
    """Take a trick with a defender still to play, by a high card or by trumping a valuable one."""
    suit = cards.order.suit
    led = suit[cards.trick[0]]
    high = [card for card in winners if cards.is_high(card)]
    if suit[cards.options[0]] == led:
        return fattest(cards, high) if high else cheapest(cards, cards.options)
    if cards.worth >= 10 or (cards.worth >= 3 and len(winners) >= 3):
        return lowest(cards, [card for card in winners if POINTS[card] < 10] or winners)
    return _or_throw(cards, lowest(cards, winners))


def _or_throw(cards: Cards, card: str) -> str:
    """Throw a worthless plain card instead, if there is one."""
    worthless = [other for other in cards.options if cards.order.suit[other] != "trump" and POINTS[other] < 4]
    return cheapest(cards, worthless) if worthless else card


# The defenders of a suit game or a Grand


def defend(cards: Cards) -> str:
    """Play as defender: give the partner points, take the declarer's tricks, lead suits that the partner may take."""
    if not cards.trick:
        return max(cards.hand, key=lambda card: _worth_of_leading_against(cards, card))
    winners = cards.winners()
    if cards.taken_by == cards.declarer:
        if winners:
            return _take_from_declarer(cards, winners)
        return _smear(cards) if _partner_may_take(cards) else cheapest(cards, cards.options)
    if cards.declarer not in cards.behind or _is_safe(cards, cards.best):
        return _smear(cards)
    sure = [card for card in winners if _is_safe(cards, card)]
    return fattest(cards, sure) if sure else cheapest(cards, cards.options)


def _worth_of_leading_against(cards: Cards, card: str) -> float:
    """Return how good it is for a defender to lead a card.

    High cards are best; then low ones of a suit that makes the declarer trump, that the partner may trump, or that is
    long. A trump saves the declarer the trouble of drawing it.
    """
    suit, points = cards.order.suit[card], POINTS[card]
    if suit == "trump":
        return -8 - 0.3 * points
    if suit in cards.void[cards.declarer] and cards.out_in("trump"):
        return 2 - 0.8 * points
    if cards.is_high(card):
        return 4 + 0.5 * cards.out_in(suit) + 0.1 * points
    trumped = suit in cards.void[cards.partner] and "trump" not in cards.void[cards.partner]
    return 3 * trumped + 0.5 * cards.count_in(suit) + 0.3 * cards.out_in(suit) - 0.5 * points


def _is_safe(cards: Cards, card: str) -> bool:
    """Return whether no opponent who has yet to play is known to take the trick from a card, led or played."""
    if not cards.is_high(card):
        return False
    led = cards.order.suit[cards.trick[0] if cards.trick else card]
    if cards.order.suit[card] == "trump" or not cards.out_in("trump"):
        return True
    return not any(
        led in cards.void[name] and "trump" not in cards.void[name] for name in cards.behind if name != cards.partner
    )


def _take_from_declarer(cards: Cards, winners: list[str]) -> str:
    """Take a trick that the declarer has played to, with points; spend no jack on a poor one."""
    card = fattest(cards, winners)
    if card[1] == "J" and cards.worth < WORTH_A_JACK:
        worthless = [other for other in cards.options if other not in winners and POINTS[other] < 4]
        return cheapest(cards, worthless) if worthless else card
    return card


def _partner_may_take(cards: Cards) -> bool:
    """Return whether the partner has yet to play, and has probably a card that takes the trick from the declarer."""
    if cards.partner not in cards.behind:
        return False
    led, void = cards.order.suit[cards.trick[0]], cards.void[cards.partner]
    takes = cards.order.over[cards.best].intersection(cards.out)
    from_suit = cards.order.of["trump" if led in void else led].intersection(takes)
    return len(from_suit) >= (1 if led not in void else 2 if "trump" not in void else 99)


def _smear(cards: Cards) -> str:
    """Give points to the partner's trick; keep a high plain ace while a ten can go."""
    plain = [card for card in cards.options if cards.order.suit[card] != "trump"]
    return fattest(cards, plain or cards.options)


# Null


def duck(cards: Cards) -> str:
    """Play as declarer of a Null: stay below the trick with the highest possible card, discard the most dangerous."""
    if not cards.trick:
        return min(cards.options, key=lambda card: (cards.order.power[card], cards.order.suit[card]))
    winners = cards.winners()
    losers = [card for card in cards.options if card not in winners]
    if losers:
        return highest(cards, losers)
    return lowest(cards, winners) if len(cards.trick) == 1 else highest(cards, winners)


def push(cards: Cards) -> str:
    """Play against a Null: stay below the declarer's card, lead low where the declarer may have to take it."""
    if not cards.trick:
        return min(cards.options, key=lambda card: (cards.order.power[card], -cards.out_in(cards.order.suit[card])))
    if cards.taken_by == cards.declarer:
        losers = [card for card in cards.options if card not in cards.winners()]
        return highest(cards, losers or cards.options)
    if cards.order.suit[cards.options[0]] != cards.order.suit[cards.trick[0]]:
        return highest(cards, cards.options)
    return lowest(cards, cards.options)


def shun(cards: Cards) -> str:
    """Play a Ramsch: take no points, get rid of high cards under higher ones."""
    if not cards.trick:
        return lowest(cards, cards.options)
    losers = [card for card in cards.options if card not in cards.winners()]
    return fattest(cards, losers) if losers else lowest(cards, cards.options)
