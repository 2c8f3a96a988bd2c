"""A played game: its results as one value, from the referee to the store and the statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from croupier.server.table.faults import Kind, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from croupier.server.table.faults import PlayerFault

Names = tuple[str, ...]
Histogram = tuple[tuple[int, int], ...]
"""Thinking times: (bucket, number of decisions) pairs."""


class Probed(NamedTuple):
    """How many answers of a bot changed when it was asked again."""

    asked: int = 0
    """The answers in other worlds, of which the bot was told the same."""
    changed: int = 0
    again: int = 0
    """The answers in the same world."""
    changed_again: int = 0
    strayed: int = 0
    """Answers that were otherwise in the game, and the same each time that the bot was asked again."""
    skipped: int = 0
    """Decisions at which no other world could be imagined."""
    proofs: int = 0
    """Changed answers that were the same whenever the bot was asked in that world, and never came in its own."""

    def plus(self, other: Probed) -> Probed:
        """Return the sum of both."""
        return Probed(*[one + two for one, two in zip(self, other, strict=True)])

    @property
    def words(self) -> str:
        """What the probe found of the bot, in words."""
        counted = f"{self.changed} of {self.asked} answers changed"
        if self.proofs:
            said = f"{counted} in worlds that it could not tell apart: it plays by more than its own cards"
        elif self.changed_again:
            said = f"plays at random: {self.changed_again} of {self.again} answers changed in the same world, {counted}"
            said += " in others"
        elif self.strayed:
            said = f"{counted}; {self.strayed} were otherwise in its games, each time: it goes by other things"
        elif not self.asked:
            said = "not asked"
        else:
            said = counted
        return said + (f"; {self.skipped} not asked, as no other world could be imagined" if self.skipped else "")

    @property
    def verdict(self) -> str:
        """What the probe found of the bot, in two words."""
        if self.proofs:
            return "sees more"
        if self.changed_again:
            return "at random"
        if self.strayed:
            return "strayed"
        return "own cards" if self.asked else "not asked"

    def document(self) -> dict[str, object]:
        """Return the form that scripts rely on."""
        counts = self._asdict()
        del counts["proofs"]
        return {"verdict": self.verdict, **counts}


class PlayedGame(NamedTuple):
    """One game. Everything after the seating is by seat; an entry with several seats is named at each.

    A game without ``scores`` and ``ranks`` does not count.
    """

    pairing: Names
    """The players who were drawn together, in a tournament."""
    deal: int
    seating: Names
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    faults: tuple[PlayerFault, ...] = ()
    """At most one per seat: after it a stand-in plays, or nobody."""
    assisted: tuple[int, ...] = ()
    """The seats whose partner was replaced by a stand-in."""
    times: tuple[Histogram, ...] = ()
    """Thinking times in the form that a tournament keeps."""
    outcome: Outcome = Outcome.FINISHED
    void: str = ""
    """Why it does not count."""
    shadow: bool = False
    """Whether it was copied from another game of its deal, with only the other players asked."""
    luck: tuple[float, ...] = ()
    """By how much its shuffles favored each seat, if the game defines that; the expected value is 0."""
    decisions: int = 0
    seconds: float = 0.0
    thinking: tuple[tuple[float, ...], ...] = ()
    """Seconds of each decision, as measured by the referee."""
    burnt: tuple[float, ...] = ()
    """Seconds of CPU time that each seat's program used while it was not on turn."""
    again: tuple[float, ...] = ()
    """Seconds given back to each seat's replies because this machine had withheld them; ``()`` if none were."""
    short: str = ""
    """What this machine ran out of when these games were tried before; set on the first game of a batch."""
    machine: str = ""
    """The cluster worker that played it; empty for this machine."""
    record: tuple[str, ...] = ()
    """The lines of the game's record; a tournament's worker has one text until `PackedGames` packs it."""
    probed: tuple[Probed, ...] = ()
    """What the probe found at each seat; ``()`` without a probe."""
    errors: tuple[str, ...] = ()
    """Each seat's standard error, if a tournament keeps it; ``()`` if nobody wrote any."""

    @property
    def offenders(self) -> set[int]:
        """The seats that committed a fault."""
        return {fault.seat for fault in self.faults}

    @property
    def misdeeds(self) -> list[PlayerFault]:
        """The faults committed in the game; a player withdrawn before it was not asked, so that is not one."""
        return [fault for fault in self.faults if fault.fault.kind is not Kind.WITHDRAWN]

    @property
    def winners(self) -> list[int]:
        """The seats that rank first and committed no fault."""
        offenders = self.offenders
        return [seat for seat, rank in enumerate(self.ranks) if rank == 1 and seat not in offenders]

    @property
    def margin(self) -> int:
        """The margin between the winners and the best of the others; 0 if all share the win."""
        won = [score for score, rank in zip(self.scores, self.ranks, strict=True) if rank == 1]
        lost = [score for score, rank in zip(self.scores, self.ranks, strict=True) if rank > 1]
        return min((abs(one - other) for one in won for other in lost), default=0)

    @property
    def clean(self) -> bool:
        """Return whether everybody played to the end without a stand-in."""
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


def probed_by_player(games: Iterable[PlayedGame]) -> dict[str, Probed]:
    """Return the sum of what the probe found in games, by player."""
    found: dict[str, Probed] = {}
    for game in games:
        for name, probed in zip(game.seating, game.probed, strict=False):
            found[name] = found.get(name, Probed()).plus(probed)
    return found
