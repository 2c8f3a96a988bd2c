"""Last words: the lines at the end of standard error (stderr) that name why a program died, whatever its language.

Where a sandbox may have led to it, `cure` knows what to do about it.

Many a runtime ends with where it happened, or with its own version: GHC with a CallStack, Racket with its context, Node
with its version, Go with its goroutines, Rust with a note. What names the cause stands before that.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from croupier.server.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Collection


MOST = 5
"""At most this many lines are shown."""
WIDTH = 200
_TRACEBACK = "Traceback (most recent call last):"
_FRAME = re.compile(r' +File "(?P<path>(?P<folder>[^"]*)/(?P<name>[^"/]*))", line (?P<line>\d+)')
_POSITION = re.compile(
    r"CallStack |(context|location)\.\.\.:|at .*:\d+|at \S+\(|from .*:\d+:in |Node\.js v\d|goroutine \d+ |created by "
    r"|exit status \d+$|note: |stack backtrace:|Raised (at|by) |Called from |Re-raised at |[\w./*()]+\([^()]*\)$"
    r"|\S+:\d+(:\d+)?:?$|body of |(\.\.\. )?\d+ more$|error, called at |[~^]+$",
)
_NAMES = re.compile(
    r"\w*(Error|Exception)\b|\b(error|exception|panic(ked)?|fatal|violation|assertion|aborted|undefined|unbound"
    r"|cannot|can.t|no such|failed|failure)\b",
    re.IGNORECASE,
)


def last_words(text: str, own: Collection[str] = ()) -> str:
    """Return the cause of a program's end as one printable line, empty if it printed none.

    ``own`` are the program's files: a Python error is reported with the innermost line of its traceback in one of them,
    or in a file beside one.
    """
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    cause = _of_python(lines) or _of_others(lines)
    if cause and (place := _place(lines, own)):
        cause = [f"{place}: {cause[0]}", *cause[1:]]
    return "; ".join(printable(line.strip()[:WIDTH]) for line in cause[:MOST])


def _place(lines: list[str], own: Collection[str]) -> str:
    """Return the innermost line of the last traceback in or beside one of these files, as in "bot.py, line 4"."""
    frames = [found for line in _last_traceback(lines) if (found := _FRAME.match(line))]
    beside = {path.rpartition("/")[0] for path in own}
    mine = [frame for frame in frames if frame["path"] in own]
    mine = mine or [frame for frame in frames if frame["folder"] in beside]
    return f"{mine[-1]['name']}, line {mine[-1]['line']}" if mine else ""


def _of_python(lines: list[str]) -> list[str]:
    """Return what follows the frames of the last traceback."""
    behind = _last_traceback(lines)
    first = next((place for place, line in enumerate(behind) if not line.startswith(" ")), len(behind))
    return behind[first:]


def _last_traceback(lines: list[str]) -> list[str]:
    """Return what follows the heading of the last traceback."""
    return lines[len(lines) - lines[::-1].index(_TRACEBACK) :] if _TRACEBACK in lines else []


def _of_others(lines: list[str]) -> list[str]:
    """Return the last line that is not a position; if it names no error, begin at one shortly before that does."""
    causes = [place for place, line in enumerate(lines) if not line[0].isspace() and not _POSITION.match(line)]
    if not causes:
        return lines[-1:]
    *before, last = causes[-MOST:]
    first = last
    if not _NAMES.search(lines[last]):
        first = next((place for place in reversed(before) if _NAMES.search(lines[place])), last)
    end = last + 1
    while end < len(lines) and lines[end][0].isspace() and not _POSITION.match(lines[end].lstrip()):
        end += 1  # details, such as the expected and the actual value
    return [line for place, line in enumerate(lines[first:end], first) if place > last or place in causes]


# What to do about it, by what runtimes of many languages say

_SHARED_MEMORY = (
    "Under limits /dev/shm cannot be written to, so there are no semaphores, no multiprocessing.Queue or Pool and no"
    " shared memory. They work under --sandbox bwrap; under limits use threads, or subprocess with pipes."
)
_TASKS = "A bot may have 1,024 processes and threads: start fewer, and end those that it no longer needs."
_DESCRIPTORS = "A bot may have 1,024 files open: close those that it no longer needs."
_NETWORK = (
    "A bot has no network. --network NAME in play, or network = true in its table of a tournament file, lets it use"
    " one, if the organizer of your tournament does too."
)
_MEMORY = (
    'It may use no more memory: --memory 2G grants it more (in a tournament file: memory = "2G"), if the organizer of'
    " your tournament does too."
)
_SIZE = "A bot may write 64 MiB to a file and 256 MiB to its folder: write less."
_WRITING = (
    "A bot can write only to its own folder, in which it starts: HOME and TMPDIR name it. /tmp and the folder of its"
    " program are not for writing. What is to be kept goes to standard error."
)
_MISSING = (
    "A bot starts in an empty folder: find its files by the path of its program. A tournament may show it the folder of"
    " its program and no other one, such as ../lib: put what it needs beside it, or install it for its interpreter"
    f" (`python` in a command is {sys.executable})."
)
_OTHER_PYTHON = (
    f"The Python that runs it has no croupier. In a bot's command `python` is {sys.executable}, which has it;"
    " install croupier for any other."
)
_SHADOWED = (
    "A file beside the program is called like a module of Python, such as random.py, and is imported in its place:"
    " rename it."
)
_CLASSES = (
    "No class of this name is found: compile it with javac, and name the folder of its .class files, as in"
    " java -cp FOLDER Bot. A tournament may show it no other folder."
)
_CALLS = "The sandbox refuses a system call that it makes: `croupier docs leaks` says which calls, and why."

_LONGEST = 8192
"""The number of characters examined, from the end; a pattern's time grows with the square of it."""

_CURES = [
    (r"of memory that it may use|\bMemoryError\b|\bbad_alloc\b|heap out of memory|Cannot allocate memory", _MEMORY),
    (r"No module named '?croupier\b", _OTHER_PYTHON),
    (r"partially initialized module|consider renaming", _SHADOWED),
    (r"ClassNotFound|Could not find or load main class|NoClassDefFound", _CLASSES),
    (r"/dev/shm|SemLock|_posixshmem|shm_open|sem_open|/psm_", _SHARED_MEMORY),  # noqa: S108  what a runtime says
    (
        r"can't start new thread|Cannot fork"
        r"|(?s:\b(fork|thread|process|clone|spawn)\w*\b.*Resource temporarily unavail)"
        r"|(?s:Resource temporarily unavail.*\b(thread|process|fork)|unable to create (new )?native thread)"
        r"|pthread_create failed|failed to create new OS thread|can't create Thread|uv_thread_create",
        _TASKS,
    ),
    (r"Too many open files|EMFILE", _DESCRIPTORS),
    (
        r"Network is unreachable|ENETUNREACH|EAI_AGAIN|Temporary failure in name resolution|UnknownHostException"
        r"|[Cc]ould ?n.t resolve host|Could not resolve host|Name or service not known|getaddrinfo|\bENOTFOUND\b"
        r"|no such host|(?s:\b(connect|socket|urlopen|bind|dial)\b.*(Permission denied|not permitted))"
        r"|(?s:(EACCES|EPERM).*\b(connect|socket|bind)\b)|SocketException|failed to lookup address",
        _NETWORK,
    ),
    (r"File too large|EFBIG|No space left on device|ENOSPC", _SIZE),
    (r"Read-only file system|EROFS|ReadOnlyFileSystem|Permission ?denied|EACCES|AccessDenied", _WRITING),
    (
        r"No such file or directory|ENOENT|ModuleNotFoundError|ImportError|[Cc]annot find module|cannot load such file"
        r"|Can.t locate \S+ in @INC|module '[^']*' not found|no code for module"
        r"|NoSuchFileException|FileNotFoundException|Failed opening required|there is no package called"
        r"|cannot open (module|shared object|input|file)|FileNotFoundError|Could not find module|does not exist",
        _MISSING,
    ),
    (r"Operation not permitted|EPERM\b|Bad system call|Function not implemented", _CALLS),
]


def cure(complaint: str) -> str:
    """Return advice about a program's last message, if a sandbox may have caused it; else an empty string."""
    end = complaint[-_LONGEST:]
    return next((what for pattern, what in _CURES if re.search(pattern, end, re.IGNORECASE)), "")
