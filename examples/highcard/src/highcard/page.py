"""What a player of High card may see."""

from croupier.protocol.views.view import CARDS, NUMBER, TABLE, View


class HighCardView(View):
    """What a player may see: his own hand, how many have chosen, which cards are gone, and who won what."""

    GAME = "highcard"
    FIELDS = {"hand": CARDS, "chosen": NUMBER, "gone": CARDS, "won": TABLE}
