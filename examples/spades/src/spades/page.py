"""What a player of Spades may see."""

from croupier.protocol.views.view import CARDS, FLAG, SYMBOL, TABLE, TRICK, TRICKS, View


class SpadesView(View):
    """One's own hand, the table and every finished trick; what was bid, and what was taken.

    ``bids`` has those who have bid in this hand, ``won`` each player's tricks in it, and ``bags`` what each player's
    pair has taken too much since it last paid for bags.
    """

    GAME = "spades"
    BIDDING = ("bid",)
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
