"""Answers: what each player of a recorded game answered, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.protocol import record as lines

if TYPE_CHECKING:
    from croupier.server.table.scripted_seat import Answered


def answers(text: str) -> dict[str, list[Answered]]:
    """List each player's plays, with a fault as the last one; raise BadRecord if the text is not a record.

    After a fault the bot was not asked again: the plays below it are the stand-in's.
    """
    found: dict[str, list[Answered]] = {}
    faulted: set[str] = set()
    for number, line in lines.read(text):
        match line:
            case lines.Players(names):
                found = {name: [] for name in names}
            case lines.Played(name, play) | lines.Defense(name, play):
                if name not in faulted:
                    _of(found, name, number).append(play)
            case lines.Faulted(name):
                _of(found, name, number).append(line)
                faulted.add(name)
    return found


def decisions(text: str) -> list[str]:
    """List the lines of a record that contain a decision, including those of stand-ins."""
    return [line for line in text.splitlines() if line.startswith(("(play ", "(defense "))]


def course(text: str) -> tuple[str, ...]:
    """Return the decisions with seats in place of names, so that games with the same course compare equal."""
    header = next((line for line in text.splitlines() if line.startswith("(players ")), "(players)")
    seats = {name: str(seat) for seat, name in enumerate(header[1:-1].split()[1:])}
    parts = (line.split(" ", 2) for line in decisions(text))
    return tuple(" ".join((kind, seats.get(name, name), play)) for kind, name, play in parts)


def _of(found: dict[str, list[Answered]], name: str, number: int) -> list[Answered]:
    if name not in found:
        raise lines.BadRecord(number, f"nobody here is called {name}")
    return found[name]
