"""Fault lines: the report of faults at a table or in a tournament, with equal faults together."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from croupier.server.records.blame import deals_in_words
from croupier.server.records.files import sent_command, show_command
from croupier.server.table.faults import remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from croupier.server.records.blame import Blamed
    from croupier.server.table.faults import Fault

_CAUSES = 8
"""At most this many causes of one player are reported."""


class FaultFiles(NamedTuple):
    """The evidence of a fault: the fault in its record, where the record is, and the bot's standard error.

    ``errors`` is the file of the latter, ``said`` what the bot wrote there after the last question of that game.
    ``meant`` is which play its reply was probably meant to be, in a sentence.
    """

    blamed: Blamed | None = None
    record: Path | None = None
    number: int | None = None
    program: str | None = None
    errors: Path | None = None
    said: str = ""
    meant: str = ""


class Committed(NamedTuple):
    """A fault: its player, its deal, and a function that finds the evidence."""

    name: str
    fault: Fault
    deal: int
    look: Callable[[], FaultFiles]


def fault_lines(faults: Iterable[Committed]) -> dict[str, list[str]]:
    """Return the lines that report each player's faults: deals, cause, decision, bytes, and commands to see more.

    Equal faults are reported once, and only the first of them is looked up; the most frequent come first.
    """
    equal: defaultdict[str, defaultdict[Fault, list[Committed]]] = defaultdict(lambda: defaultdict(list))
    for each in faults:
        equal[each.name][each.fault.plain].append(each)
    return {name: list(_of_player(name, groups.values())) for name, groups in equal.items()}


def _of_player(name: str, groups: Iterable[Sequence[Committed]]) -> Iterator[str]:
    ordered = sorted(groups, key=len, reverse=True)
    hints: set[str] = set()
    for group in ordered[:_CAUSES]:
        yield from _lines(group, group[0].look(), hints)
    if rest := ordered[_CAUSES:]:
        yield f"{name}: {len(rest)} more causes, in {sum(map(len, rest))} games; --json lists them all"


def _lines(group: Sequence[Committed], look: FaultFiles, hints: set[str]) -> Iterator[str]:
    """Yield the lines of equal faults; ``hints`` were already given to this player."""
    first, blamed = group[0], look.blamed
    deals = deals_in_words([each.deal for each in group])
    why, received = (blamed.why, blamed.received) if blamed else (first.fault.description, "")
    yield f"{deals}: {first.name}: {first.fault.kind.value}: {why}"
    if blamed is not None and blamed.occasion:
        yield f"    {f'in deal {first.deal}, ' if len(group) > 1 else ''}{blamed.occasion}"
    hint = look.meant or remedy(first.fault.kind, why, received, look.said)
    if hint and hint not in hints:
        hints.add(hint)
        yield f"    hint: {hint}"
    if look.errors is not None:
        yield f"    its standard error: {look.errors}"
    if look.record is not None:
        yield f"    again: {show_command(look.record, look.number, look.program)}"
        if blamed is not None and blamed.occasion:
            yield f"    sent: {sent_command(look.record, look.number, blamed.name, blamed.question, look.program)}"
