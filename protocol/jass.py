"""Facts of Jass that the rules and the players share: contracts, card points, the ranks of trumps."""

from __future__ import annotations

from croupier.protocol.cards import PACK_36

CONTRACTS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades", "o": "Obenabe", "u": "Undenufe"}
"""The six contracts: a trump suit, or no trumps with the ace or the six as the highest card."""
FACTORS = {
    "one": dict.fromkeys(CONTRACTS, 1),
    "schieber": {"c": 1, "h": 1, "s": 2, "d": 2, "o": 3, "u": 3},
}
"""What the points of each contract are multiplied by, for each value of the option ``factors``."""
TRUMP_RANKS = "678TQKA9J"
"""The trumps, low to high: the jack (Puur), then the nine (Näll)."""

_PLAIN = {"A": 11, "K": 4, "Q": 3, "J": 2, "T": 10}
_TRUMP = {**_PLAIN, "J": 20, "9": 14}
_NO_TRUMPS = {"o": {**_PLAIN, "8": 8}, "u": {**_PLAIN, "A": 0, "8": 8, "6": 11}}


def _counts(contract: str, card: str) -> int:
    points = _TRUMP if card[0] == contract else _NO_TRUMPS.get(contract, _PLAIN)
    return points.get(card[1], 0)


POINTS = {contract: {card: _counts(contract, card) for card in PACK_36} for contract in CONTRACTS}
"""The points of each card by contract: 152 in each contract, and five more for the last trick."""
