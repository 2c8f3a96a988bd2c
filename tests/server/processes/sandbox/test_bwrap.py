"""What bubblewrap shows to a bot, wherever its program lies: its own, and nothing that is hidden."""

import os
import pwd
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass, field
from pathlib import Path

import needs
import pytest

from croupier.server import entries
from croupier.server.processes.host import Host
from croupier.server.processes.sandbox import SandboxSettings, bwrap, launch
from croupier.server.processes.sandbox.bwrap import lies_in

pytestmark = needs.BUBBLEWRAP
FILES = (
    "notes",
    "bot/mine",
    "bot/other",
    "bot/cup/key",
    "cup/key",
    "cup/bots/mine",
    "bin/tool",
    ".local/bin/tool",
    ".local/share/letters",
    "elsewhere/rival",
)
LINKS = {"link": "bot", "bot/linked": "../elsewhere/rival", "linked-cup": "cup"}
LOOKED_FOR = (*FILES, "link/mine", "link/other", "link/cup/key", "bot/linked", "linked-cup/key")


@dataclass
class Place:
    """Where a program lies in somebody's home, and what of it is hidden; which files it sees all the same."""

    program: str
    hidden: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    sees: set[str] = field(default_factory=set)


PLACES = {
    "beside what is hidden": Place("bot/look", ("bot/cup",), sees={"bot/mine", "bot/other"}),
    "among the programs of others": Place("bot/look", ("bot/other", "bot/cup", "bot/look"), sees={"bot/mine"}),
    "in a folder of what is hidden": Place("cup/bots/look", ("cup",), sees={"cup/bots/mine"}),
    "in the very folder that is hidden": Place("cup/look", ("cup",)),
    "with its data in what is hidden": Place("bot/look", ("bot",), ("bot/cup/key",), sees={"bot/cup/key"}),
    "at home": Place("look"),
    "among the programs at home": Place("bin/look", sees={"bin/tool"}),
    "where installers put programs": Place(".local/bin/look", sees={".local/bin/tool"}),
    "behind a link": Place("link/look", ("bot/cup", "link/other"), sees={"bot/mine", "link/mine"}),
    "behind a link to what is hidden": Place("linked-cup/look", ("cup",)),
    "beside a link to what is hidden": Place("bot/look", ("bot/linked", "bot/cup"), sees={"bot/mine", "bot/other"}),
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Somebody's home."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("something")
    for name, target in LINKS.items():
        (tmp_path / name).symlink_to(target)
    monkeypatch.setenv("HOME", str(tmp_path))
    bwrap._too_much.cache_clear()
    yield tmp_path
    bwrap._too_much.cache_clear()


def run(entry, folder, hidden=(), seconds=60):
    """Run an entry's command as a bot; return the lines that it printed."""
    words, env = bwrap.command(entry, folder, hidden), launch.environment(entry, folder)
    done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=seconds, check=False)
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_bot_sees_its_own_and_nothing_that_is_hidden(place, home, tmp_path_factory):
    """Whatever lies in, over or beside what."""
    program = home / place.program
    program.write_text(
        f"#!/bin/sh\ncd {home}; for each in {' '.join(LOOKED_FOR)}; do test -s $each && echo $each; done\n"
    )
    program.chmod(0o755)
    entry = entries.of_command([str(program), *(str(home / name) for name in place.data)])
    seen = run(entry, tmp_path_factory.mktemp("own"), [home / name for name in place.hidden])
    assert set(seen) == place.sees


def test_a_user_without_a_home_has_bots(tmp_path, monkeypatch):
    """A container runs as a user id with neither HOME nor an entry in /etc/passwd."""

    def unknown(uid):
        raise KeyError(uid)

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    bwrap._too_much.cache_clear()
    try:
        assert run(entries.of_command(["sh", "-c", "echo ready"]), tmp_path) == ["ready"]
    finally:
        bwrap._too_much.cache_clear()


def test_a_bot_can_write_to_its_folder_and_little_else(tmp_path):
    """The rest is read-only, what lies in memory too: nothing counts that."""
    (tmp_path / "own").mkdir()
    (tmp_path / "hidden").mkdir()
    program = tmp_path / "write"
    places = f"/ /etc /dev /usr /proc/sys/kernel {tmp_path} {tmp_path}/hidden . /tmp /dev/shm"
    program.write_text(f"#!/bin/sh\nfor each in {places}; do (echo > $each/x) 2> /dev/null && echo $each; done\n")
    program.chmod(0o755)
    entry = entries.of_command([str(program)])
    assert run(entry, tmp_path / "own", [tmp_path / "hidden"]) == [".", "/tmp", "/dev/shm"]


@pytest.fixture
def shared(tmp_path):
    """Return a program in a folder that it shares with a rival's: it looks at the rival's once it is told to go on."""
    (tmp_path / "own").mkdir()
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "rival").write_text("old strategy\n")
    (tmp_path / "bots" / "data").write_text("openings\n")
    program = tmp_path / "bots" / "look"
    wait = "echo ready; while ! test -e go; do sleep 0.01; done"
    program.write_text(f"#!/bin/sh\n{wait}\ncd {tmp_path}/bots; cat data; cat rival 2> /dev/null; true\n")
    program.chmod(0o755)
    return tmp_path


def compile_again(path):
    """Do as a linker does: remove the program, then write the new one."""
    path.unlink()
    path.write_text("new strategy\n")


def install_again(path):
    """Do as an installer does: put another in the place of the program at once."""
    new = path.with_name("new")
    new.write_text("new strategy\n")
    new.rename(path)


@pytest.mark.parametrize("replace", [compile_again, install_again, Path.unlink, Path.exists])
@pytest.mark.parametrize("when", ["before the order", "before the start", "while it runs"])
def test_a_rivals_program_that_is_replaced_harms_nobody_and_stays_hidden(replace, when, shared):
    """Whatever its author does with it, and whenever: who shares the folder starts, and does not see it."""
    rival, entry = shared / "bots" / "rival", entries.of_command([str(shared / "bots" / "look")])
    hidden = entries.of_command(["/bin/sh", str(rival)]).files
    if when == "before the order":
        replace(rival)
    command = bwrap.command(entry, shared / "own", hidden)
    if when == "before the start":
        replace(rival)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout.readline() == "ready\n"
        if when == "while it runs":
            replace(rival)
        (shared / "own" / "go").touch()
        assert running.communicate(timeout=300) == ("openings\n", "")


def test_a_program_that_is_gone_for_a_moment_is_hidden_when_it_is_back(shared):
    """A table opens while a rival compiles: the rival's files are those that his command named when he entered."""
    rival = entries.of_command(["/bin/sh", str(shared / "bots" / "rival")])
    (shared / "bots" / "rival").unlink()
    with Host(SandboxSettings("bwrap").hiding([rival])) as host:
        assert shared / "bots" / "rival" in host.sandboxing.hidden


def test_of_a_crowded_folder_with_a_rivals_program_only_the_own_is_seen(shared, monkeypatch):
    """Too many parts take too long to show; nothing that is hidden is shown instead."""
    monkeypatch.setattr(bwrap, "_MANY", 2)
    (shared / "own" / "go").touch()
    entry = entries.of_command([str(shared / "bots" / "look")])
    done = subprocess.run(
        bwrap.command(entry, shared / "own", [shared / "bots" / "rival"]), capture_output=True, text=True, check=False
    )
    assert done.stdout == "ready\n"
    assert "data" in done.stderr


INTERPRETERS = {
    "racket": ("bot.rkt", '#lang racket\n(displayln (string-append "re" "ady"))', "racket"),
    "ruby": ("bot.rb", "require 'set'\nputs 're' + 'ady'", "ruby"),
    "Rscript": ("bot.R", "cat(paste0('re', 'ady'))", "r-base-core"),
    "ocaml": ("bot.ml", 'print_endline ("re" ^ "ady")', "ocaml-nox"),
    "escript": ("bot.erl", '#!/usr/bin/env escript\nmain(_) -> io:put_chars(["re" ++ "ady"]).', "erlang-base"),
    "node": ("bot.js", "console.log('re' + 'ady')", "nodejs"),
    "perl": ("bot.pl", "use POSIX; print 're' . 'ady'", "perl"),
    "runghc": ("bot.hs", 'main = putStrLn ("re" ++ "ady")', "ghc"),
    "java": (
        "Bot.java",
        'class B { public static void main(String[] a) { System.out.print("re" + "ady"); } }',
        "a JDK",
    ),
    "mono": ("bot.cs", 'class Bot { static void Main() { System.Console.Write("re" + "ady"); } }', "mono-mcs"),
}


@pytest.mark.parametrize("interpreter", INTERPRETERS)
def test_an_interpreter_finds_its_settings(interpreter, tmp_path):
    """What a distribution keeps of it in /etc and /var/lib is shown: it starts as outside, and complains of nothing."""
    name, source, package = INTERPRETERS[interpreter]
    needed = [interpreter, "mcs"] if interpreter == "mono" else [interpreter]
    if missing := [each for each in needed if shutil.which(each) is None]:
        pytest.skip(f"{missing[0]} is not installed ({package})")
    program = tmp_path / name
    program.write_text(source + "\n")
    if interpreter == "mono":
        subprocess.run(["mcs", str(program)], check=True, timeout=300)
        program = program.with_suffix(".exe")
    (tmp_path / "own").mkdir()
    assert run(entries.of_command([interpreter, str(program)]), tmp_path / "own") == ["ready"]


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """Make a virtual environment beside nothing else, with a package of its own, at home."""
    monkeypatch.setenv("HOME", str(tmp_path))
    bwrap._too_much.cache_clear()
    made = tmp_path / "envs" / "mine"
    venv.create(made, symlinks=True)
    (next(made.glob("lib/python3*/site-packages")) / "treasure.py").write_text("found = 'ready'\n")
    (tmp_path / "envs" / "secret").write_text("something")
    yield made
    bwrap._too_much.cache_clear()


@pytest.mark.parametrize("how", ["named", "in the first line", "through a link"])
def test_a_virtual_environment_elsewhere_is_found(how, environment, tmp_path):
    """What is installed in it is there, and what lies beside it is not, wherever the bot's own folder is."""
    program = tmp_path / "bots" / "bot.py"
    (tmp_path / "own").mkdir()
    program.parent.mkdir()
    secret = environment.parent / "secret"
    program.write_text(
        f"#!{environment}/bin/python\nimport os, treasure\nprint(treasure.found, os.path.exists({str(secret)!r}))\n"
    )
    program.chmod(0o755)
    python = environment / "bin" / "python"
    if how == "through a link":
        link = tmp_path / "tools" / "bin" / "python"
        link.parent.mkdir(parents=True)
        link.symlink_to(python.resolve())
        python.unlink()
        python.symlink_to(link)
    words = [str(program)] if how == "in the first line" else [str(python), str(program)]
    assert run(entries.of_command(words), tmp_path / "own") == ["ready False"]


def test_settings_that_not_everybody_may_read_stay_hidden(tmp_path, monkeypatch, tmp_path_factory):
    """Root's bots could read them: a password of a management console, a key for downloads."""
    settings = tmp_path / "settings"
    settings.mkdir()
    for name, mode in {"open": 0o644, "locked": 0o640}.items():
        (settings / name).write_text(f"{name}\n")
        (settings / name).chmod(mode)
    monkeypatch.setattr(bwrap, "_RUNTIMES", [str(settings)])
    bwrap._runtimes.cache_clear()
    bwrap._private_settings.cache_clear()
    try:
        entry = entries.of_command(["/bin/sh", "-c", f"ls {settings}"])
        assert run(entry, tmp_path_factory.mktemp("own")) == ["open"]
    finally:
        bwrap._runtimes.cache_clear()
        bwrap._private_settings.cache_clear()


def test_no_word_of_a_command_shows_the_systems_own_folders(tmp_path):
    """Nor a link to one: a bot would find other processes, sockets to connect to, and what everybody keeps there."""
    links = {name: tmp_path / name for name in ("proc", "run", "environ")}
    for name, target in {"proc": "/proc", "run": "/run", "environ": f"/proc/{os.getpid()}/environ"}.items():
        links[name].symlink_to(target)
    for folder in ("/run", "/var", "/sys/fs", "//proc", str(links["proc"]), str(links["run"])):
        shown = {path.resolve() for path in bwrap.readable(entries.Entry("looks", ("/bin/ls", folder)))}
        assert Path(folder).resolve() not in shown
    entry = entries.Entry("looks", ("/bin/ls", "/proc", "//proc"))
    assert str(os.getpid()) not in run(entry, tmp_path)[:-1]
    for word in (f"/proc/{os.getpid()}/environ", links["environ"]):
        with pytest.raises(entries.BadEntry, match="name the file itself"):
            entries.of_command([sys.executable, str(word)])


@pytest.mark.parametrize("word", ["PYTHONPATH={0}:{1}", "-Djava.class.path={0};{1}", "exec {0}/run; cd {1}", "{0}"])
def test_a_path_inside_of_a_word_shows_its_folder(word, tmp_path):
    """So `env PYTHONPATH=DIR python bot.py` finds under bwrap what it finds outside."""
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
        (folder / "run").touch()
    shown = set(bwrap.readable(entries.Entry("bot", ("/usr/bin/env", word.format(*folders)))))
    assert folders[0] in shown
    assert (folders[1] in shown) == ("{1}" in word)


def test_of_a_folder_of_sockets_only_the_program_is_shown(tmp_path, monkeypatch):
    """And of folders in which all kinds of things lie."""
    program = tmp_path / "service" / "bot.py"
    program.parent.mkdir()
    program.write_text("")
    entry = entries.of_command([sys.executable, str(program)])
    assert program.parent in bwrap.readable(entry)
    monkeypatch.setattr(bwrap, "_SOCKETS", tmp_path)
    assert program in bwrap.readable(entry)
    assert program.parent not in bwrap.readable(entry)
    monkeypatch.undo()
    monkeypatch.setattr(bwrap, "_SHARED", (str(program.parent),))
    bwrap._too_much.cache_clear()
    assert program.parent not in bwrap.readable(entry)
    bwrap._too_much.cache_clear()


TIMERS = """
import ctypes, resource, sys
resource.setrlimit(resource.RLIMIT_SIGPENDING, (64, 64))
libc, made = ctypes.CDLL(None), 0
while made < 100 and not libc.timer_create(1, None, ctypes.byref(ctypes.c_void_p())):
    made += 1
print(made, flush=True)
sys.stdin.read()
"""


def test_what_the_kernel_lends_one_user_each_bot_has_for_itself(tmp_path):
    """Its user namespace is counted apart, so it needs no uid of its own: one has all its timers beside another."""
    words = bwrap.command(entries.Entry("timers", (sys.executable, "-S", "-E", "-c", TIMERS)), tmp_path)
    one, other = (subprocess.Popen(words, stdin=-1, stdout=-1, text=True) for _ in range(2))
    made = [one.stdout.readline(), other.stdout.readline()]
    one.communicate()
    other.communicate()
    assert made == ["64\n", "64\n"]


def test_which_folders_no_bot_starts_without(tmp_path):
    """Those that hold libraries or Python; a folder that lies among them, but nobody looks into, may be hidden."""
    for harmless in (tmp_path, Path("/usr/src"), Path("/")):
        assert bwrap.needed_folder([harmless]) is None
    for needed in (Path("/usr"), Path(sys.prefix), Path(os.__file__).parent):
        assert bwrap.needed_folder([tmp_path, needed]) == needed


@pytest.mark.parametrize("path", ["/", "/usr", "/usr/bin", "/usr/binary", "/tmp", "usr"])
@pytest.mark.parametrize("folder", ["/", "/usr", "/usr/bin", "/us", "usr"])
def test_what_lies_in_a_folder(path, folder):
    """By whole names, as pathlib has it."""
    assert lies_in(Path(path), Path(folder)) == Path(path).is_relative_to(folder)
