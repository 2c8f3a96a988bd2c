"""Executables: what the kernel cannot start is seen in the file."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest

from croupier.server import executables
from croupier.server.executables import PATH, defect, first_line

OURS = executables._machine()
ORDER = {"little": ("<", 1), "big": (">", 2)}[sys.byteorder]


@pytest.fixture(autouse=True)
def formats(tmp_path, monkeypatch):
    """Let the system know no more formats than the kernel does; return where others are registered."""
    folder = tmp_path / "binfmt_misc"
    folder.mkdir()
    monkeypatch.setattr(executables, "_FORMATS", folder)
    return folder


def written(folder, content, name="bot", mode=0o755):
    """Write a program."""
    path = folder / name
    path.write_bytes(content)
    path.chmod(mode)
    return path


def elf(machine=OURS, kind=3, loader=b""):
    """Return the head of a 64-bit ELF file, with a program header for its loader."""
    order, number = ORDER
    ident = b"\x7fELF" + bytes([2, number, 1]) + bytes(9)
    rest = struct.pack(f"{order}HHIQQQIHHHHHH", kind, machine, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    header = struct.pack(f"{order}IIQQQQQQ", 3 if loader else 1, 4, 120, 0, 0, len(loader), len(loader), 1)
    return ident + rest + header + loader


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"#!/bin/sh\n", ""),
        (b"#! /bin/sh -e\n", ""),
        (b"#!/usr/bin/env sh\n", ""),
        (b"#!/usr/bin/env -S LEVEL=3 sh -e\n", ""),
        (b"#!/bin/sh", ""),
        (b"#!/usr/bin/python9\n", "begins with #!/usr/bin/python9, and /usr/bin/python9 is not there"),
        (b"#!/usr/bin\n", "begins with #!/usr/bin, and /usr/bin is a folder"),
        (b"#!/etc/passwd\n", "begins with #!/etc/passwd, and /etc/passwd is not executable"),
        (b"#!sh\n", "begins with #!sh, which does not name an interpreter by its whole path"),
        (b"#!\n", "begins with #!, which does not name an interpreter by its whole path"),
        (b"#!/bin/sh\r\n", "has a first line that ends in a carriage return, as on Windows"),
        (b"#!/" + b"x" * 300, "has a first line that is longer than the 255 bytes that the kernel reads"),
        (b"#!/no/\x1b]0;x\x07\n", "begins with #!/no/?]0;x?, and /no/?]0;x? is not there"),
        (
            b"#!/usr/bin/env python9\n",
            f"begins with #!/usr/bin/env python9, and there is no program python9 in {PATH}, where bots look for it",
        ),
        (
            b"#!/usr/bin/env -S python9 -u\n",
            f"begins with #!/usr/bin/env -S python9 -u, and there is no program python9 in {PATH}, where bots look"
            " for it",
        ),
        (
            b"#!/usr/bin/env sh -e\n",
            "begins with #!/usr/bin/env sh -e, and env takes what follows it for one name; write env -S",
        ),
        (b"print()\n", "is executable, but nothing says what runs it"),
        (b"", "is executable, but nothing says what runs it"),
        (elf(), ""),
        (elf(loader=b"/bin/sh\0"), ""),
        (elf(kind=1), "is an object file, which has yet to be linked"),
        (elf(kind=4), "is a core dump"),
        (elf()[:30], "is a damaged ELF file"),
        (elf(machine=2), "is a program for processor 2 of the ELF format, and this machine is "),
        (
            elf(loader=b"/lib/ld-none.so.9\0"),
            "needs the loader /lib/ld-none.so.9, which is not there: build it here, or link it statically",
        ),
    ],
)
def test_what_the_kernel_cannot_start_is_called_what_it_is(content, why, tmp_path):
    """By the first line of a script, or by the head of an ELF file."""
    found = defect(written(tmp_path, content))
    assert found.startswith(why)
    assert bool(found) == bool(why)


def test_a_file_that_is_not_to_be_run_is_called_what_it_is(tmp_path):
    """A link to nothing, a folder, a file without permission, nothing at all."""
    (tmp_path / "dangling").symlink_to("nothing")
    assert defect(tmp_path / "dangling") == "is a link to nothing, which is not there"
    assert defect(tmp_path) == "is a folder"
    assert defect(written(tmp_path, b"#!/bin/sh\n", mode=0o644)) == "is not executable"
    assert defect(tmp_path / "gone") == "is not there"
    assert defect(Path("/dev/null")) == "is no ordinary file"


def test_an_interpreter_may_be_a_script_whose_interpreter_is_not_there(tmp_path):
    """It is looked for as far as the kernel goes."""
    inner = written(tmp_path, b"#!/no/such\n", "inner")
    outer = written(tmp_path, f"#!{inner}\n".encode(), "outer")
    assert defect(outer) == f"begins with #!{inner}, and {inner} begins with #!/no/such, and /no/such is not there"
    turn = written(tmp_path, f"#!{tmp_path}/turn\n".encode(), "turn")
    assert defect(turn).endswith("begins with an interpreter that is a script of a script, and so on")


def test_env_looks_where_the_bot_would(tmp_path):
    """In the PATH that the bot is given."""
    written(tmp_path, b"#!/bin/sh\n", "mine")
    bot = written(tmp_path, b"#!/usr/bin/env mine\n")
    assert "there is no program mine" in defect(bot)
    assert defect(bot, str(tmp_path)) == ""


@pytest.mark.parametrize(
    "handler",
    [
        "enabled\ninterpreter /usr/bin/mono\nflags: \noffset 0\nmagic 4d5a\n",
        "enabled\ninterpreter /usr/bin/mono\nflags: \noffset 1\nmagic 5000\nmask f000\n",
        "enabled\ninterpreter /usr/bin/mono\nflags: \nextension .exe\n",
    ],
)
def test_a_format_that_the_system_was_told_of_is_no_defect(handler, formats, tmp_path):
    """Such as programs of Mono, or of other machines (binfmt_misc); not while it is switched off."""
    bot = written(tmp_path, b"MZ\x90", "bot.exe")
    assert defect(bot) == "is executable, but nothing says what runs it"
    (formats / "cli").write_text(handler)
    assert defect(bot) == ""
    (formats / "cli").write_text(handler.replace("enabled", "disabled"))
    assert defect(bot) == "is executable, but nothing says what runs it"


def test_a_first_line_is_read_as_far_as_the_kernel_reads_it(tmp_path):
    """Of what cannot be read there is none."""
    assert first_line(written(tmp_path, b"#!/bin/sh\r\nexit\n")) == b"#!/bin/sh\r\n"
    assert first_line(written(tmp_path, b"x" * 1000)) == b"x" * 256
    assert first_line(tmp_path / "gone") == b""
