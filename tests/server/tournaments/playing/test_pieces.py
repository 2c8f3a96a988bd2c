"""Batches in pieces: between two seatings of a deal other batches begin, and the results are the same."""

from collections import deque
from concurrent.futures import Future
from itertools import pairwise
from queue import SimpleQueue

import pytest
from contests import Here, contest, document, played, pretend, settings

from croupier.server.tournaments.entering.fingerprint import ProgramChanged
from croupier.server.tournaments.keeping.packed_games import PackedGames
from croupier.server.tournaments.playing.pieces import InPieces


def jobs_of(folder, wrap=lambda crew: crew, **keys):
    """Play a tournament of six batches; return what its worker was given, in order."""
    crew = Here(pretend())
    assert contest(folder, settings(deals=60, max_fault_share=1, **keys), wrap(crew)).complete
    return crew


def test_it_changes_nothing_of_the_table(tmp_path):
    """Each game is played once, and kept with its batch."""
    apart, whole = jobs_of(tmp_path / "apart", InPieces), jobs_of(tmp_path / "whole")
    assert sorted(played(apart)) == sorted(played(whole))
    assert len(apart.jobs) == 4 * len(whole.jobs)
    assert document(tmp_path / "apart") == document(tmp_path / "whole")
    links = [(tmp_path / folder / "manifest.json").read_text() for folder in ("apart", "whole")]
    assert links[0] == links[1]


class Slow:
    """A worker whose pieces are done when the test says so."""

    number = 1
    lost = ()

    def __init__(self):
        self.given = SimpleQueue()

    def submit(self, job):
        """Take a piece."""
        future = Future()
        self.given.put((job, future))
        return future

    def close(self):
        """Have nothing to close."""


def test_between_two_seatings_of_a_deal_other_batches_come(tmp_path):
    """While there are others, not always as many; no deal comes twice in a piece, nor twice to one machine of four."""
    worker, pieces = Slow(), []
    crew = InPieces(worker)
    promised = [crew.submit(job) for job in jobs_of(tmp_path).jobs]
    for _ in range(4 * len(promised)):
        job, future = worker.given.get(timeout=300)
        pieces.append((job.turn, {deal for _, deal in job.games}))
        assert len(pieces[-1][1]) == len(job.games)
        future.set_result(PackedGames())
    assert [each.result(20) for each in promised] == [[]] * 6
    crew.close()
    distances = []
    for deal in (1, 11, 21):
        places = [place for place, (_, deals) in enumerate(pieces) if deal in deals]
        assert sorted(pieces[place][0] % 4 for place in places) == [0, 1, 2, 3]
        distances += [later - place for place, later in pairwise(places)]
    assert min(distances) > 1
    assert len(set(distances)) > 1


def test_the_next_piece_waits_for_a_worker_that_is_at_work(tmp_path):
    """Also one that is not due yet, where one of another batch lies between it and the last of its own."""
    worker = Slow()
    crew = InPieces(worker)
    promised = [crew.submit(job) for job in jobs_of(tmp_path).jobs]
    given = deque()
    for number in range(24):
        while len(given) < (2 if number < 18 else 1):
            given.append(worker.given.get(timeout=300))
        given.popleft()[1].set_result(PackedGames())
    assert [each.result(20) for each in promised] == [[]] * 6
    crew.close()


def test_what_is_played_at_once_stays_together(tmp_path):
    """A piece would have one seating alone."""
    assert len(jobs_of(tmp_path, InPieces, isolate="strict").jobs) == 6


@pytest.fixture
def job(tmp_path):
    """A batch."""
    return jobs_of(tmp_path).jobs[0]


def test_a_program_that_changes_keeps_what_was_played_before(job):
    """In all pieces of its batch, in their order."""
    pieces = []

    def play(piece, stopped):
        pieces.append(piece)
        games = pretend()(piece, stopped)
        if len(pieces) > 1:
            raise ProgramChanged("ann", PackedGames(games[:1]))
        return games

    crew = InPieces(Here(play))
    with pytest.raises(ProgramChanged) as changed:
        crew.submit(job).result(20)
    crew.close()
    assert changed.value.name == "ann"
    assert [game.deal for game in changed.value.games] == [
        *(deal for _, deal in pieces[0].games),
        *(piece.games[0][1] for piece in pieces[1:]),
    ]


def test_a_piece_that_fails_fails_its_batch(job):
    """With the same error; what is lost with a worker is handed out again whole."""

    def play(piece, stopped):
        raise MemoryError("too little")

    crew = InPieces(Here(play))
    with pytest.raises(MemoryError, match="too little"):
        crew.submit(job).result(20)
    crew.close()
