"""What a shell completes, and how the command line speaks where there is only ASCII."""

from __future__ import annotations

import codecs
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import needs
import pytest
from click.shell_completion import ZshComplete
from command_line import croupier
from contests import settings
from tables import BOTS

from croupier.server.cli import COMPLETE, cli
from croupier.server.commands.completion import Bash
from croupier.server.deals import Key
from croupier.server.games import find
from croupier.server.standard_streams import _plain
from croupier.server.tournaments.entering.scheduling import schedule_for
from croupier.server.tournaments.formats import FORMATS, RoundRobin


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """Return what a shell is offered, in a folder with a tournament, a program and a file of settings."""
    monkeypatch.chdir(tmp_path)
    for path in ("my cup/tournament.db", "out/run/tournament.db", "mine.py", "cup.toml", "empty/x"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()

    def ask(kind, *words):
        monkeypatch.setenv("COMP_WORDS", " ".join(words))
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        return kind(cli, {}, "croupier", COMPLETE).complete().splitlines()

    return ask


@pytest.mark.parametrize(
    ("words", "offered", "not_offered"),
    [
        ("sta", "standings", "play"),
        ("play he", "hearts", "skat"),
        ("play recycle:wh", "recycle:whist", "recycle:agram"),
        ("play go", "gops", "hearts"),
        ("new-bot ja", "jass", "skat"),
        ("check-game sed", "sedma", "skat"),
        ("play hearts duck ", "duck", "smithy"),
        ("play hearts duck ", "human", "smithy"),
        ("play hearts me=du", "me=duck", "duck"),
        ("play dominion classic:mi", "classic:miner", "miner"),
        ("play hearts json:du", "json:duck", "duck"),
        ("play dominion me=classic:", "me=classic:plan", "me=classic:human"),
        ("play hearts me=mi", "me=mine.py", "me=cup.toml"),
        ("check do", "doppelkopf", "skat"),
        ("check --game do", "doppelkopf", "skat"),
        ("check dominion sm", "smithy", "duck"),
        ("check --game dominion sm", "smithy", "duck"),
        ("play skat -o ", "all-pass=ramsch", "list=2"),
        ("tournament --game skat -o li", "list=1", "contra=yes"),
        ("play hearts --sandbox ", "bwrap", "duck"),
        ("tournament --game skat sk", "skat-club", "duck"),
        ("tournament sk", "skat", "hearts"),
        ("tournament skat sk", "skat-club", "duck"),
        ("tournament skat -o li", "list=1", "contra=yes"),
        ("tournament cu", "cuckoo", "hearts"),
        ("tournament cu", "cup.toml", "hearts"),
        ("improve hearts du", "duck", "smithy"),
        ("tournament --format s", "swiss", "ladder"),
        ("standings ", "my cup", "empty"),
        ("verify o", "out/run", "out"),
        ("docs ga", "games/skat", "bots"),
        ("analyze sk", "skat", "hearts"),
        ("analyze hearts -o mo", "moon=others-up", "jack=0"),
        ("analyze hearts --beside mo", "moon=shooter-down", "jack=0"),
        ("analyze hearts -o moon=others-up --beside mo", "moon=shooter-down", "jack=0"),
    ],
)
def test_a_shell_completes_what_can_be_known(asked, words, offered, not_offered):
    """Each where it is meant: in zsh, which takes no word apart, with all that stands in front of it."""
    found = asked(ZshComplete, "croupier", *words.split(" "))[1::3]
    assert offered in found
    assert not_offered not in found


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("play ./wh", "file"),
        ("play hearts mi", "file"),
        ("check ./mi", "file"),
        ("tournament zz", "file"),
        ("replay rec", "file"),
        ("replay --program x", "file"),
        ("standings emp", "dir"),
        ("play hearts --record g", "dir"),
    ],
)
def test_files_and_folders_are_left_to_the_shell(asked, words, kind):
    """It knows them best."""
    assert asked(ZshComplete, "croupier", *words.split(" "))[0] == kind


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("play dominion classic : mi", "miner"),
        ("play dominion classic :", "miner"),
        ("play hearts me = du", "duck"),
        ("play hearts --sandbox = bw", "bwrap"),
        ("play skat -o all-pass = r", "ramsch"),
        ("play recycle : wh", "whist"),
        ("play hearts me=du", "me=duck"),
        ("standings my", r"my\\ cup"),
    ],
)
def test_bash_is_given_what_it_takes_for_the_word(asked, words, offered):
    """It takes words apart at = and :, and its script reads a backslash away."""
    assert f"plain,{offered}" in asked(Bash, "croupier", *words.split(" "))


def test_the_command_answers_a_shell():
    """As its script asks."""
    asking = {COMPLETE: "bash_complete", "COMP_WORDS": "croupier play dominion x = smi", "COMP_CWORD": "5"}
    done = subprocess.run([sys.executable, "-m", "croupier"], capture_output=True, check=False, env=os.environ | asking)
    assert done.stdout == b"plain,smithy\n"


def test_every_format_is_offered_and_one_more_takes_one_line(asked, monkeypatch):
    """A shell offers it, a tournament's settings take it, and they find its schedule."""
    assert asked(ZshComplete, "croupier", "tournament", "--format", "")[1::3] == list(FORMATS)

    class League(RoundRobin):
        """Another format."""

    monkeypatch.setitem(FORMATS, "league", League)
    assert asked(ZshComplete, "croupier", "tournament", "--format", "le")[1::3] == ["league"]
    assert type(schedule_for(settings(format="league"), find("hearts"), Key.from_seed("x"))) is League


@needs.ASCII_PATH
@pytest.mark.parametrize("words", [["games", "doppelkopf"], ["play", "hearts", *["random"] * 4, "--show"], ["doctor"]])
def test_nothing_breaks_where_there_is_only_ascii(words):
    """Signs that the encoding does not have are written plainly."""
    only = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    done = subprocess.run([sys.executable, "-m", "croupier", *words], capture_output=True, check=False, env=only)
    assert done.returncode == 0, done.stderr
    assert (done.stdout + done.stderr).isascii()
    assert b"Traceback" not in done.stderr


ASCII = {"LC_ALL": "POSIX", "PYTHONIOENCODING": "ascii"}
NO_UTF8 = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""A locale in which Python reads a name of other letters as surrogates, which nothing encodes."""


@needs.ASCII_PATH
def test_files_may_be_called_as_they_like_where_there_is_only_ascii(tmp_path):
    """A bot, a game, folders, and all that is written of them; signs of tables become such as every terminal has."""
    bot, game, cup = "\u00c9mile/b\u00f4t.py", "\u00c9mile/\u00e9.gdl", "c\u00fbp"
    (tmp_path / bot).parent.mkdir()
    shutil.copy(BOTS / "misfit.py", tmp_path / bot)
    shutil.copy(BOTS.parent.parent / "server/games/recycle/library/leduc-poker.gdl", tmp_path / game)

    def run(env, *words, code=0):
        program = [sys.executable, "-m", "croupier", *words]
        done = subprocess.run(program, capture_output=True, check=False, env=os.environ | env, cwd=tmp_path)
        assert done.returncode == code, done.stderr
        assert b"Traceback" not in done.stderr
        return done.stdout

    table = run(ASCII, "tournament", game, f"python {bot} fair", "random", "--out", cup, "--deals", "30")
    assert table.isascii()
    assert b" ~" in table
    run(NO_UTF8, "report", cup)
    assert cup in (tmp_path / cup / "report.html").read_text("utf-8")
    run(NO_UTF8, "new-bot", game, "b\u00f6t", "--name", "bot")
    assert game in (tmp_path / "b\u00f6t" / "README.txt").read_text("utf-8")
    run(NO_UTF8, "check", game, f"python {bot} cheat", "--out", "\u00c9", code=1)


@pytest.mark.parametrize(
    ("encoding", "text", "written"),
    [
        ("ascii", "B\u00f4t \u00b11", b"Bot ~1"),
        ("utf-8", "caf\udce9 \u00b1", b"caf\xe9 \xc2\xb1"),
        ("ascii", "caf\udce9 \u732b", b"caf\xe9 ?"),
    ],
)
def test_what_an_encoding_does_not_have_is_written_plainly(encoding, text, written):
    """Letters by their bases, a file's name in no encoding byte by byte, so that it can be copied."""
    codecs.register_error("plain", _plain)
    assert text.encode(encoding, "plain") == written


def test_the_manual_comes_with_the_package():
    """`croupier docs` lists its pages and where they lie, shows one by its name, and refuses what is none."""
    out, _ = croupier("docs")
    assert "games/skat" in out
    page = Path(out.splitlines()[-1].removeprefix("They lie in ").partition(";")[0], "reference", "games", "skat.md")
    assert (
        croupier("docs", "skat")[0]
        == page.read_text("utf-8")
        == json.loads(croupier("docs", "skat", "--json")[0])["text"]
    )
    assert croupier("docs", "games/skat.md")[0] == page.read_text("utf-8")
    assert {entry["page"] for entry in json.loads(croupier("docs", "--json")[0])["pages"]} > {
        "reference/recycle",
        "how-to/bots",
    }
    assert "there is no page skatt; the pages: architecture, contents, " in croupier("docs", "skatt", code=2)[1]
    assert str(page.parents[2]) in croupier("--help")[0]
