"""A table of Skat with known cards."""

from croupier.protocol.skat import PACK
from croupier.server.games.skat import Skat

THREE = ("fore", "middle", "rear")
FOUR = (*THREE, "dealer")


class Stacked:
    """A deal that gives forehand, middlehand, rearhand and the skat what it was told, filled up from the rest."""

    def __init__(self, *piles):
        self.piles = [pile.split() for pile in piles] + [[] for _ in range(4 - len(piles))]
        self.labels = []

    def shuffle(self, label, cards):
        self.labels.append(label.text(FOUR))
        rest = iter([card for card in cards if not any(card in pile for pile in self.piles)])
        sizes = (10, 10, 10, 2)
        return tuple(
            card
            for pile, size in zip(self.piles, sizes, strict=True)
            for card in [*pile, *[next(rest) for _ in range(size - len(pile))]]
        )


def begin(*piles, players=THREE, **options):
    """Seat players at cards that are known; ``_`` in an option's name is a hyphen."""
    return Skat(players, {name.replace("_", "-"): value for name, value in options.items()}, Stacked(*piles))


def form(text):
    """Read a play: ``bid 18`` or ``declare null c7 c8 ouvert``."""
    return tuple(int(word) if word.isdigit() else word for word in text.split())


def say(game, *plays):
    """Let whoever is on turn say these, one after another; return the news of the last."""
    news = ()
    for play in map(form, plays):
        game.check(game.turn, play)
        news = game.play(game.turn, play)
    return news


def cards(game, text):
    """Let whoever is on turn play these cards; return the news of the last."""
    return say(game, *[f"play {card}" for card in text.split()])


def fore_plays(game, *, at=18):
    """Let forehand play alone at 18, or hold middlehand's bid."""
    return say(game, *(["pass", "pass", "bid 18"] if at == 18 else [f"bid {at}", "hold", "pass", "pass"]))


def play_out(game, choose=lambda plays: plays[0]):
    """Play the cards of this hand to its end."""
    number, results = game.number, len(game.results)
    while game.turn is not None and game.number == number and len(game.results) == results:
        game.play(game.turn, choose(game.legal()))
    return game.results[-1]


def dealt(seat):
    """Return the ten cards of a seat, as piles of `begin` would leave them if none is told."""
    return PACK[10 * seat : 10 * seat + 10]
