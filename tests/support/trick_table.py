"""Tables of trick-taking games: hands that are known, cards that are played by the player on turn."""

from itertools import islice

from croupier.server.games.game import Dice

NAMES = ("alice", "bob", "carol", "dave")


class Stacked:
    """A deal of piles that are known, each filled up to its size from the rest of the pack; it keeps the labels."""

    def __init__(self, names, sizes, piles):
        self.names = names
        self.sizes = sizes
        self.piles = [pile.split() for pile in piles] + [[] for _ in sizes[len(piles) :]]
        self.labels = []

    def shuffle(self, label, cards):
        """Return the piles, one after another."""
        self.labels.append(label.text(self.names))
        rest = iter([card for card in cards if not any(card in pile for pile in self.piles)])
        piles = zip(self.piles, self.sizes, strict=True)
        return tuple(card for pile, size in piles for card in (*pile, *islice(rest, size - len(pile))))


def spelled(options):
    """Return options under their own names: ``_`` is a hyphen."""
    return {name.replace("_", "-"): value for name, value in options.items()}


def play(game, *cards):
    """Let the player on turn play the cards, one after another; return all news."""
    news = []
    for card in " ".join(cards).split():
        game.check(game.turn, ("play", card))
        news += game.play(game.turn, ("play", card))
    return news


def played_out(rules, rng, **options):
    """Play a game of four at random; return it."""
    game = rules(NAMES, spelled(options), Dice(rng))
    while game.turn is not None:
        game.play(game.turn, game.sample(rng))
    return game
