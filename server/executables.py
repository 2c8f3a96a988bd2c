"""Executables: finds out from a program's file whether the kernel can start it, before anything is played."""

from __future__ import annotations

import os
import shlex
import shutil
import struct
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

PATH = os.pathsep.join([str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"])
"""The folders in which bots look for programs."""
ELF = b"\x7fELF"
SCRIPT = b"#!"
FOLDER = "is a folder"
NOT_EXECUTABLE = "is not executable"
NO_INTERPRETER = "is executable, but nothing says what runs it"
FROM_WINDOWS = "has a first line that ends in a carriage return, as on Windows"
"""Defects for which a caller knows the remedy."""
_HEAD = 256
"""The first bytes of a file, by which the kernel decides how to run it (BINPRM_BUF_SIZE)."""
_NESTED = 4
"""How many scripts may be each other's interpreters; the kernel follows no more."""
_LONGEST_PATH = 4096
_FORMATS = Path("/proc/sys/fs/binfmt_misc")
_RELOCATABLE, _CORE = 1, 4
_PT_INTERP = 3
_MACHINES = {
    3: "32-bit x86", 8: "MIPS", 20: "32-bit PowerPC", 21: "64-bit PowerPC", 22: "S390", 40: "32-bit ARM",
    62: "64-bit x86", 183: "64-bit ARM", 243: "RISC-V", 258: "LoongArch",
}  # fmt: skip
"""Processors by their number in an ELF file (e_machine)."""
_ALSO_RUNS = {62: 3, 183: 40}
"""The 32-bit processor whose programs a 64-bit one can often run too."""


class _Layout(NamedTuple):
    """The layout of a 32-bit or 64-bit ELF file: where the program headers are, and which fields of one are read."""

    place: str
    place_at: int
    sizes_at: int
    header: str


_LAYOUTS = {1: _Layout("I", 28, 42, "IIIII"), 2: _Layout("Q", 32, 54, "IIQQQQ")}


def first_line(path: Path) -> bytes:
    """Return the first line of a file as far as the kernel reads it; empty for a file that cannot be read."""
    return b"".join((_head(path) or b"").splitlines(keepends=True)[:1])


def interpreters(program: Path) -> Iterator[Path]:
    """Yield the interpreter with which the kernel starts a script (``#!``), then that one's interpreter, and so on."""
    for _ in range(_NESTED):
        line = first_line(program)
        named = line.removeprefix(SCRIPT).split(None, 1)
        if not line.startswith(SCRIPT) or not named or not os.access(program, os.X_OK):
            return
        program = Path(os.fsdecode(named[0]))
        if not program.is_absolute():
            return
        yield program


def defect(program: Path, search: str = PATH) -> str:
    """Return what is wrong with a file to be started, as in "is a folder"; empty if nothing is found.

    An interpreter that env has to find is looked for in ``search``.
    """
    return _defect(program, search, _NESTED)


def _defect(program: Path, search: str, nested: int) -> str:
    if not os.path.exists(program):  # noqa: PTH110  Path.exists raises where a folder is not accessible
        if not program.is_symlink():
            return "is not there"
        return f"is a link to {_show(os.fsencode(program.readlink()))}, which is not there"
    if program.is_dir():
        return FOLDER
    if not program.is_file():
        return "is no ordinary file"
    if not os.access(program, os.X_OK):
        return _not_executable(program)
    head = _head(program)
    if head is None or _has_handler(program, head):
        return ""
    if head.startswith(ELF):
        return _elf_defect(program, head)
    if head.startswith(SCRIPT):
        return _script_defect(head, search, nested)
    return NO_INTERPRETER


def _not_executable(program: Path) -> str:
    if program.stat().st_mode & 0o111 and os.statvfs(program).f_flag & os.ST_NOEXEC:
        return "lies on a file system that is mounted with noexec"
    return NOT_EXECUTABLE


def _head(path: Path) -> bytes | None:
    """Return the first bytes of a file; with O_NONBLOCK, because it may have become a pipe."""
    with suppress(OSError), os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        return file.read(_HEAD)
    return None


def _script_defect(head: bytes, search: str, nested: int) -> str:
    """Return what is wrong with a script's first line (``#!``)."""
    line, end, _ = head.partition(b"\n")
    if line.endswith(b"\r"):
        return FROM_WINDOWS
    interpreter, *rest = line.removeprefix(SCRIPT).split(None, 1) or [b""]
    if not end and not rest and len(head) == _HEAD:
        return f"has a first line that is longer than the {_HEAD - 1} bytes that the kernel reads"
    path = Path(os.fsdecode(interpreter))
    if not path.is_absolute():
        return f"begins with {_show(line)}, which does not name an interpreter by its whole path"
    if not nested:
        return "begins with an interpreter that is a script of a script, and so on"
    if why := _defect(path, search, nested - 1):
        return f"begins with {_show(line)}, and {_show(interpreter)} {why}"
    if path.name == "env" and rest and (why := _env_defect(os.fsdecode(rest[0]).strip(), search, nested)):
        return f"begins with {_show(line)}, and {why}"
    return ""


def _env_defect(argument: str, search: str, nested: int) -> str:
    """Return why env cannot start the interpreter in a first line, which the kernel passes as one argument."""
    if not argument.startswith("-"):
        if len(argument.split()) > 1:
            return "env takes what follows it for one name; write env -S"
        words = [argument]
    elif argument.startswith("-S"):
        try:
            words = [word for word in shlex.split(argument.removeprefix("-S")) if "=" not in word]
        except ValueError:
            return "a quotation mark is left open"
    else:
        return ""
    if not words or words[0].startswith("-"):
        return ""
    found = shutil.which(words[0], path=search)
    if found is None:
        return f"there is no program {_show(os.fsencode(words[0]))} in {search}, where bots look for it"
    return f"{found} {why}" if (why := _defect(Path(found), search, nested - 1)) else ""


def _elf_defect(program: Path, head: bytes) -> str:
    """Return what is wrong with a compiled program: for another machine, not linked, or without its loader."""
    try:
        order = {1: "<", 2: ">"}[head[5]]
        layout = _LAYOUTS[head[4]]
        kind, machine = struct.unpack_from(f"{order}HH", head, 16)
        if kind in {_RELOCATABLE, _CORE}:
            return "is an object file, which has yet to be linked" if kind == _RELOCATABLE else "is a core dump"
        ours = _machine()
        if ours and machine not in {ours, _ALSO_RUNS.get(ours)}:
            return f"is a program for {_name(machine)}, and this machine is {_name(ours)}"
        loader = _loader(program, head, order, layout)
    except (struct.error, LookupError, OSError, OverflowError):
        return "is a damaged ELF file"
    if loader and not os.path.exists(loader):  # noqa: PTH110  as above
        return f"needs the loader {_show(loader)}, which is not there: build it here, or link it statically"
    return ""


def _loader(program: Path, head: bytes, order: str, layout: _Layout) -> bytes:
    """Return the path of the dynamic loader that an ELF file asks for (PT_INTERP); empty for a static one."""
    (start,) = struct.unpack_from(order + layout.place, head, layout.place_at)
    size, number = struct.unpack_from(f"{order}HH", head, layout.sizes_at)
    with program.open("rb") as file:
        for place in range(number):
            file.seek(start + place * size)
            header = struct.unpack(order + layout.header, file.read(struct.calcsize(order + layout.header)))
            if header[0] == _PT_INTERP:
                file.seek(header[2] if layout.place == "Q" else header[1])
                return file.read(min(header[-1], _LONGEST_PATH)).rstrip(b"\0")
    return b""


# cached because it reads a file, and cannot change
@cache
def _machine() -> int:
    """Return the processor that this Python was built for; 0 if it cannot be read."""
    head = _head(Path("/proc/self/exe")) or b""
    return int.from_bytes(head[18:20], sys.byteorder) if head.startswith(ELF) else 0


def _name(machine: int) -> str:
    return _MACHINES.get(machine, f"processor {machine} of the ELF format")


def _has_handler(program: Path, head: bytes) -> bool:
    """Return whether the system has a handler for such files (binfmt_misc), such as those of other machines."""
    return any(_handles(text, program, head) for text in _handlers())


def _handlers() -> list[str]:
    with suppress(OSError):
        paths = [path for path in _FORMATS.iterdir() if path.name not in {"register", "status"}]
        return [path.read_text("ascii", "replace") for path in paths]
    return []


def _handles(handler: str, program: Path, head: bytes) -> bool:
    """Return whether a handler, as the kernel describes it, is for such a file."""
    told = dict(line.partition(" ")[::2] for line in handler.splitlines())
    if "enabled" not in told:
        return False
    if "extension" in told:
        return program.suffix == told["extension"].strip()
    with suppress(ValueError, KeyError):
        magic = bytes.fromhex(told["magic"])
        mask = bytes.fromhex(told["mask"]) if "mask" in told else b"\xff" * len(magic)
        part = head[int(told["offset"]) :][: len(magic)]
        both = zip(part, magic, mask, strict=False)
        return len(part) == len(magic) and all(one & bits == other & bits for one, other, bits in both)
    return False


def _show(words: bytes) -> str:
    """Return a file's bytes in a safely printable form, because the file is a stranger's."""
    return "".join(char if char.isprintable() else "?" for char in words[:_HEAD].decode("utf-8", "replace"))
