"""Standard streams: all three are open, and what their encoding lacks is written in its plainest form."""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata

_STREAMS = {"stdin": "r", "stdout": "w", "stderr": "w"}
"""The streams in the order of their descriptors, and how each is opened."""
_LOOKS = {"\u00b1": "~", "\u2026": "~", "\u2013": "-", "\u2014": "-", "\u2019": "'", "\u201c": '"', "\u201d": '"'}
"""What is written for a character that ASCII lacks: plus-minus, an ellipsis, dashes, quotation marks."""


def open_closed() -> None:
    """Open /dev/null where a standard descriptor is closed, as after ``2>&-``. Call this before anything is opened.

    Otherwise the next file or pipe gets the descriptor, and a bot that inherits it writes its complaints there.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) < len(_STREAMS):
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    for number, (name, mode) in enumerate(_STREAMS.items()):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115  lasts


def spell_plainly() -> None:
    """Let what an output's encoding does not have, such as PYTHONIOENCODING=ascii, be written in its plainest form."""
    codecs.register_error("plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="plain")


def _plain(problem: UnicodeError) -> tuple[bytes, int]:
    """Return what is written for each character that cannot be encoded."""
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    return b"".join(map(_plainest, problem.object[problem.start : problem.end])), problem.end


def _plainest(letter: str) -> bytes:
    """Return a letter's base, or what looks like it. Of a file's name in no known encoding return the very byte."""
    if "\udc80" <= letter <= "\udcff":
        return os.fsencode(letter)
    return unicodedata.normalize("NFKD", _LOOKS.get(letter, letter))[0].encode("ascii", "replace")
