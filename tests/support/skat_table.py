"""A table of Skat with known cards."""

import pytest
from tests.support.trick_table import Stacked, spelled

from croupier.protocol.skat import PACK
from croupier.server.games.game import IllegalPlay
from croupier.server.games.skat.game import Skat

THREE = ("fore", "middle", "rear")
FOUR = (*THREE, "dealer")

SOLID = "cJ sJ hJ dJ cA cT cK sA hA dA"
"""A hand that takes every trick of a clubs game, with two cards like h7 h8 in the skat."""
NULL = "c7 c8 c9 s7 s8 s9 h7 h8 d7 d8"
"""A hand that can take no trick of a Null."""


def begin(*piles, players=THREE, **options):
    """Seat players at cards that are known; ``_`` in an option's name is a hyphen."""
    return Skat(players, spelled(options), Stacked(FOUR, (10, 10, 10, 2), piles))


def form(text):
    """Read a play: ``bid 18`` or ``declare null c7 c8 ouvert``."""
    return tuple(int(word) if word.isdigit() else word for word in text.split())


def say(game, *plays):
    """Let the player on turn say these, one after another; return the news of the last."""
    news = ()
    for play in map(form, plays):
        game.check(game.turn, play)
        news = game.play(game.turn, play)
    return news


def cards(game, text):
    """Let the player on turn play these cards; return the news of the last."""
    return say(game, *[f"play {card}" for card in text.split()])


def fore_plays(game, *, at=18):
    """Let forehand play alone at 18, or hold middlehand's bid."""
    return say(game, *(["pass", "pass", "bid 18"] if at == 18 else [f"bid {at}", "hold", "pass", "pass"]))


def declared(*plays, piles=(SOLID,), **options):
    """Let forehand declare at 18, with these plays after the auction."""
    game = begin(*piles, **options)
    fore_plays(game)
    say(game, *plays)
    return game


def refused(game, text, why):
    """Expect the play of the seat on turn to be refused for a reason."""
    with pytest.raises(IllegalPlay, match=why):
        game.check(game.turn, form(text))


def play_out(game, choose=lambda plays: plays[0]):
    """Play the cards of this hand to its end."""
    number, results = game.number, len(game.results)
    while game.turn is not None and game.number == number and len(game.results) == results:
        game.play(game.turn, choose(game.legal()))
    return game.results[-1]


def dealt(seat):
    """Return the ten cards of a seat, as piles of `begin` would leave them if none is told."""
    return PACK[10 * seat : 10 * seat + 10]
