"""Dominion: build a deck while you play with it; most victory points win.

The ten cards of the first game, for two to four players, by the official rules or as the class server played them. In
his turn a player plays actions while any are left, then treasures, then buys, and cleans up. So the action phase lasts
exactly as long as an action is left.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, ClassVar, Self

from croupier.protocol.dominion import (
    COINS,
    COST,
    HAND,
    MILITIA_LEAVES,
    MINE_ADDS,
    MOAT,
    PILES,
    REMODEL_ADDS,
    START,
    WORKSHOP_BUILDS,
    count_parts,
    defenses,
    supply,
    turn_plays,
    without,
)
from croupier.protocol.views.dominion import DominionView
from croupier.server.games.dominion.broadcast import DominionBroadcast
from croupier.server.games.dominion.luck import luck
from croupier.server.games.dominion.player import Player
from croupier.server.games.dominion.plays import (
    CELLAR,
    EFFECTS,
    FIXED,
    NOTHING,
    PLAYS,
    listing,
    nth_part,
    require,
    words,
)
from croupier.server.games.dominion.world import DominionWorld
from croupier.server.games.game import Attack, Defended, Game, IllegalPlay, Label, Option, Told

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from random import Random

    from croupier.protocol.sexp import Atom
    from croupier.server.games.game import Deal, News, Play
    from croupier.server.games.sheets import Sheet

ENDING_PILES = 3


class Dominion(Game):
    """Two to four players, each with a deck of his own."""

    NAME = "dominion"
    PAGE = DominionView
    SEATS = (2, 3, 4)
    OPTIONS: ClassVar[Mapping[str, Option]] = {
        "rules": Option(
            "official",
            ("official", "classic"),
            "classic: only empty provinces end the game, ties share, treasures may follow a buy",
        ),
        "turns": Option(200, range(1, 10_001), "the game ends after the round in which all have had this many turns"),
    }
    PLAYS: ClassVar[Mapping[str, str]] = PLAYS
    BROADCAST = DominionBroadcast
    CARDS = PILES
    ACTIONS = FIXED
    WORLD = DominionWorld
    LUCK = "croupier.server.games.dominion.luck"
    PENALTY = 0
    AWARD = 27
    """Four of the eight provinces and the three estates of the start: half of what two players play for."""

    def __init__(self, players: Sequence[str], options: Mapping[str, Atom], deal: Deal) -> None:
        super().__init__(players, options, deal)
        n = len(self.players)
        self.official = self.options["rules"] == "official"
        self.clockwise = [[(seat + step) % n for step in range(n)] for seat in range(n)]
        self.supply = supply(n)
        self.trash: list[str] = []
        self.waiting: list[int] = []
        self.defended: list[Defended] = []
        self.listed = NOTHING
        self.sides = [Player(deal.shuffle(Label("deal", seat), START)) for seat in range(n)]
        for seat in range(n):
            self.draw(seat, HAND)
        self.begin_turn(0)

    def begin_turn(self, seat: int) -> None:
        """Give the turn to a seat: one action, one buy."""
        self.active = self.turn = seat
        self.sides[seat].turns += 1
        self.actions, self.buys, self.coins = 1, 1, 0
        self.bought = False

    def draw(self, seat: int, number: int) -> None:
        """Draw cards; a short deck gives what it has before the discards are shuffled into a new one."""
        side = self.sides[seat]
        missing = number - side.take(number)
        if missing and side.discards:
            side.reshuffles += 1
            side.renew(self.deal.shuffle(Label("reshuffle", seat, side.reshuffles), side.discards))
            side.take(missing)

    # What may be played, and why not

    def legal(self) -> Iterable[Play]:
        """List the legal plays; those of a Cellar lazily, because there may be millions."""
        if self.turn is None:
            return ()
        hand = self.sides[self.turn].hand
        if self.attack is not None:
            return defenses(hand)
        counters = self.actions, self.buys, self.coins
        self.listed = listing(hand, self.supply, *counters, adding=not self.late)
        return self.listed.plays or turn_plays(hand, self.supply, *counters, adding=not self.late)

    @property
    def late(self) -> bool:
        """Return whether it is too late for treasures; by the official rules, all are played before the first buy."""
        return self.bought and self.official

    def sample(self, rng: Random) -> Play:
        """Return a random legal play with equal probabilities, without listing all that a Cellar may discard."""
        few = list(takewhile(lambda play: play[:2] != CELLAR, self.legal()))
        hand = self.sides[self.active].hand
        if self.attack is not None or not self.actions or "cellar" not in hand:
            return rng.choice(few)
        rest = sorted(without(hand, "cellar"))
        index = rng.randrange(len(few) + count_parts(rest))
        return few[index] if index < len(few) else (*CELLAR, *nth_part(rest, index - len(few)))

    def check(self, seat: int, play: Play) -> None:
        """Raise UnknownPlay or IllegalPlay if ``seat`` may not play this now.

        A play that was just listed is not checked again.
        """
        if seat == self.turn and play in self.listed.allowed:
            return
        word, *cards = words(play)
        self.check_turn(seat)
        hand = self.sides[seat].hand
        match word:
            case "moat" | "discard":
                self._check_defense(hand, word, *cards)
            case _ if self.attack is not None:
                raise IllegalPlay("an attack is met with (moat) or (discard CARD ...)")
            case "act":
                self._check_act(hand, *cards)
            case "add":
                self._check_add(hand, *cards)
            case "buy":
                self._check_buy(*cards)
            case "clean":
                if hand and not cards:
                    raise IllegalPlay("the hand is not empty: show one of its cards, (clean CARD)")
                require(hand, *cards)

    def _check_act(self, hand: list[str], card: str, *named: str) -> None:
        """Check an action card and the cards named with it."""
        if not self.actions:
            raise IllegalPlay("no action is left")
        require(hand, card)
        rest = without(hand, card)
        if card == "cellar":
            require(rest, *named)
        elif card == "workshop":
            self._check_gain(named[0], WORKSHOP_BUILDS)
        elif named:
            trashed, gained = named
            require(rest, trashed)
            self._check_gain(gained, COST[trashed] + (MINE_ADDS if card == "mine" else REMODEL_ADDS))

    def _check_gain(self, card: str, most: int) -> None:
        """Check that a card may be gained at this price."""
        if COST[card] > most:
            raise IllegalPlay(f"{card} costs {COST[card]}, more than the {most} allowed")
        if not self.supply[card]:
            raise IllegalPlay(f"no {card} is left in the supply")

    def _check_add(self, hand: list[str], card: str) -> None:
        require(hand, card)
        if not self.buys:
            raise IllegalPlay("no buy is left to add a treasure for")
        if self.late:
            raise IllegalPlay("treasures are played before the first buy")

    def _check_buy(self, card: str) -> None:
        if not self.buys:
            raise IllegalPlay("no buy is left")
        self._check_gain(card, self.coins)

    def _check_defense(self, hand: list[str], word: str, *cards: str) -> None:
        """Check how an attack is met."""
        if self.attack is None:
            raise IllegalPlay("there is no attack to defend against")
        surplus = max(len(hand) - MILITIA_LEAVES, 0)
        if word == "discard" and len(cards) != surplus:
            raise IllegalPlay(f"discard {surplus} of {len(hand)} cards, not {len(cards)}")
        require(hand, *(cards if word == "discard" else MOAT))

    # What a play does

    def play(self, seat: int, play: Play) -> Sequence[News]:
        """Apply a play or a defense."""
        side = self.sides[seat]
        side.forget_sight()
        self.listed = NOTHING
        if self.attack is not None:
            return self.defend(seat, side, play)
        word, *cards = words(play)
        if word == "act":
            self.act(seat, side, *cards)
        elif word == "add":
            self.add(side, *cards)
        elif word == "buy":
            self.buy(side, *cards)
        else:
            return self.clean(seat, side, *cards)
        return ()

    def act(self, seat: int, side: Player, card: str, *named: str) -> None:
        """Play an action card."""
        cards, actions, buys, coins = EFFECTS[card]
        side.put_down(card)
        self.actions += actions - 1
        self.buys += buys
        self.coins += coins
        match card:
            case "cellar":
                side.discard(*named)
                cards = len(named)
            case "mine":
                self.trash_from(side, named[0])
                self.gain(side, named[1])
                side.hand.insert(0, named[1])
                side.held.append(named[1])
            case "remodel":
                self.trash_from(side, named[0])
                self.gain(side, named[1])
                side.lay(named[1])
            case "workshop":
                self.gain(side, named[0])
                side.lay(named[0])
            case "militia":
                self.attack_others(seat)
        if cards:
            self.draw(seat, cards)

    def add(self, side: Player, card: str) -> None:
        """Play a treasure; the actions are over."""
        side.put_down(card)
        self.actions = 0
        self.coins += COINS[card]

    def buy(self, side: Player, card: str) -> None:
        """Buy a card; the actions are over."""
        self.actions = 0
        self.bought = True
        self.buys -= 1
        self.coins -= COST[card]
        self.gain(side, card)
        side.lay(card)

    def gain(self, side: Player, card: str) -> None:
        """Gain a card from the supply."""
        self.supply = self.supply.but(card, self.supply[card] - 1)
        side.own(card)

    def trash_from(self, side: Player, card: str) -> None:
        """Trash a card from the hand."""
        side.lose(card)
        self.trash.insert(0, card)

    def attack_others(self, seat: int) -> None:
        """Ask every other player in turn order for a defense."""
        self.attack = Attack(("act", "militia"), seat)
        self.waiting = self.clockwise[seat][1:]
        self.turn = self.waiting[0]

    def defend(self, seat: int, side: Player, defense: Play) -> Sequence[News]:
        """Meet the attack; the news follow when all attacked players have answered."""
        self.defended = [*self.defended, Defended(seat, self.public(seat, defense))]
        word, *cards = words(defense)
        if word == "moat":
            side.hold("moat")
        elif cards:
            side.discard_hidden(*cards)
        self.waiting = self.waiting[1:]
        if self.waiting:
            self.turn = self.waiting[0]
            return ()
        news, self.defended = self.defended, []
        self.turn, self.attack = self.active, None
        return news

    def public(self, seat: int, play: Play) -> Play:
        """Return the play as the others may see it: of a Militia's discards, only the first."""
        return play[:2] if play[0] == "discard" else play

    def clean(self, seat: int, side: Player, *shown: str) -> Sequence[News]:
        """End the turn: discard everything, draw the next hand, pass the turn on or end the game."""
        side.clean(*shown)
        self.draw(seat, HAND)
        if self.is_over(seat):
            self.turn = None
            return [Told(("score", *zip(self.players, self.scores(), strict=True)))]
        self.begin_turn(self.clockwise[seat][1])
        return ()

    def is_over(self, seat: int) -> bool:
        """Return whether the game ends with this seat's turn."""
        sold_out = self.supply.empty_piles()
        if "province" in sold_out or (self.official and len(sold_out) >= ENDING_PILES):
            return True
        return seat == len(self.players) - 1 and self.sides[seat].turns == self.options["turns"]

    # Who sees what, and the scores

    def show(self, seat: int, to: Sheet) -> None:
        """State all of the seat's own cards, and the visible cards of the others."""
        own = self.sides[seat]
        acting = seat == self.active and self.turn is not None
        to.put("phase", self.phase)
        to.put("turn", own.turns)
        to.put("supply", self.supply)
        to.put("trash", tuple(self.trash))
        to.put("actions", self.actions if acting else 0)
        to.put("buys", self.buys if acting else 0)
        to.put("coins", self.coins if acting else 0)
        to.put("deck", own.sorted_deck())
        to.put("hand", tuple(own.hand))
        to.put("plays", tuple(own.plays))
        to.put("discards", tuple(own.discards))
        to.put("others", {self.players[other]: self.sides[other].other() for other in self.clockwise[seat][1:]})

    def most_candidates(self) -> int:
        """Return room for the plays of a Cellar with eight different cards, and for discards."""
        return 256

    @property
    def phase(self) -> str:
        """Return the phase: a defense, or what the actions left allow."""
        if self.attack is not None:
            return "defend"
        return "action" if self.actions else "buy"

    def scores(self) -> tuple[int, ...]:
        """Count every player's victory points."""
        return tuple([side.points() for side in self.sides])

    def ranks(self, scores: Sequence[int] | None = None) -> tuple[int, ...]:
        """Rank the seats; by the official rules, fewer turns win a tie."""
        scores = self.scores() if scores is None else scores
        turns = [side.turns if self.official else 0 for side in self.sides]
        keys = [(-score, turn) for score, turn in zip(scores, turns, strict=True)]
        return tuple([1 + sum([other < mine for other in keys]) for mine in keys])

    @classmethod
    def luck(cls, game: Self | None, label: Label, order: Sequence[str], seats: int) -> Sequence[float]:
        """Weigh the hands to come, the first of which begins with the rest of the deck."""
        side = None if game is None or label.seat is None else game.sides[label.seat]
        return luck(label, order, () if side is None or side.plays else side.hand, seats)

    def award(self) -> int:
        """Return the least that a winner gets: never less than the best score at the table."""
        return max(self.AWARD, *self.scores())

    def copy(self) -> Self:
        """Return an independent copy, including the players' piles."""
        new = super().copy()
        new.sides = [side.copy() for side in self.sides]
        new.listed = NOTHING
        return new
