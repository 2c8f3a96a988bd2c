"""Leaving: whether a bot and its child processes exit at the end of input."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from croupier.server.processes import process_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.server.processes.bot_process import BotProcess

_FOR_THE_OTHERS = 0.5
_LOOK_EVERY = 0.01


async def leave(process: BotProcess, patience: float) -> tuple[bool, int]:
    """End the bot's input; return whether it exited within ``seconds``, and how many processes it left behind.

    The minder, or the first process of a namespace, would end those at once, so it is stopped meanwhile.
    """
    followers = process_table.descendants(process.program) if process.program else []
    if not followers:
        process.end_input()
        return await process.left(patience), 0
    with _suspend(_parent(process.program)):
        process.end_input()
        left = await _is_gone([process.program], patience)
        await _is_gone(followers, _FOR_THE_OTHERS)
        return left, sum(map(_is_alive, followers)) if left else 0


@contextmanager
def _suspend(pid: int) -> Iterator[None]:
    """Stop a process for a while, by SIGSTOP and SIGCONT."""
    with suppress(OSError):
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        with suppress(OSError):
            os.kill(pid, signal.SIGCONT)


async def _is_gone(pids: list[int], patience: float) -> bool:
    for _ in range(round(patience / _LOOK_EVERY)):
        if not any(map(_is_alive, pids)):
            return True
        await trio.sleep(_LOOK_EVERY)
    return False


def _is_alive(pid: int) -> bool:
    return (_stat(pid) or ["Z"])[0] not in {"Z", "X"}


def _parent(pid: int) -> int:
    return int((_stat(pid) or ["Z", str(pid)])[1])


def _stat(pid: int) -> list[str]:
    """Return the fields after a process's name in /proc: its state, its parent, and more; empty if it is gone."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text(encoding="latin-1").rpartition(")")[2].split()
    return []
