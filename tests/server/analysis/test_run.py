"""The run of an analysis: what is played, kept, and played no second time."""

import pickle
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from unittest.mock import patch

import pytest
from analyses import subject
from recycle import program

from croupier.server import games
from croupier.server.analysis import run as module
from croupier.server.analysis.run import Endless, Run, Sizes, Thought
from croupier.server.analysis.store import Store
from croupier.server.analysis.tables import Job, RulesFailed, Table
from croupier.server.tournaments.keeping.store import StoreError

KUHN = "recycle:kuhn-poker"


def go(folder, *subjects, seconds=None, workers=1):
    """Run an analysis; return all that it has, and the run."""
    with closing(Store(folder)) as store:
        run = Run(store, subjects, seconds)
        run.play(workers)
        return {each.side: run.games(each) for each in subjects}, run


def test_each_table_is_played_on_its_deals(tmp_path):
    """Who sits alone sits in each seat of each deal; at the others nobody does."""
    found, _ = go(tmp_path, subject("sedma", deals=3, thinking=2, searching=1))
    played = {table: [(game.deal, game.place) for game in each] for table, each in found["1"].items()}
    assert played[Table.RANDOM] == played[Table.SENSIBLE] == [(1, -1), (2, -1), (3, -1)]
    assert played[Table.ONE_SENSIBLE] == [(deal, place) for deal in (1, 2, 3) for place in range(4)]
    assert played[Table.ONE_SEARCHING] == [(1, place) for place in range(4)]
    assert played[Table.THINKING] == [(1, -1), (2, -1)]
    assert played[Table.ONE_THINKING] == [(deal, place) for deal in (1, 2) for place in range(4)]
    assert all(len(game.moments) == 32 for game in found["1"][Table.THINKING])
    assert all({moment.seat for moment in game.moments} == {game.place} for game in found["1"][Table.ONE_THINKING])


def test_a_game_without_a_sensible_bot_is_played_without_it(tmp_path):
    """By chance and by who thinks."""
    found, run = go(tmp_path, subject(KUHN, deals=3, thinking=1))
    assert set(found["1"]) == {Table.RANDOM, Table.THINKING, Table.ONE_THINKING}
    assert (run.done, run.planned) == (6, 6)


def test_a_stopped_run_goes_on_to_the_same(tmp_path):
    """Stopped after any job: what is kept is not played again, and the whole is the same as in one go."""
    whole, _ = go(tmp_path / "whole", subject(KUHN))

    class Stopped(Exception):
        pass

    stops = 0
    while True:
        with closing(Store(tmp_path / "parts")) as store:
            run = Run(store, [subject(KUHN)])
            began = []

            def tell(done, planned, table, began=began):
                began.append(done)
                if len(began) > 1:
                    raise Stopped

            run.tell = tell
            try:
                run.play(1)
            except Stopped:
                stops += 1
                assert began[1] > began[0]
                continue
            assert run.games(subject(KUHN)) == whole["1"]
            break
    assert stops >= 5


def test_more_deals_are_played_beside_those_that_are_there(tmp_path):
    """The same games and more of them."""
    few, _ = go(tmp_path, subject(KUHN, deals=3, thinking=1))
    more, _ = go(tmp_path, subject(KUHN, deals=5, thinking=2))
    assert all(more["1"][table][: len(each)] == each for table, each in few["1"].items())
    assert {table: len(each) for table, each in more["1"].items()} == {
        Table.RANDOM: 5, Table.THINKING: 2, Table.ONE_THINKING: 4
    }  # fmt: skip
    assert go(tmp_path, subject(KUHN, deals=3, thinking=1))[0] == few


def test_worker_processes_play_the_same(tmp_path):
    """On two cores and in this process alone."""
    whole = subject(KUHN, searching=3)
    assert go(tmp_path / "a", whole, workers=2)[0] == go(tmp_path / "b", whole)[0]


@pytest.mark.parametrize("workers", [1, 2])
def test_when_time_is_up_what_was_played_is_told(tmp_path, workers):
    """What was begun is kept, told from the first deal on, and the rest left."""
    found, run = go(tmp_path, subject(KUHN, deals=3, thinking=50), seconds=1e-9, workers=workers)
    assert run.out_of_time
    assert not found["1"].get(Table.THINKING)
    found, run = go(tmp_path, subject(KUHN, deals=3, thinking=50))
    assert not run.out_of_time
    assert len(found["1"][Table.THINKING]) == 50


def test_a_gap_ends_what_is_told(tmp_path):
    """A deal that only one of the thinking tables has is not told yet; the searching one goes its own way."""
    with closing(Store(tmp_path)) as store:
        one = subject(KUHN, deals=2, thinking=3, searching=3)
        run = Run(store, [one])
        for table, deals in {Table.RANDOM: (1, 2), Table.THINKING: (1, 2, 3), Table.ONE_THINKING: (1, 3)}.items():
            store.keep("1", table, Job(one.setting, table, deals).play(lambda: False))
        found = run.games(one)
        assert [game.deal for game in found[Table.THINKING]] == [1]
        assert {game.deal for game in found[Table.ONE_THINKING]} == {1}
        assert not found[Table.ONE_SEARCHING]


def test_a_job_whose_worker_died_is_played_again(tmp_path):
    """Nothing is lost and nothing comes twice; one that dies every time ends the run in a sentence."""

    class Dying(module.Alone):
        def __init__(self, times):
            self.times = times

        def submit(self, job):
            self.times -= 1
            if self.times % 2 or self.times > 100:
                lost = Future()
                lost.set_exception(BrokenProcessPool())
                return lost
            return super().submit(job)

    whole, _ = go(tmp_path / "whole", subject(KUHN))
    with closing(Store(tmp_path / "dying")) as store:
        run = Run(store, [subject(KUHN)])
        run.play(crew=Dying(20))
        assert run.games(subject(KUHN)) == whole["1"]
    with closing(Store(tmp_path / "dead")) as store, pytest.raises(StoreError, match="die again and again"):
        Run(store, [subject(KUHN)]).play(crew=Dying(1000))


def test_a_folder_is_held_by_one_analysis(tmp_path):
    """The second is told so, and gets it when the first is done."""
    with closing(Store(tmp_path)), pytest.raises(StoreError, match="another analysis is at work"):
        Store(tmp_path)
    Store(tmp_path).close()


def test_a_folder_keeps_to_what_it_was_begun_with(tmp_path):
    """Other options, seed, worlds or rules are other games: what differs is named."""
    go(tmp_path, subject("sedma", deals=1, thinking=0))
    for changed in ({"options": {"rounds": "many"}}, {"seed": "other"}, {"worlds": 3}, {"game": "jass"}):
        how = {"game": "sedma", "deals": 1, "thinking": 0} | changed
        with pytest.raises(StoreError, match=r"holds games played otherwise.*name another folder"):
            go(tmp_path, subject(**how))


def test_a_file_that_is_no_analysis_is_refused(tmp_path):
    """Whatever lies there is not written to."""
    (tmp_path / "analysis.db").write_bytes(b"no database at all, but long enough to be one " * 30)
    with pytest.raises(StoreError, match="not a database"):
        Store(tmp_path)
    assert (tmp_path / "analysis.db").read_bytes().startswith(b"no database")
    (tmp_path / "analysis.db").unlink()
    (tmp_path / "analysis.db").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="is a link"):
        Store(tmp_path)


def test_a_program_that_is_changed_while_it_is_played_ends_the_run(tmp_path):
    """Its games would be of two games."""
    file = tmp_path / "small.gdl"
    text = program("(choice ((inc ((0 player) sto S) 1) (inc ((1 player) sto S) 1)))", "((current player) sto S)")
    file.write_text(text)
    begun = subject(str(file))
    file.write_text(text.replace("S) 1)", "S) 2)"))
    with pytest.raises(RulesFailed, match="changed while it was played"):
        go(tmp_path / "out", begun)


def test_rules_that_fail_end_the_run_in_a_sentence(tmp_path):
    """It says where, and is raised by a worker process, too."""

    class Failing(games.find("sedma")):
        def copy(self):
            return 1 / 0

    with patch.object(games, "find", lambda _: Failing), pytest.raises(RulesFailed) as failed:
        go(tmp_path, subject("sedma", deals=1))
    assert "sedma: the rules, or who sits there, failed at the table thinking, deal 1, seed tests" in str(failed.value)
    assert str(pickle.loads(pickle.dumps(failed.value))) == str(failed.value)


def test_a_game_that_never_ends_is_refused(tmp_path):
    """Before anything is played, with the reason."""
    file = tmp_path / "endless.gdl"
    file.write_text(program("(stage player (end (== 1 2)) (choice ((inc (game sto S) 1))))"))
    with pytest.raises(Endless, match="comes to an end: more than 500 choices"):
        _settled(str(file))


def test_long_games_are_thought_about_in_fewer_worlds(tmp_path):
    """As many as can be afforded, no more than usual and at least two; who names a number gets it."""
    assert _settled(KUHN)[-3:] == (10, 100, None)
    worlds, playouts, _ = _settled("recycle:expeditions")[-3:]
    assert 2 <= worlds < 10 <= playouts < 100
    assert _settled("recycle:expeditions", Thought(7, 300, 5))[-3:] == (7, 300, 5)


def _settled(game, how=None):
    rules = games.find(game)
    options, how = rules.read_options({}), how or Thought()
    return module.subject("1", game, rules, options, rules.SEATS[0], "s", Sizes(1, 1, 1), how).setting
