"""A table of Doppelkopf with hands as one likes them, and moves as words."""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice

import pytest

from croupier.protocol.doppelkopf import WITH_NINES, WITHOUT_NINES
from croupier.server.deals import Listed
from croupier.server.games.doppelkopf.game import Doppelkopf
from croupier.server.games.game import IllegalPlay

NAMES = ("alice", "bob", "carol", "dave")


def table(*hands: str, **options: str | int) -> Doppelkopf:
    """Deal hands that begin so, filled up with what is left of the pack, dullest cards first."""
    options = {name.replace("_", "-"): value for name, value in options.items()}
    pack = WITHOUT_NINES if options.get("nines") == "no" else WITH_NINES
    begun = [hand.split() for hand in (*hands, "", "", "", "")[:4]]
    left = Counter(pack) - Counter(chain(*begun))
    dull = iter(sorted(left.elements(), key=lambda card: ("9KTAJQ".index(card[1]), card)))
    full = [[*hand, *islice(dull, len(pack) // 4 - len(hand))] for hand in begun]
    deal = Listed()
    deal.orders = [tuple(chain(*full))] * 30
    return Doppelkopf(NAMES, options, deal)


def do(game: Doppelkopf, *moves: str) -> list:
    """Play moves as ``bob announce re``, ``carol h9`` or ``h9`` for the player on turn; return all news."""
    news = []
    for move in moves:
        words = move.split()
        seat = NAMES.index(words.pop(0)) if words[0] in NAMES else game.turn
        play = ("play", *words) if len(words[0]) == 2 else tuple(words)
        game.check(seat, play)
        news += game.play(seat, play)
    return news


def all_healthy(game: Doppelkopf) -> Doppelkopf:
    """Let everyone be healthy."""
    do(game, *["healthy"] * 4)
    return game


def why(game: Doppelkopf, move: str) -> str:
    """Return why a move is refused."""
    with pytest.raises(IllegalPlay) as problem:
        do(game, move)
    return str(problem.value)


def finish(game: Doppelkopf) -> Doppelkopf:
    """Play the hand to its end, always the first card."""
    hand = game.number
    while game.turn is not None and game.number == hand:
        game.play(game.turn, next(iter(game.legal())))
    return game


def told(news: list) -> list:
    """Return what the table told."""
    return [one.play for one in news]


def field(game: Doppelkopf, seat: int, name: str):
    """Return a field of what a seat sees."""
    return getattr(game.view(seat), name)


def cards_of(game: Doppelkopf) -> list:
    """List the cards that may be played."""
    return [play for play in game.legal() if play[0] == "play"]
