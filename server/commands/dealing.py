"""Dealing: which deals ``croupier play`` plays, by which key, and the names of their records."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Self

from croupier.protocol.record import KeyLine
from croupier.server.commands import wrong
from croupier.server.deals import Key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.commands.same_deals import SameDeals
    from croupier.server.entries import Entry
    from croupier.server.games.game import Game
    from croupier.server.table.resumed_game import ResumedGame


class Dealing(NamedTuple):
    """Deals to be played, one game each."""

    key: Key
    numbers: Sequence[int]
    begun: ResumedGame | None = None
    """A game that is continued, instead of a new one."""
    stem: str = ""
    """The name of its record, if it is not named after its deal."""
    own_key: bool = True
    """Whether the key gave all shuffles, so that the records may contain it."""

    def entries(self, entries: Sequence[Entry]) -> list[Entry]:
        """Return the entries; in a game that is continued, with the names of its original players."""
        if self.begun is None:
            return [*entries]
        players = self.begun.game.players
        if len(entries) != len(players):
            wrong(f"--play-on: {len(players)} players sat there, {' '.join(players)}; name a BOT for each of them")
        return [replace(entry, name=player) for entry, player in zip(entries, players, strict=True)]

    @classmethod
    def by_call(cls, seed: str | None, deals: int) -> Self:
        """Return ``number`` deals by a fresh key, or by a seed's."""
        return cls(Key.fresh() if seed is None else Key.from_seed(seed), range(1, deals + 1))

    def file_stem(self, number: int) -> str:
        """Return the name of a deal's files, without the suffix."""
        return self.stem or f"deal-{number:0{len(str(self.numbers[-1]))}}"

    def last_line(self, number: int) -> str:
        """Return the last line of a deal's record once nobody will play it again: the key, if it gave all shuffles."""
        return f"{KeyLine(self.key.of(number).secret.hex())}\n" if self.own_key else ""


def the_dealing(
    rules: type[Game], *, deals: int, seed: str | None, options: Sequence[str], cup: str | None, moment: str | None
) -> tuple[Dealing, SameDeals | None]:
    """Return the deals to play, and the games of those who have played them before, or refuse the call."""
    if moment is not None:
        from croupier.server.commands.play_on import dealing_from  # noqa: PLC0415  records, for who asks alone

        if options or deals != 1 or cup:
            wrong("--play-on plays one game on, with the options that it has: -o, --deals and --deals-of say otherwise")
        return dealing_from(moment, rules, seed), None
    if cup is not None:
        from croupier.server.commands.same_deals import the_same_deals  # noqa: PLC0415  only this needs tournaments

        if options or seed is not None:
            wrong("--deals-of plays a tournament's deals with its options: -o and --seed say otherwise")
        same = the_same_deals(cup, rules, deals)
        return same.dealing, same
    return Dealing.by_call(seed, deals), None
