"""BOT words: what is played, and what it is called."""

import re
import shlex
from pathlib import Path

import pytest

from croupier.server import entries
from croupier.server.processes.sandbox import bwrap


def named(*words: str) -> list[str]:
    """Return what the players of these BOT words are called."""
    return [entry.name for entry in entries.distinct(map(entries.read, words))]


def program(folder: Path, name: str) -> str:
    """Make a program of this name; return the word that starts it."""
    path = folder / name
    path.write_text("#!/bin/sh\n", encoding="ascii")
    path.chmod(0o755)
    return f"'{path}'"


def test_repeated_names_are_numbered():
    """The second is -2, the third -3, and nobody gets a name that another has."""
    assert named("random", "random", "random") == ["random", "random-2", "random-3"]
    assert named("random-2=random", "random", "random", "random") == ["random-2", "random", "random-3", "random-4"]
    assert named("a=random", "a=random", "a-2=random") == ["a", "a-2", "a-2-2"]


def test_long_names_stay_short_enough_when_numbered():
    """A number takes the place of a long name's last letters."""
    assert named(f"{'n' * 32}=random", f"{'n' * 32}=random")[1] == "n" * 30 + "-2"


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("bold.py", "bold"),
        ("two words!.sh", "two-words-"),
        ("9lives", "bot-9lives"),
        ("nil", "nil-bot"),
        ("table.x", "table-bot"),
        ("n" * 40, "n" * 32),
    ],
)
def test_a_program_is_called_by_the_stem_of_its_file(tmp_path, file, name):
    """Characters that no name has become -, and a word that means something else is made longer."""
    assert named(program(tmp_path, file)) == [name]


def test_the_last_word_that_is_a_file_gives_the_name(tmp_path):
    """An interpreter and its flags do not."""
    assert named(f"python {program(tmp_path, 'bold.py')} --fast") == ["bold"]


def test_an_equals_sign_names_only_behind_a_name():
    """What no player may be called is part of the command."""
    for word in ("nil=random", "9=random", "t=random"):
        with pytest.raises(entries.BadEntry):
            entries.read(word)


@pytest.mark.parametrize("first", ["", "/"])
def test_a_word_may_be_longer_than_any_name_of_a_file(first, tmp_path):
    """A program of one line is a word of its command; as the program itself it is not there."""
    line = first + "pass;" * 100
    entry = entries.read(f"python -c '{line}'")
    assert entry.command[1:] == ("-c", line)
    assert bwrap.command(entry, tmp_path)[-2:] == ["-c", line]
    with pytest.raises(entries.BadEntry, match="no such file"):
        entries.read(line)


@pytest.mark.parametrize(
    "words", ["python nothere.py", "python -u nothere.py --fast", "sh nothere.sh", "node nothere.js"]
)
def test_a_script_that_is_not_there_is_missed_before_any_game(words, monkeypatch):
    """By the name under which it was entered."""
    monkeypatch.setattr(entries.shutil, "which", lambda program: f"/usr/bin/{program}")
    monkeypatch.setattr(entries, "_check_program", lambda *_: None)
    with pytest.raises(entries.BadEntry, match=r"^nothere\.\w+: no such file"):
        entries.read(words)


def test_code_and_options_are_no_scripts(tmp_path):
    """What stands behind -c or -m, or is told to an option."""
    there = program(tmp_path, "bold.py")
    for words in ("python -c pass", "python -m http.server", f"python -X dev {there}", f"sh {there} nothere.py"):
        assert entries.read(words).command


def test_a_script_from_windows_is_refused(tmp_path):
    """A carriage return behind the interpreter's name is a part of it for the kernel."""
    path = tmp_path / "bold.py"
    path.write_bytes(b"#!/usr/bin/env python3\r\nprint()\r\n")
    path.chmod(0o755)
    with pytest.raises(entries.BadEntry, match="first line ends in a carriage return"):
        entries.read(str(path))
    path.write_bytes(b"#!/usr/bin/env python3\nprint()\r\n")
    assert entries.read(str(path)).name == "bold"


@pytest.mark.parametrize(
    ("suffix", "interpreter"), [("rkt", "racket"), ("js", "node"), ("py", "python"), ("x", "python")]
)
def test_what_is_not_executable_is_given_its_interpreter(suffix, interpreter, tmp_path):
    """As it is to be written."""
    path = tmp_path / f"bold.{suffix}"
    path.write_text("")
    for before in ("", "classic:", "classic:bold=", "bold=classic:"):
        with pytest.raises(entries.BadEntry, match=f'"{before}{interpreter} {path}"'):
            entries.read(f"{before}{path}")


@pytest.mark.parametrize("text", ["print()\n", "", "\ufeff#!/usr/bin/env python3\n"])
def test_a_script_without_an_interpreter_is_refused(text, tmp_path):
    """The kernel would not start it, though a shell may; what is compiled needs none, whatever it is called."""
    path = tmp_path / "bold.py"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    with pytest.raises(entries.BadEntry, match=f'begin with #!/usr/bin/env python3, or .* "classic:python {path}"'):
        entries.read(f"classic:{path}")
    path.write_bytes(b"\x7fELF\x02")
    assert entries.read(str(path)).name == "bold"


def test_classic_stands_before_or_behind_a_name(tmp_path):
    """A bundled bot speaks it too; how long its processes live is found out."""
    there = program(tmp_path, "bold")
    for words, name in [
        ("classic:miner", "miner"), ("m=classic:miner", "m"), ("classic:m=miner", "m"),
        (f"classic:{there}", "bold"), (f"classic:b={there}", "b"), (f"b=classic:{there}", "b"),
    ]:  # fmt: skip
        entry = entries.read(words)
        assert (entry.name, entry.dialect, entry.lifetime) == (name, "classic", "auto")


@pytest.mark.parametrize("name", ["my bot.py", "b$x.py", "it's.py", 'say "x".rb'])
def test_a_command_line_that_is_told_runs_as_it_stands(name, tmp_path, monkeypatch):
    """A shell reads the BOT that is told as one word, and that word is a command of two."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text("pass\n")
    with pytest.raises(entries.BadEntry) as refused:
        entries.read(f"old={name}")
    (bot,) = shlex.split(str(refused.value).rpartition("name its interpreter: ")[2])
    assert bot.startswith("old=")
    assert shlex.split(bot.removeprefix("old="))[1:] == [name]
    (cure,) = re.findall(r"\((chmod .*?)\), or", str(refused.value))
    assert shlex.split(cure) == ["chmod", "+x", name]
