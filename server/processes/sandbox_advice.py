"""Advice for errors that a sandbox may cause, by the messages of many languages' runtimes."""

from __future__ import annotations

import re
import sys

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
