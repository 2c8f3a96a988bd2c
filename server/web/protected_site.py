"""Site: access control of a page served over HTTP, and the headers of every answer.

A visitor must know the token in the address, and use this machine's own name: a page from elsewhere whose name was
bound to 127.0.0.1 (DNS rebinding) sends its own name in the Host header.
"""

from __future__ import annotations

import json
import secrets
from importlib import resources
from typing import TYPE_CHECKING, Any

from quart import Response, request
from quart_trio import QuartTrio
from werkzeug.exceptions import HTTPException

from croupier.server.web.serving import IDLE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:;"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Only resources of this site; no inline scripts or styles."""
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
"""The most bytes that a page may send."""
SILENCE = 15.0
"""Seconds without an event after which a waiting page is told that the server is still there."""
_READING = {"GET", "HEAD", "OPTIONS"}


class ProtectedSite:
    """An ASGI application in front of another, ``app``, which serves the pages.

    ``failed`` receives errors in it: they are our bugs, and not shown to visitors.
    """

    def __init__(self, failed: Callable[[Exception], object]) -> None:
        self.token = secrets.token_urlsafe(24)
        self.hosts = frozenset[str]()
        """The accepted host names; none before it is served."""
        self._failed = failed
        self.app = QuartTrio(__name__, static_folder=None)
        self.app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
        self.app.config["BODY_TIMEOUT"] = IDLE
        self.app.before_request(self._admit)
        self.app.after_request(_seal)
        self.app.url_value_preprocessor(_without_token)
        self.app.register_error_handler(Exception, self._explain)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass requests to the views, which admit them one by one; refuse each WebSocket, because no page has any."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        kinds = {"Content-Type": "text/plain; charset=utf-8", **HEADERS}
        headers = [(name.lower().encode(), value.encode()) for name, value in kinds.items()]
        await send({"type": "websocket.http.response.start", "status": 400, "headers": headers})
        await send({"type": "websocket.http.response.body", "body": b"no WebSocket is spoken here\n"})

    def open_at(self, port: int) -> str:
        """Accept visitors of this port of this machine by name or number; return the address to visit."""
        self.hosts = frozenset({f"127.0.0.1:{port}", f"localhost:{port}"})
        return f"http://127.0.0.1:{port}/{self.token}/"

    def add(self, rule: str, view: Callable[..., Any], methods: Sequence[str] = ("GET",)) -> None:
        """Show the result of ``view`` at an address after the token, such as ``games/<int:number>``."""
        self.app.add_url_rule(f"/<token>/{rule}", f"{'-'.join(methods)} {rule}", view, methods=list(methods))

    def give_out(self, package: str, *names: str) -> None:
        """Serve these files of a package, such as its scripts, and no others."""
        for name in names:
            self.add(name, _file(package, name))

    async def _admit(self) -> Response | None:
        """Refuse visitors who use another name, do not know the token, or send something from another page."""
        if request.host not in self.hosts:
            return _plain("this is served under another name\n", 421)
        said = request.path.split("/")[1]
        if not secrets.compare_digest(said.encode("utf-8", "replace"), self.token.encode()):
            return _plain("there is nothing here; the address has a token in it\n", 404)
        if request.method not in _READING and request.headers.get("Origin") != f"http://{request.host}":
            return _plain("that was sent from another page\n", 403)
        return None

    async def _explain(self, problem: Exception) -> Response:
        """Answer with a sentence about what did not work; for a bug of ours, no details."""
        if isinstance(problem, HTTPException):
            return _plain(f"{problem.name}\n", problem.code or 500)
        self._failed(problem)
        return _plain("this did not work, which is a bug in croupier; its terminal says more\n", 500)


async def document() -> Any:
    """Return the JSON that a page has sent; None if it is invalid, such as other bytes or endlessly nested lists."""
    try:
        return json.loads(await request.get_data())
    except (ValueError, RecursionError):
        return None


async def _seal(response: Response) -> Response:
    """Add the headers that an answer does not set itself."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def _without_token(_endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Remove the token from the views' arguments, because it has been checked."""
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
