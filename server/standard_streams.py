"""Standard streams: makes sure that all three are open, and that output can be encoded."""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata

_STREAMS = {"stdin": "r", "stdout": "w", "stderr": "w"}
"""The streams in the order of their descriptors, and how each is opened."""
_LOOKS = {"\u00b1": "~", "\u2026": "~", "\u2013": "-", "\u2014": "-", "\u2019": "'", "\u201c": '"', "\u201d": '"'}
"""Substitutes for characters that ASCII lacks: plus-minus, an ellipsis, dashes, quotation marks."""


def open_closed() -> None:
    """Open /dev/null where a standard descriptor is closed, as after ``2>&-``. Call this before opening anything.

    Otherwise the next file or pipe gets the descriptor, and a bot that inherits it writes its complaints there.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) < len(_STREAMS):
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    for number, (name, mode) in enumerate(_STREAMS.items()):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115  lasts


def spell_plainly() -> None:
    """Replace characters that the output's encoding lacks, such as under PYTHONIOENCODING=ascii, by plain ones."""
    codecs.register_error("plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="plain")


def _plain(problem: UnicodeError) -> tuple[bytes, int]:
    """Return the substitute for each character that cannot be encoded."""
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    return b"".join(map(_plainest, problem.object[problem.start : problem.end])), problem.end


def _plainest(letter: str) -> bytes:
    """Return a letter's base, or a character of similar look; for an undecodable byte of a file's name, that byte."""
    if "\udc80" <= letter <= "\udcff":
        return os.fsencode(letter)
    return unicodedata.normalize("NFKD", _LOOKS.get(letter, letter))[0].encode("ascii", "replace")
