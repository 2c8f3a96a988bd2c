"""Serving: a site over HTTP, by default on 127.0.0.1 only, until the block ends."""

from __future__ import annotations

import signal
import socket
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import trio
from hypercorn.config import Config
from hypercorn.trio import run, serve
from hypercorn.trio.tcp_server import TCPServer

from croupier.server.nurseries import unwrap_errors

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

HOST = "127.0.0.1"
GRACE = 0.5
"""Seconds that answers in progress may still take at the end; streams of events would never end."""


class Site(Protocol):
    """An ASGI application that says where its visitors find it."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""

    def open_at(self, port: int) -> str:
        """Accept visitors of this port; return the address to visit."""


async def _serve_one(*how: Any) -> None:
    """Serve one connection. An error in it ends only this connection, not the server and the table behind it."""
    with suppress(Exception):
        await TCPServer(*how)


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
