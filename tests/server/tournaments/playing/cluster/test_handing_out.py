"""Handing out batches, and what becomes of one when its worker is lost: with a client that plays nothing."""

import asyncio
import time
from collections import Counter
from concurrent.futures import Future

import pytest
from contests import FOUR, Here, contest, pretend, settings
from tables import until

from croupier.server.tournaments.entering.fingerprint import ProgramChanged
from croupier.server.tournaments.keeping.packed_games import PackedGames
from croupier.server.tournaments.playing.cluster import bot_files, crew
from croupier.server.tournaments.playing.cluster.crew import Cluster, WorkerLost
from croupier.server.tournaments.playing.cluster.handshake import Needs


class Answer(Future):
    """A future of Dask's, as far as it is asked."""

    def __init__(self, worker, job):
        super().__init__()
        self.worker = worker
        self.job = job

    @property
    def status(self):
        """Return the word for the result."""
        if self.cancelled():
            return "cancelled"
        return "error" if self.exception() else "finished"

    def play(self):
        """Have it played."""
        self.set_result(pretend()(self.job, None))


class Client:
    """A client of Dask whose workers do what a test says."""

    def __init__(self, **hosts):
        self.hosts = hosts
        self.asked = Counter()
        self.silent = set()
        self.handed_out = []
        self.scheduler = self

    async def identity(self):
        """Return who is there."""
        workers = {each: {"name": each, "host": host, "nthreads": 1} for each, host in self.hosts.items()}
        return {"workers": workers}

    async def run(self, question, *words, workers, on_error):
        """Answer for a worker, unless it is silent."""
        self.asked[workers[0]] += 1
        if workers[0] in self.silent:
            raise OSError
        return {workers[0]: question(*words)}

    def sync(self, call, callback_timeout=None):
        """Call what is asynchronous."""
        return asyncio.run(call())

    def submit(self, play, run, job, *, workers, allow_other_workers, pure):
        """Take a batch for a worker."""
        assert play is bot_files.play
        assert not allow_other_workers
        assert not pure
        self.handed_out.append(Answer(workers[0], job))
        return self.handed_out[-1]

    def close(self, timeout):
        """Have nothing to close."""

    def take(self, number):
        """Wait until this number of batches was handed out; return the last."""
        assert until(lambda: len(self.handed_out) >= number)
        return self.handed_out[number - 1]


@pytest.fixture
def job(tmp_path):
    """A batch of a tournament."""
    here = Here(pretend())
    contest(tmp_path / "cup", settings(FOUR, deals=1), here)
    return here.jobs[0]


@pytest.fixture
def hire(monkeypatch, job):
    """Return a function that makes a cluster of a client; everybody agrees there, and it looks all the time."""
    hired = []
    monkeypatch.setattr(crew, "greet", lambda ask, needs, workers, say: (set(ask(workers, len, "")), {}))
    monkeypatch.setattr(crew, "LOOK", 0.01)

    def hire(client, said=None):
        monkeypatch.setattr(crew, "_connect", lambda address: client)
        needs = Needs(job.sandboxing, "hearts", "", dict(job.entries), dict(job.sha256))
        hired.append(Cluster("tls://here", needs, (said if said is not None else []).extend))
        return hired[-1]

    yield hire
    for cluster in hired:
        cluster.close()


def test_a_deal_s_seatings_go_to_one_machine_after_the_other(hire, job):
    """As long as it has room; then any that has."""
    client = Client(a="1", b="2", c="1")
    cluster = hire(client)
    assert cluster.number == 3
    for turn in (0, 1, 2, 3, 1, 1):
        cluster.submit(crew.replace(job, turn=turn))
    client.take(6)
    assert [client.hosts[answer.worker] for answer in client.handed_out] == ["1", "2", "1", "2", "1", "1"]
    assert Counter(answer.worker for answer in client.handed_out) == {"a": 2, "b": 2, "c": 2}


def test_a_batch_waits_until_a_worker_has_room_and_newcomers_get_it(hire, job):
    """Two for each thread are handed out."""
    client = Client(a="1")
    cluster = hire(client)
    promised = [cluster.submit(job) for _ in range(4)]
    client.take(2)
    assert len(client.handed_out) == 2
    client.hosts["b"] = "2"
    assert {client.take(number).worker for number in (3, 4)} == {"b"}
    assert cluster.number == 2
    for answer in client.handed_out:
        answer.play()
    assert [{game.machine for game in each.result(60)} for each in promised] == [{"a"}, {"a"}, {"b"}, {"b"}]


def test_what_a_worker_had_that_has_gone_is_played_by_another(hire, job):
    """Unless three have gone with it: then the run is told, which tries again or gives up."""
    client = Client(a="1")
    promised = hire(client).submit(job)
    for number, (gone, new) in enumerate(["ab", "bc"], 1):
        client.take(number)
        client.hosts = {new: "1"}
        assert client.take(number + 1).worker == new
        assert client.handed_out[number - 1].worker == gone
    client.handed_out[0].cancel()
    client.hosts = {"d": "1"}
    with pytest.raises(WorkerLost):
        promised.result(60)


@pytest.mark.parametrize("how", ["stranger", "lost"])
def test_a_worker_that_was_started_again_is_greeted_again(hire, job, how):
    """It knows nothing of the run, or what it had played is gone."""
    client = Client(a="1")
    promised = hire(client).submit(job)
    answer = client.take(1)
    asked = client.asked["a"]
    if how == "stranger":
        answer.set_exception(bot_files.UnknownRun())
    else:
        answer.cancel()
        answer.set_running_or_notify_cancel()
    client.take(2).play()
    assert promised.result(60)
    assert client.asked["a"] > asked


def test_a_worker_whose_bots_were_changed_is_greeted_again(hire, job):
    """So that it is sent them; the run is told what was played before."""
    client = Client(a="1")
    cluster = hire(client)
    promised = cluster.submit(job)
    asked = client.asked["a"]
    client.take(1).set_exception(ProgramChanged("ann", PackedGames()))
    with pytest.raises(ProgramChanged):
        promised.result(60)
    assert until(lambda: client.asked["a"] > asked)


def test_a_bot_that_is_entered_again_is_made_known(hire, job):
    """Before a batch of it is handed out."""
    client = Client(a="1")
    cluster = hire(client)
    asked = client.asked["a"]
    entry = crew.replace(job.entries["ann"], name="ann-v2")
    entries = {"ann-v2": entry, **{name: job.entries[name] for name in job.pairing if name != "ann"}}
    cluster.submit(crew.replace(job, pairing=tuple(entries), entries=entries))
    client.take(1)
    assert client.asked["a"] > asked


def test_a_worker_that_never_answers_is_refused(hire):
    """It is asked three times; the others play."""
    client, said = Client(a="1", b="1"), []
    client.silent.add("b")
    cluster = hire(client, said)
    assert until(lambda: said)
    assert said == ["worker b (b) does not play: it does not answer"]
    assert cluster.number == 1


def test_the_first_worker_has_time_to_come(hire, job, monkeypatch):
    """It may be started after the run; the last one is waited for less long."""
    monkeypatch.setattr(crew, "PATIENCE", 0.5)
    client, said = Client(), []
    cluster = hire(client, said)
    promised, began = cluster.submit(job), time.monotonic()
    assert said == ["tls://here has no worker yet: the first has 60 s to come"]
    assert until(lambda: cluster._heard > began + crew.PATIENCE)
    client.hosts["a"] = "1"
    client.take(1)
    client.hosts.clear()
    with pytest.raises(ConnectionError, match="has no worker left: all that was kept is safe"):
        promised.result(60)


def test_a_cluster_to_which_nobody_comes_is_given_up(hire, job, monkeypatch):
    """With the same sentence as one that all have left."""
    monkeypatch.setattr(crew, "ARRIVAL", 0.1)
    with pytest.raises(ConnectionError, match="has no worker left"):
        hire(Client()).submit(job).result(60)


def test_names_of_workers_are_what_people_call_them(monkeypatch):
    """A number beside the machine's name where there are several, and no address."""
    assert crew._machine("gpu-7", "node") == "gpu-7"
    assert crew._machine("tcp://10.0.0.1:3131", "node") == "node"
    assert crew._machine(3, "node") == "node-3"
