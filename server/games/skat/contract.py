"""The contracts of Skat: games, their trumps, and how they are declared (ISkO 2 and 3.4)."""

from __future__ import annotations

from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple, Self

from croupier.protocol.skat import BASE, GAMES, PLACE, TRUMPS, card_points, effective_suit, from_the_hand, matadors
from croupier.protocol.skat import PACK as CARDS
from croupier.server.games.game import UnknownPlay
from croupier.server.games.hands import Hand, Pack
from croupier.server.games.orderings import Compiled, compile_order, farbspiel, grand, null

if TYPE_CHECKING:
    from croupier.server.games.game import Play

WORDS = ("hand", "schneider", "schwarz", "ouvert")
ANNOUNCEMENTS = WORDS[1:]
PACK = Pack(CARDS)


class SkatContract(NamedTuple):
    """The declarer's contract: a game, and those of ``hand schneider schwarz ouvert`` that apply, in this order."""

    game: str
    words: tuple[str, ...] = ()

    # cached because the same contracts are declared again and again
    @classmethod
    @cache
    def of(cls, game: str, words: tuple[str, ...]) -> Self:
        """Return the contract with all words that these imply."""
        implied = set(words)
        if game != "null":
            implied |= {"schneider", "schwarz"} if "ouvert" in implied else set()
            implied |= {"schneider"} if "schwarz" in implied else set()
        return cls(game, tuple(word for word in WORDS if word in implied))

    @property
    def base(self) -> int:
        """The base value of a suit or of Grand."""
        return BASE[self.game]


RAMSCH = SkatContract("ramsch")


class Declaration(NamedTuple):
    """The content of ``(declare GAME ...)``: the game, the cards put down, the words."""

    game: str
    down: Hand
    words: tuple[str, ...]

    # cached because a bot's declaration is read when it is judged, applied and recorded
    @classmethod
    @lru_cache(4096)
    def read(cls, play: Play) -> Self:
        """Read a declaration with cards and words in any order; raise UnknownPlay if it is not one."""
        game, rest = play[1] if len(play) > 1 else None, play[2:]
        if game not in GAMES:
            raise UnknownPlay(f"a declaration names its game: {', '.join(GAMES)}")
        cards = [str(item) for item in rest if item in PLACE]
        words = tuple([str(item) for item in rest if item in ANNOUNCEMENTS])
        if len(cards) + len(words) < len(rest) or len(set(rest)) < len(rest):
            raise UnknownPlay("behind its game a declaration has cards, schneider, schwarz or ouvert, each once")
        return cls(str(game), PACK.hand(cards), words)


def _order(game: str) -> Compiled:
    order = null if game == "null" else grand if game in {"grand", "ramsch"} else partial(farbspiel, game[0])
    return compile_order(CARDS, order, led=partial(effective_suit, game))


ORDERS = {game: _order(game) for game in (*GAMES, "ramsch")}
FOLLOWS = {
    game: {
        led: PACK.where(
            {card for card in CARDS if effective_suit(game, card) == effective_suit(game, led)}.__contains__
        )
        for led in CARDS
    }
    for game in ORDERS
}
"""By game and card led, the cards that follow it."""


# cached because every hand game has one of a few lists
@cache
def hand_declarations(least_null: int) -> tuple[Play, ...]:
    """List the declarations of a player who left the skat, with only those Nulls that are worth at least ``least``."""
    return tuple(from_the_hand(least_null))


# cached because there are only 496 skats
@cache
def points_in(skat: Hand) -> int:
    """Count the card points of a skat."""
    return card_points(PACK.cards[skat])


# cached by trumps alone, so that many hands share an entry
@cache
def _matadors(game: str, trumps: Hand) -> int:
    return matadors(game, PACK.cards[trumps])


def matadors_in(game: str, hand: Hand) -> int:
    """Count the matadors of a hand, negative without.

    Cached, because many hands have the same trumps.
    """
    return _matadors(game, hand & FOLLOWS[game][TRUMPS[game][0]])
