"""A hand of Doppelkopf told again: the reservations as far as they are known, the announcements, the play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.protocol.doppelkopf import FOX, NORMAL, OLD_QUEEN, WITH_NINES, WITHOUT_NINES
from croupier.server.games.doppelkopf.announcements import PARTIES
from croupier.server.games.doppelkopf.plays import HEALTHY, RESERVATION, SOLO_PLAYS, WEDDING
from croupier.server.games.retelling import Retelling
from croupier.server.games.world import NotToldError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from croupier.server.games.game import Play

DUTY: dict[str, Any] = {"duty-solo": "no", "list": 1}


class DoppelkopfRetelling(Retelling):
    """What a player of Doppelkopf has seen of a hand."""

    def __init__(self, rules: Any, view: Any) -> None:
        self.size = len(self._pack(view)) // 4
        self.contract: Any = view.contract if view.contract is not None else ()
        self.word = self.contract if isinstance(self.contract, str) else next(iter(self.contract), "")
        super().__init__(rules, view)
        self.alone = self._alone()
        if self.word == "poverty":
            raise NotToldError("what is given and taken in a poverty is not told again")

    @staticmethod
    def _pack(view: Any) -> Sequence[str]:
        return WITH_NINES if view.options["nines"] == "yes" else WITHOUT_NINES

    def pack(self) -> Sequence[str]:
        """Return the cards, with the nines or without."""
        return self._pack(self.view)

    def forehand(self) -> int:
        """Return who spoke first, or is to."""
        return self.place(next(iter(self.view.reservations), self.view.me))

    def options(self) -> dict[str, Any]:
        """Owe no duty solo, until the hand is dealt."""
        return {**super().options(), **DUTY}

    # Who plays alone, and what is known of hands

    def _alone(self) -> str:
        """Return the soloist, the poor player, or who wed; of several who may have, one who may have both queens."""
        if self.word == "solo":
            return str(self.contract[2])
        if self.word != "wedding":
            return ""
        view = self.view
        names = [name for name, said in view.reservations.items() if said == "reservation"]
        queens = {name: self.played[name].count(OLD_QUEEN) for name in names}
        mine = view.hand.count(OLD_QUEEN) + self.played[view.me].count(OLD_QUEEN)
        alone: str = max(
            names, key=lambda name: (view.parties.get(name) == "re", mine if name == view.me else queens[name])
        )
        return alone

    def certain(self, name: str) -> list[str]:
        """Return the queens and the fox that a player must have, and what the viewer gave him."""
        view, played = self.view, self.played[name]
        queens = 2 if self.word == "wedding" and name == self.alone else 0
        if self.word == NORMAL and view.parties.get(name) == "re":
            queens = 1
        known = [OLD_QUEEN] * max(0, queens - played.count(OLD_QUEEN))
        known += [FOX] * (2 - played.count(FOX)) if name == view.schweinchen else []
        return known

    def lacking(self, name: str) -> Sequence[str]:
        """Return the other fox of whoever played one and had no Schweinchen."""
        schweinchen = self.view.options["schweinchen"] == "yes" and self.view.schweinchen != name
        return (FOX,) if schweinchen and FOX in self.played[name] else ()

    # The telling

    def before(self, game: Any) -> None:
        """Reserve again."""
        view, options = self.view, self.view.options
        game.finished = view.finished or 0
        game.owing = frozenset(self.seat(name) for name in view.owing or ())
        game.forced = len(game.owing) == int(options["list"]) - game.finished
        for name, said in view.reservations.items():
            game.turn = self.seat(name)
            game.play(game.turn, HEALTHY if said == "healthy" else self._reserved(name))
        if view.phase == "reserve":
            game.turn = self.seat(view.me)

    def _reserved(self, name: str) -> Play:
        """Return what a reservation was, or may have been."""
        if self.word == "wedding" or name != self.alone:
            return WEDDING if self.word else SOLO_PLAYS[0]
        return ("solo", self.contract[1])

    @classmethod
    def earlier(cls, game: Any, seat: int) -> Iterable[tuple[Any, int, Play]]:
        """Say who was healthy or played alone, and who announced his party, as if before his first card."""
        if game.phase != "play":
            return
        again = cls.again(game, cls.began(game), **DUTY)
        for other, said in game.said:
            if other != seat and said != RESERVATION:
                again.turn = other
                yield again, other, said
        for other, said in game.said:
            again.turn = other
            again.play(other, said if said != RESERVATION else WEDDING)
        for other, word in game.announcements.said:
            if other != seat and word in PARTIES:
                again.turn = other
                yield again, other, ("announce", word)

    def close(self, game: Any) -> None:
        """Announce again, and know what everybody knows."""
        view = self.view
        for name, word in view.announced:
            seat, side = self.seat(name), PARTIES.index(view.parties[name])
            game.announcements.announce(seat, side, word, self.size)
        game.parties.known = [
            PARTIES.index(view.parties[name]) if name in view.parties else None for name in self.players
        ]
        if view.party is not None and view.legal is not None and set(game.legal()) > set(view.legal):
            game.announcements.late[PARTIES.index(view.party)] = True
