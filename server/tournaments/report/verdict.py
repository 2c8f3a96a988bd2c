"""Verdict: what is known about the first place, in plain words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from croupier.server.pages.drawing import number, tag, text

if TYPE_CHECKING:
    from croupier.server.tournaments.statistics.intervals import Interval
    from croupier.server.tournaments.statistics.standings import Difference, Standings

FEW = 3
"""At most this many bots are named; of more only the number is given."""


def verdict(standings: Standings, *, low_wins: bool) -> str:
    """Write who is first, how certain the lead over the second is, and who else is certainly behind."""
    ranked = [player.name for player in standings.players if player.games]
    if len(ranked) < 2:
        return "Nothing has been decided yet."
    first, second, *others = ranked
    facing = rivals(standings, first, low_wins=low_wins)
    said = [f"{strong(first)} is first.", _lead(first, second, facing.get(second))]
    behind = [name for name in others if name in facing and certainly(facing[name]) > 0]
    if behind:
        said.append(f"It is significantly better than {named(behind, len(others))}.")
    return " ".join(said)


def rivals(standings: Standings, name: str, *, low_wins: bool) -> dict[str, Difference]:
    """Return a bot's lead over each that it met, in the order of the table; positive is better."""
    mine = [each if each.one == name else each.opposite for each in standings.cross if name in {each.one, each.other}]
    better = {each.other: replace(each, score=each.score.opposite) if low_wins else each for each in mine}
    return {player.name: better[player.name] for player in standings.players if player.name in better}


def _by(score: Interval) -> str:
    """Return a difference without its sign, in words."""
    half = "" if score.low is None or score.high is None else f" ± {number((score.high - score.low) / 2)}"
    return f"{number(abs(score.mean or 0))}{half} points a game"


def strong(name: str) -> str:
    """Write a name in bold."""
    return tag("strong", text(name))


def _lead(first: str, second: str, found: Difference | None) -> str:
    if found is None or found.score.mean is None or found.score.few:
        return f"{strong(first)} and {strong(second)} have not met often enough to say more."
    if not found.score.mean:
        return f"At the same table {strong(second)} is its equal so far."
    why = "is significant" if found.sure else f"is not yet significant{_doubt(found.score)}"
    if found.score.mean > 0:
        return f"Its lead over {strong(second)} ({_by(found.score)}) {why}."
    return f"But at the same table {strong(second)} is ahead of it ({_by(found.score)}), which {why}."


def _doubt(score: Interval) -> str:
    """Return why a lead is not significant."""
    return ": it may be chance" if score.sign == 0 else ", given how many pairs are compared"


def certainly(found: Difference) -> int:
    """Return 1 or -1 if a difference is significant even though all pairs are compared, else 0."""
    return found.sure * ((found.score.mean or 0) > 0) - found.sure * ((found.score.mean or 0) < 0)


def named(names: list[str], others: int) -> str:
    """Return the names of bots if they are few; else their number."""
    if len(names) > FEW:
        return f"{'all' if len(names) == others else f'{len(names)} of the'} {others} others"
    return " and ".join(filter(None, (", ".join(map(strong, names[:-1])), strong(names[-1]))))
