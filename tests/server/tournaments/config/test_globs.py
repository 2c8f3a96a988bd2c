"""Globs: a table of [[bots]] that enters a bot for each file, named after what tells the files apart."""

from __future__ import annotations

import sys
from contextlib import closing

import pytest
from contests import BOTS, Here, contest, pretend

from croupier.server.entries import good_name
from croupier.server.tournaments.config import globs
from croupier.server.tournaments.config.tournament_file import BadConfig, parse, read
from croupier.server.tournaments.keeping.store import Store
from croupier.server.tournaments.proof.bond import Bond

HEAD = 'game = "hearts"\nseed = "globs"\n'


def cup(folder, tables, *files):
    """Write a tournament file and some empty programs below its folder; return the file."""
    for file in files:
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    path = folder / "cup.toml"
    path.write_text(HEAD + tables, encoding="utf-8")
    return path


def named(folder, pattern, *files):
    """Return what the bots of a glob are called."""
    return [bot.name for bot in read(cup(folder, f'[[bots]]\nglob = "{pattern}"\n', *files)).bots]


@pytest.mark.parametrize(
    ("pattern", "files", "names"),
    [
        ("bots/*/bot.py", ["bots/ben/bot.py", "bots/ann/bot.py"], ["ann", "ben"]),
        ("bots/*/bot.py", ["bots/ann/bot.py"], ["ann"]),
        ("bots/*/low.py", ["bots/ann/low.py"], ["ann"]),
        ("bots/*/src/low.py", ["bots/ann/src/low.py", "bots/ben/src/low.py"], ["ann", "ben"]),
        ("*/*/bot.py", ["red/ann/bot.py", "blue/ann/bot.py"], ["ann", "ann-2"]),
        ("**/bot.py", ["a/b/ann/bot.py", "ben/bot.py"], ["ann", "ben"]),
        ("bots/*.py", ["bots/low.py", "bots/high.py", "bots/.hidden.py"], ["high", "low"]),
        ("bots/*/*.py", ["bots/ann/low.py", "bots/ben/low.py", "bots/cat/high.py"], ["ann", "ben", "high"]),
        ("bots/*/*.jar", ["bots/ann/Main.jar", "bots/ben/low.jar"], ["ann", "low"]),
        ("bots/*/bot.py", ["bots/3 M\u00fcller/bot.py", "bots/.git/bot.py"], ["bot-3-Muller"]),
        ("*/bot.py", ["a b/bot.py", "a-b/bot.py", "a~b/bot.py"], ["a-b-2", "a-b", "a-b-3"]),
        ("*/bot.py", ["\u5f20/bot.py", "\u738b/bot.py", "nil/bot.py"], ["nil-bot", "bot", "bot-2"]),
        ("bots/low.py", ["bots/low.py"], ["low"]),
    ],
)
def test_bots_are_called_after_what_tells_them_apart(pattern, files, names, tmp_path):
    """The folder that the pattern leaves open, or the file; a name that is good as it is stays."""
    assert named(tmp_path, pattern, *files) == names
    assert all(map(good_name, names))


def test_a_name_that_was_given_is_not_given_again(tmp_path):
    """By another table of the file."""
    tables = '[[bots]]\nglob = "*/bot.py"\n[[bots]]\nname = "ann"\nbuiltin = "random"\n'
    assert [bot.name for bot in read(cup(tmp_path, tables, "ann/bot.py", "ben/bot.py")).bots] == ["ann-2", "ben", "ann"]


def test_other_keys_are_for_each_match(tmp_path):
    """A file that cannot be started alone is run by the interpreter of its kind; in a command it is {file}."""
    tables = """
[[bots]]
glob = "py/*/bot.py"
memory = "64M"
env = { LEVEL = 3 }
[[bots]]
glob = "c/*/bot.c"
command = ["{folder}/bot", "--seed", "{file}"]
build = "cc -o {folder}/bot {file} && echo ${HOME}"
cores = 2
[[bots]]
glob = "sh/*/run"
"""
    path = cup(tmp_path, tables, "py/ann/bot.py", "c/ben {file}/bot.c", "sh/cat/run")
    (tmp_path / "sh/cat/run").chmod(0o755)
    ann, ben, cat = read(path).bots
    assert ann.command == ("python", str(tmp_path / "py/ann/bot.py"))
    assert (ann.memory, ann.env) == ("64M", {"LEVEL": 3})
    folder = tmp_path / "c/ben {file}"
    assert (ben.name, ben.command) == ("ben-file", (f"{folder}/bot", "--seed", f"{folder}/bot.c"))
    assert ben.build == f"cc -o '{folder}'/bot '{folder}/bot.c' && echo ${{HOME}}"
    assert (ben.cores, cat.command) == (2, (str(tmp_path / "sh/cat/run"),))


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ('glob = "nobody/*/bot.py"', r"bots\[1\].glob: no file in .* matches nobody/\*/bot.py"),
        ('glob = "/*/bot.py"', r"bots\[1\].glob: /\*/bot.py is not relative to "),
        ('glob = ""', r"bots\[1\].glob: '' cannot be looked for in "),
        ('glob = "a\\u0000b"', r"bots\[1\].glob: "),
        ("glob = 3", r"bots\[1\].glob: expected text"),
        ('glob = "*/bot.py"\nname = "x"', r"bots\[1\].name: a glob enters many bots"),
        ('glob = "*/bot.py"\ntitle = "X"', r"bots\[1\].title: a glob enters many bots"),
        ('glob = "*/bot.py"\nbuiltin = "random"', r"bots\[1\].builtin: a glob enters many bots"),
        (
            'glob = "*/bot.py"\ncorse = 3',
            r"bots\[1\]: there is no key corse \(did you mean cores\?\); the keys: args, .* glob, ",
        ),
        ('glob = "*/bot.py"\ncores = "many"', r"bots\[1\].cores: expected a whole number, got text"),
        ('glob = "*/bot.py"\ncommand = "x"', r"bots\[1\].command: expected a list, got text"),
    ],
)
def test_what_a_glob_cannot_mean_is_an_error_with_its_place_in_the_file(keys, why, tmp_path):
    """Not with that of an entry, of which the tables before may have made many."""
    path = cup(tmp_path, f'[[bots]]\nglob = "*/bot.py"\n[[bots]]\n{keys}\n', "ann/bot.py", "ben/bot.py")
    with pytest.raises(BadConfig, match=why):
        read(path)


def test_a_glob_needs_a_file_to_be_relative_to(tmp_path, monkeypatch):
    """It never looks through the folder in which somebody happens to be."""
    cup(tmp_path, "", "ann/bot.py")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadConfig, match="relative to the tournament's file, and there is none"):
        parse(HEAD + '[[bots]]\nglob = "*/bot.py"\n')


def test_a_glob_that_matches_far_too_much_is_refused(tmp_path, monkeypatch):
    """It was not meant so."""
    monkeypatch.setattr(globs, "MOST", 2)
    assert named(tmp_path, "*/bot.py", "a/bot.py", "b/bot.py") == ["a", "b"]
    with pytest.raises(BadConfig, match="more than 2 files"):
        named(tmp_path, "*/bot.py", "c/bot.py")


def test_a_tournament_is_bound_to_the_programs_that_a_glob_has_found(tmp_path):
    """A folder more, when it goes on, is one more bot: it plays what is missing, and an amendment tells it."""
    tables = f'deals = 1\n[[bots]]\nglob = "bots/*/misfit.py"\ncommand = ["{sys.executable}", "{{file}}", "fair"]\n'
    for name in ("ann", "ben", "cat", "dan"):
        (tmp_path / "bots" / name).mkdir(parents=True)
        (tmp_path / "bots" / name / "misfit.py").write_bytes((BOTS / "misfit.py").read_bytes())
    path = cup(tmp_path, tables)
    contest(tmp_path / "cup", read(path), Here(pretend()))
    (tmp_path / "bots" / "eve").mkdir()
    (tmp_path / "bots" / "eve" / "misfit.py").write_bytes((BOTS / "misfit.py").read_bytes())
    crew = Here(pretend())
    contest(tmp_path / "cup", read(path), crew)
    assert all("eve" in job.pairing for job in crew.jobs)
    with closing(Store(tmp_path / "cup", new=False)) as store:
        first = store.chain_state().manifests[0].document
        assert [bot["name"] for bot in first["bots"]] == ["ann", "ben", "cat", "dan"]
        assert all("misfit.py" in bot["files"] for bot in first["bots"])
        assert "glob" not in str(first)
        assert Bond.of(store).amendments[0].changes == ("eve came in, after the key was revealed",)


def test_a_folder_without_a_file_that_matches_is_told(tmp_path):
    """Nobody is left out without a word; what is no folder, or is hidden, was not meant."""
    for file in ("bots/leo/Bot.py", "bots/mia/bot.py", "bots/ida/notes.txt", "bots/.git/x", "bots/readme"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    assert list(globs.folders_without_file("bots/*/bot.py", tmp_path)) == [
        "bots/ida: no file is called bot.py",
        "bots/leo: no file is called bot.py, but Bot.py is there",
    ]
    assert not list(globs.folders_without_file("bots/mia/*.txt", tmp_path))


def test_a_folder_whose_name_cannot_be_a_bots_is_its_title(tmp_path):
    """So a table shows who it is; not where somebody else's name would be taken for it."""
    for folder in ("Öz", "3 Müller", "mia", "Çan", "Can"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").touch()
    file = tmp_path / "cup.toml"
    file.write_text('game = "hearts"\n[[bots]]\nglob = "*/bot.py"\n')
    entered = {bot.name: bot.title for bot in read(file).bots}
    assert entered == {"Oz": "Öz", "bot-3-Muller": "3 Müller", "mia": "", "Can": "", "Can-2": ""}
