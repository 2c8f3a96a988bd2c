"""Loose records: the files below a folder, and what each record's lines tell about its game without a replay."""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.protocol import record as lines
from croupier.server import games
from croupier.server.finding.found_game import FoundGame
from croupier.server.games.game import Game, ranks_by_score
from croupier.server.records import notes
from croupier.server.records.files import BadFile, read_records
from croupier.server.records.replay import Invalid, Replay
from croupier.server.table.faults import Fault, Kind, Outcome, PlayerFault, ranks_after, settle
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.keeping.folder import DATABASE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from croupier.server.records.files import RecordText

ENDINGS = (".record", ".records", ".records.gz")
_LINES = re.compile(r"\n\((game|program|players|deal|fault|score|end) (.*)\)(?=\n|$)")
_UNUSUAL = ("  ", "( ", " )", ";", "\t", "\r")
"""Text that we never write; a record that contains it, or an unreadable line, is read line by line."""
_NO_FORM = re.compile(r"\n[^(\n]")
_SCORE = re.compile(r"\(([^ ()]+) (-?\d{1,15})\)")


class NoRecord(ValueError):
    """A text that is not a record of a game; the message says why."""


def below(folder: Path) -> tuple[list[Path], list[Path]]:
    """List tournament folders at or below a folder, and the files of records outside them; links are not followed."""
    cups: list[Path] = []
    files: list[Path] = []
    for here, inside, names in os.walk(folder):
        if DATABASE in names:
            cups.append(Path(here))
            inside.clear()
            continue
        inside.sort()
        files += [Path(here, name) for name in sorted(names) if name.endswith(ENDINGS)]
    return cups, files


class Library:
    """The rules of recorded games, each found once; a program may be beside the record, or one folder above."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, Path | None], type[Game] | None] = {}

    def rules(self, called: str, program: str | None, folder: Path) -> type[Game] | None:
        """Return the rules of a game, None if they are not available."""
        name, place = (called, None) if program is None else (f"recycle:{program.lower()}", folder)
        if (name, place) not in self._known:
            try:
                self._known[name, place] = games.find(name, near=(folder, folder / ".."))
            except (games.NoSuchGame, games.BadGame):
                self._known[name, place] = None
        return self._known[name, place]


def of_file(path: Path, library: Library, *, timed: bool) -> Iterator[FoundGame | str]:
    """Yield the games of a file, or why something in it is not one; ``timed`` includes thinking times from notes."""
    try:
        pieces = read_records(path)
    except OSError as problem:
        yield f"{path}: {problem.strerror}"
        return
    except BadFile as problem:
        yield f"{path}: {problem}"
        return
    for number, piece in enumerate(pieces, 1):
        place = number if len(pieces) > 1 else None
        try:
            yield _of_text(path, place, piece, library, timed=timed)
        except NoRecord as problem:
            yield f"{path}{'' if place is None else f':{place}'}: {problem}"


def _of_text(path: Path, number: int | None, piece: RecordText, library: Library, *, timed: bool) -> FoundGame:
    text = plain(piece.text)
    said: dict[str, list[str]] = {}
    for line in _LINES.finditer(text):
        said.setdefault(line[1], []).append(line[2])
    if "game" not in said or "players" not in said:
        raise NoRecord("it says neither which game nor who plays" if "players" not in said else "it says no game")
    called = said["game"][0].split()[0]
    rules = library.rules(called, said["program"][0].strip() if "program" in said else None, path.parent)
    names = tuple(said["players"][0].split())
    played = _game(said, names)
    played = played._replace(
        ranks=_ranks(played, rules, text),
        decisions=text.count("\n(play ") + text.count("\n(defense ") + (played.outcome is Outcome.FORFEIT),
        thinking=_thinking(path, names) if timed else (),
    )
    return FoundGame(path, number, called, rules, played, partial(str, text))


def plain(text: str) -> str:
    """Return a record's text in our own form, one form per line and one space between words, whatever wrote it."""
    if text.startswith("(") and not any(part in text for part in _UNUSUAL) and not _NO_FORM.search(text):
        return text
    try:
        return "".join(f"{line}\n" for _, line in lines.read(text))
    except lines.BadRecord as problem:
        raise NoRecord(str(problem)) from None


def _game(said: dict[str, list[str]], names: tuple[str, ...]) -> PlayedGame:
    """Return what the lines tell about a game, except its ranks."""
    try:
        kinds = {line.split()[0]: Kind(line.split()[1]) for line in said.get("fault", ())}
        faults = tuple([PlayerFault(names.index(name), Fault(kind, "")) for name, kind in kinds.items()])
        outcome = Outcome(said["end"][0]) if "end" in said else Outcome.INTERRUPTED
        deal = int(said["deal"][0].split()[0]) if "deal" in said else 0
    except (ValueError, IndexError):
        raise NoRecord("its lines are none of a game's") from None
    listed = dict(_SCORE.findall(said["score"][0])) if "score" in said else {}
    scores = tuple([int(listed[name]) for name in names if name in listed])
    return PlayedGame((), deal, names, scores if len(scores) == len(names) else (), (), faults, outcome=outcome)


def _ranks(played: PlayedGame, rules: type[Game] | None, text: str) -> tuple[int, ...]:
    """Rank the players by their scores; a game that breaks ties is replayed if there is one."""
    if rules is None or not played.scores:
        return ()
    if rules.ranks is not Game.ranks and len(set(played.scores)) < len(played.scores):
        try:
            replay = Replay(text, lambda _: rules)
            for _ in replay.steps():
                pass
        except Invalid:
            return ()
        return () if replay.outcome is None else settle(replay.game, replay.offenders, replay.outcome)[1]
    return ranks_after(ranks_by_score(played.scores, low_wins=rules.LOW_WINS), played.offenders)


def _thinking(path: Path, names: Sequence[str]) -> tuple[tuple[float, ...], ...]:
    """Return the seconds of each decision, if notes beside the record have them."""
    try:
        kept = [*notes.read(path.with_suffix(".notes"))]
    except (notes.BadNotes, OSError):
        return ()
    return tuple(
        [tuple([note.seconds for note in kept if note.player == name and note.seconds is not None]) for name in names]
    )
