"""Person pages: a page for each person who plays in a browser, served for as long as a table plays."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from croupier.server.web.protected_site import ProtectedSite
from croupier.server.web.serving import serve_pages
from croupier.server.web.web_seat import WebSeat

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable


@asynccontextmanager
async def people(names: Iterable[str], say: Callable[[str], object]) -> AsyncIterator[dict[str, WebSeat]]:
    """Serve a page to each person, and print its address; yield their seats by name."""
    async with AsyncExitStack() as stack:
        seats = {}
        for name in names:
            site = ProtectedSite(lambda problem: say(f"croupier: a page failed: {problem!r}"))
            seats[name] = WebSeat(name, site)
            say(f"{name} plays at {await stack.enter_async_context(serve_pages(site))}")
        yield seats
