"""Imports: of which files beside its program a bot consists."""

from __future__ import annotations

import os
import shutil
import time

import pytest
from contests import FOUR, QUICK, Here, bot, contest, pretend, settings

from croupier.server.tournaments.entering.enrolment import entry_of
from croupier.server.tournaments.entering.fingerprint import Watched, fingerprint
from croupier.server.tournaments.entering.imports import hidden_import, imported_files, scan


def written(folder, code):
    """Write files, given by their paths from the folder; return the first."""
    for name, text in code.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / next(iter(code))


def names(program):
    """Return what a program imports, by names from its folder."""
    return [str(path.relative_to(program.parent)) for path in imported_files(program)]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import lib.deep.a", ["lib/__init__.py", "lib/deep/__init__.py", "lib/deep/a.py"]),
        ("from lib import b, z as y\n", ["lib/__init__.py", "lib/b.py", "lib/deep/__init__.py", "lib/deep/a.py"]),
        ("from lib.deep import (\n    a,\n)", ["lib/__init__.py", "lib/deep/__init__.py", "lib/deep/a.py"]),
        ("try: import c, os\nexcept ImportError: pass", ["c.py"]),
        ("if 1:\n\timport os; import c as d", ["c.py"]),
        ("from \\\n  c import *", ["c.py"]),
        ("# nothing but stdlib\nimport random, json\nprint('import c')", []),
        ("from .. import outside", []),
        ("import ", []),
        ("from c import (" * 1000, ["c.py"]),
    ],
)
def test_the_modules_of_its_folder_that_python_code_imports(tmp_path, code, found):
    """Packages, relative imports of theirs, and none of the standard library or from outside."""
    (tmp_path / "outside.py").write_text("")
    library = {"lib/__init__.py": "", "lib/b.py": "from .deep import a", "lib/deep/__init__.py": ""}
    library["lib/deep/a.py"] = "from ... import outside"
    bot = written(tmp_path / "bots", {"bot.py": code, "c.py": "", "other.py": "", **library})
    assert names(bot) == found


def test_scripts_in_other_languages_name_paths(tmp_path):
    """What a line that imports has as a path, and whatever file a shell script names."""
    code = 'const c = require("./lib/cards")\nimport d from "./d.js"\nsay("e.js")'
    script = written(tmp_path, {"bot.js": code, "lib/cards.js": "", "d.js": "", "e.js": ""})
    assert names(script) == ["d.js", "lib/cards.js"]
    code = '#!/bin/sh\nexec python3 "$(dirname "$0")/bot.py" -x\n'
    shell = written(tmp_path, {"run": code, "bot.py": "import helper", "helper.py": ""})
    assert names(shell) == ["bot.py", "helper.py"]


def test_nothing_that_lies_in_a_folder_makes_it_wait_or_fail(tmp_path):
    """Pipes, loops of links, folders, unreadable files and modules that import each other."""
    bot = written(tmp_path, {"bot.py": "import pipe, loop, folder, lost, mutual", "mutual.py": "import bot, mutual"})
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "lost.py").symlink_to("/nowhere")
    assert names(bot) == ["mutual.py"]


def test_a_changed_import_is_another_program(tmp_path):
    """At the beginning of a run, and while it goes on; what nobody imports may change."""
    bot = written(tmp_path, {"bot.py": "import helper", "helper.py": "a = 1", "notes.py": "a = 1"})
    entry = entry_of(settings([{"name": "ann", "command": ["python", str(bot)]}]).bots[0], "512M")
    before = fingerprint(entry)
    watched = Watched([entry], {"ann": before})
    (tmp_path / "notes.py").write_text("a = 2")
    assert (watched.changed_entry(), fingerprint(entry)) == (None, before)
    (tmp_path / "helper.py").write_text("a = 22")
    assert watched.changed_entry() == "ann"
    assert fingerprint(entry) != before


def test_the_order_of_a_commands_files_is_a_part_of_it(tmp_path):
    """Their names, too; the folder that they lie in is not."""

    def of(folder, *words):
        written(tmp_path / folder, {"bot.py": "", "a.txt": "x", "b.txt": "x"})
        command = ["python", *(str(tmp_path / folder / word) for word in words)]
        return fingerprint(entry_of(settings([{"name": "ann", "command": command}]).bots[0], "512M"))

    assert of("one", "bot.py", "a.txt", "b.txt") == of("two", "bot.py", "a.txt", "b.txt")
    assert of("one", "bot.py", "a.txt", "b.txt") != of("one", "bot.py", "b.txt", "a.txt")


@pytest.mark.parametrize(("kept", "lost"), [(".", "lib.py"), ("sub", "sub/a.py"), ("..", None), ("../records", None)])
def test_what_a_bot_cannot_import_once_a_folder_is_hidden_from_it(kept, lost, tmp_path):
    """A folder that holds the bot's whole folder takes nothing of that away."""
    program = written(tmp_path / "bot", {"main.py": "import lib\nfrom sub import a\n", "lib.py": "", "sub/a.py": ""})
    found = hidden_import(program, program.parent / kept)
    assert found == (program.parent / lost if lost else None)


HANGS = {
    "blanks": "from" + " " * 30_000 + "x",
    "dots": "from " + "." * 30_000 + " y",
    "letters": ("from " + "a." * 100 + "\n") * 150,
    "lists": "from a import (" * 2_000,
    "packages": "import " + ", ".join(f"a{at}" + ".b" * 120 for at in range(120)),
    "a long base": "from " + "a" * 120_000 + " import " + "b," * 60_000,
    "semicolons": (";" + " " * 100) * 300 + "from" + "\t" * 10_000,
}


@pytest.mark.parametrize("code", HANGS.values(), ids=HANGS)
def test_no_source_text_takes_long(tmp_path, code):
    """However it is made: thirty kilobytes of dots once took minutes."""
    bot = written(tmp_path, {"bot.py": code, "lib.py": ""})
    before = time.process_time()
    imported_files(bot)
    assert time.process_time() - before < 5


def test_files_that_name_each_other_without_end_are_cut_off(tmp_path):
    """Then all code beside the program counts as its own, so that a change of it is noticed; and a line says so."""
    names = [f"m{at}" for at in range(300)]
    code = "\n".join(f"import {name}.{'x.' * 20}y" for name in names)
    bot = written(
        tmp_path, {"bot.py": code, **{f"{name}.py": code for name in names}, "sub/other.py": "", "data.txt": ""}
    )
    before = time.process_time()
    found, cut_off = scan(bot)
    assert time.process_time() - before < 10
    assert cut_off
    assert {tmp_path / "m0.py", tmp_path / "m299.py", tmp_path / "sub/other.py"} <= set(found)
    assert not {bot, tmp_path / "data.txt"} & set(found)
    assert scan(bot) == (found, cut_off)


def test_a_tournament_says_whose_imports_were_not_followed(tmp_path):
    """One line, at the start: nothing is refused."""
    names = [f"m{at}" for at in range(100)]
    code = "\n".join(f"import {name}.{'x.' * 20}y" for name in names)
    program = written(tmp_path / "bot", {"bot.py": code, **{f"{name}.py": code for name in names}})
    shutil.copy(QUICK, program.parent / "quick.py")
    said = []
    bots = [*FOUR[:3], bot("dan", program=program)]
    contest(tmp_path / "cup", settings(bots, deals=1), Here(pretend()), say=said.extend)
    assert [line for line in said if line.startswith("dan: its code names too many files")]
