"""A hand of Jass told again: who chose, what was shown, what was played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.server.games.retelling import Retelling

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.server.games.game import Play

SHIFT = ("shift",)


class JassRetelling(Retelling):
    """What a player of Jass has seen of a hand."""

    size = 9

    def forehand(self) -> int:
        """Return who led, who is to lead, or who may shift the choice; the partner of who may not."""
        if self.tricks or self.view.phase != "trump":
            return super().forehand()
        legal = self.view.legal
        return 2 if legal is not None and SHIFT not in legal else 0

    def certain(self, name: str) -> list[str]:
        """Return what another has shown and still holds."""
        shown = (self.view.weis or {}).get(name, ())
        return [card for card in shown if card not in self.played[name]]

    def before(self, game: Any) -> None:
        """Choose the contract again."""
        view = self.view
        chooser = 0 if view.chosen_by is None else self.seat(view.chosen_by)
        if game.phase == "trump" and (chooser == 2 or (view.phase == "trump" and self.seat(view.me) == 2)):
            game.play(0, SHIFT)
        if game.phase == "trump" and view.phase != "trump":
            game.play(game.turn, ("trump", view.contract))

    @classmethod
    def earlier(cls, game: Any, seat: int) -> Iterable[tuple[Any, int, Play]]:
        """Say who shifted, and who chose what."""
        if game.chooser is None:
            return
        again = cls.again(game, cls.began(game))
        for other, play in [*([(0, SHIFT)] if game.chooser else []), (game.chooser, ("trump", game.contract.name))]:
            if other != seat:
                yield again, other, play
            again.play(other, play)

    def lay(self, game: Any, card: str) -> None:
        """Show, then play a card again."""
        self.show(game)
        super().lay(game, card)

    def close(self, game: Any) -> None:
        """Show what is shown already by who is to play."""
        if self.view.phase == "play" and game.turn is not None:
            self.show(game)

    def show(self, game: Any) -> None:
        """Show what the player on turn has shown, if it is the moment."""
        if game.phase == "weis":
            game.play(game.turn, ("weis", *(self.view.weis or {}).get(game.players[game.turn], ())))
