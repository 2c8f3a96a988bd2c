"""TrickTaking: what all trick-taking games share, from the deal to the score of a hand.

A game declares ``PACK`` and ``DEALT``, and its constructor calls `next_hand`. Once a hand's contract is known it sets
``suits`` (for each card that may be led, the mask of its effective suit) and ``table`` (the compiled ordering), and
calls `lead`. Both are constant in games with one contract. In the order of a hand, a game defines

- ``dealt``: the deal to ``hands``, unless all cards are dealt in equal blocks from forehand; `deal_around` deals blocks
- ``begin``: the phase before the cards: bidding, the choice of trumps, or `lead` at once
- ``biddable``: what may be said or done in that phase, while ``phase`` is not ``play``
- ``check_bid``, ``bid``: why that may not be said, and its effect
- ``playable``: the cards that may be played; by default the suit led, or all cards without it
- ``why_not``: the reason that a person would give for a card that may not be played
- ``took``: the effect of a trick: counting points, and returning `end_hand` when the hand is over
- ``goes_on``: whether another hand follows. It does until somebody has ``target`` points (the option ``score-to``), and
  for at most ``hands`` hands, because scores may go down forever

The questions of a search are in `TrickWorld` in tricks_world.py.

State, by seat where it is a list: ``phase``, ``hands`` (each a `Hand`), ``leader`` of the trick, ``trick`` (its cards),
``tricks`` (finished: leader and cards), ``number`` of the hand from 1, ``forehand``, ``tally`` (scores before this
hand), and ``around[seat]``, the active seats clockwise from one. A copy copies lists; other values are replaced, never
mutated.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cache
from operator import add, itemgetter
from typing import TYPE_CHECKING, Any, ClassVar

from croupier.server.games.game import Game, IllegalPlay, Label, Option, Told, UnknownPlay
from croupier.server.games.tricks_broadcast import TrickBroadcast
from croupier.server.games.tricks_world import TrickWorld

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.server.games.game import Deal, News, Play
    from croupier.server.games.hands import Hand, Pack
    from croupier.server.games.orderings import Compiled
    from croupier.server.games.sheets import Sheet


FIRST_DEAL = Label("deal")
MOST_HANDS = 1000
HANDS = Option(MOST_HANDS, range(1, 100_001), "hands in a game at the most, whatever the score: it may go down forever")
"""The option of a game that is played to a score."""


# cached because all games with as many seats share the tables
@cache
def clockwise(seats: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    """Return, for each seat, all seats in turn from it; an empty tuple for a seat that is not among them."""
    circle = tuple(seats)
    after = {seat: circle[place:] + circle[:place] for place, seat in enumerate(circle)}
    return tuple([after.get(seat, ()) for seat in range(max(circle) + 1)])


class TrickTaking(Game):
    """A game of tricks: cards are dealt, led and followed, and the winner of a trick leads the next."""

    suits: Mapping[str, Hand]
    table: Compiled
    PACK: ClassVar[Pack]
    DEALT: ClassVar[tuple[str, ...]]
    """The cards that are shuffled."""

    BROADCAST = TrickBroadcast
    WORLD = TrickWorld

    # These are read with each card: slots are faster than a dict, and subclasses add to them freely.
    __slots__ = (
        *("around", "hands", "leader", "named", "phase", "plays", "suits", "table", "trick", "tricks"),
        *("turn", "units"),
    )

    target = 0
    last = False
    """Whether the game ends with this hand, whatever the score: true of one retold from a view."""

    def __init__(self, players: Sequence[str], options: Mapping[str, Atom], deal: Deal) -> None:
        super().__init__(players, options, deal)
        seats = len(self.players)
        if "score-to" in self.options:
            self.target = int(self.options["score-to"])
        self.units, self.plays, self.named = self.PACK.units, self.PACK.plays, self.PACK.played
        self.number = 0
        self.tally = (0,) * seats
        self.around = clockwise(range(seats))

    # The deal

    def next_hand(self) -> None:
        """Shuffle and deal the next hand, and begin it."""
        self.number += 1
        self.forehand = (self.number - 1) % len(self.players)
        self.clear_table()
        label = FIRST_DEAL if self.number == 1 else Label("deal", number=self.number)
        self.deal_hands(self.deal.shuffle(label, self.DEALT))
        self.begin()

    def clear_table(self) -> None:
        """Reset the table to no tricks."""
        self.leader = self.forehand
        self.trick: list[str] = []
        self.tricks: list[tuple[int, tuple[str, ...]]] = []

    def deal_hands(self, cards: tuple[str, ...]) -> None:
        """Give the shuffled cards to ``hands`` in blocks of equal size, from forehand."""
        self.deal_around(self.around[self.forehand], cards, len(cards) // len(self.players))

    def deal_around(self, seats: Iterable[int], cards: tuple[str, ...], size: int) -> None:
        """Give each of the seats in turn a block of cards."""
        self.hands, units = [0] * len(self.players), itemgetter(*cards)(self.units)
        for block, seat in enumerate(seats):
            self.hands[seat] = sum(units[size * block : size * (block + 1)])

    @abstractmethod
    def begin(self) -> None:
        """Begin what precedes the cards, or `lead` at once."""

    def from_seat(self, seat: int) -> tuple[int, ...]:
        """Return all seats clockwise from one, active or not."""
        return clockwise(range(len(self.players)))[seat]

    # The play

    def lead(self, seat: int) -> None:
        """Begin the play of the cards."""
        self.phase = "play"
        self.leader = self.turn = seat

    def playable(self, seat: int) -> Hand:
        """Return the cards that the seat on turn may play: the effective suit led if it has any, else all."""
        hand, trick = self.hands[seat], self.trick
        return hand & self.suits[trick[0]] or hand if trick else hand

    def legal(self) -> Sequence[Play]:
        """List the cards that may be played, or what may be said before."""
        turn = self.turn
        if turn is None:
            return ()
        if self.phase != "play":
            return self.biddable(turn)
        plays, beside = self.plays.of(self.playable(turn)), self.beside(turn)
        return (*plays, *beside) if beside else plays

    def beside(self, seat: int) -> Sequence[Play]:
        """List what the seat on turn may say in place of a card during the play."""
        return ()

    def biddable(self, seat: int) -> Sequence[Play]:
        """List what the seat on turn may say before the cards."""
        raise NotImplementedError

    def numbered_plays(self) -> Iterable[Play]:
        """List the play of each card, in the order of the pack, then ``ACTIONS``."""
        return (*self.PACK.played, *self.ACTIONS)

    def check(self, seat: int, play: Play) -> None:
        """Raise IllegalPlay unless the seat is on turn, holds this card and may play it."""
        card = self.named.get(play)
        if card is None:
            self.check_bid(seat, play)
        elif seat != self.turn or self.phase != "play" or not card & self.playable(seat):
            self._refuse(seat, str(play[1]))

    def _refuse(self, seat: int, card: str) -> None:
        self.check_turn(seat)
        if self.phase != "play":
            raise IllegalPlay("the cards are not played yet")
        self.check_held(seat, card)
        raise IllegalPlay(self.why_not(seat, card))

    def check_held(self, seat: int, card: str) -> None:
        """Raise IllegalPlay unless the card is in the seat's hand."""
        if not self.hands[seat] & self.PACK.masks[card]:
            raise IllegalPlay(f"{card} is not in the hand")

    def check_bid(self, seat: int, play: Play) -> None:
        """Raise IllegalPlay unless the seat may say this, which is not ``(play C)``."""
        raise UnknownPlay(f"a play of {self.NAME} is one of {', '.join(self.PLAYS)}")

    def why_not(self, seat: int, card: str) -> str:
        """Return the reason why a card of the seat on turn may not be played."""
        return f"{self.trick[0]} was led and the hand can follow suit, which {card} does not"

    def play(self, seat: int, play: Play) -> Sequence[News]:
        """Play a card to the trick, or apply another play."""
        if play[0] != "play":
            return self.bid(seat, play)
        card: Any = play[1]
        self.hands[seat] -= self.units[card]
        self.trick.append(card)
        left = self.around[seat][1]
        if left == self.leader:
            return self.end_trick()
        self.turn = left
        return ()

    def end_trick(self) -> Sequence[News]:
        """Give the trick to its winner, who leads the next."""
        leader, cards = self.leader, tuple(self.trick)
        self.trick = []
        self.tricks.append((leader, cards))
        self.turn = self.leader = winner = self.around[leader][self.table.winner(cards)]
        return self.took(winner, cards)

    def bid(self, seat: int, play: Play) -> Sequence[News]:
        """Apply a play that is not ``(play C)``."""
        raise NotImplementedError

    @abstractmethod
    def took(self, winner: int, cards: tuple[str, ...]) -> Sequence[News]:
        """Count a trick for its winner, who is on turn to lead the next; end the hand with `end_hand`."""

    # The score

    def counting(self) -> Sequence[int]:
        """Return the list in which the points of a hand's tricks are counted, if they are; each hand has its own."""
        return ()

    def end_hand(self, points: Sequence[int]) -> Sequence[News]:
        """Score the hand; deal the next one if another follows."""
        self.tally = tuple(map(add, self.tally, points))
        score = Told(("score", *zip(self.players, points, strict=True)))
        if self.last or not self.goes_on():
            self.turn = None
            return (score,)
        self.next_hand()
        return (score, Told(("deal", self.number)))

    def goes_on(self) -> bool:
        """Return whether another hand follows, now that the tally is up to date."""
        most = self.options.get("hands", MOST_HANDS)
        return bool(self.target) and max(self.tally) < self.target and self.number < int(most)

    def scores(self) -> tuple[int, ...]:
        """Return the tally."""
        return self.tally

    # What a seat sees

    def show(self, seat: int, to: Sheet) -> None:
        """State what all games of tricks show; the game's own fields follow."""
        to.once(self.tally, self.show_hand)
        to.put("phase", self.phase)
        to.table(self.in_hand(seat), self.leader, self.trick, self.tricks)
        if seat == self.turn and self.phase == "play":
            to.offer(self.playable(seat), self.beside(seat))

    def show_hand(self, seat: int, to: Sheet) -> None:
        """State what stays the same for a whole hand, in addition to the seats' names: the scores before it."""
        to.around("tally", self.tally)

    def in_hand(self, seat: int) -> Hand:
        """Return the cards that the seat sees as its hand."""
        return self.hands[seat]

    # What has been played

    def all_tricks(self) -> list[tuple[int, tuple[str, ...]]]:
        """Return leader and cards of every trick of the hand, including the unfinished one."""
        return [*self.tricks, (self.leader, tuple(self.trick))] if self.trick else self.tricks[:]

    def cards_in_order(self) -> list[tuple[int, str]]:
        """Return who played which card, from the first of the hand."""
        return [
            (seat, card)
            for leader, cards in self.all_tricks()
            for seat, card in zip(self.around[leader], cards, strict=False)
        ]
