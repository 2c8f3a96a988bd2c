"""Answers: what each player of a recorded game answered when he was asked, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.protocol import record as lines

if TYPE_CHECKING:
    from croupier.server.table.scripted_seat import Answered


def answers(text: str) -> dict[str, list[Answered]]:
    """List each player's plays and, as the last, his fault; raise BadRecord where the text is no record.

    After a fault nobody was asked: what stands below it was played by a stand-in.
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
    """List the lines of a record that say what was played, by whomever: stand-ins too."""
    return [line for line in text.splitlines() if line.startswith(("(play ", "(defense "))]


def course(text: str) -> tuple[str, ...]:
    """Return what was played, by seats instead of names: the same of games that went the same, whoever sat there."""
    header = next((line for line in text.splitlines() if line.startswith("(players ")), "(players)")
    seats = {name: str(seat) for seat, name in enumerate(header[1:-1].split()[1:])}
    parts = (line.split(" ", 2) for line in decisions(text))
    return tuple(" ".join((kind, seats.get(name, name), play)) for kind, name, play in parts)


def _of(found: dict[str, list[Answered]], name: str, number: int) -> list[Answered]:
    if name not in found:
        raise lines.BadRecord(number, f"nobody here is called {name}")
    return found[name]
