"""Doppelkopf by the tournament rules: the two queens of clubs make a party, and their owners are secret.

Four players, 48 cards, each card twice. All speak once about a reservation (healthy, a wedding, a solo), then twelve
tricks are played; announcements raise the stakes until their deadlines. Scores are zero-sum game points.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, ClassVar, Self

from croupier.protocol.doppelkopf import FOX, NORMAL, OLD_QUEEN, WITH_NINES, WITHOUT_NINES, card_points
from croupier.protocol.views.doppelkopf import DoppelkopfView, exchanges
from croupier.server.games.doppelkopf import plays, reservations, scoring
from croupier.server.games.doppelkopf.announcements import PARTIES, RE, Announcements
from croupier.server.games.doppelkopf.broadcast import DoppelkopfBroadcast
from croupier.server.games.doppelkopf.contracts import (
    FOXES,
    NORMAL_TRUMPS,
    PACK,
    TRUMP_FACES,
    order,
)
from croupier.server.games.doppelkopf.parties import Parties
from croupier.server.games.doppelkopf.plays import ANNOUNCEMENTS, HEALTHY, POVERTY, RESERVATION, SPOKEN, TAKE, WEDDING
from croupier.server.games.doppelkopf.poverty import Poverty
from croupier.server.games.doppelkopf.world import DoppelkopfWorld
from croupier.server.games.game import IllegalPlay, Label, Option, Told, switch
from croupier.server.games.tricks import TrickTaking

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.protocol.sexp import Atom, Sexp
    from croupier.server.games.game import Deal, News, Play
    from croupier.server.games.sheets import Sheet

CLARIFYING_TRICKS = 3


class Doppelkopf(TrickTaking):
    """Four players in two parties that show only in the play."""

    NAME = "doppelkopf"
    PAGE = DoppelkopfView
    SEATS = (4,)
    OPTIONS: ClassVar[Mapping[str, Option]] = {
        "dulle": Option(
            "first", ("first", "second", "second-but-last-trick"), "which of two tens of hearts in a trick wins"
        ),
        "schweinchen": switch("no", "both foxes in one hand are the highest trumps, except in a solo"),
        "nines": switch("yes", "the pack has its nines; without, ten cards each and every deadline two cards later"),
        "duty-solo": switch("no", "each player's first solo is a duty: he leads, and the same player deals again"),
        "solo-leads": switch("no", "a voluntary soloist leads too"),
        "poverty": switch("no", "three trumps or fewer may be offered to a partner"),
        "list": Option(1, range(1, 1001), "hands in a game"),
    }
    PLAYS = plays.ABOUT
    PENALTY = -63
    """The score of a solo lost without a trick, with black announced on both sides."""
    AWARD = 1
    PACK = PACK
    WORLD = DoppelkopfWorld
    BROADCAST = DoppelkopfBroadcast
    ACTIONS = plays.FIXED

    def __init__(self, players: Sequence[str], options: Mapping[str, Atom], deal: Deal) -> None:
        super().__init__(players, options, deal)
        self.cards = WITH_NINES if self.options["nines"] == "yes" else WITHOUT_NINES
        self.size = len(self.cards) // 4
        self.owing = frozenset(range(4)) if self.options["duty-solo"] == "yes" else frozenset()
        self.finished = 0
        self.forehand = 0
        self.next_hand()

    # The deal: a hand that is dealt again gets a new number, but the list does not count it.

    def next_hand(self) -> None:
        """Shuffle and deal, forehand first."""
        self.number += 1
        label = Label("deal") if self.number == 1 else Label("deal", number=self.number)
        self.deal_hands(self.deal.shuffle(label, self.cards))
        self.begin()

    def begin(self) -> None:
        """Clear the table and ask for reservations."""
        self.clear_table()
        self.winners: list[int] = []
        self.points = [0, 0, 0, 0]
        self.leader = self.forehand
        self.contract: Sexp | None = None
        self.alone: int | None = None
        self.poverty: Poverty | None = None
        self.parties = Parties()
        self.announcements = Announcements()
        self.high_foxes: int | None = None
        self._open_reservations()

    # The reservations: everyone speaks once, from forehand.

    def _open_reservations(self) -> None:
        """Ask forehand first; or, if only hands for duty solos are left, the next player who owes one."""
        self.phase = "reserve"
        self.said: tuple[tuple[int, Play], ...] = ()
        self.no_solos: tuple[int, ...] = ()
        self.forced = len(self.owing) == int(self.options["list"]) - self.finished
        self.turn = next(seat for seat in self.around[self.forehand] if seat in self.owing or not self.forced)

    def _reserve(self, seat: int, play: Play) -> Sequence[News]:
        self.said += ((seat, play),)
        if len(self.said) < 4 and not self.forced:
            self.turn = (seat + 1) % 4
            return ()
        won = reservations.winning(self.said, self.owing)
        if won is None:
            return self._play_normal()
        self.no_solos = reservations.cannot_be_solo(self.said, won, self.owing)
        self.said = tuple([one if one == won or one[1] == HEALTHY else (one[0], RESERVATION) for one in self.said])
        self.alone, reserved = won
        if reserved == POVERTY:
            return self._offer_trumps(self.alone)
        return self._wed(self.alone) if reserved == WEDDING else self._play_solo(self.alone, str(reserved[1]))

    def _play_normal(self) -> Sequence[News]:
        self.parties.by_queens(self.hands)
        self.contract = NORMAL
        return self.begin_play(NORMAL, NORMAL)

    def _wed(self, seat: int) -> Sequence[News]:
        self.parties.known[seat] = RE
        self.contract = "wedding"
        return self.begin_play(NORMAL, "wedding", self.players[seat])

    def _play_solo(self, seat: int, name: str) -> Sequence[News]:
        self.parties.openly({seat})
        if seat in self.owing or self.options["solo-leads"] == "yes":
            self.leader = seat
        self.contract = ("solo", name, self.players[seat])
        return self.begin_play(name, self.contract)

    # Poverty: the trumps are offered around; if nobody takes them, the cards are dealt again.

    def _offer_trumps(self, seat: int) -> Sequence[News]:
        offered = self.hands[seat] & NORMAL_TRUMPS
        self.hands[seat] -= offered
        self.poverty = Poverty(seat, offered)
        self.contract = self.poverty.contract(self.players)
        self.phase = "poverty"
        self.turn = (seat + 1) % 4
        return (Told(("contract", self.contract)),)

    def _answer_offer(self, seat: int, play: Play, poverty: Poverty) -> Sequence[News]:
        if play == TAKE:
            self.poverty = poverty._replace(taker=seat)
            self.contract = self.poverty.contract(self.players)
            self.hands[seat] += poverty.offered
            self.parties.openly({seat, poverty.poor})
            return ()
        self.turn = (seat + 1) % 4
        if self.turn != poverty.poor:
            return ()
        self.next_hand()
        return (Told(("deal", self.number)),)

    def _exchange(self, seat: int, play: Play, poverty: Poverty) -> Sequence[News]:
        returned = PACK.hand([str(card) for card in play[1:]])
        self.hands[seat] -= returned
        self.hands[poverty.poor] += returned
        self.poverty = poverty._replace(returned=returned)
        self.contract = self.poverty.contract(self.players)
        return self.begin_play(NORMAL, self.contract)

    # The play.

    def hand_size(self, seat: int) -> int:
        """Count a seat's cards."""
        if self.phase != "play":
            return PACK.count(self.hands[seat])
        return self.size - len(self.tricks) - ((seat - self.leader) % 4 < len(self.trick))

    def begin_play(self, game: str, *told: Sexp) -> Sequence[News]:
        """Begin the play of a game: set its order of cards, its deadlines and its leader."""
        self.game = game
        self._order_cards()
        self.announcements = Announcements(shift=12 - self.size)
        self.lead(self.leader)
        return (Told(("contract", *told)),)

    def _order_cards(self) -> None:
        """Look up the order of cards from now on; Schweinchen change it, and the last trick may."""
        dulle = str(self.options["dulle"])
        if dulle == "second-but-last-trick":
            dulle = "first" if len(self.tricks) == self.size - 1 else "second"
        self.suits, self.trumps, self.table = order(self.game, dulle, "low" if self.high_foxes is None else "high")

    def beside(self, seat: int) -> Sequence[Play]:
        """List the possible announcements."""
        return ANNOUNCEMENTS[self.announceable(seat)]

    def announceable(self, seat: int) -> tuple[str, ...]:
        """List the words that a seat may announce now; their plays are listed after those of its cards."""
        sides = self.parties.sides
        return () if sides is None else self.announcements.open(sides[seat], self.hand_size(seat))

    def most_candidates(self) -> int:
        """Count the choices of three cards of fifteen, with which a poor player's trumps are answered."""
        return comb(15, 3) if self.options["poverty"] == "yes" else 0

    def biddable(self, seat: int) -> Sequence[Play]:
        """List the reservations; in a poverty, the answers to it."""
        if self.phase == "reserve":
            return plays.SOLO_PLAYS if self.forced else reservations.allowed_plays(self.hands[seat], self.options)
        if self.poverty is not None and self.poverty.taker is not None:
            return tuple(exchanges(PACK.cards[self.hands[seat]], PACK.count(self.poverty.offered)))
        return (plays.PASS, TAKE)

    def check_bid(self, seat: int, play: Play) -> None:
        """Raise IllegalPlay unless the seat may say this now; an announcement may come out of turn."""
        phase = plays.phase_of(play)
        if self.turn is None or play[0] != "announce":
            self.check_turn(seat)
        if phase != self.phase:
            raise IllegalPlay(f"{play[0]} does not belong to the phase, which is {self.phase}")
        if phase == "play":
            self._check_announcement(seat, str(play[1]))
        elif phase == "reserve":
            self._check_reservation(seat, play)
        elif self.poverty is not None:
            self._check_poverty(seat, play, self.poverty)

    def _check_reservation(self, seat: int, play: Play) -> None:
        if self.forced and play not in plays.SOLO_PLAYS:
            raise IllegalPlay("each hand that is left is needed for a duty solo: name a solo")
        reservations.check(self.hands[seat], play, self.options)

    def _check_announcement(self, seat: int, word: str) -> None:
        if self.parties.sides is None:
            raise IllegalPlay("nothing is announced before the trick that clarifies the wedding is complete")
        self.announcements.check(self.parties.sides[seat], word, self.hand_size(seat))

    def _check_poverty(self, seat: int, play: Play, poverty: Poverty) -> None:
        exchanging = play[0] == "exchange"
        if exchanging != (poverty.taker is not None):
            raise IllegalPlay(
                "nobody has taken the trumps yet" if exchanging else "the trumps are taken; cards go back"
            )
        if exchanging:
            poverty.check_exchange(self.hands[seat], play)

    def admit(self, seat: int, play: Play) -> None:
        """Accept in a record what `check` allows, and an announcement that its party has already made."""
        sides = self.parties.sides
        announced = self.phase == "play" and self.turn is not None and play in SPOKEN.values()
        if not announced or sides is None or not self.announcements.changes_nothing(sides[seat], str(play[1])):
            self.check(seat, play)

    def play(self, seat: int, play: Play) -> Sequence[News]:
        """Play a card or announce; before that, answer in reservations and poverty."""
        if play[0] != "play":
            return self.bid(seat, play)
        news = self._show(seat, str(play[1]))
        more = TrickTaking.play(self, seat, play)
        return [*news, *more] if news else more

    def bid(self, seat: int, play: Play) -> Sequence[News]:
        """Apply a play that is not a card."""
        if play[0] == "announce":
            return self._announce(seat, str(play[1]))
        if self.poverty is None:
            return self._reserve(seat, play)
        if play[0] == "exchange":
            return self._exchange(seat, play, self.poverty)
        return self._answer_offer(seat, play, self.poverty)

    def _announce(self, seat: int, word: str) -> Sequence[News]:
        """Apply an announcement; even one that changes nothing reveals its speaker's party."""
        if (sides := self.parties.sides) is not None:
            if not self.announcements.changes_nothing(sides[seat], word):
                self.announcements.announce(seat, sides[seat], word, self.hand_size(seat))
            self.parties.show(seat, sides[seat])
        return ()

    def _show(self, seat: int, card: str) -> Sequence[News]:
        """Reveal what a card tells everybody: a party, or Schweinchen."""
        if card == OLD_QUEEN and self.contract == NORMAL:
            self.parties.show_queen(seat)
        elif card == FOX and self._are_schweinchen(seat):
            self.high_foxes = seat
            self._order_cards()
            return (Told(("schweinchen", self.players[seat])),)
        elif self.trick and self.contract == NORMAL and self.trick[0] in TRUMP_FACES and card not in TRUMP_FACES:
            self.parties.show_void(seat)
        return ()

    def _are_schweinchen(self, seat: int) -> bool:
        """Return whether a seat that plays a fox holds both; then they become the highest trumps."""
        both = self.hands[seat] & FOXES == 2 * PACK.units[FOX]
        return both and self.options["schweinchen"] == "yes" and self.game == NORMAL

    def counting(self) -> Sequence[int]:
        """Return the points of this hand's tricks."""
        return self.points

    def took(self, winner: int, cards: tuple[str, ...]) -> Sequence[News]:
        """Count the card points; clarify a wedding; after the last trick score the hand."""
        self.winners.append(winner)
        self.points[winner] += card_points(cards)
        if self.parties.sides is None:
            self._clarify(winner)
        if not self.hands[winner]:
            return self.end_hand(self._hand_scores())
        if self.options["dulle"] == "second-but-last-trick":
            self._order_cards()
        return ()

    def _clarify(self, winner: int) -> None:
        """Give the bride or groom the first other player to win one of three tricks as partner; else a solo results."""
        if winner == self.alone and len(self.tricks) < CLARIFYING_TRICKS:
            return
        self.announcements.shift += len(self.tricks) - 1
        self.parties.openly({seat for seat in (self.alone, winner) if seat is not None})

    # The score.

    def _hand_scores(self) -> tuple[int, ...]:
        sides = self.parties.sides or []
        points, tricks = [0, 0], [0, 0]
        for seat, side in enumerate(sides):
            points[side] += self.points[seat]
            tricks[side] += self.winners.count(seat)
        self.result = scoring.result(points, tricks, self.announcements.steps)
        value = self.result.value
        if sides.count(RE) == 2:
            taken = [(*trick, winner) for trick, winner in zip(self.tricks, self.winners, strict=True)]
            value += scoring.special(taken, sides, self.result.winner, self.high_foxes)
        return scoring.shares(value, sides)

    def goes_on(self) -> bool:
        """Return whether another hand follows.

        Its forehand is the next player, but the same one after a voluntary duty solo.
        """
        self.finished += 1
        duty = self.alone in self.owing and self.game != NORMAL
        if duty:
            self.owing -= {self.alone}
        if not duty or self.forced:
            self.forehand = (self.forehand + 1) % 4
        return self.finished < int(self.options["list"])

    def penalty(self) -> int:
        """Return less than the score that anybody could have after one more hand."""
        return min(self.tally) + self.PENALTY

    # What is seen.

    def show_hand(self, seat: int, to: Sheet) -> None:
        """Add the list's progress, in which a hand dealt again for a poverty does not count."""
        super().show_hand(seat, to)
        owing = tuple([self.players[who] for who in self.around[seat] if who in self.owing])
        to.put("finished", None if self.options["list"] == 1 else self.finished)
        to.put("owing", owing if self.options["duty-solo"] == "yes" else None)

    def show(self, seat: int, to: Sheet) -> None:
        """Add the seat's own party, and the public information."""
        super().show(seat, to)
        side, poverty, foxes = self._side(seat), self.poverty, self.high_foxes
        to.put("contract", self.contract)
        to.once(self.said, self.show_reservations)
        to.put("party", None if side is None else PARTIES[side])
        to.around("parties", [None if known is None else PARTIES[known] for known in self.parties.known])
        to.put("announced", tuple([(self.players[who], word) for who, word in self.announcements.said]))
        to.around("points", self.points)
        to.put("exchanged", poverty and poverty.cards_given_by(seat))
        to.put("received", poverty and poverty.cards_received_by(seat))
        to.put("schweinchen", None if foxes is None else self.players[foxes])

    def show_reservations(self, seat: int, to: Sheet) -> None:
        """State who has a reservation, but not which."""
        spoken = [(self.players[who], "healthy" if said == HEALTHY else "reservation") for who, said in self.said]
        to.put("reservations", dict(spoken))

    def _side(self, seat: int) -> int | None:
        """Return a seat's own side, None before a wedding is clarified."""
        sides = self.parties.sides
        return self.parties.known[seat] if sides is None else sides[seat]

    # Copies, and what others see of a play.

    def public(self, seat: int, play: Play) -> Play:
        """Hide the kind of a reservation, and of cards given back everything except how many are trumps."""
        if play[0] == "exchange":
            return ("exchange", PACK.count(PACK.hand([str(card) for card in play[1:]]) & NORMAL_TRUMPS))
        return RESERVATION if self.phase == "reserve" and play != HEALTHY else play

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = super().copy()
        twin.parties = self.parties.copy()
        twin.announcements = self.announcements.copy()
        return twin
