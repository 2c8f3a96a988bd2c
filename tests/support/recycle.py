"""Small RECYCLE programs, and what they come to."""

from random import Random

from croupier.server.games.game import Dice
from croupier.server.games.recycle.game import game_of

DECK = "(create deck (game vloc STOCK) (deck (RANK (A, TWO, THREE)) (SUIT (CLUBS, HEARTS))))"


def program(body="", scoring="0", setup=DECK, players=2, declare=""):
    """Return a whole program around a few lines."""
    return f"(game {declare} (setup (create players {players}) {setup})\n{body}\n(scoring max {scoring}))"


def begin(text, options=None, seed=1):
    """Begin a game of a program's text."""
    rules = game_of("small", text.encode())
    return rules([f"p{seat}" for seat in range(rules.SEATS[0])], options or {}, Dice(Random(seed)))


def value(expression, body="", **how):
    """Return the number that an expression comes to after some steps."""
    game = begin(program(body, expression, **how))
    assert game.turn is None, game.void
    assert game.void is None, game.void
    return game.scores()[0]


def holds(condition, body="", **how):
    """Return whether a condition holds after some steps."""
    return value("(game sto RESULT)", f"{body} (do (({condition} (set (game sto RESULT) 1))))", **how) == 1


def ranks(collection, body="", **how):
    """Return the ranks of a list of cards as letters, the bottom first."""
    game = begin(program(f"{body} (do ((all {collection} 'X (remember 'X (top (game mem SEEN))))))", **how))
    assert game.void is None, game.void
    cards = game.table.deck.cards
    return [cards[card]["RANK"] for card in game.table.lists[game.table.game]["mem SEEN 0"]]


def stores(text, options=None):
    """Return what each option of a program's first choice sets, in order: name and value."""
    game = begin(text, options)
    assert game.void is None, game.void
    choices = game.view(game.turn).choices
    return [[(action[2], action[3]) for action in choice[1:] if action[0] == "set"] for choice in choices]


def play_out(game, rng):
    """Play to the end at random; return the game."""
    while game.turn is not None:
        game.play(game.turn, game.sample(rng))
    return game
