"""The season's folder: where everything in it lies, and the ledger of what came and what was decided."""

from __future__ import annotations

import fcntl
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec

from croupier.server.texts import BadText, read_text
from croupier.server.tournaments.keeping.folder import write_durably

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class BadSeason(Exception):
    """A season's folder cannot be used now; the message says why and what to do."""


class Trial(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of a submission at one game."""

    entered: bool
    reason: str = ""
    """Why it was sent back, in one line. The folder of its feedback has the rest."""
    sha256: str = ""
    """Of the program that was entered: its version in the game's tournament has the same."""


class Submission(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One state of an author's folder or archive, numbered from 1 by author."""

    number: int
    file: str
    """The name of the folder or archive in ``submissions/``."""
    sha256: str
    """Of an archive's bytes, or of a folder's files."""
    at: float
    """When it was judged, in seconds since 1970."""
    terms: str = ""
    """SHA-256 of the season's terms by which it was judged; empty if it was refused whatever they are."""
    refused: str = ""
    """Why it was sent back as a whole, in one line: an archive that cannot be unpacked, no program for any game."""
    trials: dict[str, Trial] = {}
    """By the name of the game; a game for which it has no program is missing."""

    @property
    def is_sent_back(self) -> bool:
        """Whether it plays no game."""
        return not any(trial.entered for trial in self.trials.values())

    def has_entered(self, game: str) -> bool:
        """Return whether it was entered at a game."""
        return game in self.trials and self.trials[game].entered


class Author(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An author, whose bot has the same name in every game."""

    name: str
    stem: str
    """The name of the folder, or of the archive without its ending, by which the author is known again."""
    title: str = ""
    """What people read in place of the name, if that differs."""
    submissions: tuple[Submission, ...] = ()
    gone: bool = False
    """Whether ``submissions/`` had nothing of this author when it was last looked at."""

    def in_play(self, game: str) -> Submission | None:
        """Return the submission that plays a game: the last one that was entered, None if there is none."""
        if self.gone:
            return None
        return next((each for each in reversed(self.submissions) if each.has_entered(game)), None)


class Night(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One night of play. A run that was killed leaves it open, and the next run continues it."""

    number: int
    began: float
    """In seconds since 1970."""
    ended: float | None = None
    games: dict[str, int] = {}
    """By game, how many games its tournament held when the night ended: the first ones in the order of play."""
    unfinished: tuple[str, ...] = ()
    """The games whose deals up to this night were not all played when its time was used."""


class Ledger(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that a season remembers beside its tournaments."""

    authors: tuple[Author, ...] = ()
    nights: tuple[Night, ...] = ()

    def with_author(self, author: Author) -> Ledger:
        """Return the ledger with this state of an author, who keeps the place or is added at the end."""
        known = {each.name: each for each in self.authors} | {author.name: author}
        return msgspec.structs.replace(self, authors=tuple(known.values()))

    def with_night(self, night: Night) -> Ledger:
        """Return the ledger with this state of a night."""
        return msgspec.structs.replace(self, nights=(*self.nights[: night.number - 1], night))


class SeasonFolder:
    """The places in a season's folder. Nothing is written into ``submissions/``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.settings = path / "season.toml"
        self.submissions = path / "submissions"
        self.games = path / "games"
        """The tournaments, a folder each."""
        self.programs = path / "programs"
        self.pages = path / "pages"
        self._ledger = path / "season.json"

    def tournament(self, game: str) -> Path:
        """Return the folder of a game's tournament."""
        return self.games / game

    def program(self, author: str, number: int) -> Path:
        """Return the folder into which a submission is unpacked, and where it is built and run."""
        return self.programs / author / str(number)

    def feedback(self, author: str, number: int) -> Path:
        """Return the folder with what an author is told: ``GAME.txt``, ``GAME.stderr`` and ``GAME.build``."""
        return self.path / "feedback" / author / str(number)

    def read_ledger(self) -> Ledger:
        """Return the ledger, an empty one at the beginning; raise BadSeason if it cannot be read."""
        if not self._ledger.exists():
            return Ledger()
        try:
            return msgspec.json.decode(read_text(self._ledger, "utf-8"), type=Ledger)
        except (OSError, BadText, msgspec.DecodeError) as problem:
            raise BadSeason(f"{self._ledger} cannot be read: {problem}") from None

    def write_ledger(self, ledger: Ledger) -> None:
        """Replace the ledger, completely or not at all."""
        write_durably(self._ledger, msgspec.json.format(msgspec.json.encode(ledger), indent=1) + b"\n")

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the folder for one run; raise BadSeason if another run has it."""
        with (self.path / "lock").open("a", encoding="ascii") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise BadSeason(f"another run is at work in {self.path}; let it finish, or stop it") from None
            yield
