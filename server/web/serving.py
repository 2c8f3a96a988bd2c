"""Serving: a site over HTTP, by default on 127.0.0.1 only, until the block ends."""

from __future__ import annotations

import signal
import socket
from contextlib import asynccontextmanager, suppress
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Protocol

import trio
from hypercorn.config import Config
from hypercorn.trio import run, serve
from hypercorn.trio.tcp_server import TCPServer

from croupier.server.nurseries import unwrap_errors

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from hypercorn.typing import AppWrapper

HOST = "127.0.0.1"
IDLE = 15.0
"""Seconds after which a connection is closed if no request came, or the rest of one."""
GRACE = 0.5
"""Seconds that answers in progress may still take at the end; streams of events would never end."""


class Site(Protocol):
    """An ASGI application that says where its visitors find it."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""

    def open_at(self, port: int) -> str:
        """Accept visitors of this port; return the address to visit."""


async def _serve_one(app: AppWrapper, config: Config, context: Any, state: Any, stream: trio.SocketStream) -> None:
    """Serve one connection until it was idle for `IDLE` seconds.

    An error in it ends only this connection, not the server and the table behind it.
    """
    with suppress(Exception):
        async with trio.open_nursery() as nursery:
            waiting = _Waiting(app, nursery.cancel_scope)
            nursery.start_soon(_close_at_end, stream)
            await TCPServer(waiting, config, context, state, stream)
            nursery.cancel_scope.cancel()


class _Waiting:
    """Ends a connection in which no request is being answered for `IDLE` seconds.

    hypercorn's own timer does not start again after an answer: quart-trio cancels the task in which it would.
    """

    def __init__(self, app: AppWrapper, scope: trio.CancelScope) -> None:
        self._app = app
        self._scope = scope
        self._answering = 0
        self._scope.deadline = trio.current_time() + IDLE

    async def __call__(self, *request: Any) -> None:
        """Answer a request."""
        self._answering += 1
        self._scope.deadline = inf
        try:
            await self._app(*request)
        finally:
            self._answering -= 1
            if not self._answering:
                self._scope.deadline = trio.current_time() + IDLE


async def _close_at_end(stream: trio.SocketStream) -> None:
    """Close a connection once it is cancelled: hypercorn would send forever to a client that does not read."""
    try:
        await trio.sleep_forever()
    finally:
        stream.socket.close()


run.TCPServer = _serve_one
"""hypercorn's own function would end everything: a refused client that hangs up causes a BusyResourceError of trio."""


@asynccontextmanager
async def serve_pages(site: Site, port: int = 0, host: str = HOST) -> AsyncIterator[str]:
    """Serve a site at a port, 0 for any free one, while the block lasts; yield the address to visit.

    Raise OSError if the port is taken, or the host is none of this machine.
    """
    listening = socket.create_server((host, port))
    address = site.open_at(listening.getsockname()[1])
    config = Config()
    config.bind = [f"fd://{listening.detach()}"]
    config.include_server_header = False
    config.errorlog = None  # the site reports errors itself
    config.graceful_timeout = GRACE
    config.keep_alive_timeout = inf
    leaving = trio.Event()
    with unwrap_errors():
        async with trio.open_nursery() as nursery:
            await nursery.start(partial(serve, site, config, shutdown_trigger=leaving.wait))
            try:
                yield address
            finally:
                leaving.set()


async def wait_for_interrupt() -> None:
    """Wait for Ctrl-C (SIGINT), into which other ending signals are turned."""
    with trio.open_signal_receiver(signal.SIGINT) as signals:
        async for _ in signals:
            return
