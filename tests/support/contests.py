"""Small tournaments: fast bots, and crews that play or pretend in this very process."""

import sys
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

from croupier.server import games
from croupier.server.table.faults import Fault, Kind, PlayerFault
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.config import tournament_file
from croupier.server.tournaments.keeping.packed_games import PackedGames
from croupier.server.tournaments.keeping.store import Store
from croupier.server.tournaments.playing import batch
from croupier.server.tournaments.playing.run import Run
from croupier.server.tournaments.report.standing import standing

BOTS = Path(__file__).parent.parent / "bots"
QUICK = BOTS / "quick.py"


def bot(name, how="first", *words, program=QUICK, **more):
    """Enter a bot that plays at once."""
    return {"name": name, "command": [sys.executable, "-S", "-E", *map(str, (program, how, *words))], **more}


FOUR = [bot("ann", "first"), bot("ben", "last"), bot("cat", "mixed"), bot("dan", "mixed")]


def settings(bots=None, *changes, **keys):
    """Make settings for a little Hearts."""
    document = {"game": "hearts", "options": {"pass": "none"}, "seed": "contest", "deals": 4, "bots": bots or FOUR}
    return tournament_file.build(document | keys, changes)


class Here:
    """A crew of one that plays in this process, when asked for the result."""

    number = 1
    lost = (OSError,)

    def __init__(self, play=batch.play):
        self.play = play
        self.jobs = []
        self.stopped = False

    def submit(self, job):
        """Take a job; it is played at once."""
        self.jobs.append(job)
        future = Future()
        try:
            future.set_result(self.play(job, lambda: self.stopped))
        except Exception as problem:  # noqa: BLE001  as an executor does
            future.set_exception(problem)
        return future

    def stop(self):
        """Play no more."""
        self.stopped = True

    def drop(self):
        """Have nothing in flight."""

    def close(self):
        """Have nothing to close."""


def pretend(score=lambda name, deal: len(name), times=None, wrote=None):
    """Make a player of batches that plays nothing: each entry scores what ``score`` says, a minus is a fault.

    ``times`` is the histogram of thinking times of each seat of each game, ``wrote`` returns a bot's standard error.
    """

    def play(job, stopped):
        games_played = []
        for seating, deal in job.games:
            scores = [99 if name in job.absent else score(name, deal) for name in seating]
            kinds = [Kind.WITHDRAWN if value == 99 else Kind.CRASHED if value < 0 else None for value in scores]
            faults = tuple(PlayerFault(seat, Fault(kind, "pretended")) for seat, kind in enumerate(kinds) if kind)
            scores = tuple(map(abs, scores))
            ranks = tuple(1 + sum(other < mine for other in scores) for mine in scores)
            game = PlayedGame(job.pairing, deal, seating, scores, ranks, faults, decisions=52, record=("(record 1)",))
            if times:
                game = game._replace(times=(times,) * len(seating))
            if wrote:
                game = game._replace(errors=tuple(map(wrote, seating)))
            games_played.append(game)
        return PackedGames(games_played).pack()

    return play


def contest(folder, asked, crew=None, **how):
    """Play a tournament in this process; return its run."""
    crew = crew or Here()
    run = Run(asked, games.find(asked.game), folder, crew=lambda *_: crew, **how)
    with closing(run.store):
        run.complete = run.play()
    return run


def document(folder):
    """Return the standings of a folder as ``--json`` prints them, thinking times apart."""
    with closing(Store(folder, new=False)) as store:
        table = standing(store).document()
    for player in table["players"]:
        del player["milliseconds"]
    return table


def played(crew):
    """List the (pairing, seating, deal) of each game that a crew was given."""
    return [(job.pairing, seating, deal) for job in crew.jobs for seating, deal in job.games]
