"""Judging: a submission is unpacked, built in the sandbox and checked, and then enters a game or is sent back."""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from croupier.server.conformance import Demands
from croupier.server.conformance.examination import examine
from croupier.server.entries import BadEntry
from croupier.server.processes.sandbox import SandboxSettings
from croupier.server.processes.temporary_folder import wipe
from croupier.server.season.archives import Refused, take
from croupier.server.season.folder import Submission, Trial
from croupier.server.table.ability import inability
from croupier.server.tournaments.config.globs import bot_table
from croupier.server.tournaments.config.settings import Bot
from croupier.server.tournaments.entering.building import run_build
from croupier.server.tournaments.entering.enrolment import entry_of
from croupier.server.tournaments.entering.fingerprint import fingerprint
from croupier.server.tournaments.keeping.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from croupier.server.season.folder import Author, SeasonFolder
    from croupier.server.season.settings import SeasonGame

_JUDGED_BY = ("options", "time", "bank", "start", "sandbox", "memory", "freeze")
"""The terms of a game that decide what becomes of a submission."""


class NoProgram(ValueError):
    """An author's folder has no program for a game, or several; the message says which."""


class Found(NamedTuple):
    """What lies in ``submissions/`` for an author, with its hash or why it cannot be taken."""

    path: Path
    sha256: str
    refused: str = ""

    @classmethod
    def refusal(cls, path: Path, why: str) -> Found:
        """Return what cannot be taken; as long as the reason is the same, it is the same."""
        return cls(path, hashlib.sha256(why.encode()).hexdigest(), why)


def terms_of(games: Sequence[SeasonGame]) -> str:
    """Return SHA-256 of the terms by which submissions are judged: what was sent back under others is judged again."""
    what = [
        (game.name, game.terms.game, game.submissions, *(getattr(game.terms, key) for key in _JUDGED_BY))
        for game in games
    ]
    return hashlib.sha256(repr(what).encode()).hexdigest()


def judge(folder: SeasonFolder, author: Author, found: Found, games: Sequence[SeasonGame]) -> Submission:
    """Return what becomes of a new submission at each game; its program stays in the season's folder if it plays."""
    number = len(author.submissions) + 1
    place, feedback = folder.program(author.name, number), folder.feedback(author.name, number)
    wipe(place)
    wipe(feedback)
    submission = Submission(
        number=number,
        file=found.path.name,
        sha256=found.sha256,
        at=time.time(),
        refused=found.refused,
    )
    if not submission.refused:
        try:
            take(found.path, place)
        except Refused as problem:
            submission = msgspec.structs.replace(submission, refused=str(problem))
    if not submission.refused:
        submission = _at_all_games(submission, folder, author, games)
    if submission.is_sent_back:
        wipe(place)
    return submission


def _at_all_games(
    submission: Submission, folder: SeasonFolder, author: Author, games: Sequence[SeasonGame]
) -> Submission:
    trials: dict[str, Trial] = {}
    missing: list[str] = []
    for game in games:
        try:
            bot = bot_for(folder, author, submission, game)
        except NoProgram as problem:
            missing.append(str(problem))
        except ValueError as problem:
            trials[game.name] = Trial(entered=False, reason=str(problem))
        else:
            trial = _try(bot, game, folder.feedback(author.name, submission.number), vault=folder.games)
            places = (folder.program(author.name, submission.number).absolute(), folder.path)
            trials[game.name] = msgspec.structs.replace(trial, reason=_without(places, trial.reason))
    refused = "; ".join(dict.fromkeys(missing)) if not trials else ""
    return msgspec.structs.replace(submission, trials=trials, refused=refused, terms=terms_of(games))


def bot_for(folder: SeasonFolder, author: Author, submission: Submission, game: SeasonGame) -> Bot:
    """Return the bot of a tournament for a submission that was unpacked; raise NoProgram if it has none for this game.

    A single folder around everything, which most programs that pack archives add, is looked into.
    """
    root = folder.program(author.name, submission.number).absolute()
    while root.is_dir() and len(inside := [*root.iterdir()]) == 1 and inside[0].is_dir():
        root = inside[0]
    for table in game.submissions:
        files = sorted(path for path in root.glob(table["glob"]) if path.is_file())
        if len(files) > 1:
            names = ", ".join(str(path.relative_to(root)) for path in files[:3])
            raise ValueError(f"{names} all match {table['glob']}: leave one of them")
        if files:
            try:
                return msgspec.convert(bot_table(table, files[0], author.name, author.title or None), Bot)
            except msgspec.ValidationError as problem:
                raise ValueError(str(problem)) from None
    wanted = " or ".join(table["glob"] for table in game.submissions)
    raise NoProgram(f"there is no program for {game.name}: it must be called {wanted}")


def _without(places: Sequence[Path], text: str) -> str:
    """Return a text without the paths of our folders, which mean nothing to an author."""
    for place in places:
        text = text.replace(f"{place}/", "")
    return text


def _try(bot: Bot, game: SeasonGame, feedback: Path, *, vault: Path) -> Trial:
    """Build a bot and check it at a game; write what its author is told into the folder ``feedback``."""
    rules, terms = game.rules, game.terms
    sandboxing = SandboxSettings(terms.sandbox, terms.memory, terms.freeze, vault=vault.absolute())
    demands = Demands(None, (terms.time or terms.bank) / 1000, terms.start / 1000, sandboxing)
    feedback.mkdir(parents=True, exist_ok=True)
    try:
        if bot.build is not None:
            run_build(bot, feedback / f"{game.name}.build", sandboxing)
        entry = entry_of(bot, terms.memory)
        if (why := inability(entry, rules)) is not None:
            return Trial(entered=False, reason=why)
        result = examine(entry, rules, rules.read_options(terms.options), demands)
        result.write(feedback, game.name, f"{bot.name} at {game.name}")
        if (failed := result.failed) is not None:
            return Trial(entered=False, reason=f"{failed.step.value}: {failed.detail.splitlines()[0]}")
        return Trial(entered=True, sha256=fingerprint(entry))
    except (BadEntry, StoreError) as problem:
        return Trial(entered=False, reason=str(problem).partition("\n")[0])
