"""Portal: a thread with trio's loop, in which tables with bots run while the caller's code blocks."""

from __future__ import annotations

import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import trio

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


class Portal:
    """A loop in a thread of its own, until `close`."""

    def __init__(self) -> None:
        begun: SimpleQueue[trio.lowlevel.TrioToken] = SimpleQueue()
        self._thread = threading.Thread(target=trio.run, args=(self._serve, begun), name="croupier tables", daemon=True)
        self._thread.start()
        self._token = begun.get()

    async def _serve(self, begun: SimpleQueue[trio.lowlevel.TrioToken]) -> None:
        self._closing = trio.Event()
        async with trio.open_nursery() as self._nursery:
            begun.put(trio.lowlevel.current_trio_token())
            await self._closing.wait()
            self._nursery.cancel_scope.cancel()

    def start(self, run: Callable[[], Awaitable[None]]) -> None:
        """Run a task in the loop."""
        self.call(self._nursery.start_soon, run)

    def call(self, do: Callable[..., Any], *given: Any) -> Any:
        """Call a function in the loop; return its result."""
        return trio.from_thread.run_sync(do, *given, trio_token=self._token)

    def close(self) -> None:
        """Cancel everything and wait until it is over."""
        if self._thread.is_alive():
            self.call(self._closing.set)
            self._thread.join()
