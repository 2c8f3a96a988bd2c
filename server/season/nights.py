"""Nights: one run of a season, which judges what is new and continues the tournament of each game."""

from __future__ import annotations

import time
from contextlib import closing, nullcontext
from typing import TYPE_CHECKING

from msgspec.structs import replace as changed

from croupier.server.season.authors import listing, look_at, take_stock
from croupier.server.season.folder import BadSeason, Night
from croupier.server.season.judging import NoProgram, bot_for, judge, terms_of
from croupier.server.tournaments.entering.enrolment import entries_of, with_program
from croupier.server.tournaments.keeping.folder import DATABASE
from croupier.server.tournaments.keeping.spent import Spent
from croupier.server.tournaments.keeping.store import open_for_reading
from croupier.server.tournaments.playing.run import REFUSALS, Run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from croupier.server.season.folder import Author, Ledger, SeasonFolder, Submission
    from croupier.server.season.judging import Found
    from croupier.server.season.settings import SeasonGame, SeasonSettings
    from croupier.server.tournaments.config.settings import Bot, Settings

_AGAIN = 10.0
"""Seconds that must be left for games to be continued again after all have had their share."""


class SeasonRun:
    """One run of a season in its folder, until its deals are played or its time is used."""

    def __init__(
        self,
        folder: SeasonFolder,
        settings: SeasonSettings,
        *,
        seconds: float | None = None,
        workers: int | None = None,
        is_last: bool = False,
        say: Callable[[str], None] = lambda line: None,
        watch: Callable[[Run], AbstractContextManager[object]] = lambda run: nullcontext(),
    ) -> None:
        self.folder = folder
        self.settings = settings
        self.workers = workers
        self.is_last = is_last
        """Whether no night follows, so that the key of each game that is complete is revealed."""
        self.say = say
        self.watch = watch
        """Makes the context in which a tournament plays: a progress bar, an answer to Ctrl-C."""
        self._ends = None if seconds is None else time.monotonic() + seconds
        self.ledger: Ledger
        self.stopped = False
        """Whether somebody has stopped it: the next run continues this night."""
        self.problems: list[str] = []
        """Why a game could not be played, in sentences."""
        self._unfinished: set[str] = set()

    def play(self) -> Night:
        """Judge what is new, then play; return the night. Raise BadSeason if that cannot begin."""
        with self.folder.lock():
            self.ledger = self.folder.read_ledger()
            self._judge_all()
            night = self._open_night()
            self._play_all(night)
            return self._night()

    def _night(self) -> Night:
        return self.ledger.nights[-1]

    def _keep(self, ledger: Ledger) -> None:
        """Write the ledger, after which nothing in it is done again."""
        self.ledger = ledger
        self.folder.write_ledger(ledger)

    def _left(self) -> float | None:
        """Return the seconds that are left, None if there is no limit."""
        return None if self._ends is None else self._ends - time.monotonic()

    def _is_over(self) -> bool:
        return self._ends is not None and time.monotonic() >= self._ends

    def _judge_all(self) -> None:
        """Judge each new or changed submission, and write down each as soon as it is judged."""
        found, strange = listing(self.folder.submissions)
        for line in strange:
            self.say(line)
        self._keep(take_stock(self.ledger, found, self.settings.games))
        for author in self.ledger.authors:
            if author.gone:
                continue
            here = look_at(found[author.stem])
            if not self._is_new(author, here):
                continue
            if self._is_over():
                self.say("the time is used: what has not been judged yet waits for the next night")
                return
            submission = judge(self.folder, author, here, self.settings.games)
            known = changed(author, submissions=(*author.submissions, submission))
            self._keep(self.ledger.with_author(known))
            for line in sentences(author, submission):
                self.say(line)

    def _is_new(self, author: Author, found: Found) -> bool:
        """Return whether this has not been judged yet: it has changed, or the terms by which it was sent back have."""
        last = author.submissions[-1] if author.submissions else None
        if last is None or last.sha256 != found.sha256:
            return True
        entered = all(last.has_entered(game.name) for game in self.settings.games)
        return bool(last.terms) and not entered and last.terms != terms_of(self.settings.games)

    def _open_night(self) -> Night:
        """Continue the night that was not ended, or begin the next."""
        nights = self.ledger.nights
        if not nights or nights[-1].ended is not None:
            games = nights[-1].games if nights else {}
            self._keep(self.ledger.with_night(Night(number=len(nights) + 1, began=time.time(), games=games)))
        return self._night()

    def _play_all(self, night: Night) -> None:
        """Give each game its share of the time by its weight, then what is left to those that could use more."""
        hungry = self._play_in_turn(night, self.settings.games)
        while hungry and not self.stopped and (self._left() or 0) > _AGAIN:
            hungry = self._play_in_turn(night, hungry)
        if not self.stopped:
            unfinished = tuple(game.name for game in self.settings.games if game.name in self._unfinished)
            self._keep(self.ledger.with_night(changed(self._night(), ended=time.time(), unfinished=unfinished)))

    def _play_in_turn(self, night: Night, games: Sequence[SeasonGame]) -> list[SeasonGame]:
        """Continue each game's tournament; return the games that have used their share of the time before their end."""
        hungry = []
        for at, game in enumerate(games):
            left = self._left()
            share = None if left is None else left * game.weight / sum(each.weight for each in games[at:])
            if not self.stopped and self._continue(night, game, share):
                hungry.append(game)
        return hungry

    def _continue(self, night: Night, game: SeasonGame, seconds: float | None) -> bool:
        """Continue a game's tournament; return whether it has used these seconds before its end."""
        self._unfinished.add(game.name)
        if seconds is not None and seconds <= 0:
            return True
        try:
            run = self._run(night, game, seconds)
            with closing(run.store), self.watch(run):
                if run.play():
                    self._unfinished.remove(game.name)
        except (*REFUSALS, BadSeason) as problem:
            self.problems.append(f"{game.name}: {problem}")
            return False
        self.stopped = run.stopped
        night = self._night()
        self._keep(self.ledger.with_night(changed(night, games=night.games | {game.name: run.progress.games})))
        return run.used_up

    def _run(self, night: Night, game: SeasonGame, seconds: float | None) -> Run:
        """Return the run that continues a game's tournament, for at most these seconds beyond what it has used."""
        place, rules = self.folder.tournament(game.name), game.rules
        settings = with_program(self._with_bots(game.until_night(night.number), game), rules)
        budget = None if seconds is None else f"{_used(place) + max(seconds, 1):.0f}s"
        workers = self.workers or settings.workers
        settings = changed(settings, budget=budget, workers=workers, goes_on=not self.is_last)

        def say(lines: Sequence[str]) -> None:
            for line in lines:
                self.say(f"{game.name}: {line}")

        return Run(settings, rules, place, say=say, vault=self.folder.games)

    def _with_bots(self, terms: Settings, game: SeasonGame) -> Settings:
        """Return the terms with all who play a game: the season's own bots, and each author's last good submission."""
        bots = (*game.bots, *self._authors_bots(game))
        if not bots:
            raise BadSeason("nobody plays it yet")
        try:
            settings = changed(terms, bots=bots)
        except ValueError:  # somebody has come whose name looks like the title of another
            plain = tuple(changed(bot, title="") for bot in bots)
            settings = changed(terms, bots=plain)
        unable = entries_of(settings)[1]
        for why in unable.values():
            self.say(f"{game.name}: {why}")
        return changed(settings, bots=tuple(bot for bot in settings.bots if bot.name not in unable))

    def _authors_bots(self, game: SeasonGame) -> Iterator[Bot]:
        for author in self.ledger.authors:
            submission = author.in_play(game.name)
            if submission is None:
                continue
            try:
                yield bot_for(self.folder, author, submission, game)
            except (NoProgram, ValueError) as problem:  # season.toml looks for programs elsewhere by now
                self.say(f"{game.name}: {author.name} does not play: {problem}")


def sentences(author: Author, submission: Submission) -> list[str]:
    """Return what became of a submission, in a line for each game."""
    who = f"{author.name} {submission.number} ({submission.file})"
    if submission.refused:
        return [f"{who}: sent back: {submission.refused}"]
    return [
        f"{who}: {game}: {'entered' if trial.entered else f'sent back: {trial.reason}'}"
        for game, trial in submission.trials.items()
    ]


def _used(place: Path) -> float:
    """Return the seconds that a tournament has used so far."""
    if not (place / DATABASE).exists():
        return 0.0
    with open_for_reading(place) as store:
        return Spent.read(store).seconds
