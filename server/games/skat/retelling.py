"""A hand of Skat told again: the auction, the declaration with any two cards put down, the play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.server.games.retelling import Retelling

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from croupier.server.games.game import Play

POSITIONS = ("forehand", "middlehand", "rearhand")
SPOKEN = ("pass", "hold", "contra", "re")


class SkatRetelling(Retelling):
    """What a player of Skat has seen of a hand."""

    size = 10

    def forehand(self) -> int:
        """Return where the forehand sits; the dealer, who sits out, is just before it."""
        position = self.view.position
        return 1 if position is None else -POSITIONS.index(position)

    def active(self) -> tuple[str, ...]:
        """Return forehand, middlehand and rearhand."""
        return self.players[:3]

    def certain(self, name: str) -> Sequence[str]:
        """Return an open hand."""
        return self.view.open or () if name == self.view.declarer else ()

    def held(self) -> dict[str, list[str]]:
        """Return the hands without the two cards that are still to be put down."""
        held = super().held()
        if self.view.phase == "declare" and self.view.skat:
            held[self.view.me] = [card for card in self.view.hand if card not in self.view.skat]
        return held

    def apart(self) -> Sequence[str]:
        """Return the skat, if the viewer knows it."""
        return self.view.skat or ()

    def before(self, game: Any) -> None:
        """Bid, take up the skat and declare again."""
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
        """Say what those called last who bid or held, as if the declarer had found what he put down."""
        again = cls.again(game, cls.began(game)[:3], game.skat)
        calls = game.calls
        bidders = {other for other, said in calls if said != "pass"} - {seat}
        for number, (other, said) in enumerate(calls):
            play = (said,) if said in SPOKEN else ("bid", said)
            if other in bidders and all(later != other for later, _ in calls[number + 1 :]):
                yield again, other, play
            again.play(other, play)

    def _from_the_hand(self) -> bool:
        """Tell whether the declarer left the skat; while he declares he alone knows."""
        if self.view.contract is None:
            return self.view.declarer == self.view.me and not self.view.skat
        return "hand" in self.view.contract

    def _declaration(self, game: Any) -> Play:
        name, *words = self.view.contract
        cards = game.PACK.cards[game.skat] if game.picked_up else ()
        return ("declare", name, *cards, *[word for word in words if word != "hand"])
