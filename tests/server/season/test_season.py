"""A season: what authors hand in is judged once, and plays on until something better comes."""

import json
import shutil
import time
import zipfile
from collections import Counter
from datetime import datetime, timedelta, timezone
from datetime import time as time_of_day

import needs
import pytest
from command_line import croupier
from pages import ADVICE

from croupier.server.commands.season import seconds_until
from croupier.server.conformance.examination import Result
from croupier.server.conformance.steps import Finding, Step
from croupier.server.season import judging
from croupier.server.season.folder import Ledger, SeasonFolder
from croupier.server.season.nights import SeasonRun
from croupier.server.season.settings import read
from croupier.server.tournaments.keeping.store import open_for_reading
from croupier.server.tournaments.playing.run import Run

TERMS = """
time = 5000
deals = 1
rounds = 1
seed = "season"
workers = 1
[[games]]
game = "hearts"
[[games.bots]]
name = "bench"
builtin = "duck"
[[games.bots]]
name = "chance"
builtin = "random"
"""


@pytest.fixture(autouse=True)
def lenient(monkeypatch):
    """Let every program pass the check at once, but one whose text has the word ``broken``."""

    def examine(entry, *_):
        fails = any(b"broken" in path.read_bytes() for path in entry.files if path.suffix == ".py")
        return Result([Finding(Step.LEGAL, passed=not fails, detail="it is broken\nin line 1")])

    monkeypatch.setattr(judging, "examine", examine)


@pytest.fixture
def season(tmp_path):
    """Return a season's folder with two authors, one of a folder and one of an archive."""
    folder = SeasonFolder(tmp_path / "season")
    folder.submissions.mkdir(parents=True)
    folder.settings.write_text(TERMS)
    hand_in(folder, "ann", "play first")
    packed = tmp_path / "hearts.py"
    packed.write_text(program("play first"))
    with zipfile.ZipFile(folder.submissions / "ben.zip", "w") as archive:
        archive.write(packed, "ben/hearts.py")
    return folder


def program(text):
    """Return a bot's program, which ``text`` distinguishes from others."""
    return f"# {text}\nfrom croupier.agents import Agent, drive\n\ndrive(Agent())\n"


def hand_in(folder, author, text, name="hearts.py"):
    """Let an author hand in a folder with one program."""
    place = folder.submissions / author
    place.mkdir(exist_ok=True)
    (place / name).write_text(program(text))


def play(folder, *words, code=0):
    """Play a night; return what was said beside its result and of the sandbox, and the ledger."""
    _, said = croupier("season", folder.path, *words, code=code)
    return ADVICE.sub("", said), folder.read_ledger()


def games_of(folder, game="hearts"):
    """Return how many games each version has played, by name."""
    with open_for_reading(folder.tournament(game)) as store:
        return Counter(name for stored in store.games() for name in stored.game.seating)


def author(ledger, name):
    """Return an author by name."""
    return next(each for each in ledger.authors if each.name == name)


def test_a_night_judges_and_plays(season):
    """Every author is entered, and plays with the season's own bots."""
    said, ledger = play(season)
    assert "ann 1 (ann): hearts: entered" in said
    assert "ben 1 (ben.zip): hearts: entered" in said
    assert games_of(season) == dict.fromkeys(("ann", "ben", "bench", "chance"), 4)
    (night,) = ledger.nights
    assert (night.number, night.games, night.unfinished) == (1, {"hearts": 4}, ())
    assert night.began < night.ended


def test_a_night_adds_its_deals_and_judges_nothing_twice(season):
    """The second night plays as much as the first, in the same tournament."""
    play(season)
    said, ledger = play(season)
    assert said == ""
    assert [night.games for night in ledger.nights] == [{"hearts": 4}, {"hearts": 8}]
    assert [len(each.submissions) for each in ledger.authors] == [1, 1]


def test_the_key_stays_secret_until_the_last_night(season):
    """Because a new version plays the deals of earlier nights; the tournament is valid at any time."""
    hearts = season.tournament("hearts")
    play(season)
    morning = json.loads(croupier("verify", hearts, "--json")[0])
    assert (morning["key"], morning["valid"], morning["problems"]) == ("withheld", True, [])
    play(season, "--last")
    end = json.loads(croupier("verify", hearts, "--json")[0])
    assert (end["key"], end["valid"], end["finished"]) == ("revealed", True, True)


def test_a_better_version_replaces_the_last(season):
    """It is a new version in the tournament, known by its hash."""
    play(season)
    hand_in(season, "ann", "play better")
    said, ledger = play(season)
    assert "ann 2 (ann): hearts: entered" in said
    assert "ann has changed and plays as ann-v2" in said
    games = games_of(season)
    assert games["ann"] == 4
    assert games["ann-v2"] >= 4
    with open_for_reading(season.tournament("hearts")) as store:
        versions = [version.sha256 for version in store.versions() if version.entry == "ann"]
    assert [each.trials["hearts"].sha256 for each in author(ledger, "ann").submissions] == versions


def test_the_last_good_version_plays_on(season):
    """What fails the check is sent back with the reason, and its author is told all of it in a file."""
    play(season)
    hand_in(season, "ann", "broken")
    said, ledger = play(season)
    assert "ann 2 (ann): hearts: sent back: plays legally: it is broken" in said
    assert games_of(season)["ann"] == 8
    assert author(ledger, "ann").in_play("hearts").number == 1
    assert "in line 1" in (season.feedback("ann", 2) / "hearts.txt").read_text()
    assert not season.program("ann", 2).exists()
    assert season.program("ann", 1).exists()


def test_what_was_sent_back_is_judged_again_under_other_terms(season):
    """If the season's file has changed in what decides about it; an archive that cannot be unpacked stays refused."""
    hand_in(season, "cat", "play first", name="cat.py")
    (season.submissions / "dan.zip").write_text("junk")
    said, _ = play(season)
    assert "cat 1 (cat): sent back: there is no program for hearts: it must be called hearts or hearts.*" in said
    season.settings.write_text(
        TERMS.replace("[[games.bots]]", "[[games.submissions]]\nglob = '*.py'\n[[games.bots]]", 1)
    )
    said, ledger = play(season)
    assert "cat 2 (cat): hearts: entered" in said
    assert {each.name: len(each.submissions) for each in ledger.authors} == {"ann": 1, "ben": 1, "cat": 2, "dan": 1}


def test_two_submissions_of_one_author_are_refused(season):
    """Nobody can know which of them counts."""
    hand_in(season, "ben", "play first")
    hand_in(season, "cat", "play first")
    said, _ = play(season)
    assert "ben 1 (ben): sent back: there are ben and ben.zip: leave one of them" in said


def test_two_programs_for_one_game_are_refused(season):
    """As long as both match."""
    hand_in(season, "ann", "play first", name="hearts.sh")
    hand_in(season, "cat", "play first")
    said, _ = play(season)
    assert "ann 1 (ann): hearts: sent back: hearts.py, hearts.sh all match hearts.*: leave one of them" in said


def test_an_author_who_takes_the_submission_away_leaves(season):
    """The games stay, and the author plays on when the submission is there again."""
    hand_in(season, "cat", "play first")
    play(season)
    shutil.move(season.submissions / "cat", season.path / "away")
    _, ledger = play(season)
    before = games_of(season)["cat"]
    assert author(ledger, "cat").gone
    shutil.move(season.path / "away", season.submissions / "cat")
    said, ledger = play(season)
    assert "cat 2" not in said
    assert games_of(season)["cat"] > before
    assert not author(ledger, "cat").gone


SPY = """
import pathlib

season = pathlib.Path(__file__).parents[3]
for secret in [season / "games" / "sedma" / "key", season / "games" / "hearts" / "key"]:
    try:
        secret.read_text()
    except OSError:
        continue
    raise SystemExit("found " + str(secret))
"""


@pytest.mark.parametrize(
    ("level", "faults"), [("none", 8), ("limits", 0), pytest.param("bwrap", 0, marks=needs.BUBBLEWRAP)]
)
def test_no_program_sees_a_key(season, level, faults):
    """Neither that of the game at hand nor another one's; without a sandbox it would."""
    season.settings.write_text(f"sandbox = '{level}'\n{TERMS}[[games]]\ngame = 'sedma'\ndeals = 1\nrounds = 1\n")
    play(season, code=1)
    (season.submissions / "ann" / "hearts.py").write_text(SPY + program("play first"))
    play(season, code=1)
    with open_for_reading(season.tournament("hearts")) as store:
        assert sum("ann-v2" in game.game.seating and bool(game.game.faults) for game in store.games()) == faults


def test_a_season_may_be_moved(season):
    """A program is the same in a folder of a different name."""
    play(season)
    moved = SeasonFolder(season.path.with_name("elsewhere"))
    season.path.rename(moved.path)
    said, _ = play(moved)
    assert said == ""
    assert games_of(moved) == dict.fromkeys(("ann", "ben", "bench", "chance"), 8)


def test_a_program_in_a_folder_of_its_own_is_found(season):
    """As most programs pack an archive: ``ben.zip`` has ``ben/hearts.py``."""
    play(season)
    assert (season.program("ben", 1) / "ben" / "hearts.py").is_file()


def test_names_stay_as_they_were_given(season):
    """Two folders may make the same name; a later one never takes an earlier one's."""
    hand_in(season, "jörg", "play first")
    play(season)
    hand_in(season, "jorg", "play second")
    _, ledger = play(season)
    assert [(each.name, each.title, each.stem) for each in ledger.authors[2:]] == [
        ("jorg", "jörg", "jörg"),
        ("jorg-2", "", "jorg"),
    ]
    assert games_of(season)["jorg-2"] > 0


def test_a_bot_of_the_season_may_not_have_an_authors_name(season):
    """It would be the author's next version."""
    play(season)
    season.settings.write_text(TERMS.replace('"bench"', '"ann"'))
    said, _ = play(season, code=2)
    assert "season.toml has a bot ann, and an author is called so" in said


BUILT = """
[[games.submissions]]
glob = "*.src"
build = "cp {file} {folder}/made.py && grep play {file}"
command = ["python", "{folder}/made.py"]
"""


def test_a_program_is_built_before_it_is_checked(season):
    """In its own folder; what the build says goes to its author if it fails."""
    season.settings.write_text(TERMS + BUILT)
    hand_in(season, "ann", "play first", name="bot.src")
    hand_in(season, "cat", "nothing", name="bot.src")
    said, _ = play(season, code=1)
    assert "ann 1 (ann): hearts: entered" in said
    assert (
        "cat 1 (cat): hearts: sent back: building cat failed with exit status 1; its output is in feedback/cat" in said
    )
    assert "ben 1 (ben.zip): sent back: there is no program for hearts: it must be called *.src" in said
    assert "play" in (season.feedback("ann", 1) / "hearts.build").read_text()


def test_a_game_that_nobody_can_play_stops_no_other(season):
    """The status is 1, and the sentence says which game it is."""
    season.settings.write_text(TERMS + '[[games]]\ngame = "skat"\n')
    said, ledger = play(season, code=1)
    assert "skat: nobody plays it yet" in said
    assert ledger.nights[0].games == {"hearts": 4}
    assert ledger.nights[0].unfinished == ("skat",)


def test_a_second_run_says_so_and_leaves(season):
    """While the first has the folder; nothing is written."""
    with season.lock():
        said, ledger = play(season, code=2)
    assert "another run is at work in" in said
    assert not ledger.nights


def test_a_night_that_was_stopped_is_continued(season, monkeypatch):
    """It stays open, and the same command ends it; no deals are added."""
    begun = Run.play

    def stopped(run):
        run.stop()
        return begun(run)

    with monkeypatch.context() as patched:
        patched.setattr(Run, "play", stopped)
        _, ledger = play(season, code=1)
    assert [night.ended for night in ledger.nights] == [None]
    _, ledger = play(season)
    assert [night.games for night in ledger.nights] == [{"hearts": 4}]


class Clock:
    """A clock that stands still until it is moved."""

    time = staticmethod(time.time)

    def __init__(self):
        self.now = 1000.0

    def monotonic(self):
        """Return the seconds."""
        return self.now


def test_each_game_gets_its_share_of_the_time(season, monkeypatch):
    """By weight; what one does not need goes to the others, and at the end again to those that could use more."""
    season.settings.write_text(
        "[[games]]\ngame = 'hearts'\nweight = 2\n[[games]]\ngame = 'sedma'\n[[games]]\ngame = 'skat'\n"
    )
    clock, given = Clock(), []

    def go_on(_, night, game, seconds):
        given.append((night.number, game.name, round(seconds)))
        clock.now += 10 if game.name == "skat" else seconds
        return game.name != "skat"

    monkeypatch.setattr("croupier.server.season.nights.time", clock)
    monkeypatch.setattr(SeasonRun, "_continue", go_on)
    run = SeasonRun(season, read(season.settings), seconds=400.0)
    monkeypatch.setattr(run, "_judge_all", lambda: setattr(run, "ledger", Ledger()))
    run.play()
    assert given == [(1, "hearts", 200), (1, "sedma", 100), (1, "skat", 100), (1, "hearts", 60), (1, "sedma", 30)]


def test_the_end_of_its_time_ends_the_night(season):
    """No set begins after that; the next night has more to play."""
    season.settings.write_text(TERMS.replace("deals = 1", "deals = 2000"))
    said, ledger = play(season, "--budget", "2s")
    (night,) = ledger.nights
    assert night.unfinished == ("hearts",)
    assert 0 < night.games["hearts"] < 8000
    assert "ann 1" in said


def test_without_time_to_judge_a_submission_waits(season, monkeypatch):
    """It is judged in the next night."""
    monkeypatch.setattr("croupier.server.season.nights.SeasonRun._is_over", lambda _: True)
    said, ledger = play(season, code=1)
    assert "waits for the next night" in said
    assert not any(each.submissions for each in ledger.authors)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--until", "25:00"], "--until 25:00: write a time of day such as 06:00"),
        (["--budget", "3 dollars"], "a season's budget is a time, such as 90m or 2h"),
        (["--budget", "3 hurs"], "there is no unit hurs"),
        (["--budget", "3h", "--until", "06:00"], "leave one of them out"),
    ],
)
def test_a_wrong_call_is_refused(season, words, why):
    """In one line."""
    assert why in play(season, *words, code=2)[0]


def test_a_folder_without_settings_is_refused(tmp_path):
    """With the file that it lacks."""
    _, said = croupier("season", tmp_path, code=2)
    assert "season.toml cannot be read: No such file or directory" in said


def test_until_is_the_next_time_that_the_clock_shows_it():
    """Today if it is still to come, else tomorrow."""
    now = datetime(2026, 3, 1, 22, 30, 15, tzinfo=timezone(timedelta(hours=1)))
    assert seconds_until(time_of_day(23, 0), now) == 30 * 60 - 15
    assert seconds_until(time_of_day(6, 0), now) == 7.5 * 3600 - 15
    assert seconds_until(time_of_day(22, 30), now) == 24 * 3600 - 15
