"""Parties: who plays together, and what of it is public."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from croupier.server.games.doppelkopf.announcements import KONTRA, RE
from croupier.server.games.doppelkopf.contracts import OLD_QUEENS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from croupier.server.games.hands import Hand


class Parties:
    """The members of Re and Kontra: ``sides`` as they are, None before a wedding is clarified; ``known`` to all."""

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
        """Make the holders of the queens of clubs Re, secretly."""
        self.sides = [RE if hand & OLD_QUEENS else KONTRA for hand in hands]

    def openly(self, re: Collection[int]) -> None:
        """Make these seats Re, publicly."""
        self.sides = [RE if seat in re else KONTRA for seat in range(4)]
        self.known = list(self.sides)

    def show(self, seat: int, side: int) -> None:
        """Reveal a seat's side, and what follows from it."""
        self.known[seat] = side
        self._conclude()

    def show_queen(self, seat: int) -> None:
        """Reveal a queen of clubs, if the queens make the parties."""
        self.old_queens += 1
        self.show(seat, RE)

    def show_void(self, seat: int) -> None:
        """Reveal that a seat has no trump left; if it has not played a queen of clubs, it never had one."""
        if self.known[seat] is None:
            self.show(seat, KONTRA)

    def _conclude(self) -> None:
        """Infer other sides: there are two queens of clubs, so Re has one or two players."""
        if self.old_queens == 2 or self.known.count(RE) == 2:
            rest = KONTRA
        elif self.known.count(KONTRA) == 3:
            rest = RE
        else:
            return
        self.known = [rest if side is None else side for side in self.known]
