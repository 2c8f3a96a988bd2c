"""What a search asks of Jass: a hand retold from a view, the worth of cards, and what others may hold."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from croupier.server.games.jass.contracts import LAST_TRICK, PACK, FreeContract, LowerOfTwoContract
from croupier.server.games.open_cards import SHARE, Stakes, lay_open, numbered
from croupier.server.games.tricks_world import Retelling, TrickWorld

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from croupier.protocol.open_cards import NumberedCards, OpenCards
    from croupier.server.games.game import Play
    from croupier.server.games.hands import Hand
    from croupier.server.games.jass.contracts import JassContract
    from croupier.server.games.jass.game import Jass

SHIFT = ("shift",)
MOST = 300
"""More than a hand's tricks and Stöcke are worth."""


# cached because there are few contracts
@cache
def numbered_cards(contract: JassContract) -> NumberedCards:
    """Return the cards of a contract in numbers; tricks count a little, because a pair that takes all scores more."""
    points = {card: SHARE * value for card, value in contract.points.items()}
    free = contract.trumps if isinstance(contract, FreeContract) else 0
    stakes = Stakes(points, 1, SHARE * LAST_TRICK, leads=contract.leads, higher=contract.higher, free=free)
    return numbered(PACK, contract.suits, contract.table, stakes)


class JassRetelling(Retelling):
    """A hand of Jass retold: who chose, what was shown, what was played."""

    size = 9

    def forehand(self) -> int:
        """Return the player who led, is to lead, or may shift the choice; or the partner of one who may not shift."""
        if self.tricks or self.view.phase != "trump":
            return super().forehand()
        legal = self.view.legal
        return 2 if legal is not None and SHIFT not in legal else 0

    def certain(self, name: str) -> list[str]:
        """Return the cards that another player has shown and still holds."""
        shown = (self.view.weis or {}).get(name, ())
        return [card for card in shown if card not in self.played[name]]

    def before(self, game: Any) -> None:
        """Repeat the choice of the contract."""
        view = self.view
        chooser = 0 if view.chosen_by is None else self.seat(view.chosen_by)
        if game.phase == "trump" and (chooser == 2 or (view.phase == "trump" and self.seat(view.me) == 2)):
            game.play(0, SHIFT)
        if game.phase == "trump" and view.phase != "trump":
            game.play(game.turn, ("trump", view.contract))

    @classmethod
    def earlier(cls, game: Any, seat: int) -> Iterable[tuple[Any, int, Play]]:
        """List who shifted, and who chose what."""
        if game.chooser is None:
            return
        again = cls.again(game, cls.began(game))
        for other, play in [*([(0, SHIFT)] if game.chooser else []), (game.chooser, ("trump", game.contract.name))]:
            if other != seat:
                yield again, other, play
            again.play(other, play)

    def lay(self, game: Any, card: str) -> None:
        """Repeat the Weis and the play of a card."""
        self.show(game)
        super().lay(game, card)

    def close(self, game: Any) -> None:
        """Show the cards that the player to play has already shown."""
        if self.view.phase == "play" and game.turn is not None:
            self.show(game)

    def show(self, game: Any) -> None:
        """Show what the player on turn has shown, at the moment for it."""
        if game.phase == "weis":
            game.play(game.turn, ("weis", *(self.view.weis or {}).get(game.players[game.turn], ())))


class JassWorld(TrickWorld):
    """Jass as a search sees it."""

    game: Jass
    RETELLING = JassRetelling

    def worth(self, card: str) -> int:
        """Return a card's points with this hand's trump."""
        return self.game.contract.points[card]

    def rehide(self, seat: int, piles: list[Hand], rng: Random) -> None:
        """Give Stöcke to the players who now have been dealt both cards."""
        game = self.game
        if game.options["stoeck"] == "yes" and game.phase != "trump":
            game.stoecke = game.pair_of_stoecke(JassRetelling.began(game))

    def known_cards(self, seat: int, other: int) -> Hand:
        """Return the cards that another player has shown and still holds."""
        game = self.game
        return (game.shown[other] or 0) & game.hands[other]

    def open_cards(self) -> OpenCards | None:
        """Return the rest of a hand in numbers, unless the target score may end it before its last card."""
        game = self.game
        near = game.target and max(game.tally) + max(game.points) + MOST * game.factor >= game.target
        if near or isinstance(game.contract, LowerOfTwoContract):
            return None
        return lay_open(game, numbered_cards(game.contract), (0, 2))

    def lacking(self, before: tuple[str, ...], card: str) -> Hand:
        """Return what playing a card reveals as missing: the suit led, or everything but undertrumps."""
        return self.game.contract.lacking(before, card) if before else 0
