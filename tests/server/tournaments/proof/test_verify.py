"""Verifying: whatever is changed afterwards is found, and by name."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import sqlite3
from contextlib import closing

import forger
import pytest
from click.testing import CliRunner
from contests import FOUR, Here, bot, contest, settings

from croupier.server import games
from croupier.server.cli import cli
from croupier.server.commands import SCHEMA
from croupier.server.deals import Key
from croupier.server.tournaments.keeping.store import Store
from croupier.server.tournaments.playing import batch
from croupier.server.tournaments.playing.run import Run
from croupier.server.tournaments.proof.verify import verify


@pytest.fixture
def cup(tmp_path):
    """Play a little tournament."""
    contest(tmp_path / "cup", settings(deals=2, public="17 23 42"))
    return tmp_path / "cup"


def checked(folder):
    """Verify a folder."""
    with closing(Store(folder, new=False)) as store:
        return verify(store)


def only_file(folder):
    """Return the one file of records."""
    (path,) = (folder / "records").iterdir()
    return path


def database(folder, *statement):
    """Change the store behind the project's back."""
    with closing(sqlite3.connect(folder / "tournament.db")) as db, db:
        db.execute(*statement)


def rewrite(folder, change):
    """Change the records' text and put the new checksum into the store, as a forger would."""
    path = only_file(folder)
    before = gzip.decompress(path.read_bytes()).decode()
    after = change(before)
    assert after != before
    path.write_bytes(gzip.compress(after.encode()))
    database(folder, "UPDATE batches SET sha256 = ?", (hashlib.sha256(path.read_bytes()).hexdigest(),))
    forger.relink(folder)


def test_a_tournament_that_was_played_is_valid(cup):
    """Key, shuffles, plays and scores agree, the public text mixed in."""
    verdict = checked(cup)
    assert verdict.document() == {
        "valid": True, "finished": True, "files": 1, "games": 8, "key": "revealed", "problems": [],
        "commitment": verdict.bond.commitment, "amendments": [], "not_bound": ["dates"], "luck_not_checked": 0,
        "public": "17 23 42", "link": verdict.link,
    }  # fmt: skip


def test_any_changed_bit_is_found_and_its_file_named(cup):
    """One bit anywhere in a file of records is enough."""
    path = only_file(cup)
    content, dice = path.read_bytes(), random.Random(1)
    for place in [0, 3, 9, len(content) - 1, *dice.sample(range(len(content)), 20)]:
        changed = bytearray(content)
        changed[place] ^= 1 << dice.randrange(8)
        path.write_bytes(changed)
        assert [problem.file for problem in checked(cup).problems][:1] == [path.name], place
    path.write_bytes(content)
    assert checked(cup).valid


def test_a_missing_file_is_named(cup):
    """Records cannot go unnoticed."""
    path = only_file(cup)
    path.unlink()
    (problem,) = checked(cup).problems
    assert (problem.file, problem.why) == (path.name, "the file cannot be read: No such file or directory")


def swapped_hands(text):
    """Give the first two players each other's hands in the first game."""
    lines = text.split("\n")
    place = next(number for number, line in enumerate(lines) if line.startswith("(shuffle"))
    cards = lines[place][len("(shuffle deal ") : -1].split()
    lines[place] = f"(shuffle deal {' '.join(cards[13:26] + cards[:13] + cards[26:])})"
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (swapped_hands, "not the shuffle (deal) that the key gives for deal 1"),
        (lambda text: text.replace("(end finished)", "(end interrupted)", 1), "the game was cut off"),
        (lambda text: text.replace("(deal 1 ", "(deal 2 ", 1), "the store has the deal 1, the record 2"),
        (lambda text: text.replace("(break yes)", "(break no)", 1), "options"),
        (lambda text: text.replace("ann", "abe"), "players"),
        (lambda text: text[: text.rindex("(record 1)")], "7 records where the store has 8 games"),
    ],
)
def test_a_forged_record_is_found_though_its_checksum_is_right(cup, change, why):
    """Each record must be the game that the key, the rules and the store say."""
    rewrite(cup, change)
    problems = checked(cup).problems
    assert why in str(problems[0])
    assert problems[0].file == only_file(cup).name
    assert problems[0].game in {None, "game 1, deal 1"}


def test_changed_scores_in_the_store_are_found(cup):
    """The table cannot be changed without the records."""
    database(cup, "UPDATE games SET scores = '[0,0,0,26]' WHERE place = 3")
    forger.relink(cup)
    (problem,) = checked(cup).problems
    assert problem.game.startswith("game 4, ")
    assert "the store has the scores 0 0 0 26, the record" in problem.why


def test_another_key_is_not_believed(cup):
    """What is revealed must be what was committed to."""
    other = Key.from_seed("other", "17 23 42").secret.hex()
    database(cup, "UPDATE facts SET value = ? WHERE name = 'revealed'", (json.dumps(other),))
    problems = checked(cup).problems
    assert "the store has another key than an end has revealed" in problems[0].why
    assert "not the one committed to" in problems[1].why
    assert "not the shuffle" in problems[2].why


@pytest.fixture
def begun(tmp_path):
    """Play five games of a tournament."""
    crew = Here()

    def some(job, stopped):
        run.stop()
        return batch.play(job, stopped=iter([False] * 5 + [True]).__next__)

    crew.play = some
    run = Run(settings(deals=2), games.find("hearts"), tmp_path, crew=lambda *_: crew)
    assert not run.play()
    run.store.close()
    return tmp_path


def test_before_the_key_is_revealed_who_has_it_checks_the_shuffles(begun):
    """The organizer has the folder's own key; nothing is missing from a plan that is not played to its end."""
    assert checked(begun).document()["key"] == "withheld"
    assert "every shuffle follows" in CliRunner().invoke(cli, ["verify", str(begun)]).stdout
    rewrite(begun, swapped_hands)
    assert "not the shuffle" in str(checked(begun).problems[0])


def test_before_the_key_is_revealed_the_rest_is_checked_and_said(begun):
    """Without a key, shuffles are taken as recorded, and the schedule as played."""
    (begun / "key").unlink()
    assert "not checked yet: the shuffles" in CliRunner().invoke(cli, ["verify", str(begun)]).stdout
    rewrite(begun, swapped_hands)
    (problem,) = checked(begun).problems
    assert "game 1, deal " in str(problem)
    assert "not the shuffle" not in str(problem)


def test_a_stand_in_plays_what_the_key_has_it_play(tmp_path):
    """Nobody can choose a stand-in's plays afterwards."""
    contest(tmp_path, settings([bot("ann", "first", 1), *FOUR[1:]], deals=1, max_fault_share=1.0))
    assert checked(tmp_path).valid
    rewrite(tmp_path, lambda text: text.replace("unknown", "illegal", 1))
    assert "faults" in str(checked(tmp_path).problems[0])


def test_a_withdrawn_entry_s_games_are_verified_too(tmp_path):
    """A withdrawn player has records like everybody else."""
    contest(tmp_path, settings([bot("ann", "first", 1), *FOUR[1:]], deals=12))
    assert checked(tmp_path).valid


@pytest.mark.parametrize("length", [1, 3])
def test_a_withdrawal_is_believed_however_long_batches_are(length, tmp_path):
    """It is decided between two of them, and a manifest does not say how long they are."""
    crashing = {"name": "ann", "command": ["sh", "-c", "exit 1"]}
    contest(tmp_path, settings([crashing, *FOUR[1:]], deals=7, batch=length), Here())
    with closing(Store(tmp_path, new=False)) as store:
        assert any(not stored.game.misdeeds and stored.game.faults for stored in store.games())
    assert checked(tmp_path).problems == []


def test_the_command_says_what_is_wrong_and_leaves_with_one(cup):
    """Scripts rely on the exit status and on the document."""
    runner = CliRunner()
    result = runner.invoke(cli, ["verify", str(cup)], standalone_mode=False)
    assert (result.return_value, result.stdout.splitlines()[-1].split(":")[0]) == (0, "8 games in 1 files")
    path = only_file(cup)
    path.write_bytes(path.read_bytes()[:-1])
    result = runner.invoke(cli, ["verify", str(cup), "--json"], standalone_mode=False)
    assert result.return_value == 1
    assert json.loads(result.stdout)["problems"][0]["file"] == path.name
    assert runner.invoke(cli, ["verify", str(cup / "records")]).exit_code == 2


def test_a_file_of_several_records_is_replayed_game_by_game(cup):
    """Each game of a batch has its own verdict, and a name by which it is asked for alone."""
    runner, path = CliRunner(), only_file(cup)
    result = runner.invoke(cli, ["replay", str(path), "--json"], standalone_mode=False)
    verdicts = json.loads(result.stdout)["records"]
    assert [verdict["record"] for verdict in verdicts] == [f"{path}:{number}" for number in range(1, 9)]
    one = runner.invoke(cli, ["replay", f"{path}:3", "--json"], standalone_mode=False)
    assert json.loads(one.stdout) == {"schema": SCHEMA} | verdicts[2]
    plain = path.with_name("plain.records")
    text = gzip.decompress(path.read_bytes()).decode()
    plain.write_text(text.replace("(end finished)", "(end finished)\n(play ann (play h9))"))
    result = runner.invoke(cli, ["replay", str(plain)], standalone_mode=False)
    assert result.return_value == 1
    line = 2 + text[: text.index("(end finished)")].count("\n")
    assert result.stdout.startswith(f"{plain}:1: invalid, line {line}: ")
    assert runner.invoke(cli, ["replay", f"{path}:9"]).exit_code == 2


def commitments(folder):
    """Return what each deal's records say that its key is committed to."""
    texts = (gzip.decompress(path.read_bytes()).decode() for path in (folder / "records").iterdir())
    lines = [line.split() for text in texts for line in text.splitlines() if line.startswith("(deal ")]
    return {int(number): commitment.rstrip(")") for _, number, commitment in lines}


def test_deals_that_follow_a_revealed_key_have_a_new_one(tmp_path):
    """It is committed to before them, and revealed after them; nothing is drawn while nothing new is to be played."""
    said = []
    contest(tmp_path, settings(deals=2, seed=None))
    contest(tmp_path, settings(deals=2, seed=None))
    assert not list(tmp_path.glob("key-*"))
    run = contest(tmp_path, settings(deals=4, seed=None), say=said.extend)
    assert any("deals from 3 on follow from a new key" in line for line in said)
    first, later = Key(run.lineup.key.secret).commitment, Key(run.lineup.key.later[3]).commitment
    assert commitments(tmp_path) == {1: first, 2: first, 3: later, 4: later}
    assert (tmp_path / "key-3").stat().st_mode & 0o077 == 0
    with closing(Store(tmp_path)) as store:
        links = [link.document for link in store.chain()]
    drawn = next(place for place, link in enumerate(links) if "from" in link)
    assert links[drawn]["key"] == later
    assert "batch" in links[drawn + 1]
    assert links[-1]["later"] == {"3": run.lineup.key.later[3].hex()}
    for path in tmp_path.glob("key*"):
        path.unlink()
    assert checked(tmp_path).problems == []


def test_a_seed_repeats_its_deals_and_gets_no_other_key(tmp_path):
    """More deals of a seed are those that a longer run has."""
    contest(tmp_path, settings(deals=2))
    run = contest(tmp_path, settings(deals=3))
    assert not run.lineup.key.later


def test_a_tournament_goes_on_under_its_new_key(tmp_path):
    """One that is stopped is continued with the key that was drawn for it, and verified before that is revealed."""
    contest(tmp_path, settings(deals=2, seed=None))
    crew = Here()

    def some(job, stopped):
        first.stopped = True
        return batch.play(job, stopped=iter([False] * 3 + [True]).__next__)

    crew.play = some
    first = Run(settings(deals=4, seed=None), games.find("hearts"), tmp_path, crew=lambda *_: crew)
    assert not first.play()
    first.store.close()
    assert checked(tmp_path).problems == []
    second = contest(tmp_path, settings(deals=4, seed=None))
    assert second.complete
    assert second.lineup.key.later == first.lineup.key.later
    assert checked(tmp_path).problems == []
