"""Building: runs each bot's build command once per tournament, before the first game, in the bot's sandbox."""

from __future__ import annotations

import os
import signal
import subprocess
from importlib.util import find_spec
from pathlib import Path
from subprocess import DEVNULL
from typing import TYPE_CHECKING

from croupier.agents import bundled
from croupier.server.processes.crash_lines import last_words
from croupier.server.processes.host import Host
from croupier.server.processes.sandbox import Level, build_launch
from croupier.server.processes.temporary_folder import make, temporary_folder
from croupier.server.texts import open_file
from croupier.server.tournaments.keeping.store import RunFailed, StoreError

if TYPE_CHECKING:
    from croupier.server.processes.keeper_client import BotLine
    from croupier.server.processes.sandbox import SandboxSettings
    from croupier.server.tournaments.config.settings import Bot, Settings
    from croupier.server.tournaments.keeping.store import Store

DEADLINE = 15 * 60
"""Seconds after which a build is stopped."""
_SHOWN = 1 << 16
"""The bytes at the end of a log in which the cause is searched."""


def build(store: Store, settings: Settings, sandboxing: SandboxSettings) -> None:
    """Run each build command once per tournament; keep its output."""
    if any(bot.builtin == bundled.SEARCH for bot in settings.bots):
        compile_search()
    built = store.fact("built") or []
    for bot in settings.bots:
        if bot.build is None or [bot.name, bot.build] in built:
            continue
        run_build(bot, store.folder / "builds" / f"{bot.name}.log", sandboxing)
        built.append([bot.name, bot.build])
        store.write_fact("built", built)


def compile_search() -> None:
    """Start `search` once outside the sandbox: what numba compiles is kept there, and inside it would take seconds."""
    if find_spec("numba"):
        subprocess.run(bundled.command(bundled.SEARCH), stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, check=False)


def run_build(bot: Bot, log: Path, sandboxing: SandboxSettings) -> None:
    """Run a bot's build command, with its output in a log; raise StoreError if it fails.

    The keeper starts it in the bot's sandbox, but it may write to the folders of the bot's program, and use the network
    if that is requested. It reads nothing, has no terminal, and leaves no process behind.
    """
    assert bot.build is not None
    log.parent.mkdir(exist_ok=True)
    log.unlink(missing_ok=True)
    with (
        temporary_folder() as scratch,
        Host(sandboxing) as host,
        Path(os.devnull).open("rb") as nothing,
        log.open("ab", 0) as file,
    ):
        make(folder := scratch / "build")
        try:
            order = build_launch.build_order(
                bot.build, bot.command, folder, sandboxing, host.level, memory=bot.memory, network=bot.build_network
            )
        except build_launch.NoWorkshop as problem:
            raise StoreError(f"building {bot.name}: {problem}") from None
        line, group = host.launch(order, nothing.fileno(), file.fileno(), file.fileno())
        over = line.wait(DEADLINE, "over")
        failure = (
            _failure(line, host.level) if over else f"was ended, because it took more than {DEADLINE / 60:g} minutes"
        )
        host.end(line, group)
    if failure:
        said = last_words(_end_of(log))
        raise RunFailed(f"building {bot.name} {failure}; its output is in {log}{': ' if said else ''}{said}")


def _failure(line: BotLine, level: Level) -> str:
    """Return how a build has failed; empty if it has not."""
    if line.why:
        return f"was ended, because {line.why}"
    if trouble := line.lack or line.refused or line.error:
        return f"could not be started under {level.value}: {os.strerror(trouble)}"
    if line.held is not None:
        return "was ended, because this machine ran out of memory"
    if line.exit is None:
        return "was ended with its keeper"
    killed = -line.exit if line.exit < 0 else line.exit - 128 if level is Level.BWRAP else 0
    if killed in {*signal.Signals}:
        return f"was ended by {signal.Signals(killed).name}"
    return f"failed with exit status {line.exit}" if line.exit else ""


def _end_of(log: Path) -> str:
    with open_file(log) as file:
        file.seek(max(0, log.stat().st_size - _SHOWN))
        return file.read().decode("utf-8", "replace")
