"""The cards of Hearts: suits, who takes a trick, points, and where three cards of each hand go."""

from __future__ import annotations

from croupier.protocol.cards import PACK_52, suit
from croupier.server.games.hands import Pack
from croupier.server.games.orderings import compile_order, hearts, of

PACK = Pack(PACK_52)
SUITS = {card: PACK.where(of(suit(card))) for card in PACK_52}
HEARTS = PACK.where(of("h"))
TWO_OF_CLUBS = PACK.units["c2"]
QUEEN = "sQ"
JACK = "dJ"
TABLE = compile_order(PACK_52, hearts, led=suit)
POINTS = {card: 13 if card == QUEEN else int(suit(card) == "h") for card in PACK_52}
POINT_CARDS = PACK.where(lambda card: POINTS[card] > 0)
ALL_POINTS = 26
BREAKERS = frozenset(card for card in PACK_52 if suit(card) == "h")
BREAKERS_AND_QUEEN = BREAKERS | {QUEEN}

STEPS = {"none": 0, "left": 1, "across": 2, "right": 3}
ROTATION = ("left", "right", "across", "none")
