"""A full deal: all cards of a game at one moment, by the players who see them, and those that nobody sees."""

from __future__ import annotations

from croupier.protocol import views
from croupier.protocol.sexp import Malformed, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from croupier.protocol.sexp import Sexp
    from croupier.protocol.views.view import View


class FullDeal:
    """All cards: what each player sees, by name, and each pile that nobody sees, with its cards from the top."""

    # not a NamedTuple, whose module takes longer to load than everything else that a bot needs
    __slots__ = ("players", "unseen")

    def __init__(self, players: dict[str, View], unseen: tuple[tuple[Sexp, tuple[Sexp, ...]], ...]) -> None:
        self.players = players
        self.unseen = unseen

    def __repr__(self) -> str:
        return f"FullDeal({self.players!r}, {self.unseen!r})"

    def __str__(self) -> str:
        """Write ``((players (NAME STATE) ...) (unseen (PILE CARD ...) ...))``."""
        players = " ".join([f"({name} {view})" for name, view in self.players.items()])
        return f"((players {players}) {write(('unseen', *[(pile, *cards) for pile, cards in self.unseen]))})"

    @classmethod
    def read(cls, form: Any) -> FullDeal:
        """Read the form that ``str`` writes; raise Malformed."""
        match form:
            case (("players", *players), ("unseen", *piles)):
                try:
                    seen = {str(name): views.read(state) for name, state in players}
                    return cls(seen, tuple([(pile, tuple(cards)) for pile, *cards in piles]))
                except (TypeError, ValueError):
                    pass
        raise Malformed(f"a full deal of another shape: {write(form)[:200]}")
