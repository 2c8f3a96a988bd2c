"""Jass, as Schieber: two pairs, six contracts, and trumps that may always be played.

The leader chooses the contract or shifts the choice to the partner. The trick points of a hand are 157, and a pair that
wins all nine tricks has 100 more. Stöcke are the king and queen of trumps in one hand; see `weis` for the Weis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from croupier.protocol.cards import PACK_36, by_suit
from croupier.protocol.jass import CONTRACTS, FACTORS
from croupier.protocol.views.jass import JassView
from croupier.server.games.game import IllegalPlay, Option, Told, switch
from croupier.server.games.jass import weis
from croupier.server.games.jass.broadcast import JassBroadcast
from croupier.server.games.jass.contracts import LAST_TRICK, PACK, UNDERTRUMP, JassContract, contract
from croupier.server.games.jass.world import JassWorld
from croupier.server.games.tricks import HANDS, TrickTaking

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.server.games.game import Deal, News, Play
    from croupier.server.games.hands import Hand
    from croupier.server.games.sheets import Sheet

MATCH = 100
STOECK = 20
COURT = PACK.where(lambda card: card[1] in "KQ")
TRUMP: dict[str, Play] = {name: ("trump", name) for name in CONTRACTS}
SHIFT: Play = ("shift",)
PAIR = (0, 1, 0, 1)


class Jass(TrickTaking):
    """Four players, partners opposite, nine cards each."""

    NAME = "jass"
    PAGE = JassView
    SEATS = (4,)
    OPTIONS: ClassVar[Mapping[str, Option]] = {
        "trump": Option("choose", ("choose", *CONTRACTS), "who leads chooses the contract or shifts, or it is fixed"),
        "factors": Option("one", tuple(FACTORS), "what points are multiplied by; schieber: c h 1, s d 2, o u 3"),
        "weis": switch("no", "sequences and fours are shown before one's first card"),
        "stoeck": switch("no", "king and queen of trumps in one hand count 20 when the second is played"),
        "score-to": Option(0, range(10_001), "hands are played until a pair has this many points; 0 is one hand"),
        "hands": HANDS,
        "undertrump": Option(
            "seed",
            tuple(UNDERTRUMP),
            "undertrumping is only for a hand with nothing else, or also for one of nothing but trumps; lower-of-two:"
            " the same, and the trump in the trick that is lowest in a plain suit is to be beaten",
        ),
    }
    PLAYS: ClassVar[Mapping[str, str]] = {
        "(trump X)": "choose the contract: clubs, diamonds, hearts, spades, Obenabe, Undenufe (c d h s o u)",
        "(shift)": "leave the choice to the partner",
        "(weis C ...)": "show sequences and fours, or nothing",
        "(play C)": "play a card",
    }
    ACTIONS = (*TRUMP.values(), SHIFT)
    PARTNERS = ((0, 2), (1, 3))
    BROADCAST = JassBroadcast
    PENALTY = 0
    AWARD = 79
    PACK = PACK
    DEALT = PACK_36
    WORLD = JassWorld

    contract: JassContract
    """None until it is chosen."""

    def __init__(self, players: Sequence[str], options: Mapping[str, Atom], deal: Deal) -> None:
        super().__init__(players, options, deal)
        self.shows = self.options["weis"] == "yes"
        self.says = self.shows or self.options["stoeck"] == "yes"
        self.next_hand()

    # The deal: nine cards each, beginning with the player who chooses and leads

    def begin(self) -> None:
        """Ask the leader for the contract, unless it is fixed."""
        self.points = [0, 0]
        self.shown: list[Hand | None] = [None] * 4
        self.stoecke: Hand = 0
        self.factor = 1
        self.chooser: int | None = None
        fixed = str(self.options["trump"])
        if fixed == "choose":
            self.phase = "trump"
            self.turn = self.forehand
        else:
            self.play_in(fixed)

    # The contract

    def play_in(self, name: str) -> None:
        """Begin the play in this contract."""
        self.contract = contract(name, str(self.options["undertrump"]))
        self.factor = FACTORS[str(self.options["factors"])][name]
        self.suits, self.table = self.contract.suits, self.contract.table
        if self.options["stoeck"] == "yes":
            self.stoecke = self.pair_of_stoecke(self.hands)
        self.lead(self.forehand)
        if self.shows:
            self.phase = "weis"

    def pair_of_stoecke(self, held: Sequence[Hand]) -> Hand:
        """Return the king and queen of trumps if a player had both and has not played both."""
        both = self.contract.trumps & COURT
        return both if any(has & both == both and now & both for has, now in zip(held, self.hands, strict=True)) else 0

    def biddable(self, seat: int) -> Sequence[Play]:
        """List the contracts, or the cards that may be shown."""
        if self.phase == "weis":
            return self.showings(seat)
        return (*TRUMP.values(), SHIFT) if seat == self.forehand else tuple(TRUMP.values())

    def check_bid(self, seat: int, play: Play) -> None:
        """Raise IllegalPlay unless the seat is to choose or show and may do it this way."""
        phase = self._phase_of(play)
        if phase is None:
            super().check_bid(seat, play)
        self.check_turn(seat)
        if self.phase != phase:
            raise IllegalPlay("the contract is known" if phase == "trump" else "Weis are shown before one's first card")
        if phase == "weis":
            self._check_weis(seat, [str(card) for card in play[1:]])
        elif play == SHIFT and seat != self.forehand:
            raise IllegalPlay("the partner of who shifted has to choose")

    def _phase_of(self, play: Play) -> str | None:
        """Return the phase of a play, None if it is not a play of Jass."""
        if play == SHIFT or play in TRUMP.values():
            return "trump"
        if play and play[0] == "weis" and all(card in PACK.units for card in play[1:]):
            return "weis"
        return None

    def bid(self, seat: int, play: Play) -> Sequence[News]:
        """Choose the contract, shift the choice to the partner, or show Weis."""
        if self.phase == "weis":
            return self.meld(seat, [str(card) for card in play[1:]])
        if play == SHIFT:
            self.turn = (seat + 2) % 4
        else:
            self.chooser = seat
            self.play_in(str(play[1]))
        return ()

    # Weis: each player may show some of them before the first card.

    def most_candidates(self) -> int:
        """Return how many sets of cards may be shown at the most."""
        return super().most_candidates() if self.shows else 0

    def showings(self, seat: int) -> tuple[Play, ...]:
        """List the sets of cards that a seat may show."""
        return tuple([("weis", *cards) for cards in weis.showings(PACK.cards[self.hands[seat]])])

    def _check_weis(self, seat: int, cards: list[str]) -> None:
        if len(set(cards)) < len(cards):
            raise IllegalPlay("a card is named twice")
        for card in cards:
            self.check_held(seat, card)
        if not weis.is_shown(cards):
            raise IllegalPlay("a card belongs to no sequence of three and to no four from the nine up")

    def meld(self, seat: int, cards: Sequence[str]) -> Sequence[News]:
        """Show cards; when the fourth player has shown, the pair with the best Weis scores all that it has shown."""
        self.shown[seat] = PACK.hand(cards)
        self.phase = "play"
        if None in self.shown:
            return ()
        shown = {other: PACK.cards[self.shown[other] or 0] for other in self.around[self.forehand]}
        name = self.contract.name
        best = weis.winning(shown, name)
        if best is None:
            return ()
        points = {other: sum(one.points for one in weis.weis(shown[other], name)) for other in self.partners(best)}
        self.gain(best, sum(points.values()))
        news = Told(("weis", *[(self.players[other], scored) for other, scored in points.items()]))
        return (news, *self.score_hand()) if self.has_reached_target else (news,)

    # The play

    def playable(self, seat: int) -> Hand:
        """Return the cards that the contract allows the seat on turn."""
        return self.contract.playable(self.hands[seat], self.trick)

    def why_not(self, seat: int, card: str) -> str:
        """Return the rule that a card breaks."""
        return self.contract.why_not(self.trick, card)

    def play(self, seat: int, play: Play) -> Sequence[News]:
        """Play a card; score Stöcke with the second of them; ask the next player for Weis before the first card."""
        if self.stoecke and self.hands[seat] & self.stoecke == PACK.played.get(play):
            return self.say_stoecke(seat, play)
        news = TrickTaking.play(self, seat, play)
        if self.shows and play[0] == "play" and self.trick and not self.tricks:
            self.phase = "weis"
        return news

    def say_stoecke(self, seat: int, play: Play) -> Sequence[News]:
        """Score Stöcke; play their second card too, unless the score has already won the game."""
        self.stoecke = 0
        self.gain(seat, STOECK)
        news = Told(("stoeck", self.players[seat]))
        if self.has_reached_target:
            self.hands[seat] -= PACK.played[play]
            self.trick.append(str(play[1]))
            return (news, *self.score_hand())
        return (news, *self.play(seat, play))

    def counting(self) -> Sequence[int]:
        """Return the points of this hand's tricks."""
        return self.points

    def took(self, winner: int, cards: tuple[str, ...]) -> Sequence[News]:
        """Count a trick; the last one has extra points, and winning all nine has more."""
        value = self.contract.points
        one, two, three, four = cards
        points = value[one] + value[two] + value[three] + value[four]
        over = len(self.tricks) == 9
        if over:
            points += LAST_TRICK + MATCH * self.is_match(winner)
        self.points[PAIR[winner]] += points * self.factor
        return self.score_hand() if over or (self.target and self.has_reached_target) else ()

    def is_match(self, last: int) -> bool:
        """Return whether the pair that won the last trick won all, so that it led all but the first."""
        return all(PAIR[leader] == PAIR[last] for leader, _ in self.tricks[1:])

    # The score

    def gain(self, seat: int, points: int) -> None:
        """Add points to a seat's pair, times the contract's factor."""
        self.points[PAIR[seat]] += points * self.factor

    @property
    def has_reached_target(self) -> bool:
        """Return whether a pair has reached the target score; the game ends at that moment."""
        target, before, points = self.target, self.tally, self.points
        return bool(target) and (before[0] + points[0] >= target or before[1] + points[1] >= target)

    def score_hand(self) -> Sequence[News]:
        """Score the hand as far as it was played."""
        return self.end_hand([self.points[pair] for pair in PAIR])

    def award(self) -> int:
        """Return the least that a winner gets: the target if there is one, else more than half the points."""
        return self.target or self.AWARD

    # What a seat sees

    def show(self, seat: int, to: Sheet) -> None:
        """Add the contract and who chose it, the points of the pairs, and the Weis that were shown."""
        super().show(seat, to)
        to.put("contract", None if self.phase == "trump" else self.contract.name)
        to.put("chosen_by", None if self.chooser is None else self.players[self.chooser])
        to.around("points", 2 * self.points)
        if self.shows:
            to.around("weis", [PACK.cards[shown] if shown else None for shown in self.shown])
        else:
            to.put("weis", None)

    def public(self, seat: int, play: Play) -> Play:
        """Return the play, with shown cards sorted, so that their order tells nothing."""
        return ("weis", *by_suit([str(card) for card in play[1:]])) if play[0] == "weis" else play
