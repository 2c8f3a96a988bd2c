"""Where bots' processes run: the level that works here, the keeper that starts them, and who sits at the table."""

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
"""Seconds between two looks where nothing wakes the referee."""


class Host:
    """Where bots' processes run: the sandbox as it works on this machine, and the keeper that starts them.

    ``entries`` are all who sit at the table: none of them sees the others' programs, where its level can hide them.
    A ``keeper`` that is given may serve one host after the other: to start one costs as much as some bots. Use it as a
    context manager or `close` it.
    """

    def __init__(self, sandboxing: SandboxSettings = SandboxSettings(), keeper: Keeper | None = None) -> None:
        self.sandboxing = sandboxing
        self._keeper = keeper or Keeper.take()
        self._keeper_goes = keeper is None
        self._running: dict[BotLine, ControlGroup] = {}
        self._level: Level | None = None
        self._ending: list[tuple[BotLine, ControlGroup]] = []
        self.plays_on: dict[str, bool] = {}
        """Of whom it was tried, by name, whether one process may play game after game."""
        self.misled: set[str] = set()
        """Of whom that was taken to be so, and was not: what they have played is not what they would have played."""

    @property
    def level(self) -> Level:
        """The level that all bots here are under."""
        if self._level is None:
            self._level = choose_level(self.sandboxing)
        return self._level

    def start(self, entry: Entry, folder: Path, *descriptors: int) -> tuple[BotLine, ControlGroup]:
        """Start an entry's program, in a control group of its own, on these: its input, output and standard error."""
        return self.launch(launch_order(entry, folder, self.sandboxing, self.level), *descriptors)

    def launch(self, order: Mapping[str, Any], *descriptors: int) -> tuple[BotLine, ControlGroup]:
        """Start what an order says, in a control group of its own, on these: its input, output and standard error."""
        group = ControlGroup(order["tasks"], order["memory"])
        line = self._keeper.start({**order, "group": group.folders}, *descriptors)
        self._running[line] = group
        return line, group

    def end(self, line: BotLine, group: ControlGroup) -> None:
        """Have a bot's processes killed, and go on."""
        self._running.pop(line, None)
        if not line.listen().gone:
            line.end()
            control_group.kill(group.folders)
        self._ending.append((line, group))

    async def wait_until_gone(self) -> None:
        """Wait, while others go on, until everything of the bots that were ended is gone."""
        if not self._ending:
            return
        with trio.move_on_after(PATIENCE, shield=True):
            for line, _ in self._ending:
                while not (line.listen().gone or line.quiet):
                    await until_ready(trio.lowlevel.wait_readable, line)
        self._clear(0)

    def block_until_gone(self) -> None:
        """Wait right here until everything of the bots that were ended is gone."""
        self._clear(PATIENCE)

    def _clear(self, patience: float) -> None:
        """Remove the control groups of the ended; have the keeper end what their minders could not."""
        waiting, self._ending = self._ending, []
        for line, _ in waiting:
            line.wait(patience, "gone")
        if not all(line.gone for line, _ in waiting):
            self._keeper.sweep()
            self._keeper_goes = True
        for line, group in waiting:
            self._keeper.release(line)
            if not line.gone:
                group.close()

    def close(self) -> None:
        """End everything and wait until it has; also a keeper that was given, if a minder has left something to it."""
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
    """Wait until it is ready; for a moment, if bots have used up what epoll_ctl lends one user (ENOSPC)."""
    try:
        await wait(what)
    except OSError:
        await trio.sleep(_BRIEFLY)
