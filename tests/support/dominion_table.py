"""A table of Dominion with hands, decks and discards as one likes them."""

from collections import Counter

import pytest

from croupier.protocol.dominion import PILES
from croupier.server.games.dominion.game import Dominion
from croupier.server.games.game import IllegalPlay, UnknownPlay

NAMES = ("alice", "bob", "carol", "dave")


class Unmixed:
    """A deal that turns every pile over as it is given, and keeps the labels."""

    def __init__(self):
        self.labels = []

    def shuffle(self, label, cards):
        """Return the cards as they are."""
        self.labels.append(label)
        return tuple(cards)


def table(*hands, deck="", discards="", **options):
    """Seat a player for each hand; the first is on turn, with this deck (top first) and these discards."""
    game = Dominion(NAMES[: max(len(hands), 2)], options, Unmixed())
    for side, hand in zip(game.sides, hands, strict=False):
        side.hand, side.deck, side.discards = hand.split(), [], []
    game.sides[0].deck = deck.split()[::-1]
    game.sides[0].discards = discards.split()
    for side in game.sides:
        owned = Counter([*side.hand, *side.deck, *side.discards])
        side.owns = {card: owned[card] for card in PILES}
    return game


def do(game, *plays):
    """Let the player on turn make each play, written as in a sentence; return the last one's news."""
    news = ()
    for text in plays:
        play = tuple(text.split())
        game.check(game.turn, play)
        assert any(sorted(play) == sorted(listed) for listed in game.legal()), play
        news = game.play(game.turn, play)
    return news


def refused(game, text):
    """Return why the seat on turn may not play this."""
    play = tuple(text.split())
    assert play not in list(game.legal())
    with pytest.raises(IllegalPlay) as refusal:
        game.check(game.turn, play)
    assert not isinstance(refusal.value, UnknownPlay)
    return str(refusal.value)
