"""Entries: who sits down, and how his program is started: ``[NAME=][classic:]COMMAND``."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.agents import bundled
from croupier.agents.search import BadWords, Words
from croupier.protocol.notifications import CLASSIC, NATIVE
from croupier.server import terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")
RESERVED = {"nan", "inf", "infinity", "t", "nil", "table"}
HUMAN = "human"
AUTO = "auto"
_CLASSIC = "classic:"
_LIFETIMES = {NATIVE: "batch", CLASSIC: AUTO}
_INTERPRETERS = {
    ".js": "node",
    ".rkt": "racket",
    ".rb": "ruby",
    ".pl": "perl",
    ".sh": "sh",
    ".hs": "runghc",
    ".jar": "java -jar",
}
"""What runs a file that is not executable, by its suffix; all others are taken for Python."""
_SCRIPTS = {".py", *_INTERPRETERS} - {".jar"}
_ELF = b"\x7fELF"
_INTERPRETER = re.compile(r"(python|pypy|perl|ruby|node|racket|runghc|Rscript|lua|guile|sh|bash)[0-9.]*")
_CODE = {"-c", "-m", "-e", "-r", "-p", "-"}
"""Options behind which there is code, or a module, and no script."""
_NO_PROGRAMS = (Path("/proc"), Path("/sys"))
_FIRST_LINE = 256


class BadEntry(ValueError):
    """A BOT that cannot sit down, and what to write instead."""


@dataclass(frozen=True)
class Entry:
    """A competitor: a name, and a command or the name of a bundled bot.

    ``lifetime`` is ``batch`` (one process plays many games), ``game``, or ``auto``: a batch if it is shown to bear
    that. ``files`` are the words of the command that were files when it was entered: what a bot is made of, also while
    somebody puts another in the place of one.
    """

    name: str
    command: tuple[str, ...]
    dialect: str = NATIVE
    lifetime: str = "batch"
    env: Mapping[str, str] = field(default_factory=dict)
    builtin: str | None = None
    args: tuple[str, ...] = ()
    """The words behind a bundled bot's name."""
    human: bool = False
    memory: str | None = None
    cores: int = 1
    withdrawn: str = ""
    """Why the entry no longer plays; a stand-in does."""
    files: tuple[Path, ...] = ()

    def absent(self, why: str | None) -> Entry:
        """Return the entry as one that no longer plays, if there is a reason."""
        return replace(self, withdrawn=why) if why else self


def is_file(word: str) -> bool:
    """Say whether a word of a command is a file: others are longer than any name may be."""
    with suppress(OSError):
        return Path(word).is_file()
    return False


def good_name(name: str) -> bool:
    """Say whether a player may be called this."""
    return bool(NAME.fullmatch(name)) and name.lower() not in RESERVED


def plays(bot: str, game: str) -> bool:
    """Say whether a bundled bot plays a game."""
    return bot in bundled.names(game)


def read(text: str) -> Entry:
    """Read ``[NAME=][classic:]COMMAND``; a command is a bundled bot's name, a path, or a quoted command line."""
    name, rest = _named(text)
    dialect = NATIVE
    if rest.startswith(_CLASSIC):
        dialect = CLASSIC
        inner, rest = _named(rest.removeprefix(_CLASSIC))
        name = name or inner
    if rest == HUMAN:
        return Entry(name or HUMAN, (), human=True)
    if rest in bundled.BUNDLED:
        return of_bundled(rest, name, dialect)
    words = _words(rest)
    if words[0] in bundled.BUNDLED:
        return of_bundled(words[0], name, dialect, words[1:])
    return of_command(words, name, dialect, before=text.removesuffix(rest))


def of_bundled(bot: str, name: str | None = None, dialect: str = NATIVE, args: Sequence[str] = ()) -> Entry:
    """Enter a bot that comes with the package, with the words behind its name."""
    if bot not in bundled.BUNDLED:
        raise BadEntry(f"no bundled bot is called {bot}; they are: {', '.join(bundled.BUNDLED)}")
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
) -> Entry:
    """Enter a program; words that name files are made absolute, ``python`` is the interpreter that runs this.

    ``before`` is what stood before the command: `BadEntry` says it again in what it tells to write.
    """
    for word in words:
        if is_file(word) and any(Path(word).resolve().is_relative_to(folder) for folder in _NO_PROGRAMS):
            raise BadEntry(f"{word}: what lies there is another file for each program that looks; name the file itself")
    command = tuple(_absolute(word) for word in words)
    program = command[0]
    if Path(program).name == program:
        program = sys.executable if re.fullmatch(r"python3?", program) else shutil.which(program) or ""
        if not program:
            raise BadEntry(f"{words[0]}: no such file, command or bundled bot; `croupier bots` lists the bundled ones")
    _check_program(program, words[0], before)
    _check_script(words)
    command = (program, *command[1:])
    return Entry(name or _stem(command), command, dialect, lifetime or _LIFETIMES[dialect], files=_files(command))


def _named(text: str) -> tuple[str | None, str]:
    name, equals, rest = text.partition("=")
    if not equals or not good_name(name):
        return None, text
    return name, rest


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


def _absolute(word: str) -> str:
    return str(Path(word).absolute()) if is_file(word) else word


def _files(command: Iterable[str]) -> tuple[Path, ...]:
    return tuple(Path(word) for word in command if Path(word).is_absolute() and is_file(word))


def _check_program(program: str, said: str, before: str) -> None:
    if not os.path.lexists(program):
        raise BadEntry(f"{said}: no such file")
    interpreter = _INTERPRETERS.get(Path(said).suffix, "python")
    run_by = f"name its interpreter: {terminal.word(before + terminal.command(*interpreter.split(), said))}"
    if not os.access(program, os.X_OK) or Path(program).is_dir():
        raise BadEntry(f"{said}: not executable; make it so ({terminal.command('chmod', '+x', said)}), or {run_by}")
    if is_file(program):
        _check_first_line(program, said, f"#!/usr/bin/env {interpreter.replace('python', 'python3')}, or {run_by}")


def _check_first_line(program: str, said: str, instead: str) -> None:
    """Refuse a script without a #! line, which the kernel cannot run, or with one that ends in a carriage return.

    The kernel takes that for a part of the interpreter's path.
    """
    line = first_line(Path(program))
    if Path(said).suffix in _SCRIPTS and not line.startswith((b"#!", _ELF)):
        raise BadEntry(f"{said}: executable, but nothing says what runs it; let it begin with {instead}")
    if line.startswith(b"#!") and line.endswith(b"\r\n"):
        cure = terminal.command("sed", "-i", "s/\\r$//", said)
        raise BadEntry(
            f"{said}: its first line ends in a carriage return, as on Windows, and no such interpreter is found;"
            f" save it with Unix line ends ({cure})"
        )


def first_line(path: Path) -> bytes:
    """Read the first line of a file, with O_NONBLOCK as it may have become a pipe; nothing if that cannot be."""
    with suppress(OSError), os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        return file.readline(_FIRST_LINE)
    return b""


def _check_script(words: Sequence[str]) -> None:
    """Refuse an interpreter that is given a script which is not there."""
    if not _INTERPRETER.fullmatch(Path(words[0]).name) or not _CODE.isdisjoint(words):
        return
    scripts = [word for word in words[1:] if not word.startswith("-")]
    if scripts and not any(map(os.path.lexists, scripts)):
        missing = next((word for word in scripts if Path(word).suffix), scripts[0])
        raise BadEntry(f"{missing}: no such file; a path counts from the folder in which croupier is called")


def _stem(command: Sequence[str]) -> str:
    """Call a bot after the last word of its command that is a file."""
    files = [word for word in command if is_file(word)]
    name = re.sub(r"[^A-Za-z0-9_-]", "-", Path(files[-1] if files else command[-1]).stem)[:32]
    if not name or not name[0].isalpha():
        name = f"bot-{name}"[:32]
    return name if good_name(name) else f"{name}-bot"


def distinct(entries: Iterable[Entry]) -> list[Entry]:
    """Give repeated names ``-2``, ``-3``."""
    seated = list(entries)
    names = distinct_names(tuple([entry.name for entry in seated]))
    return [
        entry if name == entry.name else replace(entry, name=name) for entry, name in zip(seated, names, strict=True)
    ]


@lru_cache(1 << 10)
def distinct_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Give repeated names ``-2``, ``-3``; a tournament asks for the same tables again and again."""
    taken: dict[str, None] = {}
    for name in names:
        free, number = name, 1
        while free in taken:
            number += 1
            suffix = f"-{number}"
            free = name[: 32 - len(suffix)] + suffix
        taken[free] = None
    return tuple(taken)
