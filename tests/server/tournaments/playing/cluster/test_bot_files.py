"""BotFiles: a bot's files reach another machine as they are, and nothing else is written there."""

import os
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from croupier.server import entries
from croupier.server.tournaments.entering.fingerprint import fingerprint, hashes
from croupier.server.tournaments.keeping.store import StoreError
from croupier.server.tournaments.playing.cluster import bot_files
from croupier.server.tournaments.playing.cluster.bot_files import File, pack


@pytest.fixture
def home(tmp_path):
    """A bot of two modules in a folder of its own."""
    home = tmp_path / "home"
    (home / "parts").mkdir(parents=True)
    (home / "bot.py").write_text("import parts.brain\n")
    (home / "parts" / "__init__.py").write_text("")
    (home / "parts" / "brain.py").write_text("x = 1\n")
    return home


def enter(home, *words):
    """Enter the bot."""
    return entries.of_command([sys.executable, str(home / "bot.py"), *map(str, words)], "ann")


def there(packed, place):
    """Unpack a bot on a machine that lacks it."""
    place.mkdir()
    return packed.unpack(place)


def test_a_bot_is_the_same_program_where_it_is_unpacked(home, tmp_path):
    """Its imports lie beside it as at home; the interpreter is the one that is there."""
    entry = there(pack(enter(home, "fast")), tmp_path / "place")
    assert hashes(entry) == hashes(enter(home))
    assert fingerprint(entry) == fingerprint(enter(home, "fast"))
    assert entry.command == (sys.executable, str(tmp_path / "place" / home.relative_to("/") / "bot.py"), "fast")
    assert (Path(entry.command[1]).parent / "parts" / "brain.py").read_text() == "x = 1\n"


def test_paths_in_words_are_those_of_the_other_machine(home, tmp_path):
    """Behind an equals sign, between colons, and folders that hold what is run."""
    (home / "lib").mkdir()
    (home / "lib" / "Main.class").write_bytes(b"\xca\xfe")
    command = ["/bin/sh", f"--path=/usr/lib:{home}/lib", f"{home}/lib"]
    entry = there(pack(entries.of_command(command, "ann")), tmp_path / "place")
    moved = tmp_path / "place" / home.relative_to("/")
    assert entry.command == ("/bin/sh", f"--path=/usr/lib:{moved}/lib", f"{moved}/lib")
    assert (moved / "lib" / "Main.class").read_bytes() == b"\xca\xfe"


@pytest.mark.parametrize(("mode", "expected"), [(0o6755, 0o700), (0o644, 0o600), (0o777, 0o700)])
def test_of_a_mode_only_that_it_can_be_started_is_kept(home, tmp_path, mode, expected):
    """No set-user-ID bit comes over, and no one else may write."""
    program = home / "tool"
    program.write_bytes(b"#!/bin/sh\n")
    program.chmod(mode)
    entry = there(pack(enter(home, program)), tmp_path / "place")
    assert Path(entry.command[2]).stat().st_mode & 0o7777 == expected


def test_a_link_comes_over_as_the_file_that_it_leads_to(home, tmp_path):
    """So nothing there leads out of the folder."""
    (tmp_path / "data").write_text("secret")
    (home / "data").symlink_to(tmp_path / "data")
    entry = there(pack(enter(home, home / "data")), tmp_path / "place")
    sent = Path(entry.command[2])
    assert not sent.is_symlink()
    assert sent.read_text() == "secret"


@pytest.mark.parametrize("path", ["../../escaped", "/a/../../escaped", "relative"])
def test_a_path_that_leads_elsewhere_is_refused(home, tmp_path, path):
    """Before anything is written to it."""
    packed = pack(enter(home))
    hostile = replace(packed, files=(File(Path(path), b"", executable=False), *packed.files))
    with pytest.raises(StoreError, match="no path that can be put into a folder"):
        there(hostile, tmp_path / "place")
    assert not list(tmp_path.rglob("escaped"))


def test_a_file_is_never_written_through_another(home, tmp_path):
    """Not even if two of the files have one path."""
    packed = pack(enter(home))
    with pytest.raises(FileExistsError):
        there(replace(packed, files=(*packed.files, packed.files[0])), tmp_path / "place")


def test_what_arrives_changed_is_refused(home, tmp_path):
    """By the hashes that the manifest has."""
    packed = pack(enter(home))
    changed = [file._replace(content=b"") if file.path.name == "brain.py" else file for file in packed.files]
    with pytest.raises(StoreError, match=r"ann is not the same program there: parts/brain\.py differs"):
        there(replace(packed, files=tuple(changed)), tmp_path / "place")


def test_another_interpreter_is_refused(home, tmp_path):
    """It is not sent: it needs its libraries."""
    packed = replace(pack(enter(home)), interpreters={Path(sys.executable): "0" * 64})
    with pytest.raises(StoreError, match="install the same version"):
        there(packed, tmp_path / "place")


def test_too_much_is_not_sent(home, monkeypatch):
    """What to do is said."""
    monkeypatch.setattr(bot_files, "MOST_BYTES", 10)
    with pytest.raises(StoreError, match="copy them there"):
        pack(enter(home))
    monkeypatch.setattr(bot_files, "MOST_BYTES", 1000)
    monkeypatch.setattr(bot_files, "MOST_FILES", 2)
    with pytest.raises(StoreError, match="ann has 4 files, and at most 2 are sent"):
        pack(enter(home))


def test_what_is_no_file_is_not_sent(home):
    """A pipe would never end."""
    os.mkfifo(home / "pipe")
    entry = enter(home)
    with pytest.raises(StoreError, match="only files are read"):
        pack(replace(entry, files=(*entry.files, home / "pipe")))


def test_a_bundled_bot_is_started_by_the_machine_that_plays(tmp_path, monkeypatch):
    """Nothing is sent of it, but the file that its words name."""
    program = tmp_path / "game.gdl"
    program.write_text("(game)")
    entry = entries.of_bundled("search", "ann", args=("--program", str(program)))
    packed = pack(entry)
    assert [file.path for file in packed.files] == [program]
    monkeypatch.setattr(sys, "executable", "/elsewhere/python")
    moved = bot_files.started_here(entry)
    assert moved.command[0] == "/elsewhere/python"
    monkeypatch.undo()
    sent = there(packed, tmp_path / "place")
    assert sent.args == ("--program", str(tmp_path / "place" / program.relative_to("/")))
    assert sent.command[-1] == sent.args[-1]


def test_what_a_worker_was_sent_is_gone_when_the_run_ends(home, tmp_path):
    """And a copy that was changed meanwhile is asked for again."""
    entry, worker = enter(home), SimpleNamespace(local_directory=str(tmp_path / "worker"))
    (tmp_path / "worker").mkdir()
    known = {"ann": entry}, {"ann": fingerprint(entry)}
    packed = pack(entry)
    (home / "bot.py").unlink()
    assert bot_files.settle("run", *known) == ["ann"]
    assert bot_files.take_in("run", packed, worker) == ""
    assert bot_files.settle("run", *known) == []
    (copy,) = (tmp_path / "worker").rglob("bot.py")
    copy.write_text("changed")
    assert bot_files.settle("run", *known) == ["ann"]
    bot_files.leave("run")
    assert not list((tmp_path / "worker").iterdir())
