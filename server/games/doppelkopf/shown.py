"""What a seat of Doppelkopf sees, as a view and as text, and what it may announce."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.protocol.sexp import write
from croupier.protocol.views.doppelkopf import DoppelkopfView
from croupier.server.games.doppelkopf.announcements import PARTIES
from croupier.server.games.doppelkopf.contracts import PACK
from croupier.server.games.doppelkopf.plays import HEALTHY, OFFERED
from croupier.server.games.tricks import TrickTaking, told_around

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.protocol.sexp import Atom, Sexp
    from croupier.protocol.views.known import Settled
    from croupier.server.games.doppelkopf.announcements import Announcements
    from croupier.server.games.doppelkopf.parties import Parties
    from croupier.server.games.doppelkopf.poverty import Poverty
    from croupier.server.games.game import Deal, Play


class Shown(TrickTaking):
    """Doppelkopf as its players see it; `Doppelkopf` adds the rules."""

    MOVING = (
        *("phase", "hand", "trick", "tricks", "contract", "reservations", "party", "parties", "announced", "points"),
        *("exchanged", "received", "schweinchen", "legal"),
    )

    size: int
    owing: frozenset[int]
    finished: int
    points: list[int]
    contract: Sexp | None
    said: tuple[tuple[int, Play], ...]
    poverty: Poverty | None
    parties: Parties
    announcements: Announcements
    high_foxes: int | None

    def __init__(self, players: Sequence[str], options: Mapping[str, Atom], deal: Deal) -> None:
        super().__init__(players, options, deal)
        self._said_told: tuple[Sexp | None, tuple[tuple[int, Play], ...], str] = None, (), " (reservations)"
        self._announced_told: tuple[tuple[tuple[int, str], ...], str] = (), " (announced)"

    def held(self, seat: int) -> int:
        """Count the cards that a seat holds."""
        if self.phase != "play":
            return PACK.count(self.hands[seat])
        return self.size - len(self.tricks) - ((seat - self.leader) % 4 < len(self.trick))

    def announceable(self, seat: int) -> tuple[str, ...]:
        """List the words that a seat may announce now: their plays stand behind those of its cards."""
        sides = self.parties.sides
        return () if sides is None else self.announcements.open(sides[seat], self.held(seat))

    def settled(self, seat: int) -> dict[str, Any]:
        """Add how far the list is: a hand that is dealt again for a poverty counts for nothing there."""
        names, options = self.players, self.options
        return super().settled(seat) | {
            "finished": None if options["list"] == 1 else self.finished,
            "owing": tuple([names[who] for who in self.around[seat] if who in self.owing])
            if options["duty-solo"] == "yes"
            else None,
        }

    def view(self, seat: int) -> DoppelkopfView:
        """Return one's own hand and party, and what everybody has heard and seen."""
        names, known, poverty = self.players, self.parties.known, self.poverty
        side = self._side(seat)
        return DoppelkopfView(
            **self.to_show(seat),
            contract=self.contract,
            reservations={names[who]: "healthy" if said == HEALTHY else "reservation" for who, said in self.said},
            party=None if side is None else PARTIES[side],
            parties={names[who]: PARTIES[shown] for who in self.around[seat] if (shown := known[who]) is not None},
            announced=tuple([(names[who], word) for who, word in self.announcements.said]),
            points=self.by_name(seat, self.points),
            exchanged=poverty and poverty.given(seat),
            received=poverty and poverty.received(seat),
            schweinchen=None if self.high_foxes is None else names[self.high_foxes],
        )

    def rewritten(self, seat: int, shown: Settled, between: Sequence[str]) -> str | None:
        """Write all that a hand changes: cards, what was said and given away, the parties, and the points."""
        if shown.since is not self.tally:
            return None
        phase, side, names = self.phase, self._side(seat), self.players
        if phase == "play":
            hand, trick, tricks, legal = self.rewritten_cards(seat)
            if legal and (open_ := self.announceable(seat)):
                legal = f"{legal[:-1]}{OFFERED[open_]})"
        else:
            hand, trick, tricks, legal = self.rewritten_before(seat, self.hands[seat])
        contract, spoken, said = self._said_told
        if spoken is not self.said or contract is not self.contract:
            said = self._said()
            self._said_told = self.contract, self.said, said
        party = "" if side is None else f" (party {PARTIES[side]})"
        words = tuple([None if one is None else PARTIES[one] for one in self.parties.known])
        parties = told_around("parties", names, words)[seat]
        calls, announced = self._announced_told
        if calls is not self.announcements.said:
            calls = self.announcements.said
            announced = f" (announced{''.join([f' ({names[who]} {word})' for who, word in calls])})"
            self._announced_told = calls, announced
        points = self.told_of_each("points", self.points)[seat]
        given = "" if self.poverty is None else self._given(seat, self.poverty)
        foxes = "" if self.high_foxes is None else f" (schweinchen {names[self.high_foxes]})"
        return (
            f"{between[0]} (phase {phase}) (hand{hand}) (trick{trick}){tricks}{between[4]}{said}{party}{parties}"
            f"{announced}{points}{given}{foxes}{between[-1]}{legal})"
        )

    def _said(self) -> str:
        """Return how contract and reservations are written."""
        names, contract = self.players, self.contract
        spoken = [f" ({names[who]} {'healthy' if said == HEALTHY else 'reservation'})" for who, said in self.said]
        return f"{'' if contract is None else f' (contract {write(contract)})'} (reservations{''.join(spoken)})"

    @staticmethod
    def _given(seat: int, poverty: Poverty) -> str:
        """Return how is written what a seat gave in a poverty, and what it got."""
        both = ("exchanged", poverty.given(seat)), ("received", poverty.received(seat))
        return "".join([f" ({' '.join((key, *cards))})" for key, cards in both if cards is not None])

    def _side(self, seat: int) -> int | None:
        """Return a seat's own side, None before a wedding is clarified."""
        sides = self.parties.sides
        return self.parties.known[seat] if sides is None else sides[seat]

    def allies(self, seat: int) -> tuple[int, ...]:
        """Return the seat's party as it is, shown or not."""
        sides = self.parties.sides or range(4)
        return tuple([other for other in range(4) if sides[other] == sides[seat]])
