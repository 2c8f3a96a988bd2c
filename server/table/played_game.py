"""A played game: what came of it, one value from the referee to the store and the statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.server.table.faults import Kind, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.server.table.faults import PlayerFault

Names = tuple[str, ...]
Histogram = tuple[tuple[int, int], ...]
"""Thinking times: (bucket, number of decisions) pairs."""


class PlayedGame(NamedTuple):
    """One game. Everything after the seating is by seat; an entry that held several seats is named at each.

    Without ``scores`` and ``ranks`` it counts for nobody.
    """

    pairing: Names
    """Who was drawn together, in a tournament."""
    deal: int
    seating: Names
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    faults: tuple[PlayerFault, ...] = ()
    """At most one a seat: after it a stand-in plays, or nobody."""
    assisted: tuple[int, ...] = ()
    """The seats whose partner's place a stand-in took."""
    times: tuple[Histogram, ...] = ()
    """Thinking times as a tournament keeps them."""
    outcome: Outcome = Outcome.FINISHED
    void: str = ""
    """Why it counts for nobody."""
    shadow: bool = False
    """Whether nobody played it: it goes as another of its deal, and who sits elsewhere there was asked."""
    luck: tuple[float, ...] = ()
    """By how much its shuffles favoured each seat, where the game says that; on average, whoever plays, by nothing."""
    decisions: int = 0
    seconds: float = 0.0
    thinking: tuple[tuple[float, ...], ...] = ()
    """Seconds of each decision, as the referee measured them."""
    burnt: tuple[float, ...] = ()
    """Seconds of CPU time that each seat's program used while it was not on turn."""
    again: tuple[float, ...] = ()
    """Seconds that each seat's replies got again, as this machine had withheld them; ``()`` where it never did."""
    short: str = ""
    """What this machine was too short of when a tournament played these games before; told of the first of a batch."""
    machine: str = ""
    """The worker of a cluster that played it; nothing of this machine's own."""
    record: tuple[str, ...] = ()
    """The lines of the game's record; a tournament's worker has all in one text, until `PackedGames` packs it."""
    errors: tuple[str, ...] = ()
    """What each seat's program wrote to standard error, where a tournament keeps it; ``()`` if nobody wrote."""

    @property
    def offenders(self) -> set[int]:
        """The seats that committed a fault."""
        return {fault.seat for fault in self.faults}

    @property
    def misdeeds(self) -> list[PlayerFault]:
        """The faults that somebody committed in the game; who was withdrawn before it was not asked."""
        return [fault for fault in self.faults if fault.fault.kind is not Kind.WITHDRAWN]

    @property
    def winners(self) -> list[int]:
        """The seats above which nobody was ranked, by no fault."""
        offenders = self.offenders
        return [seat for seat, rank in enumerate(self.ranks) if rank == 1 and seat not in offenders]

    @property
    def margin(self) -> int:
        """By how much it was decided: between whoever won and the best of the others; 0 if all share."""
        won = [score for score, rank in zip(self.scores, self.ranks, strict=True) if rank == 1]
        lost = [score for score, rank in zip(self.scores, self.ranks, strict=True) if rank > 1]
        return min((abs(one - other) for one in won for other in lost), default=0)

    @property
    def clean(self) -> bool:
        """Return whether everybody played to the end by himself."""
        return not self.faults and not self.assisted

    def entries(self, *, low_wins: bool) -> Iterator[tuple[str, float]]:
        """Yield each entry with its score: the mean of its seats, or the worst of them if one committed a fault."""
        if not self.faults and len(set(self.seating)) == len(self.seating):
            yield from zip(self.seating, map(float, self.scores), strict=True)
            return
        offenders = self.offenders
        for name in dict.fromkeys(self.seating):
            seats = [seat for seat, other in enumerate(self.seating) if other == name]
            scores = [self.scores[seat] for seat in seats]
            if not offenders.isdisjoint(seats):
                yield name, max(scores) if low_wins else min(scores)
            else:
                yield name, sum(scores) / len(scores)
