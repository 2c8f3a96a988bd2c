"""Skat: three play, one of them against the other two, for the value of his bid or more (rules of the ISkO).

The plays and the auction are in `bidding`, the contracts in `contract`, values and the list in `value`.
"""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING, Any, ClassVar

from croupier.protocol.choosing import Choosing
from croupier.protocol.skat import NULL_VALUES, POINTS, after_picking_up
from croupier.protocol.skat import PACK as CARDS
from croupier.protocol.views.skat import SkatView
from croupier.server.games.game import IllegalPlay, Option, switch
from croupier.server.games.skat.bidding import (
    CONTRA,
    HAND,
    OPENING,
    PASS,
    PHASES,
    PICK_UP,
    PLAYS,
    POSITIONS,
    RE,
    phases,
)
from croupier.server.games.skat.broadcast import SkatBroadcast
from croupier.server.games.skat.contract import (
    FOLLOWS,
    ORDERS,
    PACK,
    RAMSCH,
    Declaration,
    SkatContract,
    hand_declarations,
    matadors_in,
    points_in,
)
from croupier.server.games.skat.value import SCORING, HandResult, ramsch, settle, settle_impossible_null, settle_null
from croupier.server.games.skat.world import SkatWorld
from croupier.server.games.tricks import TrickTaking, clockwise

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from croupier.protocol.sexp import Atom
    from croupier.server.games.game import Deal, News, Play
    from croupier.server.games.hands import Hand
    from croupier.server.games.sheets import Sheet


class Skat(TrickTaking):
    """Three players, or four of whom the dealer sits out."""

    NAME = "skat"
    PAGE = SkatView
    SEATS = (3, 4)
    OPTIONS: ClassVar[Mapping[str, Option]] = {
        "scoring": Option("classic", ("classic", "seeger-fabian"), "the value of the game, or the league's bonus too"),
        "list": Option(1, range(1, 361), "how many hands a game has; a league's list is 36, at four 48"),
        "all-pass": Option("void", ("void", "ramsch"), "nobody plays, or each for himself against card points"),
        "contra": switch("no", "whether a defender may double the game, and the declarer double it again"),
        "impossible-null": Option("reject", ("reject", "lose"), "a Null below the bid is refused, or lost at once"),
    }
    PLAYS = PLAYS
    BROADCAST = SkatBroadcast
    ACTIONS = (*PHASES, *hand_declarations(0))
    PENALTY = -528
    AWARD = 18
    PACK = PACK
    DEALT = CARDS
    WORLD = SkatWorld

    def __init__(self, players: Sequence[str], options: Mapping[str, Atom], deal: Deal) -> None:
        super().__init__(players, options, deal)
        self.results: list[HandResult | None] = []
        """The result of each finished hand for its declarer, None if there was none."""
        self.next_hand()

    # The deal: ten each from forehand and two to the skat. The forehand moves a seat every hand; with four, one deals.

    def deal_hands(self, cards: tuple[str, ...]) -> None:
        """Give ten cards each to forehand, middlehand and rearhand, and two to the skat."""
        self.active = self.from_seat(self.forehand)[:3]  # the seats of forehand, middlehand and rearhand
        self.around = clockwise(self.active)
        self.deal_around(self.active, cards, 10)
        self.skat = PACK.hand(cards[30:])

    def begin(self) -> None:
        """Open the auction."""
        self.phase = "bid"
        self.auction = OPENING
        self.calls: tuple[tuple[str, Atom], ...] = ()
        self.turn = self.active[1]
        self.picked_up = False
        self.declarer: int | None = None
        self.twelve: Hand = 0  # the declarer's hand and the skat, before two cards are put down
        self.contract: SkatContract | None = None
        self.doubling: tuple[tuple[str, str], ...] = ()
        self.points = [0] * len(self.players)
        self.won = [0] * len(self.players)

    # What may be said before the cards.

    def most_candidates(self) -> int:
        """Count the declarations of a player with twelve cards: two to put down, and seven games."""
        return len(after_picking_up(CARDS[:12], 0))

    def biddable(self, seat: int) -> Sequence[Play]:
        """List what the seat on turn may say."""
        match self.phase:
            case "bid":
                return self.auction.legal
            case "skat":
                return (PICK_UP, HAND)
            case "contra":
                return (RE if seat == self.declarer else CONTRA, PASS)
            case _ if self.picked_up:
                return after_picking_up(PACK.cards.of(self.twelve), self._least_null)
            case _:
                return hand_declarations(self._least_null)

    @property
    def _least_null(self) -> int:
        """Return the value that a Null must have to be declared."""
        return self.auction.value if self.options["impossible-null"] == "reject" else 0

    def sample(self, rng: Random) -> Play:
        """Return a random legal play with equal probabilities: of many declarations first the pair, then the game."""
        plays = self.legal()
        if self.phase == "declare" and isinstance(plays, Choosing):
            return plays.draw(rng.random)
        return plays[floor(rng.random() * len(plays))]

    def check_bid(self, seat: int, play: Play) -> None:
        """Raise IllegalPlay unless the seat is on turn and may say this."""
        if self.phase == "bid" and seat == self.turn and play in self.auction.after:
            return
        belongs = phases(play)
        self.check_turn(seat)
        if self.phase not in belongs:
            raise IllegalPlay(f"({play[0]}) belongs to {' or '.join(belongs)}; this is {self.phase}")
        match self.phase:
            case "bid":
                self.auction.check(play)
            case "declare":
                self._check_declaration(seat, Declaration.read(play))
            case "contra" if play not in self.legal():
                raise IllegalPlay("a defender says contra, the declarer re")

    def _check_declaration(self, seat: int, said: Declaration) -> None:
        if self.picked_up:
            self._check_put_down(seat, said)
        elif said.down:
            raise IllegalPlay("who left the skat puts nothing down")
        if said.game != "null":
            return
        if set(said.words) - {"ouvert"}:
            raise IllegalPlay("a Null knows neither schneider nor schwarz")
        value = NULL_VALUES[self._contract(said).words]
        if value < self._least_null:
            raise IllegalPlay(f"this Null is worth {value}, less than the bid of {self.auction.value}")

    def _check_put_down(self, seat: int, said: Declaration) -> None:
        if said.down.bit_count() != 2 or said.down & ~self.twelve:
            raise IllegalPlay("who picked up the skat puts down two of the twelve cards")
        if said.words and (said.game, said.words) != ("null", ("ouvert",)):
            raise IllegalPlay("after picking up nothing is announced, but that a Null is played ouvert")

    def _contract(self, said: Declaration) -> SkatContract:
        return SkatContract.of(said.game, said.words if self.picked_up else (*said.words, "hand"))

    def public(self, seat: int, play: Play) -> Play:
        """Return a declaration without the cards put down and with the implied words, other plays as they are."""
        if play[0] != "declare":
            return play
        contract = self._contract(Declaration.read(play))
        return ("declare", contract.game, *[word for word in contract.words if word != "hand"])

    # The auction, the skat, the declaration.

    def bid(self, seat: int, play: Play) -> Sequence[News]:
        """Apply what is said before the cards."""
        match self.phase:
            case "bid":
                return self._call(seat, play)
            case "skat":
                self.picked_up = play == PICK_UP
                self.phase = "declare"
            case "declare":
                return self._declare(seat, Declaration.read(play))
            case _:
                self._double(seat, play)
        return ()

    def _call(self, seat: int, play: Play) -> Sequence[News]:
        said: Any = play[-1]
        self.calls += ((self.players[seat], said),)
        auction = self.auction = self.auction.after[play]
        if auction.turn is not None:
            self.turn = self.active[auction.turn]
        elif auction.declarer is not None:
            self.turn = self.declarer = declarer = self.active[auction.declarer]
            self.twelve = self.hands[declarer] + self.skat
            self.phase = "skat"
        elif self.options["all-pass"] == "ramsch":
            self._lead_to(RAMSCH)
        else:
            return self._finish(None, [0] * len(self.players))
        return ()

    def _declare(self, seat: int, said: Declaration) -> Sequence[News]:
        contract, bid = self._contract(said), self.auction.value
        if self.picked_up:
            self.skat, self.hands[seat] = said.down, self.twelve - said.down
        self._lead_to(contract)
        if contract.game == "null" and NULL_VALUES[contract.words] < bid:
            return self._score(seat, settle_impossible_null(contract, bid, PACK.cards[self.twelve]))
        if self.options["contra"] == "yes":
            self.phase, self.turn = "contra", self.around[seat][1]
        return ()

    def _double(self, seat: int, play: Play) -> None:
        """Let the defenders say contra in order, and the declarer answer the first who does."""
        self.doubling += ((self.players[seat], str(play[0])),)
        if play == CONTRA:
            self.turn = self.declarer
        elif seat != self.declarer and len(self.doubling) == 1:
            self.turn = self.around[seat][1]
        else:
            self.lead(self.active[0])

    # The play: forehand leads; all follow suit if they can; the highest trump wins, else the highest card of the suit.

    def _lead_to(self, contract: SkatContract) -> None:
        self.contract = contract
        self.suits = FOLLOWS[contract.game]
        self.table = ORDERS[contract.game]
        self.lead(self.active[0])

    def counting(self) -> Sequence[int]:
        """Return the points of this hand's tricks."""
        return self.points

    def took(self, winner: int, cards: tuple[str, ...]) -> Sequence[News]:
        """Count the trick's card points; end the hand with the last trick, a Null with the declarer's first."""
        one, two, three = cards
        self.points[winner] += POINTS[one] + POINTS[two] + POINTS[three]
        self.won[winner] += 1
        if not self.hands[winner] or (winner == self.declarer and self._null):
            return self._end(winner)
        return ()

    @property
    def _null(self) -> bool:
        """Return whether a Null is played."""
        return self.contract is not None and self.contract.game == "null"

    # The score.

    def _end(self, last: int) -> Sequence[News]:
        contract, seat, skat = self.contract, self.declarer, points_in(self.skat)
        if contract is None or seat is None:
            taken = {seat: (self.points[seat] + skat * (seat == last), self.won[seat]) for seat in self.active}
            return self._finish(None, ramsch(len(self.players), taken))
        outcome = self.auction.value, self.points[seat] + skat, self.won[seat]
        if contract.game == "null":
            return self._score(seat, settle_null(contract, *outcome))
        return self._score(seat, settle(contract, *outcome, matadors_in(contract.game, self.twelve)))

    def _score(self, seat: int, result: HandResult) -> Sequence[News]:
        """Write the declarer's result, multiplied for contra and re, in the form that the option sets."""
        for _, said in self.doubling:
            if said != "pass":
                result = result._replace(value=2 * result.value)
        write = SCORING[str(self.options["scoring"])]
        return self._finish(result, write(len(self.players), seat, result.value))

    def _finish(self, result: HandResult | None, line: list[int]) -> Sequence[News]:
        self.results.append(result)
        return self.end_hand(line)

    def goes_on(self) -> bool:
        """Return whether the list has another hand."""
        return self.number < int(self.options["list"])

    # What a seat sees.

    def show_hand(self, seat: int, to: Sheet) -> None:
        """Add the seat's position."""
        super().show_hand(seat, to)
        to.put("position", POSITIONS[self.active.index(seat)] if seat in self.active else None)

    def show(self, seat: int, to: Sheet) -> None:
        """Add all that was said, the skat for the player who picked it up, an open hand, and the own side's points."""
        super().show(seat, to)
        contract, declarer = self.contract, self.declarer
        to.put("bids", self.calls)
        to.put("declarer", None if declarer is None else self.players[declarer])
        to.put("contract", (contract.game, *contract.words) if contract else None)
        to.put("contra", self.doubling or None)
        to.cards("skat", self.skat if self.picked_up and seat == declarer else None)
        to.cards("open", self.hands[declarer] if self.lies_open and declarer is not None else None)
        to.put("points", self._points_taken(seat) if contract and seat in self.active else None)

    def in_hand(self, seat: int) -> Hand:
        """Return the seat's hand; for the player who picked up the skat all twelve cards, until two are put down."""
        twelve = self.phase == "declare" and self.picked_up and seat == self.declarer
        return self.twelve if twelve else self.hands[seat]

    @property
    def lies_open(self) -> bool:
        """Return whether the declarer's hand is open."""
        return self.contract is not None and "ouvert" in self.contract.words

    def _points_taken(self, seat: int) -> int:
        """Return the points in the tricks of the seat's side."""
        return sum([self.points[other] for other in self.side(seat)])

    def side(self, seat: int) -> tuple[int, ...]:
        """Return the seats that play together: the declarer, or the defenders; in a Ramsch each alone."""
        if seat == self.declarer or self.declarer is None:
            return (seat,)
        return self.around[self.declarer][1:]
