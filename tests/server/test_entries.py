"""BOT words: what is played, and what it is called."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from croupier.server import entries
from croupier.server.processes.sandbox import bwrap
from croupier.server.tournaments.entering.fingerprint import files, fingerprint


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
        ("two words!.sh", "two-words"),
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


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("ann/bot.py", "ann"),
        ("ben/Main.jar", "ben"),
        ("cat/src/index.js", "cat"),
        ("dan/target/release/AGENT", "dan"),
        ("3 M\u00fcller/bot.py", "bot-3-Muller"),
        ("Gro\u00df & S\u00f8n/bot.py", "Gross-Son"),
        ("\u5f20\u4f1f/bot.py", "bot"),
        ("table/bot.py", "table-bot"),
        ("f" * 40 + "/main.py", "f" * 32),
        ("bot/bot", "home"),
        ("bots/low.py", "low"),
    ],
)
def test_a_program_whose_file_says_nothing_is_called_by_its_folder(tmp_path, file, name):
    """By the nearest that is not called so too, in letters that a name may have."""
    path = tmp_path / "home" / file
    path.parent.mkdir(parents=True)
    assert named(program(path.parent, path.name)) == [name]


def test_a_class_that_says_nothing_is_called_by_the_folder_in_which_it_is_looked_for(tmp_path, monkeypatch):
    """As by java -cp, whatever the class is called."""
    monkeypatch.setattr(entries.shutil, "which", lambda program: f"/usr/bin/{program}")
    monkeypatch.setattr(entries, "_check_program", lambda *_: None)
    (tmp_path / "ann").mkdir()
    (tmp_path / "ben").mkdir()
    assert named(f"java -cp {tmp_path}/ann Main") == ["ann"]
    assert named(f"java -cp {tmp_path}/ann Low", f"java -cp {tmp_path}/ben Low") == ["ann", "ben"]


def test_programs_of_one_name_are_called_by_their_folders(tmp_path):
    """The same program twice is numbered, and a bot that was given a name keeps it."""
    for folder in ("ann", "ben", "x/ben"):
        (tmp_path / folder).mkdir(parents=True)
    ann, ben, other = (program(tmp_path / folder, "low.py") for folder in ("ann", "ben", "x/ben"))
    assert named(ann, ann, f"{ann} --fast") == ["low", "low-2", "low-3"]
    assert named(ann, ben, "random") == ["ann", "ben", "random"]
    assert named(ben, other, ann) == ["ben", "ben-2", "ann"]
    assert named(f"low={ann}", ben) == ["low", "ben"]


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


@pytest.mark.parametrize(
    ("words", "env", "why"),
    [
        (["sh", "-c", "a\0b"], {}, r"there is a NUL in 'a\\x00b'"),
        (["sh"], {"A": "\0"}, r"there is a NUL in 'A=\\x00'"),
        (["sh"], {"": "1"}, "env has the name ''"),
        (["sh"], {"A=B": "1"}, "env has the name 'A=B'"),
        (["sh", "-c", ":" * 70_000], {}, "have 70,0.. bytes, and a program can be given 65,536"),
        (["sh"], {"A": "\u00e4" * 40_000}, "have 80,0.. bytes"),
        (["sh"], {f"A{number}": "x" * 1000 for number in range(70)}, "have 7., *... bytes"),
    ],
)
def test_what_no_program_can_be_started_with_is_refused(words, env, why):
    """The kernel takes none of it (execve)."""
    with pytest.raises(entries.BadEntry, match=why):
        entries.of_command(words, env=env)


def test_a_dangling_link_a_folder_and_a_lost_interpreter_are_refused(tmp_path):
    """Each called what it is, with what to do."""
    (tmp_path / "dangling").symlink_to("/nowhere/at/all")
    (tmp_path / "folder").mkdir()
    path = tmp_path / "lost.py"
    path.write_text("#!/usr/bin/python9\n", encoding="ascii")
    path.chmod(0o755)
    with pytest.raises(entries.BadEntry, match=r"dangling is a link to /nowhere/at/all, which is not there$"):
        entries.read(str(tmp_path / "dangling"))
    with pytest.raises(entries.BadEntry, match="folder is a folder; name the program in it"):
        entries.read(str(tmp_path / "folder"))
    with pytest.raises(
        entries.BadEntry, match=f'/usr/bin/python9 is not there; change that line, or name its .* "x=python {path}"'
    ):
        entries.read(f"x={path}")


def test_code_and_options_are_no_scripts(tmp_path):
    """The text after -c or -m, or the value of an option."""
    there = program(tmp_path, "bold.py")
    for words in ("python -c pass", "python -m http.server", f"python -X dev {there}", f"sh {there} nothere.py"):
        assert entries.read(words).command


def test_a_script_from_windows_is_refused(tmp_path):
    """A carriage return behind the interpreter's name is a part of it for the kernel."""
    path = tmp_path / "bold.py"
    path.write_bytes(b"#!/usr/bin/env python3\r\nprint()\r\n")
    path.chmod(0o755)
    with pytest.raises(entries.BadEntry, match="first line that ends in a carriage return"):
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
    shutil.copy("/bin/sh", path)
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


def test_json_stands_where_classic_may(tmp_path):
    """One process plays many games, as of any bot."""
    there = program(tmp_path, "bold")
    for words, name in [("json:random", "random"), ("m=json:random", "m"), (f"json:b={there}", "b")]:
        entry = entries.read(words)
        assert (entry.name, entry.dialect, entry.lifetime) == (name, "json", "batch")


@pytest.mark.parametrize(
    ("words", "made"),
    [
        ("env -I . x", ["-I", "{0}", "x"]),
        ("env -cp . Bot", ["-cp", "{0}", "Bot"]),
        ("env -cp build:lib:nothing Bot", ["-cp", "{0}/build:{0}/lib:nothing", "Bot"]),
        ("env -cp 'lib/*:.' Bot", ["-cp", "{0}/lib/*:{0}", "Bot"]),
        ("env -Dx=lib -Dy=nothing", ["-Dx={0}/lib", "-Dy=nothing"]),
        ("env lib/../build", ["{0}/build"]),
        ("env -m lib", ["-m", "lib"]),
        ("env -c lib", ["-c", "lib"]),
        ("env a::b", ["a::b"]),
    ],
)
def test_folders_of_a_command_are_made_absolute(words, made, tmp_path, monkeypatch):
    """So are the parts of lists that are there; what may be code or a module is not a folder."""
    for folder in ("build", "lib"):
        (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path)
    entry = entries.read(words)
    assert list(entry.command[1:]) == [word.format(tmp_path) for word in made]
    assert all(path.is_file() for path in entry.files)


def test_a_java_bot_is_called_after_its_class_and_made_of_its_classes(tmp_path, monkeypatch):
    """A version that is compiled again has another fingerprint, wherever it lies."""
    made = []
    monkeypatch.setattr(entries.shutil, "which", lambda program: f"/usr/bin/{program}")
    monkeypatch.setattr(entries, "_check_program", lambda *_: None)
    for place, code in (("one", b"1"), ("two", b"1"), ("three", b"2")):
        (tmp_path / place / "bots").mkdir(parents=True)
        (tmp_path / place / "bots" / "Low.class").write_bytes(code)
        monkeypatch.chdir(tmp_path / place)
        made.append(entries.read("java -cp . bots.Low"))
    assert [entry.name for entry in made] == ["Low"] * 3
    assert tmp_path / "one" / "bots" / "Low.class" in made[0].files
    assert fingerprint(made[0]) == fingerprint(made[1]) != fingerprint(made[2])


def test_a_folder_with_a_main_script_is_a_bot(tmp_path, monkeypatch):
    """Its files count, and bubblewrap shows the folder."""
    (tmp_path / "low").mkdir()
    (tmp_path / "low" / "__main__.py").write_text("import rest\n")
    (tmp_path / "low" / "rest.py").write_text("")
    monkeypatch.chdir(tmp_path)
    entry = entries.read("python low")
    assert tmp_path / "low" / "__main__.py" in entry.files
    assert {"__main__.py", "rest.py"} <= {Path(name).name for name in files(entry)}
    assert tmp_path / "low" in set(bwrap.readable(entry))


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
