"""SkatBroadcast: describes and draws Skat, with the skat and an open hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from croupier.protocol.skat import GAMES
from croupier.server.games.broadcast import Picture, Place, Role, Said, counted
from croupier.server.games.skat.contract import ANNOUNCEMENTS
from croupier.server.games.tricks_broadcast import TrickBroadcast

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from croupier.protocol.views.view import View


class SkatBroadcast(TrickBroadcast):
    """Draw the skat for those who may see it, and an open hand for everybody."""

    VERBS: ClassVar[Mapping[str, tuple[str, str]]] = {
        **TrickBroadcast.VERBS,
        "pick-up": ("pick up the skat", "picks up the skat"),
        "hand": ("play from the hand", "plays from the hand"),
        "declare": ("play", "declares"),
        "contra": ("say contra", "says contra"),
        "re": ("say re", "says re"),
    }
    QUESTIONS: ClassVar[Mapping[str, str]] = {
        **TrickBroadcast.QUESTIONS,
        "bid": "Do you bid, hold or pass?",
        "skat": "Do you pick up the skat, or play from the hand?",
        "contra": "Do you double the game, or pass?",
        "declare": "Which game do you play? With the skat in hand, choose two cards to put away.",
    }
    CONTRACTS: ClassVar[Mapping[str, str]] = {
        **{game: f"(declare {game}" for game in GAMES},
        "ramsch": "",
        "hand": "(hand)",
        **dict.fromkeys(ANNOUNCEMENTS, ""),
    }

    def contract(self) -> Sequence[str]:
        """Return the declared game and its words."""
        contract = self.game.contract
        return () if contract is None else (contract.game, *contract.words)

    def picture(self, seat: int | None) -> Picture:
        """Draw the skat in the middle until it is picked up, and an open hand with its owner."""
        drawn, game = super().picture(seat), self.game
        places = drawn.places
        if game.declarer is not None and game.turn is not None and game.view(game.declarer).open is not None:
            hand = Place("", game.declarer, Role.HAND, game.PACK.cards[game.hands[game.declarer]])
            places = tuple([hand if place[:3] == hand[:3] else place for place in places])
        if not game.picked_up:
            skat = game.PACK.cards[game.skat]
            places += (
                Place("skat", None, Role.ROW, skat) if seat is None else Place("skat", None, Role.ROW, hidden=2),
            )
        return drawn._replace(places=places)

    def field(self, view: View, label: str, value: Any) -> Iterator[Said]:
        """Yield a field's meaning; for the bids, only each player's last."""
        if label == "points":  # of the own side
            return
        if label == "bids":
            for name, call in dict(value).items():
                said = self.VERBS[call][1] if call in self.VERBS else f"bids {call}"
                yield Said(self.game.players.index(name), said)
        else:
            yield from super().field(view, label, value)

    def beside(self, view: View) -> Iterator[str]:
        """Yield a seat's position, and the points of its side."""
        yield from super().beside(view)
        own: Any = view
        if own.points is not None:
            yield counted(own.points, "point")

    def _rows(self, seat: int, view: View) -> Iterator[Place]:
        """Yield what was put down; the cards that were picked up are in the hand."""
        if view.skat and view.phase != "declare":
            yield Place("skat", seat, Role.ROW, view.skat)
