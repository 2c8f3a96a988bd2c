"""Sedma: nobody follows suit and no rank is high; the last card that matches the first takes the trick.

Two pairs play with 32 cards, four in hand and the rest to draw from. Sevens match everything. Aces and tens are
worth ten points each, the last trick ten more: 90 in all, so that one pair has always more than the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from croupier.protocol.cards import PACK_32, by_suit
from croupier.protocol.views.sedma import SedmaView
from croupier.protocol.views.view import Trick, listed
from croupier.server.games.game import Dice, Game, IllegalPlay, Label, Option, Told, UnknownPlay

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from croupier.protocol.sexp import Atom
    from croupier.server.games.game import Deal, News, Play

JOKER = "7"
STOP: Play = ("stop",)
PLAYS: dict[str, Play] = {card: ("play", card) for card in PACK_32}
HAND = 4
LAST_TRICK = 10
ALL_POINTS = 90


def matches(card: str, first: str) -> bool:
    """Tell whether a card may take a trick that began with ``first``."""
    return card[1] in (first[1], JOKER)


def taker(cards: Sequence[str]) -> int:
    """Return the place in the trick of the last card that matches the first."""
    return max(place for place, card in enumerate(cards) if matches(card, cards[0]))


def worth(cards: Sequence[str]) -> int:
    """Count ten points for each ace and each ten."""
    return 10 * sum(card[1] in "AT" for card in cards)


def outcome(won: Sequence[int], points: Sequence[int]) -> tuple[int, int]:
    """Return the winning pair, 0 or 1, and what it scores, from the tricks and the points of each seat.

    Three for taking every trick goes before two for taking every point.
    """
    winners = 0 if points[0] + points[2] > ALL_POINTS // 2 else 1
    losers = 1 - winners
    if won[losers] + won[losers + 2] == 0:
        return winners, 3
    return winners, 1 if points[losers] + points[losers + 2] else 2


class Sedma(Game):
    """Four players, partners opposite, each free to play any card."""

    NAME = "sedma"
    SEATS = (4,)
    OPTIONS: ClassVar[Mapping[str, Option]] = {
        "rounds": Option(
            "one", ("one", "many"), "one card each, or as many rounds to a trick as its leader goes on for"
        ),
        "score-to": Option(0, range(1001), "hands are played until a pair has this many points; 0 is one hand"),
    }
    PLAYS: ClassVar[Mapping[str, str]] = {
        "(play C)": "play a card",
        "(stop)": "end the trick instead of going on (rounds=many)",
    }
    PARTNERS = ((0, 2), (1, 3))
    PENALTY = 0
    AWARD = 1

    def __init__(self, players: Sequence[str], options: Mapping[str, Atom], deal: Deal) -> None:
        super().__init__(players, options, deal)
        self.many = self.options["rounds"] == "many"
        self.tally = [0, 0, 0, 0]
        self.number = 1
        self._deal(Label("deal"))

    # The deal: four cards each from the leader, who sits one place further every hand; the rest is the stock.

    def _deal(self, label: Label) -> None:
        pack = self.deal.shuffle(label, PACK_32)
        first = (self.number - 1) % 4
        self.hands: list[tuple[str, ...]] = [()] * 4
        for place in range(4):
            self.hands[(first + place) % 4] = by_suit(pack[HAND * place : HAND * (place + 1)])
        self.stock = pack[4 * HAND :]
        self.tricks: tuple[Trick, ...] = ()
        self.won = [0, 0, 0, 0]
        self.points = [0, 0, 0, 0]
        self._lead(first)

    def _lead(self, seat: int) -> None:
        self.turn = self.leader = seat
        self.table: tuple[str, ...] = ()

    # The play: any card, but to go on after a full round its leader must match.

    @property
    def _may_stop(self) -> bool:
        """Whether the leader decides about another round: one is full, and he has a card left."""
        return bool(self.table) and len(self.table) % 4 == 0

    def legal(self) -> list[Play]:
        """List the cards of the seat on turn, or those to go on with and the stop."""
        if self.turn is None:
            return []
        hand = self.hands[self.turn]
        if self._may_stop:
            return [*[PLAYS[card] for card in hand if matches(card, self.table[0])], STOP]
        return [PLAYS[card] for card in hand]

    def check(self, seat: int, play: Play) -> None:
        """Raise IllegalPlay unless the seat is on turn and may play this card, or stop."""
        if play != STOP and (len(play) != 2 or play[0] != "play" or play[1] not in PLAYS):
            raise UnknownPlay("a play of Sedma is (play C) with a card from the seven to the ace, or (stop)")
        if seat != self.turn:
            raise IllegalPlay("the game is over" if self.turn is None else f"it is {self.players[self.turn]}'s turn")
        if play == STOP:
            if not self._may_stop:
                raise IllegalPlay("only the leader may stop, after a full round, where rounds are many")
            return
        card = str(play[1])
        if card not in self.hands[seat]:
            raise IllegalPlay(f"{card} is not in the hand")
        if self._may_stop and not matches(card, self.table[0]):
            raise IllegalPlay(f"to go on, the leader plays a card of the rank that he led ({self.table[0]}) or a seven")

    def play(self, seat: int, play: Play) -> Sequence[News]:
        """Play a card to the trick, or end it."""
        if play == STOP:
            return self._end_trick()
        card = str(play[1])
        self.hands[seat] = tuple([other for other in self.hands[seat] if other != card])
        self.table += (card,)
        if len(self.table) % 4:
            self.turn = (seat + 1) % 4
            return ()
        if self.many and self.hands[self.leader]:
            self.turn = self.leader
            return ()
        return self._end_trick()

    def _end_trick(self) -> Sequence[News]:
        cards = self.table
        winner = (self.leader + taker(cards)) % 4
        self.tricks += (Trick(self.players[self.leader], cards),)
        self.won[winner] += 1
        self.points[winner] += worth(cards)
        self._draw(winner)
        self._lead(winner)
        return () if self.hands[winner] else self._end_hand(winner)

    def _draw(self, winner: int) -> None:
        """Fill the hands up to four, one card each in turn from the winner, while the stock lasts."""
        drawn = self.stock[: 4 * (HAND - len(self.hands[winner]))]
        self.stock = self.stock[len(drawn) :]
        for place in range(4 if drawn else 0):
            seat = (winner + place) % 4
            self.hands[seat] = by_suit(self.hands[seat] + drawn[place::4])

    # The score.

    def _end_hand(self, last: int) -> Sequence[News]:
        self.points[last] += LAST_TRICK
        pair, score = outcome(self.won, self.points)
        for seat in self.PARTNERS[pair]:
            self.tally[seat] += score
        scored = tuple((name, score if seat % 2 == pair else 0) for seat, name in enumerate(self.players))
        news = Told(("score", *scored))
        if max(self.tally) >= int(self.options["score-to"]):
            self.turn = None
            return (news,)
        self.number += 1
        self._deal(Label("deal", number=self.number))
        return (news, Told(("deal", self.number)))

    def scores(self) -> tuple[int, ...]:
        """Return the points of the hands that are finished."""
        return tuple(self.tally)

    # What is seen, and what may be so.

    def view(self, seat: int) -> SedmaView:
        """Return one's own hand and what has been played, in this hand."""
        seats = [*range(seat, 4), *range(seat)]
        names = self.players
        return SedmaView(
            game=self.NAME,
            options=self.options,
            players=names[seat:] + names[:seat],
            phase="play",
            hand=self.hands[seat],
            trick=Trick(names[self.leader], self.table) if self.table else Trick(),
            tricks=self.tricks,
            tally={names[other]: self.tally[other] for other in seats},
            stock=len(self.stock),
            won={names[other]: self.won[other] for other in seats},
            legal=listed(self.legal()) if seat == self.turn else None,
        )

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        for name in ("tally", "hands", "won", "points"):
            setattr(twin, name, list(getattr(self, name)))
        return twin

    def determinize(self, seat: int, rng: Random) -> Self:
        """Deal the other hands and the stock anew: whoever may play any card shows nothing of what he holds."""
        seen = {*self.hands[seat], *self.table, *[card for trick in self.tricks for card in trick.cards]}
        unseen = [card for card in PACK_32 if card not in seen]
        rng.shuffle(unseen)
        twin = self.copy()
        twin.deal = Dice(rng)
        for other in range(4):
            if other != seat:
                size = len(self.hands[other])
                twin.hands[other], unseen = by_suit(unseen[:size]), unseen[size:]
        twin.stock = tuple(unseen)
        return twin
