"""Host: where bots' processes run: the level that works here, the keeper that starts them, and the table's entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import trio

from croupier.server.processes import control_group
from croupier.server.processes.keeper_client import PATIENCE, Keeper
from croupier.server.processes.sandbox import ControlGroup, Level, SandboxSettings, choose_level, launch_order

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from pathlib import Path
    from typing import Self

    from croupier.server.entries import Entry
    from croupier.server.processes.keeper_client import BotLine

_BRIEFLY = 0.01
"""Seconds between two checks where nothing wakes the referee."""


class Host:
    """The place where bots' processes run: the sandbox as far as this machine can, and the keeper.

    ``entries`` are all bots of the table; none of them sees the others' programs, if its level can hide them. A given
    ``keeper`` may serve one host after another, because starting one costs as much as several bots. Use it as a context
    manager or `close` it.
    """

    def __init__(self, sandboxing: SandboxSettings = SandboxSettings(), keeper: Keeper | None = None) -> None:
        self.sandboxing = sandboxing
        self._keeper = keeper or Keeper.take()
        self._keeper_goes = keeper is None
        self._running: dict[BotLine, ControlGroup] = {}
        self._level: Level | None = None
        self._ending: list[tuple[BotLine, ControlGroup]] = []
        self.plays_on: dict[str, bool] = {}
        """For bots that were tried, by name, whether one process can play game after game."""
        self.misled: set[str] = set()
        """Bots that were assumed to do so but behave differently in a fresh process: their games do not count."""

    @property
    def level(self) -> Level:
        """The level that all bots here are under."""
        if self._level is None:
            self._level = choose_level(self.sandboxing)
        return self._level

    def start(self, entry: Entry, folder: Path, *descriptors: int) -> tuple[BotLine, ControlGroup]:
        """Start an entry's program in its own control group, with these descriptors as input, output and error."""
        return self.launch(launch_order(entry, folder, self.sandboxing, self.level), *descriptors)

    def launch(self, order: Mapping[str, Any], *descriptors: int) -> tuple[BotLine, ControlGroup]:
        """Start the program of an order in its own control group, with these descriptors as input, output and error."""
        group = ControlGroup(order["tasks"], order["memory"])
        line = self._keeper.start({**order, "group": group.folders}, *descriptors)
        self._running[line] = group
        return line, group

    def end(self, line: BotLine, group: ControlGroup) -> None:
        """Have a bot's processes killed, without waiting."""
        self._running.pop(line, None)
        if not line.listen().gone:
            line.end()
            control_group.kill(group.folders)
        self._ending.append((line, group))

    async def wait_until_gone(self) -> None:
        """Wait, while other tasks run, until everything of the ended bots is gone."""
        if not self._ending:
            return
        with trio.move_on_after(PATIENCE, shield=True):
            for line, _ in self._ending:
                while not (line.listen().gone or line.quiet):
                    await until_ready(trio.lowlevel.wait_readable, line)
        self._clear(0)

    def block_until_gone(self) -> None:
        """Block until everything of the ended bots is gone."""
        self._clear(PATIENCE)

    def _clear(self, patience: float) -> None:
        """Remove the control groups of ended bots; have the keeper kill what their minders could not."""
        waiting, self._ending = self._ending, []
        for line, _ in waiting:
            line.wait(patience, "gone")
        # only after all minders had their time, because one sweep of the keeper serves all of them
        if not all(line.gone for line, _ in waiting):
            self._keeper.sweep()
            self._keeper_goes = True
        for line, group in waiting:
            self._keeper.release(line)
            if not line.gone:
                group.close()

    def close(self) -> None:
        """End everything and wait for it; close even a given keeper if a minder has left something to it."""
        for line, group in [*self._running.items()]:
            self.end(line, group)
        self.block_until_gone()
        if self._keeper_goes:
            self._keeper.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


async def until_ready(wait: Callable[[Any], Awaitable[None]], what: Any) -> None:
    """Wait until it is ready, or for a moment if bots have used up what epoll_ctl grants one user (ENOSPC)."""
    try:
        await wait(what)
    except OSError:
        # not raised: one bot could otherwise end the tables of all others; callers check again in a loop
        await trio.sleep(_BRIEFLY)
