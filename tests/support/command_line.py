"""The command line called in this very process: the same ``main``, without Python's start each time."""

import contextlib
import io
import signal
import sys
from unittest.mock import patch

import pytest

from croupier.server.cli import main

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def croupier(*words, code=0, text="", cwd="."):
    """Call croupier; return what it printed and what it said beside that, having checked its exit status."""
    out, errors = io.StringIO(), io.StringIO()
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        with (
            contextlib.chdir(cwd),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(errors),
            patch.object(sys, "stdin", io.StringIO(text)),
            patch.object(sys, "argv", ["croupier", *map(str, words)]),
            pytest.raises(SystemExit) as end,
        ):
            main()
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    assert end.value.code == code, (end.value.code, out.getvalue(), errors.getvalue())
    return out.getvalue(), errors.getvalue()
