"""Entries: the players of a table, and how each program is started: ``[NAME=][open:][json:|classic:]COMMAND``."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice, pairwise
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from croupier.agents import bundled
from croupier.agents.search import BadWords, Words
from croupier.protocol.notifications import BLIND, CLASSIC, JSON, NATIVE, OPEN, OWN
from croupier.server import names, terminal
from croupier.server.executables import (
    FOLDER,
    FROM_WINDOWS,
    NO_INTERPRETER,
    NOT_EXECUTABLE,
    PATH,
    defect,
)
from croupier.server.names import good_name
from croupier.server.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

HUMAN = "human"
AUTO = "auto"
_DIALECTS = {"classic:": CLASSIC, "json:": JSON}
_SIGHTS = {"open:": OPEN}
_TOLD = {OPEN: "is told all hands", BLIND: "is told imagined deals"}
_LIFETIMES = {NATIVE: "batch", CLASSIC: AUTO, JSON: "batch"}
_INTERPRETERS = {
    ".js": "node",
    ".rkt": "racket",
    ".rb": "ruby",
    ".pl": "perl",
    ".sh": "sh",
    ".hs": "runghc",
    ".jar": "java -jar",
}
"""The interpreters of files that are not executable, by suffix; all other files count as Python."""
INTERPRETER = re.compile(r"(python|pypy|perl|ruby|node|racket|runghc|Rscript|lua|guile|sh|bash)[0-9.]*")
"""The names of programs that run other programs' files."""
_CODE = {"-c", "-m", "-e", "-r", "-p", "-"}
"""Options followed by code or a module instead of a script."""
_CODE_OR_MODULE = {"-c", "-e", "-m"}
"""Options whose next word is never a folder, even if a folder has that name."""
_MAIN = ("__main__.py", "index.js")
"""The files that an interpreter runs when it is given a folder."""
_CLASSES = (".class", ".jar")
_MOST_FOLDERS = 1000
"""At most this many folders below a named one are searched for classes."""
_NO_PROGRAMS = (Path("/proc"), Path("/sys"))
_MOST_BYTES = 64 << 10
"""The most bytes of a command with its environment: half of the limit (ARG_MAX), as the sandbox adds words."""


class BadEntry(ValueError):
    """A BOT that cannot play, with what to write instead."""


@dataclass(frozen=True)
class Entry:
    """A competitor: a name, and a command or the name of a bundled bot.

    ``lifetime`` is ``batch`` (one process plays many games), ``game``, or ``auto``: a batch if the bot has shown that
    it can. ``files`` are the files, and the classes in folders, that the command named when it was entered. They are
    what the bot consists of, even while somebody replaces one of them.
    """

    name: str
    command: tuple[str, ...]
    dialect: str = NATIVE
    lifetime: str = "batch"
    env: Mapping[str, str] = field(default_factory=dict)
    builtin: str | None = None
    args: tuple[str, ...] = ()
    """The words after a bundled bot's name."""
    human: bool = False
    memory: str | None = None
    cores: int = 1
    network: bool = False
    """Whether the bot may use the network, which is closed to others."""
    sight: str = OWN
    """Whether it is told all hands, or imagined deals in their place, beside its own cards."""
    withdrawn: str = ""
    """Why the entry no longer plays and a stand-in does; empty while it plays."""
    files: tuple[Path, ...] = ()
    by_folder: str = ""
    """Its name by folder, if other programs have the same name; empty if it was given a name."""

    def absent(self, why: str | None) -> Entry:
        """Return the entry marked as withdrawn, if there is a reason."""
        return replace(self, withdrawn=why) if why else self


def sight_lines(sights: Mapping[str, str]) -> list[str]:
    """Return a line for each player that is told more than its own cards; ``sights`` are by name."""
    return [f"{name} {_TOLD[sight]}" for name, sight in sights.items() if sight in _TOLD]


def is_file(word: str) -> bool:
    """Return whether a word of a command is a file; a word longer than any file name is not."""
    with suppress(OSError):
        return Path(word).is_file()
    return False


def is_folder(word: str) -> bool:
    """Return whether a word of a command is a folder."""
    with suppress(OSError):
        return bool(word) and Path(word).is_dir()
    return False


def plays(bot: str, game: str) -> bool:
    """Return whether a bundled bot plays a game."""
    return bot in bundled.names(game)


def read(text: str) -> Entry:
    """Read ``[NAME=][open:][classic:|json:]COMMAND``.

    A command is a bundled bot's name, a path, or a quoted command line.
    """
    name, rest = _split_name(text)
    sight, name, rest = _split_prefix(_SIGHTS, name, rest)
    dialect, name, rest = _split_prefix(_DIALECTS, name, rest)
    words = _words(rest)
    bot = _bundled_name(words[0])
    if bot == HUMAN and len(words) == 1:
        if sight:
            raise BadEntry("a person is shown no other hands: open: goes with programs")
        return Entry(name or HUMAN, (), human=True)
    if bot in bundled.BUNDLED:
        entry = of_bundled(bot, name, dialect or NATIVE, words[1:])
    else:
        entry = of_command(words, name, dialect or NATIVE, before=text.removesuffix(rest))
    return with_sight(entry, sight or OWN)


def with_sight(entry: Entry, sight: str) -> Entry:
    """Return the entry, told this of the others' cards; raise BadEntry if its dialect has no words for it."""
    if sight != OWN and entry.dialect == CLASSIC:
        raise BadEntry(f"{entry.name}: the classic dialect has no words for all hands")
    return replace(entry, sight=sight)


def of_bundled(bot: str, name: str | None = None, dialect: str = NATIVE, args: Sequence[str] = ()) -> Entry:
    """Enter a bundled bot, with the words after its name."""
    if bot not in bundled.BUNDLED:
        meant = did_you_mean(bot, bundled.BUNDLED)
        raise BadEntry(f"no bundled bot is called {bot}{meant}; they are: {', '.join(bundled.BUNDLED)}")
    _check_args(bot, args)
    args = tuple(map(_absolute, args))
    command = tuple(bundled.command(bot, args))
    return Entry(name or bot, command, dialect, _LIFETIMES[dialect], builtin=bot, args=args, files=_files(command))


def _check_args(bot: str, args: Sequence[str]) -> None:
    if args and bot != bundled.SEARCH:
        raise BadEntry(f"{bot} is told nothing, so no {' '.join(args)} stands behind its name")
    try:
        Words.read(args)
    except BadWords as problem:
        raise BadEntry(str(problem)) from None


def of_command(
    words: Sequence[str],
    name: str | None = None,
    dialect: str = NATIVE,
    lifetime: str | None = None,
    before: str = "",
    env: Mapping[str, str] = MappingProxyType({}),
) -> Entry:
    """Enter a program. ``python`` is the interpreter that runs this.

    Words that name files or folders are made absolute. So are the parts of a list such as ``lib:classes``, and the text
    after the ``=`` of an option. ``before`` is what preceded the command; `BadEntry` repeats it in the text to write
    instead.
    """
    check_words(words, env)
    for word in words:
        if is_file(word) and any(Path(word).resolve().is_relative_to(folder) for folder in _NO_PROGRAMS):
            raise BadEntry(f"{word}: what lies there is another file for each program that looks; name the file itself")
    command = tuple(_all_absolute(words))
    program = command[0]
    if Path(program).name == program:
        program = sys.executable if re.fullmatch(r"python3?", program) else shutil.which(program) or ""
        if not program:
            meant = did_you_mean(words[0], [*bundled.BUNDLED, HUMAN])
            raise BadEntry(
                f"{words[0]}: no such file, command or bundled bot{meant}; `croupier bots` lists the bundled ones"
            )
    _check_program(program, words[0], before, env.get("PATH", PATH))
    _check_script(words)
    command = (program, *command[1:])
    by_file, by_folder = ("", "") if name else _names(words, command)
    lives = lifetime or _LIFETIMES[dialect]
    return Entry(name or by_file, command, dialect, lives, dict(env), files=_files(command), by_folder=by_folder)


def check_words(words: Iterable[str], env: Mapping[str, str] = MappingProxyType({})) -> None:
    """Refuse words and variables with which no program can be started (execve)."""
    total = 0
    for word in [*words, *(f"{name}={value}" for name, value in env.items())]:
        if "\0" in word:
            raise BadEntry(f"there is a NUL in {word[:80]!r}, and no program can be given one")
        total += len(word.encode("utf-8", "surrogateescape")) + 1
    for name in env:
        if not name or "=" in name:
            raise BadEntry(f"env has the name {name!r}: a variable's name is not empty and has no =")
    if total > _MOST_BYTES:
        raise BadEntry(f"command and env have {total:,} bytes, and a program can be given {_MOST_BYTES:,} in all")


def run_by(program: Path) -> list[str]:
    """Return the words that start a file: the file alone if it can be executed, else after its interpreter."""
    interpreter = _INTERPRETERS.get(program.suffix, "python" if program.suffix == ".py" else "")
    if interpreter and defect(program) in {NOT_EXECUTABLE, NO_INTERPRETER}:
        return [*interpreter.split(), str(program)]
    return [str(program)]


def _split_name(text: str) -> tuple[str | None, str]:
    name, equals, rest = text.partition("=")
    if not equals or not good_name(name):
        return None, text
    return name, rest


def _split_prefix(prefixes: Mapping[str, str], name: str | None, text: str) -> tuple[str, str | None, str]:
    """Return what a prefix stands for, empty if there is none; the name, which may come after it; and the rest."""
    prefix = next((prefix for prefix in prefixes if text.startswith(prefix)), None)
    if prefix is None:
        return "", name, text
    inner, rest = _split_name(text.removeprefix(prefix))
    return prefixes[prefix], name or inner, rest


def _words(text: str) -> list[str]:
    if is_file(text):
        return [text]
    try:
        words = shlex.split(text)
    except ValueError as problem:
        raise BadEntry(f"{text}: {problem}".replace("No closing quotation", "a quotation mark is left open")) from None
    if not words:
        raise BadEntry("a BOT is a bundled bot's name, a path to a program or a quoted command line, not nothing")
    return words


def _bundled_name(word: str) -> str:
    """Return a bundled bot's name in its own case, unless a program has exactly this name in another case."""
    plain = word.lower()
    is_other = word != plain and (is_file(word) or shutil.which(word))
    return plain if plain in {*bundled.BUNDLED, HUMAN} and not is_other else word


def _absolute(word: str) -> str:
    return str(Path(word).absolute()) if is_file(word) else word


def _all_absolute(words: Sequence[str]) -> Iterator[str]:
    """Yield the words of a command so that they mean the same in another working folder."""
    for before, word in pairwise(["", *words]):
        is_code = is_file(word) or before in _CODE_OR_MODULE
        option, equals, value = word.partition("=") if word.startswith("-") else ("", "", word)
        yield _absolute(word) if is_code else option + equals + ":".join(map(_place, value.split(":")))


def _place(part: str) -> str:
    """Make the path of a file or folder absolute, even one that ends in ``/*`` as in Java's class path."""
    path, star, _ = part.partition("/*") if part.endswith("/*") else (part, "", "")
    if is_file(path) or not is_folder(path):
        return _absolute(part)
    return str(Path(path).resolve() if ".." in Path(path).parts else Path(path).absolute()) + star


def _files(command: Iterable[str]) -> tuple[Path, ...]:
    """Return the files that a command consists of: those it names, and what is run in the folders it names."""
    places = [Path(part.removesuffix("/*")) for word in command for part in word.rpartition("=")[2].split(":")]
    named = [Path(word) for word in command if Path(word).is_absolute() and is_file(word)]
    inside = [file for place in places if place.is_absolute() and is_folder(str(place)) for file in _run_in(place)]
    return tuple(dict.fromkeys([*named, *inside]))


def _run_in(folder: Path) -> Iterator[Path]:
    """Yield the main script of a folder, and the compiled classes below it."""
    yield from (folder / name for name in _MAIN if is_file(str(folder / name)))
    for place, folders, files in islice(os.walk(folder), _MOST_FOLDERS):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(place, name) for name in sorted(files) if name.endswith(_CLASSES))


def _check_program(program: str, said: str, before: str, search: str) -> None:
    """Raise BadEntry, with the remedy, for a program that the kernel cannot start."""
    if not os.path.lexists(program):
        raise BadEntry(f"{said}: no such file")
    if not (why := defect(Path(program), search)):
        return
    interpreter = _INTERPRETERS.get(Path(said).suffix, "python")
    run_by = f"name its interpreter: {terminal.word(before + terminal.command(*interpreter.split(), said))}"
    unix = terminal.command("sed", "-i", "s/\\r$//", said)
    cures = {
        FOLDER: "name the program in it",
        NOT_EXECUTABLE: f"make it so ({terminal.command('chmod', '+x', said)}), or {run_by}",
        NO_INTERPRETER: f"let it begin with #!/usr/bin/env {interpreter.replace('python', 'python3')}, or {run_by}",
        FROM_WINDOWS: f"save it with Unix line ends ({unix})",
    }
    cure = cures.get(why, f"change that line, or {run_by}" if why.startswith("begins with") else "")
    raise BadEntry(f"{said} {why}{'; ' if cure else ''}{cure}")


def _check_script(words: Sequence[str]) -> None:
    """Raise BadEntry if an interpreter's script does not exist."""
    if not INTERPRETER.fullmatch(Path(words[0]).name) or not _CODE.isdisjoint(words):
        return
    scripts = [word for word in words[1:] if not word.startswith("-")]
    if scripts and not any(map(os.path.lexists, scripts)):
        missing = next((word for word in scripts if Path(word).suffix), scripts[0])
        raise BadEntry(f"{missing}: no such file; a path counts from the folder in which croupier is called")


def _names(words: Sequence[str], command: Sequence[str]) -> tuple[str, str]:
    """Return a bot's name by its program, which is the last word of its command that is a file, and by its folder."""
    program, files = command[0], [word for word in command[1:] if is_file(word)]
    folders = [word for word in command[1:] if is_folder(word)]
    if files:
        path = Path(files[-1])
    elif folders and Path(words[0]).name == words[0]:  # a class that is looked for there, as by java -cp
        path = Path(folders[-1], command[-1].rpartition(".")[2])
    else:
        path = Path(program)
    by_folder = names.of_folder(path)
    return by_folder if names.says_nothing(path.stem) else names.nearest(path.stem), by_folder


def distinct(entries: Iterable[Entry]) -> list[Entry]:
    """Name programs of the same name by their folders if these differ; add -2, -3 to names that still repeat."""
    seated = list(entries)
    folders: defaultdict[str, set[str]] = defaultdict(set)
    for entry in seated:
        folders[entry.name].add(entry.by_folder)
    told = [entry.by_folder if entry.by_folder and len(folders[entry.name]) > 1 else entry.name for entry in seated]
    called = distinct_names(tuple(told))
    return [
        entry if name == entry.name else replace(entry, name=name) for entry, name in zip(seated, called, strict=True)
    ]


@lru_cache(1 << 10)
def distinct_names(given: tuple[str, ...]) -> tuple[str, ...]:
    """Add ``-2``, ``-3`` to repeated names.

    Cached because a tournament asks for the same tables again and again.
    """
    taken: dict[str, None] = {}
    for name in given:
        free, number = name, 1
        while free in taken:
            number += 1
            suffix = f"-{number}"
            free = name[: names.LONGEST - len(suffix)] + suffix
        taken[free] = None
    return tuple(taken)
