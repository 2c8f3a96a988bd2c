"""Shadow play: fewer games, and not one score that full play would not have given."""

from __future__ import annotations

import shlex
from contextlib import closing

import forger
import pytest
from click.testing import CliRunner
from contests import Here, bot, contest, settings

from croupier.server.cli import cli
from croupier.server.records.answers import course
from croupier.server.records.files import read_records
from croupier.server.tournaments.config.tournament_file import BadConfig
from croupier.server.tournaments.keeping.store import Store
from croupier.server.tournaments.playing import run, shadow
from croupier.server.tournaments.playing.shadow import Unlike
from croupier.server.tournaments.proof.rerun import Rerun
from croupier.server.tournaments.proof.verify import verify

TWO = [bot("old", "first"), bot("new", "patched")]
FIELD = [bot("ann", "last"), bot("ben", "first"), bot("cat", "last")]


@pytest.fixture(autouse=True)
def hardly_seen(monkeypatch):
    """Take over from the second deal on."""
    monkeypatch.setattr(shadow, "PLAYED_FIRST", 1)


def asked(bots, **keys):
    """Make settings for a comparison of the first two."""
    return settings(bots, **{"format": "paired", "deals": 2, "seed": "g", **keys})


def games(folder):
    """Return the result of each game of a folder, and which nobody has played."""
    with closing(Store(folder, new=False)) as store:
        kept = [stored.game for stored in store.games()]
    scores = {(game.pairing, game.deal, game.seating): (game.scores, game.ranks, game.outcome) for game in kept}
    return scores, [game for game in kept if game.shadow]


@pytest.mark.parametrize(("field", "least"), [(FIELD, 2), ([], 4)])
def test_what_is_taken_over_is_what_full_play_gives(tmp_path, field, least):
    """Score by score, on the same deals; and all of it stands the test of its records, with the bots and without."""
    contest(tmp_path / "all", asked([*TWO, *field]))
    contest(tmp_path / "some", asked([*TWO, *field], shadow=True))
    every, none = games(tmp_path / "all")
    same, taken = games(tmp_path / "some")
    assert same == every
    assert none == []
    assert least <= len(taken) < len(every)
    with closing(Store(tmp_path / "some", new=False)) as store:
        assert verify(store).problems == []
        again = Rerun(store, "auto", crew=lambda: Here(lambda job, stopped: job.play(stopped)))
        again.run()
        assert again.problems == []
        assert {found.word.value for found in again.bots.values()} == {"agrees"}
    for words in (["standings"], ["verify"]):
        shown = CliRunner().invoke(cli, [*words, str(tmp_path / "some")]).stdout
        assert f"{len(taken)} games were not played but taken over" in shown


def test_who_goes_by_a_name_is_found_out_and_nothing_is_taken_over(tmp_path):
    """The games that are played to see are not as they were to be: the run says who, and ends."""
    two = [bot("old", "first"), bot("new", "first")]
    with pytest.raises(Unlike, match=r"cat does not answer the same to the same, .*--no-shadow plays all"):
        contest(tmp_path, asked([*two, *FIELD[:2], bot("cat", "mixed")], shadow=True))


def found(folder):
    """List why a folder is wrong."""
    with closing(Store(folder, new=False)) as store:
        return [problem.why for problem in verify(store).problems]


def test_a_game_taken_over_from_none_is_a_forgery(tmp_path):
    """A game marked as copied, in the record alone or in the store too, needs one that was played and went so."""
    contest(tmp_path, asked([*TWO, *FIELD], shadow=True))
    with closing(Store(tmp_path, new=False)) as store:
        courses = {}
        for game, file, place in store.games():
            text = read_records(tmp_path / "records" / file)[place].text
            courses.setdefault((game.deal, course(text)), []).append((file, place, game.shadow))
    file, place, _ = next(kept[0] for kept in courses.values() if len(kept) == 1)
    ((number,),) = forger.change(tmp_path, "SELECT number FROM batches WHERE file = ?", file)
    records = forger.games(tmp_path, number)
    records[place] = records[place].replace("(shuffle", "(shadow)\n(shuffle", 1)
    forger.write(tmp_path, "".join(records), number)
    forger.relink(tmp_path)
    assert found(tmp_path) == ["the store has the mark of a game that nobody played False, the record True"]
    forger.change(
        tmp_path, "UPDATE games SET whys = ? WHERE batch = ? AND place = ?", '[[-1,"shadow",""]]', number, place
    )
    forger.relink(tmp_path)
    assert found(tmp_path) == ["it was taken over, and of the games of its deal that were played none goes so"]


def test_shadow_play_is_for_two_and_without_a_clock_that_runs_down():
    """Other formats, and a bank, whose rest a bot would see, are refused in a sentence."""
    for keys in ({"format": "round-robin"}, {"bank": 1000}, {"isolate": "strict"}):
        with pytest.raises(BadConfig, match="shadow goes with the format paired"):
            asked([*TWO, *FIELD], shadow=True, **keys)


@pytest.mark.parametrize(
    ("name", "how", "said"), [("cat", "last", "were taken over"), ("odd", "mixed", "All games are")]
)
def test_improve_takes_games_over_and_plays_all_where_that_cannot_be(monkeypatch, name, how, said):
    """Status and verdict as ever; who goes by a name, or by chance, is named on standard error."""
    monkeypatch.setattr(run, "local_crew", lambda *_: Here())
    words = [f"{one['name']}={shlex.join(one['command'])}" for one in (*TWO, bot(name, how))]
    against = [word for each in words[2:] for word in ("--against", each)]
    done = CliRunner().invoke(
        cli, ["improve", *words[:2], *against, "--game", "hearts", "-o", "pass=none", "--deals", "2", "--seed", "a"],
        standalone_mode=False,
    )  # fmt: skip
    assert said in done.output
    assert "undecided: new has" in done.output
    assert done.return_value == 1
