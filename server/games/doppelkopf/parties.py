"""Parties: who plays with whom, and how much of it everybody knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from croupier.server.games.doppelkopf.announcements import KONTRA, RE
from croupier.server.games.doppelkopf.contracts import OLD_QUEENS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from croupier.server.games.hands import Hand


class Parties:
    """Who is Re and who Kontra: ``sides`` as it is, None before a wedding is clarified; ``known`` as all can tell."""

    __slots__ = ("known", "old_queens", "sides")

    def __init__(self) -> None:
        self.sides: list[int] | None = None
        self.known: list[int | None] = [None] * 4
        self.old_queens = 0

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = type(self)()
        twin.sides, twin.known, twin.old_queens = self.sides, self.known[:], self.old_queens
        return twin

    def by_queens(self, hands: Sequence[Hand]) -> None:
        """Make whoever holds a queen of clubs Re, and let nobody know."""
        self.sides = [RE if hand & OLD_QUEENS else KONTRA for hand in hands]

    def openly(self, re: Collection[int]) -> None:
        """Make these seats Re before everyone."""
        self.sides = [RE if seat in re else KONTRA for seat in range(4)]
        self.known = list(self.sides)

    def show(self, seat: int, side: int) -> None:
        """Let everybody know a seat's side, and what follows from it."""
        self.known[seat] = side
        self._conclude()

    def show_queen(self, seat: int) -> None:
        """Let everybody see a queen of clubs where queens make the parties."""
        self.old_queens += 1
        self.show(seat, RE)

    def show_void(self, seat: int) -> None:
        """Let everybody see that a seat has no trump left: without a queen of clubs played, it never had one."""
        if self.known[seat] is None:
            self.show(seat, KONTRA)

    def _conclude(self) -> None:
        """Draw the conclusions: there are two old queens, so at most two players of Re, and at least one."""
        if self.old_queens == 2 or self.known.count(RE) == 2:
            rest = KONTRA
        elif self.known.count(KONTRA) == 3:
            rest = RE
        else:
            return
        self.known = [rest if side is None else side for side in self.known]
