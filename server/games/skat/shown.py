"""What a seat of Skat sees: as a view, at a glance, and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.protocol.views.skat import Sight, SkatView
from croupier.server.games.skat.contract import PACK
from croupier.server.games.skat.glance import SkatGlance
from croupier.server.games.tricks import TrickTaking

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.protocol.views.known import Settled
    from croupier.server.games.game import Deal
    from croupier.server.games.hands import Hand
    from croupier.server.games.skat.bidding import Auction
    from croupier.server.games.skat.contract import Contract

POSITIONS = ("forehand", "middlehand", "rearhand")


class Shown(TrickTaking):
    """Skat as its players see it; `Skat` adds the rules."""

    MOVING = (
        *("phase", "hand", "trick", "tricks", "bids", "declarer", "contract", "contra", "skat", "open", "points"),
        "legal",
    )

    active: tuple[int, ...]
    auction: Auction
    calls: list[tuple[int, Atom]]
    declarer: int | None
    skat: Hand
    picked_up: bool
    twelve: Hand
    contract: Contract | None
    doubling: list[tuple[int, str]]
    points: list[int]

    def __init__(self, players: Sequence[str], options: Mapping[str, Atom], deal: Deal) -> None:
        super().__init__(players, options, deal)
        self._spoken: list[tuple[list[tuple[int, Atom]], str]] = [([], "")] * len(self.players)

    def settled(self, seat: int) -> dict[str, Any]:
        """Add the seat's position."""
        fields = super().settled(seat)
        if seat in self.active:
            fields["position"] = POSITIONS[self.active.index(seat)]
        return fields

    def view(self, seat: int) -> SkatView:
        """Return what a seat may know: its hand, all that was said and played, the skat only to who picked it up."""
        names, contract, declarer = self.players, self.contract, self.declarer
        fields = self.to_show(seat) | {
            "bids": tuple([(names[who], said) for who, said in self.calls]),
            "declarer": None if declarer is None else names[declarer],
            "contract": (contract.game, *contract.words) if contract else None,
            "contra": tuple([(names[who], said) for who, said in self.doubling]) or None,
        }
        if self.picked_up and seat == declarer:
            fields["skat"] = PACK.cards[self.skat]
            if self.phase == "declare":
                fields["hand"] = PACK.cards[self.twelve]
        if self.contract and seat in self.active:
            fields["points"] = self._taken(seat)
        if self._open and self.declarer is not None:
            fields["open"] = PACK.cards.of(self.hands[self.declarer])
        return SkatView.showing(fields)

    def glance(self, seat: int) -> SkatView:
        """Return what a seat may know; the play of a card for a bot, all else when it is asked for."""
        contract = self.contract
        if self.phase != "play" or seat != self.turn or contract is None:
            return self.view(seat)
        names, declarer, cards, hand = self.players, self.declarer, PACK.cards.of, self.hands[seat]
        out = sum(self.hands) - hand + (0 if self.picked_up and seat == declarer else self.skat)
        who = names[seat], None if declarer is None else names[declarer]
        trick, players = self.trick, [names[who] for who in self.around[self.leader][: len(self.trick)]]
        may = cards(self.playable(seat))
        sight = Sight(contract.game, who, cards(hand), may, cards(out), trick, players)
        return SkatGlance(self, seat, sight)

    def rewritten(self, seat: int, shown: Settled, between: Sequence[str]) -> str | None:
        """Write all that a hand changes: cards, what was said, an open hand, and the points of one's own side."""
        if shown.since is not self.tally:
            return None
        phase, since, lies_open, points = self.phase, self.calls, "", ""
        if phase == "play":
            hand, trick, tricks, legal = self.rewritten_cards(seat)
            before, said = self._spoken[seat]
            if before is not since:
                said = self._said(seat)
                self._spoken[seat] = since, said
        else:
            twelve = phase == "declare" and self.picked_up and seat == self.declarer
            hand, trick, tricks, legal = self.rewritten_before(seat, self.twelve if twelve else self.hands[seat])
            said = self._said(seat)
        if self._open and self.declarer is not None:
            lies_open = f" (open{PACK.held.of(self.hands[self.declarer])})"
        if self.contract and seat in self.active:
            points = f" (points {self._taken(seat)})"
        return (
            f"{between[0]} (phase {phase}) (hand{hand}) (trick{trick}){tricks}{between[4]}{said}{lies_open}{points}"
            f"{between[-1]}{legal})"
        )

    def _said(self, seat: int) -> str:
        """Return how is written what was said and declared, and the skat for who picked it up."""
        names, contract, declarer = self.players, self.contract, self.declarer
        text = f" (bids{''.join([f' ({names[who]} {said})' for who, said in self.calls])})"
        if declarer is not None:
            text += f" (declarer {names[declarer]})"
        if contract:
            text += f" (contract {' '.join((contract.game, *contract.words))})"
        if self.doubling:
            text += f" (contra{''.join([f' ({names[who]} {said})' for who, said in self.doubling])})"
        return f"{text} (skat{PACK.held.of(self.skat)})" if self.picked_up and seat == declarer else text

    @property
    def _open(self) -> bool:
        """Whether the declarer's hand lies on the table."""
        return self.contract is not None and "ouvert" in self.contract.words

    def _taken(self, seat: int) -> int:
        """Return the points in the tricks of the seat's side."""
        return sum([self.points[other] for other in self._side(seat)])

    def _side(self, seat: int) -> tuple[int, ...]:
        """Return the seats that play together: the declarer, the defenders; in a Ramsch each for himself."""
        if seat == self.declarer or self.declarer is None:
            return (seat,)
        return self.around[self.declarer][1:]

    def allies(self, seat: int) -> tuple[int, ...]:
        """Return the declarer, or those who play against him; whoever sits out wins nothing."""
        return self._side(seat) if seat in self.active else self._side(self.active[0])
