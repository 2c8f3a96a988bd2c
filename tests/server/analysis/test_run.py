"""The run of an analysis: what is played, kept, and played no second time."""

import json
import pickle
import sqlite3
from contextlib import closing
from functools import partial
from unittest.mock import patch

import msgspec
import pytest
from analyses import subject
from contests import Here, contest, pretend, settings
from recycle import program

from croupier.server import games
from croupier.server.analysis.run import AnalysisRun
from croupier.server.analysis.subject import Effort, Endless, Sizes
from croupier.server.analysis.subject import subject as choose
from croupier.server.analysis.tables import RulesFailed, Table
from croupier.server.tournaments.keeping.folder import DATABASE, RECORDS
from croupier.server.tournaments.keeping.store import Store, StoreError
from croupier.server.tournaments.report.standing import standing
from croupier.server.tournaments.workers import Workers

KUHN = "recycle:kuhn-poker"


def here(times=0):
    """Return a crew of this process, whose worker dies a number of times, every second time that it is asked."""

    def play(job, stopped):
        nonlocal times
        times -= 1
        if times > 0 and times % 2:
            raise OSError
        return job.play(stopped)

    return Here(play)


def go(folder, subject, **how):
    """Run an analysis in this process; return all that it has, and the run."""
    run = AnalysisRun(subject, folder, **how)
    return run.play(crew=here()), run


def test_each_table_is_played_on_its_deals(tmp_path):
    """The one player sits in each seat of each deal; other tables have none."""
    found, _ = go(tmp_path, subject("sedma", deals=3, thinking=2, searching=1))
    played = {table: [(game.deal, game.place) for game in each] for table, each in found.items()}
    assert played[Table.RANDOM] == played[Table.SENSIBLE] == [(1, -1), (2, -1), (3, -1)]
    assert played[Table.ONE_SENSIBLE] == [(deal, place) for deal in (1, 2, 3) for place in range(4)]
    assert played[Table.ONE_SEARCHING] == [(1, place) for place in range(4)]
    assert played[Table.THINKING] == [(1, -1), (2, -1)]
    assert played[Table.ONE_THINKING] == [(deal, place) for deal in (1, 2) for place in range(4)]
    assert all(len(game.moments) == 32 for game in found[Table.THINKING])
    assert all({moment.seat for moment in game.moments} == {game.place} for game in found[Table.ONE_THINKING])


def test_a_game_without_a_sensible_bot_is_played_without_it(tmp_path):
    """By chance and by who thinks."""
    found, run = go(tmp_path, subject(KUHN, deals=3, thinking=1))
    assert set(found) == {Table.RANDOM, Table.THINKING, Table.ONE_THINKING}
    assert (run.progress.games, run.progress.planned) == (6, 6)


def test_a_stopped_run_goes_on_to_the_same(tmp_path):
    """Stopped after any batch: what is kept is not played again, and the whole is the same as in one go."""
    whole, _ = go(tmp_path / "whole", subject(KUHN))

    class Stopped(Exception):
        pass

    def tell(completed, total):
        done.append(completed)
        raise Stopped

    done = []
    while True:
        try:
            found, run = go(tmp_path / "parts", subject(KUHN), tell=tell)
        except Stopped:
            continue
        break
    assert found == whole
    assert done == sorted(set(done))
    assert len(done) >= 5
    assert done[-1] == run.progress.planned


def test_more_deals_are_played_beside_those_that_are_there(tmp_path):
    """The same games and more of them."""
    few, _ = go(tmp_path, subject(KUHN, deals=3, thinking=1))
    more, _ = go(tmp_path, subject(KUHN, deals=5, thinking=2))
    assert all(more[table][: len(each)] == each for table, each in few.items())
    assert {table: len(each) for table, each in more.items()} == {
        Table.RANDOM: 5, Table.THINKING: 2, Table.ONE_THINKING: 4
    }  # fmt: skip
    assert go(tmp_path, subject(KUHN, deals=3, thinking=1))[0] == few


def test_worker_processes_play_the_same(tmp_path):
    """On two cores and in this process alone."""
    whole = subject(KUHN, searching=3)
    assert AnalysisRun(whole, tmp_path / "a").play(workers=2) == go(tmp_path / "b", whole)[0]


@pytest.mark.parametrize("crew", [here, partial(Workers, 2)])
def test_when_time_is_up_what_was_played_is_told(tmp_path, crew):
    """The first deals at random are played in any case, and the rest is left for the next time."""
    run = AnalysisRun(subject(KUHN, deals=30, thinking=50), tmp_path, seconds=0)
    found = run.play(crew=crew())
    assert run.out_of_time
    assert len(found[Table.RANDOM]) >= 25
    assert len(found[Table.THINKING]) < 50
    found, run = go(tmp_path, subject(KUHN, deals=30, thinking=50))
    assert not run.out_of_time
    assert len(found[Table.THINKING]) == 50


def test_a_gap_ends_what_is_told(tmp_path):
    """A deal that only one of the thinking tables has is not told yet; the searching one goes its own way."""
    one = subject(KUHN, deals=2, thinking=3, searching=3)
    go(tmp_path, one)
    lost = [(Table.THINKING, 1), (Table.ONE_SEARCHING, 0)]
    with closing(sqlite3.connect(tmp_path / DATABASE, isolation_level=None)) as db:
        for table, last in lost:
            db.execute("DELETE FROM games WHERE pairing = ? AND deal = ?", (" ".join(table.seatings(2)[0]), last + 1))
    found, _ = go(tmp_path, one, seconds=0)
    assert [game.deal for game in found[Table.THINKING]] == [1]
    assert {game.deal for game in found[Table.ONE_THINKING]} == {1}
    assert not found[Table.ONE_SEARCHING]


def test_a_job_whose_worker_died_is_played_again(tmp_path):
    """Nothing is lost and nothing comes twice; one that dies every time ends the run in a sentence."""
    whole, _ = go(tmp_path / "whole", subject(KUHN))
    assert AnalysisRun(subject(KUHN), tmp_path / "dying").play(crew=here(20)) == whole

    def die(job, stopped):
        raise OSError

    with pytest.raises(StoreError, match="die again and again"):
        AnalysisRun(subject(KUHN), tmp_path / "dead").play(crew=Here(die))


def test_a_folder_is_held_by_one_analysis(tmp_path):
    """The second is told so, and gets it when the first is done."""
    at_work = pytest.raises(StoreError, match="another run is at work")
    with closing(Store(tmp_path)) as store, store.lock(), at_work:
        go(tmp_path, subject(KUHN))
    go(tmp_path, subject(KUHN))


def test_a_folder_keeps_to_what_it_was_begun_with(tmp_path):
    """Other options, seed, worlds or rules are other games: what differs is named."""
    go(tmp_path, subject("sedma", deals=1, thinking=0))
    for changed in ({"options": {"rounds": "many"}}, {"seed": "other"}, {"worlds": 3}, {"game": "jass"}):
        how = {"game": "sedma", "deals": 1, "thinking": 0} | changed
        with pytest.raises(StoreError, match=r"holds games played otherwise.*name another folder"):
            go(tmp_path, subject(**how))


def test_a_folder_that_is_no_analysis_is_refused(tmp_path):
    """Whatever lies there is not written to: no database, a link, a tournament."""
    (tmp_path / DATABASE).write_bytes(b"no database at all, but long enough to be one " * 30)
    with pytest.raises(StoreError, match="not a database"):
        go(tmp_path, subject(KUHN))
    assert (tmp_path / DATABASE).read_bytes().startswith(b"no database")
    (tmp_path / DATABASE).unlink()
    (tmp_path / DATABASE).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="is a link"):
        go(tmp_path, subject(KUHN))
    contest(tmp_path / "cup", settings(deals=2), Here(pretend()))
    with pytest.raises(StoreError, match="holds a tournament; name another folder"):
        go(tmp_path / "cup", subject(KUHN))


def test_a_file_of_games_that_is_damaged_is_told(tmp_path):
    """By its name, in a sentence."""
    go(tmp_path, subject(KUHN))
    file = min((tmp_path / RECORDS).iterdir())
    for content in (b"", file.read_bytes()[:-9], b"[1, 2]\n" * 30):
        file.write_bytes(content)
        with pytest.raises(StoreError, match=f"{file.name} cannot be read: "):
            go(tmp_path, subject(KUHN))


def test_a_folder_of_an_analysis_is_no_tournament(tmp_path):
    """It is not shown as one, and none is played in it."""
    whole, _ = go(tmp_path, subject(KUHN))
    with closing(Store(tmp_path, new=False)) as store, pytest.raises(StoreError, match="holds an analysis, which only"):
        standing(store)
    with pytest.raises(StoreError, match="holds an analysis, which only"):
        contest(tmp_path, settings(deals=2), Here(pretend()))
    assert go(tmp_path, subject(KUHN))[0] == whole


def test_a_program_that_is_changed_while_it_is_played_is_played_as_it_was(tmp_path):
    """Its games would be of two games; the next time it has changed."""
    file = tmp_path / "small.gdl"
    text = program("(choice ((inc ((0 player) sto S) 1) (inc ((1 player) sto S) 1)))", "((current player) sto S)")
    file.write_text(text)
    begun, again = subject(str(file)), subject(str(file))
    whole, _ = go(tmp_path / "whole", begun)
    file.write_text(text.replace("S) 1)", "S) 2)"))
    assert AnalysisRun(again, tmp_path / "out").play(workers=1) == whole
    with pytest.raises(StoreError, match=r"played otherwise.*rules"):
        go(tmp_path / "out", subject(str(file)))


def test_what_an_earlier_croupier_kept_is_shown(tmp_path):
    """Up to the first gap, and if it was played alike; it is not written to, and what is no such file is refused."""
    whole, _ = go(tmp_path / "new", subject(KUHN, thinking=3))
    (tmp_path / "1").mkdir()
    file = tmp_path / "analysis.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("CREATE TABLE settings (side TEXT PRIMARY KEY, setting TEXT NOT NULL) STRICT")
        db.execute("CREATE TABLE games (side TEXT, seated TEXT, deal INTEGER, place INTEGER, game TEXT) STRICT")
        db.execute("INSERT INTO settings VALUES ('1', ?)", (json.dumps(subject(KUHN).setting._asdict()),))
        for table, played in whole.items():
            for game in played:
                values = ("1", table, game.deal, game.place, msgspec.json.encode(game).decode())
                db.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?)", values)
        db.execute("DELETE FROM games WHERE seated = 'thinking' AND deal = 3")
    before = file.read_bytes()
    found, run = go(tmp_path / "1", subject(KUHN, thinking=3))
    assert not run.out_of_time
    assert found == {
        table: [game for game in each if not table.thinks or game.deal < 3] for table, each in whole.items()
    }
    assert file.read_bytes() == before
    with pytest.raises(StoreError, match="played otherwise"):
        go(tmp_path / "1", subject(KUHN, seed="other"))
    with pytest.raises(StoreError, match="holds no games of this"):
        go(tmp_path / "2", subject(KUHN, side="2"))
    file.write_bytes(b"no database at all, but long enough to be one " * 30)
    with pytest.raises(StoreError, match=r"analysis.db cannot be read.*name another folder"):
        go(tmp_path / "1", subject(KUHN))


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
    assert _settled("recycle:expeditions", Effort(7, 300, 5))[-3:] == (7, 300, 5)


def _settled(game, how=None):
    rules = games.find(game)
    options, how = rules.read_options({}), how or Effort()
    return choose("1", game, rules, options, rules.SEATS[0], "s", Sizes(1, 1, 1), how).setting
