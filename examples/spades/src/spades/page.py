"""A Spades player's knowledge."""

from croupier.protocol.views.view import CARDS, FLAG, SYMBOL, TABLE, TRICK, TRICKS, View


class SpadesView(View):
    """The seat's hand, the table and every finished trick; the bids, and the tricks taken.

    ``bids`` are those of this hand so far, ``won`` each player's tricks in it. ``bags`` are the surplus tricks of each
    player's pair since it last paid for bags.
    """

    GAME = "spades"
    BIDDING = ("bid",)
    WORDS = ("bid", "play")
    FIELDS = {
        "tally": TABLE,
        "phase": SYMBOL,
        "hand": CARDS,
        "trick": TRICK,
        "tricks": TRICKS,
        "bids": TABLE,
        "won": TABLE,
        "bags": TABLE,
        "broken": FLAG,
    }
