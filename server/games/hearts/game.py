"""Hearts: four players avoid taking hearts and the queen of spades.

Each heart counts one penalty point, the queen of spades thirteen, and low wins; a player who takes all 26 has shot the
moon.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any, ClassVar

from croupier.protocol.cards import PACK_52, suit
from croupier.protocol.views.hearts import GIVEN, HeartsView, gifts
from croupier.server.games.game import IllegalPlay, Option, UnknownPlay, switch
from croupier.server.games.hearts.broadcast import HeartsBroadcast
from croupier.server.games.hearts.cards import (
    ALL_POINTS,
    BREAKERS,
    BREAKERS_AND_QUEEN,
    HEARTS,
    JACK,
    PACK,
    POINT_CARDS,
    POINTS,
    ROTATION,
    STEPS,
    SUITS,
    TABLE,
    TWO_OF_CLUBS,
)
from croupier.server.games.hearts.world import HeartsWorld
from croupier.server.games.tricks import HANDS, TrickTaking

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.server.games.game import Deal, News, Play
    from croupier.server.games.hands import Hand
    from croupier.server.games.sheets import Sheet


class Hearts(TrickTaking):
    """Four players, each for himself, avoid taking hearts and the queen of spades."""

    NAME = "hearts"
    PAGE = HeartsView
    SEATS = (4,)
    LOW_WINS = True
    OPTIONS: ClassVar[Mapping[str, Option]] = {
        "pass": Option(
            "rotate",
            ("rotate", "none", "left", "right", "across"),
            "where three cards of each hand go; rotate: left, right, across, none, hand by hand",
        ),
        "lead": Option("c2", ("c2", "first"), "who leads: the holder of the two of clubs with it, or the first player"),
        "first-trick": Option("safe", ("safe", "free"), "safe: no points on the first trick unless there is no choice"),
        "break": switch("yes", "hearts are not led before one was played, unless there is no choice"),
        "queen-breaks": switch("no", "the queen of spades breaks hearts too"),
        "moon": Option(
            "others-up",
            ("others-up", "shooter-down"),
            "taking all 26 points gives the others 26 each, or the shooter 26 less",
        ),
        "jack": Option(0, (0, 10), "what the jack of diamonds takes off; it is no point card"),
        "score-to": Option(0, range(100_001), "hands are played until a player has this many points; 0 is one hand"),
        "hands": HANDS,
    }
    PRESETS: ClassVar[Mapping[str, Mapping[str, Mapping[str, Atom]]]] = {
        "variant": {"seed": {"pass": "none", "lead": "first", "first-trick": "free", "moon": "shooter-down"}},
    }
    PLAYS: ClassVar[Mapping[str, str]] = {
        "(give C C C)": "give three cards away; the others see (give)",
        "(play C)": "play a card",
    }
    PENALTY = ALL_POINTS
    AWARD = 0

    PACK = PACK
    DEALT = PACK_52
    BROADCAST = HeartsBroadcast
    WORLD = HeartsWorld

    def __init__(self, players: Sequence[str], options: Mapping[str, Atom], deal: Deal) -> None:
        super().__init__(players, options, deal)
        self.suits, self.table = SUITS, TABLE
        option = self.options
        self.two_leads = option["lead"] == "c2"
        self.breakers = BREAKERS_AND_QUEEN if option["queen-breaks"] == "yes" else BREAKERS
        self.jack = int(option["jack"])
        self.next_hand()

    # The deal

    def deal_hands(self, cards: tuple[str, ...]) -> None:
        """Give thirteen cards to each player, in every hand beginning with seat 0."""
        self.deal_around(range(4), cards, 13)

    def begin(self) -> None:
        """Ask everybody for three cards, or lead at once."""
        passing = str(self.options["pass"])
        self.passing = ROTATION[(self.number - 1) % 4] if passing == "rotate" else passing
        self.gave: list[Hand] = [0, 0, 0, 0]
        self.taken = [0, 0, 0, 0]
        self.jack_taker: int | None = None
        self.broken = False
        if self.passing == "none":
            self.open()
        else:
            self.phase, self.turn = "give", 0

    # Giving: everybody chooses before anybody sees the received cards

    def check_bid(self, seat: int, play: Play) -> None:
        """Raise IllegalPlay unless the seat may give these three cards."""
        cards = play[1:]
        three = len(cards) == len(set(cards)) == GIVEN
        if play[:1] != ("give",) or not three or not all(card in PACK.units for card in cards):
            raise UnknownPlay("a play of Hearts is (play C), or (give C C C) with three different cards")
        if self.phase != "give":
            raise IllegalPlay("no cards are given away now")
        if self.gave[seat]:
            raise IllegalPlay("three cards were given away already")
        for card in cards:
            self.check_held(seat, str(card))

    def bid(self, seat: int, play: Play) -> Sequence[News]:
        """Put three cards aside; when all have done so, hand them on."""
        given: Any = play
        _, one, two, three = given
        units = self.units
        self.gave[seat] = gift = units[one] + units[two] + units[three]
        self.hands[seat] -= gift
        if 0 in self.gave:
            self.turn = self.gave.index(0)
        else:
            step = STEPS[self.passing]
            self.hands = [hand + self.gave[receiver - step] for receiver, hand in enumerate(self.hands)]
            self.open()
        return ()

    def most_candidates(self) -> int:
        """Count the choices of three cards of thirteen."""
        return comb(13, GIVEN) if STEPS.get(str(self.options["pass"]), 1) else 0

    def biddable(self, seat: int) -> Sequence[Play]:
        """List every choice of three cards to give."""
        return gifts(PACK.cards.of(self.hands[seat]))

    def receiver(self, giver: int) -> int:
        """Return the seat that receives this one's cards."""
        return (giver + STEPS[self.passing]) % 4

    def giver(self, receiver: int) -> int:
        """Return the seat whose cards this one receives."""
        return (receiver - STEPS[self.passing]) % 4

    def public(self, seat: int, play: Play) -> Play:
        """Show that cards were given, but not which."""
        return play[:1] if play[0] == "give" else play

    # The play

    @property
    def safe(self) -> bool:
        """Return whether points are barred from the first trick."""
        return self.options["first-trick"] == "safe"

    def open(self) -> None:
        """Let the two of clubs lead, wherever it is after giving, or seat 0."""
        leader = self.forehand
        while self.two_leads and not self.hands[leader] & TWO_OF_CLUBS:
            leader = (leader + 1) % 4
        self.lead(leader)

    def playable(self, seat: int) -> Hand:
        """Follow suit, play no points to the first trick, break hearts before leading them."""
        hand, trick = self.hands[seat], self.trick
        if trick:
            may = hand & self.suits[trick[0]] or hand
        elif self.two_leads and not self.tricks:
            may = TWO_OF_CLUBS
        else:
            may = hand if self.broken or self.options["break"] == "no" else hand & ~HEARTS or hand
        return may if self.tricks or not self.safe else may & ~POINT_CARDS or may

    def why_not(self, seat: int, card: str) -> str:
        """Return the rule that a card of the seat on turn would break."""
        led = self.trick[0] if self.trick else None
        if led and self.hands[seat] & self.suits[led] and suit(card) != suit(led):
            return super().why_not(seat, card)
        if self.tricks or (led and self.safe):
            return f"{card} is a point, and none may fall on the first trick" if led else "hearts are not broken"
        return "the two of clubs leads to the first trick" if self.two_leads else "hearts are not broken"

    def counting(self) -> Sequence[int]:
        """Return the points of this hand's tricks."""
        return self.taken

    def took(self, winner: int, cards: tuple[str, ...]) -> Sequence[News]:
        """Count the points of a trick; score the hand after the last."""
        one, two, three, four = cards
        self.taken[winner] += POINTS[one] + POINTS[two] + POINTS[three] + POINTS[four]
        if not self.broken:
            self.broken = not self.breakers.isdisjoint(cards)
        if self.jack and JACK in cards:
            self.jack_taker = winner
        return () if self.hands[winner] else self.end_hand(self.points())

    # What a seat sees

    def show_hand(self, seat: int, to: Sheet) -> None:
        """Add where cards go."""
        super().show_hand(seat, to)
        to.put("passing", self.passing)

    def show(self, seat: int, to: Sheet) -> None:
        """Add the cards given and received, whether hearts are broken, and the points taken."""
        super().show(seat, to)
        gave = self.gave[seat] or None
        to.cards("gave", gave)
        to.cards("received", self.gave[self.giver(seat)] if gave and self.phase == "play" else None)
        to.put("broken", self.broken or not self.breakers.isdisjoint(self.trick))
        to.around("taken", self.taken)

    # The score

    def points(self) -> list[int]:
        """Return each seat's points of the hand, including the moon and the jack."""
        points = self.taken[:]
        if ALL_POINTS in points:
            down = self.options["moon"] == "shooter-down"
            points = [-points[seat] if down else ALL_POINTS - points[seat] for seat in range(4)]
        if self.jack_taker is not None:
            points[self.jack_taker] -= self.jack
        return points

    def scores(self) -> tuple[int, ...]:
        """Return the tally plus the points of the current hand."""
        if self.turn is None:
            return self.tally
        return tuple([before + now for before, now in zip(self.tally, self.points(), strict=True)])

    def penalty(self) -> int:
        """Return the score of a player who was just short of losing and took all points of another hand."""
        return ALL_POINTS + max(0, self.target - 1)
