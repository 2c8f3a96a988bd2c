"""A table of Jass with hands as one likes them."""

from tests.support.trick_table import NAMES, Stacked, play, spelled

from croupier.server.games.jass.contracts import PACK
from croupier.server.games.jass.game import Jass


def table(*hands, **options):
    """Deal these hands from alice on, filled up to nine cards each with what is left in the order of the pack."""
    return Jass(NAMES, spelled(options), Stacked(NAMES, (9,) * 4, hands))


def hands(game):
    """Return the cards of every hand."""
    return [PACK.cards[hand] for hand in game.hands]


def say(game, *words):
    """Show these Weis."""
    game.check(game.turn, ("weis", *words))
    return list(game.play(game.turn, ("weis", *words)))


def finish(game, *order):
    """Let alice play her cards in this order, the others the first that they may."""
    news = []
    while game.turn is not None:
        cards = [play[1] for play in game.legal()]
        news = play(game, min(cards, key=order.index) if game.turn == 0 else cards[0])
    return news
