"""What a search asks of Skat: a hand retold from a view, what bots look at, the sides, and the hidden cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from croupier.protocol.skat import POINTS
from croupier.protocol.views.skat import SkatSight, SkatView
from croupier.server.games.skat.bidding import POSITIONS
from croupier.server.games.skat.contract import PACK
from croupier.server.games.tricks_world import Glance, Retelling, TrickWorld

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from croupier.protocol.views.view import View
    from croupier.server.games.game import Play
    from croupier.server.games.hands import Hand
    from croupier.server.games.skat.game import Skat

SPOKEN = ("pass", "hold", "contra", "re")


class SkatRetelling(Retelling):
    """A hand of Skat retold: the auction, the declaration with any two cards put down, the play."""

    size = 10

    def forehand(self) -> int:
        """Return the forehand's seat; a dealer who sits out is just before it."""
        position = self.view.position
        return 1 if position is None else -POSITIONS.index(position)

    def active(self) -> tuple[str, ...]:
        """Return forehand, middlehand and rearhand."""
        return self.players[:3]

    def certain(self, name: str) -> Sequence[str]:
        """Return an open hand."""
        return self.view.open or () if name == self.view.declarer else ()

    def current_hands(self) -> dict[str, list[str]]:
        """Return the hands without the two cards that are still to be put down."""
        current_hands = super().current_hands()
        if self.view.phase == "declare" and self.view.skat:
            current_hands[self.view.me] = [card for card in self.view.hand if card not in self.view.skat]
        return current_hands

    def apart(self) -> Sequence[str]:
        """Return the skat, if the viewer knows it."""
        return self.view.skat or ()

    def before(self, game: Any) -> None:
        """Repeat the auction, picking up and the declaration."""
        view = self.view
        for name, said in view.bids:
            game.play(self.seat(name), (said,) if said in SPOKEN else ("bid", said))
        if game.phase == "skat" and view.phase != "skat":
            game.play(game.turn, ("hand",) if self._from_the_hand() else ("pick-up",))
        if game.phase == "declare" and view.contract is not None:
            game.play(game.turn, self._declaration(game))
        for name, said in view.contra or ():
            game.play(self.seat(name), (said,))

    @classmethod
    def earlier(cls, game: Any, seat: int) -> Iterable[tuple[Any, int, Play]]:
        """List the last calls of those who bid or held, as if the declarer had found the cards that he put down."""
        again = cls.again(game, cls.began(game)[:3], game.skat)
        calls = [(game.players.index(name), said) for name, said in game.calls]
        bidders = {other for other, said in calls if said != "pass"} - {seat}
        for number, (other, said) in enumerate(calls):
            play = (said,) if said in SPOKEN else ("bid", said)
            if other in bidders and all(later != other for later, _ in calls[number + 1 :]):
                yield again, other, play
            again.play(other, play)

    def _from_the_hand(self) -> bool:
        """Return whether the declarer left the skat, which only he knows before the declaration."""
        if self.view.contract is None:
            return self.view.declarer == self.view.me and not self.view.skat
        return "hand" in self.view.contract

    def _declaration(self, game: Any) -> Play:
        name, *words = self.view.contract
        cards = game.PACK.cards[game.skat] if game.picked_up else ()
        return ("declare", name, *cards, *[word for word in words if word != "hand"])


class SkatGlance(Glance, SkatView):
    """A `SkatView` whose fields are built only when needed."""


class SkatWorld(TrickWorld):
    """Skat as a search sees it."""

    game: Skat
    RETELLING = SkatRetelling

    def worth(self, card: str) -> int:
        """Return a card's points."""
        return POINTS[card]

    def glance(self, seat: int) -> View:
        """Return a seat's view; for the play of a card what a bot needs, with everything else built on demand."""
        game = self.game
        contract = game.contract
        if game.phase != "play" or seat != game.turn or contract is None:
            return game.view(seat)
        names, declarer, cards, hand = game.players, game.declarer, PACK.cards.of, game.hands[seat]
        out = sum(game.hands) - hand + (0 if game.picked_up and seat == declarer else game.skat)
        who = names[seat], None if declarer is None else names[declarer]
        tricks = [(names[leader], played) for leader, played in game.all_tricks()]
        seats = [names[other] for other in game.around[seat]]
        sight = SkatSight(contract.game, who, seats, cards(hand), cards(game.playable(seat)), cards(out), tricks)
        return SkatGlance(game, seat, sight)

    def allies(self, seat: int) -> tuple[int, ...]:
        """Return the declarer, or his opponents; a dealer who sits out wins nothing."""
        game = self.game
        return game.side(seat) if seat in game.active else game.side(game.active[0])

    def known_cards(self, seat: int, other: int) -> Hand:
        """Return an open hand."""
        game = self.game
        return game.hands[other] if game.lies_open and other == game.declarer else 0

    def hidden_piles(self, seat: int) -> list[Hand]:
        """Return the skat, except to the player who picked it up."""
        game = self.game
        return [] if seat == game.declarer and game.picked_up else [game.skat]

    def unseen(self) -> Iterable[tuple[str, tuple[str, ...]]]:
        """Return the skat, if nobody has picked it up."""
        game = self.game
        return () if game.picked_up or not game.skat else [("skat", PACK.cards.of(game.skat))]

    def rehide(self, seat: int, piles: list[Hand], rng: Random) -> None:
        """Put other cards into the skat."""
        game = self.game
        if piles:
            (game.skat,) = piles

    def determinize(self, seat: int, rng: Random) -> Self:
        """Set the declarer's original cards to those of the copy, plus those he has played."""
        game = self.game
        twin = super().determinize(seat, rng)
        if (declarer := game.declarer) is not None:
            now = twin.game
            now.twelve += now.hands[declarer] + now.skat - game.hands[declarer] - game.skat
        return twin
