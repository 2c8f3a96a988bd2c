"""What may be played at Dominion, and why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.protocol.dominion import (
    COST,
    MILITIA_LEAVES,
    MINE_ADDS,
    MOAT,
    REMODEL_ADDS,
    WORKSHOP_BUILDS,
    defenses,
    turn_plays,
    without,
)
from croupier.server.games.dominion.imagined import Imagined
from croupier.server.games.dominion.plays import listing, require, words
from croupier.server.games.game import IllegalPlay

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.server.games.game import Play


class Legal(Imagined):
    """The legal plays of Dominion, beside what a search asks."""

    def legal(self) -> Iterable[Play]:
        """List the legal plays; those of a Cellar lazily, for they may be millions."""
        if self.turn is None:
            return ()
        hand = self.sides[self.turn].hand
        if self.attack is not None:
            return defenses(hand)
        late = self.bought and self.official
        counters = self.actions, self.buys, self.coins
        self.listed = listing(hand, self.supply, *counters, adding=not late)
        return self.listed.plays or turn_plays(hand, self.supply, *counters, adding=not late)

    def check(self, seat: int, play: Play) -> None:
        """Raise UnknownPlay or IllegalPlay if ``seat`` may not play this now; what has just been listed he may."""
        if seat == self.turn and play in self.listed.allowed:
            return
        word, *cards = words(play)
        self.check_turn(seat)
        hand = self.sides[seat].hand
        match word:
            case "moat" | "discard":
                self.check_defense(hand, word, *cards)
            case _ if self.attack is not None:
                raise IllegalPlay("an attack is met with (moat) or (discard CARD ...)")
            case "act":
                self.check_act(hand, *cards)
            case "add":
                self.check_add(hand, *cards)
            case "buy":
                self.check_buy(*cards)
            case "clean":
                self.check_clean(hand, *cards)

    def check_act(self, hand: list[str], card: str, *named: str) -> None:
        """Check an action card and the cards named with it."""
        if not self.actions:
            raise IllegalPlay("no action is left")
        require(hand, card)
        rest = without(hand, card)
        if card == "cellar":
            for discarded in named:
                require(rest, discarded)
                rest.remove(discarded)
        elif card == "workshop":
            self.check_gain(named[0], WORKSHOP_BUILDS)
        elif named:
            trashed, gained = named
            require(rest, trashed)
            self.check_gain(gained, COST[trashed] + (MINE_ADDS if card == "mine" else REMODEL_ADDS))

    def check_gain(self, card: str, most: int) -> None:
        """Check that a card may be had for at most so much."""
        if COST[card] > most:
            raise IllegalPlay(f"{card} costs {COST[card]}, more than the {most} allowed")
        if not self.supply[card]:
            raise IllegalPlay(f"no {card} is left in the supply")

    def check_add(self, hand: list[str], card: str) -> None:
        """Check a treasure; officially all are played before the first buy."""
        require(hand, card)
        if not self.buys:
            raise IllegalPlay("no buy is left to add a treasure for")
        if self.bought and self.official:
            raise IllegalPlay("treasures are played before the first buy")

    def check_buy(self, card: str) -> None:
        """Check a buy."""
        if not self.buys:
            raise IllegalPlay("no buy is left")
        self.check_gain(card, self.coins)

    def check_clean(self, hand: list[str], *shown: str) -> None:
        """Check the end of a turn."""
        if hand and not shown:
            raise IllegalPlay("the hand is not empty: show one of its cards, (clean CARD)")
        for card in shown:
            require(hand, card)

    def check_defense(self, hand: list[str], word: str, *cards: str) -> None:
        """Check how an attack is met."""
        if self.attack is None:
            raise IllegalPlay("there is no attack to defend against")
        surplus = max(len(hand) - MILITIA_LEAVES, 0)
        if word == "discard" and len(cards) != surplus:
            raise IllegalPlay(f"discard {surplus} of {len(hand)} cards, not {len(cards)}")
        rest = list(hand)
        for card in cards if word == "discard" else MOAT:
            require(rest, card)
            rest.remove(card)
