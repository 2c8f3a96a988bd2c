"""Site: who may come in to a page served over HTTP, and the headers that every answer leaves with.

Whoever comes in knows the token in the address, and came by this machine's own name: a page from elsewhere whose name
was bound to 127.0.0.1 (DNS rebinding) sends its own in the Host header.
"""

from __future__ import annotations

import json
import secrets
from importlib import resources
from typing import TYPE_CHECKING, Any

from quart import Response, request
from quart_trio import QuartTrio
from werkzeug.exceptions import HTTPException

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:;"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Nothing but what this site gives out; neither script nor style within a page."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
MOST_BYTES = 1 << 16
"""Of what a page may send."""
SILENCE = 15.0
"""Seconds without an event after which a page that waits for events is told that the server is still there."""
_READING = {"GET", "HEAD", "OPTIONS"}


class ProtectedSite:
    """An ASGI application in front of another, ``app``, which serves the pages.

    ``failed`` is given what goes wrong behind it: that is our bug, and no business of who looks at a page.
    """

    def __init__(self, failed: Callable[[Exception], object]) -> None:
        self.token = secrets.token_urlsafe(24)
        self.hosts = frozenset[str]()
        """By which names one may come: nobody does before it is served."""
        self._failed = failed
        self.app = QuartTrio(__name__, static_folder=None)
        self.app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
        self.app.before_request(self._admit)
        self.app.after_request(_seal)
        self.app.url_value_preprocessor(_without_token)
        self.app.register_error_handler(Exception, self._explain)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Let requests through to what admits them one by one, and refuse each WebSocket: no page has any."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        kinds = {"Content-Type": "text/plain; charset=utf-8", **HEADERS}
        headers = [(name.lower().encode(), value.encode()) for name, value in kinds.items()]
        await send({"type": "websocket.http.response.start", "status": 400, "headers": headers})
        await send({"type": "websocket.http.response.body", "body": b"no WebSocket is spoken here\n"})

    def open_at(self, port: int) -> str:
        """Let in who comes to this port of this machine by name or number; return the address to come to."""
        self.hosts = frozenset({f"127.0.0.1:{port}", f"localhost:{port}"})
        return f"http://127.0.0.1:{port}/{self.token}/"

    def add(self, rule: str, view: Callable[..., Any], methods: Sequence[str] = ("GET",)) -> None:
        """Show what ``view`` returns at an address behind the token, such as ``games/<int:number>``."""
        self.app.add_url_rule(f"/<token>/{rule}", f"{'-'.join(methods)} {rule}", view, methods=list(methods))

    def give_out(self, package: str, *names: str) -> None:
        """Give out these files of a package, such as its scripts, and no others."""
        for name in names:
            self.add(name, _file(package, name))

    async def _admit(self) -> Response | None:
        """Refuse who comes by another name, does not know the token, or sends something from another page."""
        if request.host not in self.hosts:
            return _plain("this is served under another name\n", 421)
        said = request.path.split("/")[1]
        if not secrets.compare_digest(said.encode("utf-8", "replace"), self.token.encode()):
            return _plain("there is nothing here; the address has a token in it\n", 404)
        if request.method not in _READING and request.headers.get("Origin") != f"http://{request.host}":
            return _plain("that was sent from another page\n", 403)
        return None

    async def _explain(self, problem: Exception) -> Response:
        """Say in a sentence what did not work; of what is our bug no more than that."""
        if isinstance(problem, HTTPException):
            return _plain(f"{problem.name}\n", problem.code or 500)
        self._failed(problem)
        return _plain("this did not work, which is a bug in croupier; its terminal says more\n", 500)


async def document() -> Any:
    """Return the JSON that a page has sent; None if it is none, such as bytes or lists in lists without end."""
    try:
        return json.loads(await request.get_data())
    except (ValueError, RecursionError):
        return None


async def _seal(response: Response) -> Response:
    """Add the headers that an answer does not have for itself."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def _without_token(_endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Spare the views the token: it has been looked at."""
    if values is not None:
        values.pop("token", None)


def _file(package: str, name: str) -> Callable[[], Any]:
    content = resources.files(package).joinpath(name).read_bytes()
    kind = TYPES[name.rpartition(".")[2]]

    async def view() -> Response:
        return Response(content, content_type=f"{kind}; charset=utf-8")

    return view


def _plain(text: str, status: int) -> Response:
    return Response(text, status, content_type="text/plain; charset=utf-8")
