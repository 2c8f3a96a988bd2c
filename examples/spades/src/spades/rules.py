"""Spades: four players, partners opposite, bid how many tricks they will take; spades are trumps.

Each bids once, 0 to 13, beginning with the player on the dealer's left, who leads; 0 is nil. Suit is followed. A spade
may be led once spades are broken (played to an earlier trick), or by a player who has nothing else. A pair whose tricks
reach its bid scores ten points for each trick bid and one for each more, a bag. A pair that does not loses ten for each
trick bid. Ten bags cost 100. Nil is 100 points, won without a trick and lost with one; the tricks of a lost nil are
bags and do not help the partner.
"""

from croupier.protocol.cards import PACK_52, rank, suit
from croupier.server.games.game import IllegalPlay, Option, UnknownPlay
from croupier.server.games.hands import Pack
from croupier.server.games.orderings import ACE_HIGH, by, compile_order, of, when
from croupier.server.games.tricks import HANDS, TrickTaking
from croupier.server.games.tricks_world import TrickWorld
from spades.page import SpadesView

PACK = Pack(PACK_52)
SUITS = {card: PACK.where(of(suit(card))) for card in PACK_52}
SPADES = PACK.where(of("s"))
BIDS = tuple([("bid", number) for number in range(14)])
BAGS = 10
PAIR = (0, 1, 0, 1)


def order(led):
    """Return the order: spades above everything, then the suit led."""
    return when(of("s"), by(rank, ACE_HIGH)) | when(of(led), by(rank, ACE_HIGH))


class SpadesWorld(TrickWorld):
    """What may be imagined of the hands of others."""

    def lacks(self):
        """Add that a spade led before they were broken was forced."""
        lacks, broken = super().lacks(), False
        for leader, cards in self.game.all_tricks():
            if not broken and cards[0] in PACK.cards[SPADES]:
                lacks[leader] |= ~SPADES
            broken = broken or any(map(of("s"), cards))
        return lacks


class Spades(TrickTaking):
    """Four players, partners opposite, take what they bid."""

    NAME = "spades"
    PAGE = SpadesView
    WORLD = SpadesWorld
    SEATS = (4,)
    OPTIONS = {
        "score-to": Option(0, range(10_001), "hands are played to this many points, or as many lost; 0 is one hand"),
        "hands": HANDS,
        "nil": Option(100, (100, 50), "what nil wins or loses"),
        "bag-penalty": Option(100, (100, 0), "what ten bags cost"),
    }
    PLAYS = {"(bid N)": "bid N tricks, 0 to 13; 0 is nil", "(play C)": "play a card"}
    ACTIONS = BIDS
    PARTNERS = ((0, 2), (1, 3))
    PENALTY = -130
    AWARD = 10
    PACK = PACK
    DEALT = PACK_52
    suits = SUITS
    table = compile_order(PACK_52, order, led=suit)

    def __init__(self, players, options, deal):
        super().__init__(players, options, deal)
        self.bags = [0, 0]
        self.next_hand()

    # The deal

    def deal_hands(self, cards):
        self.deal_around(self.around[self.forehand], cards, 13)

    def begin(self):
        self.bids = [None] * 4
        self.won = [0] * 4
        self.broken = False
        self.phase, self.turn = "bid", self.forehand

    # The bids

    def biddable(self, seat):
        return BIDS

    def check_bid(self, seat, play):
        if play not in BIDS:
            raise UnknownPlay("a play of Spades is (bid N) with N from 0 to 13, or (play C)")
        self.check_turn(seat)
        if self.phase != "bid":
            raise IllegalPlay("all have bid")

    def bid(self, seat, play):
        self.bids[seat] = play[1]
        if None in self.bids:
            self.turn = (seat + 1) % 4
        else:
            self.lead(self.forehand)
        return ()

    # The play

    def playable(self, seat):
        if self.trick or self.broken:
            return super().playable(seat)
        return self.hands[seat] & ~SPADES or self.hands[seat]

    def why_not(self, seat, card):
        return super().why_not(seat, card) if self.trick else "spades are not broken"

    def took(self, winner, cards):
        self.won[winner] += 1
        self.broken = self.broken or any(map(of("s"), cards))
        if self.hands[winner]:
            return ()
        points = [self.points(pair) for pair in (0, 1)]
        return self.end_hand([points[pair] for pair in PAIR])

    # The score

    def points(self, pair):
        """Score the hand for a pair, and put its bags to the others."""
        points = bags = wanted = taken = 0
        for seat in self.PARTNERS[pair]:
            if self.bids[seat] == 0:
                points += -self.options["nil"] if self.won[seat] else self.options["nil"]
                bags += self.won[seat]
            else:
                wanted += self.bids[seat]
                taken += self.won[seat]
        points += 10 * wanted if taken >= wanted else -10 * wanted
        bags += max(0, taken - wanted)
        paid, self.bags[pair] = divmod(self.bags[pair] + bags, BAGS)
        return points + bags - paid * self.options["bag-penalty"]

    def goes_on(self):
        return super().goes_on() and min(self.tally) > -self.target

    # What a seat sees

    def show(self, seat, to):
        super().show(seat, to)
        to.around("bids", self.bids)
        to.around("won", self.won)
        to.around("bags", [self.bags[pair] for pair in PAIR])
        to.put("broken", self.broken or any(map(of("s"), self.trick)))
