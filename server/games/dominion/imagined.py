"""Dominion as those who search need it: copied, imagined otherwise, and played on in a hurry."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Self

from croupier.protocol.dominion import COINS, TREASURES, count_parts, without
from croupier.server.games.dominion.plays import CELLAR, NOTHING, nth_part, plain
from croupier.server.games.game import Dice, Game

if TYPE_CHECKING:
    from random import Random

    from croupier.protocol.dominion import Piles
    from croupier.server.games.dominion.player import Player
    from croupier.server.games.dominion.plays import Listing
    from croupier.server.games.game import Play


class Imagined(Game):
    """What a search asks of Dominion, beside its rules."""

    sides: list[Player]
    supply: Piles
    trash: list[str]
    clockwise: list[list[int]]
    official: bool
    bought: bool
    active: int
    actions: int
    buys: int
    coins: int
    listed: Listing
    """What the player on turn may play, if it was asked."""

    def routine(self) -> Play | None:
        """Return the play of a treasure, or the end of a turn without buys: there is nothing better left to do."""
        if self.turn is None or self.attack is not None:
            return None
        late = self.bought and self.official
        return plain(self.sides[self.turn].hand, self.actions, self.buys, () if late else TREASURES)

    def advance(self) -> None:
        """Play all treasures of a hand at once, and end turns without buys."""
        while self.turn is not None and (play := self.routine()) is not None:
            if play[0] == "add":
                self.actions = 0
                self.coins += self.sides[self.turn].put_down_all(COINS)
                self.listed = NOTHING
            else:
                self.play(self.turn, play)

    def copy(self) -> Self:
        """Return an independent copy, the players' piles copied too."""
        new = super().copy()
        new.sides = [side.copy() for side in self.sides]
        new.listed = NOTHING
        return new

    def determinize(self, seat: int, rng: Random) -> Self:
        """Return a copy in which the own deck's order and the others' hidden cards are dealt anew."""
        new = self.copy()
        new.deal = Dice(rng)
        for other in self.clockwise[seat][1:]:
            new.sides[other].deal_anew(rng)
        own = new.sides[seat].deck
        own.sort()
        rng.shuffle(own)
        return new

    def sample(self, rng: Random) -> Play:
        """Return one legal play, each equally likely, without listing all that a Cellar may discard."""
        plays = list(takewhile(lambda play: play[:2] != CELLAR, self.legal()))
        hand = self.sides[self.active].hand
        if self.attack is not None or not self.actions or "cellar" not in hand:
            return rng.choice(plays)
        rest = sorted(without(hand, "cellar"))
        index = rng.randrange(len(plays) + count_parts(rest))
        return plays[index] if index < len(plays) else (*CELLAR, *nth_part(rest, index - len(plays)))
