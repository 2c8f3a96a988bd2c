"""Playing the cards of Skat: as declarer, as defender, in a Null from either side, in a Ramsch."""

from __future__ import annotations

from croupier.protocol.skat import POINTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.agents.skat_cards import Cards


# Ways of choosing one of several cards


def cheapest(cards: Cards, of: Sequence[str]) -> str:
    """Return the card with the fewest points, among equal ones the lowest; plain suits before trumps."""
    return min(of, key=cards.order.cost.__getitem__)


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
        if len(trumps) > others or len(trumps) >= 4:
            return cheapest(cards, trumps)
    plain = [card for card in cards.hand if suit[card] != "trump"]
    sure = [card for card in plain if cards.is_high(card) and cards.out_in(suit[card])]
    if sure:
        return max(sure, key=lambda card: (cards.out_in(suit[card]), POINTS[card]))
    if plain:
        return max(plain, key=lambda card: (cards.count_in(suit[card]), -POINTS[card]))
    return highest(cards, trumps)


def _take_last(cards: Cards, winners: list[str]) -> str:
    """Take a trick as its last player, unless only a good trump would take a poor one."""
    suit = cards.order.suit
    plain = [card for card in winners if suit[card] != "trump"]
    if plain:
        return fattest(cards, plain)
    card = fattest(cards, winners)
    if suit[cards.trick[0]] != "trump" and cards.worth + POINTS[card] < 4:
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


def defend(cards: Cards, declarer: str) -> str:
    """Play as defender: give the partner points, take the declarer's tricks, lead suits that the partner may take."""
    if not cards.trick:
        return _lead_as_defender(cards)
    winners = cards.winners()
    if cards.taken_by != declarer:
        if declarer in cards.played or cards.is_high(cards.best):
            return _smear(cards)
        sure = [card for card in winners if cards.is_high(card)]
        return fattest(cards, sure) if sure else cheapest(cards, cards.options)
    if not winners:
        return cheapest(cards, cards.options)
    return fattest(cards, winners) if len(cards.trick) == 2 else highest(cards, winners)


def _lead_as_defender(cards: Cards) -> str:
    suit = cards.order.suit
    plain = [card for card in cards.hand if suit[card] != "trump"] or list(cards.hand)
    aces = [card for card in plain if card[1] == "A" and cards.out_in(suit[card]) >= 4]
    if aces:
        return max(aces, key=lambda card: cards.out_in(suit[card]))
    return min(plain, key=lambda card: (POINTS[card] >= 10, -cards.count_in(suit[card]), POINTS[card]))


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


def push(cards: Cards, declarer: str) -> str:
    """Play against a Null: stay below the declarer's card, lead low where the declarer may have to take it."""
    if not cards.trick:
        return min(cards.options, key=lambda card: (cards.order.power[card], -cards.out_in(cards.order.suit[card])))
    if cards.taken_by == declarer:
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
