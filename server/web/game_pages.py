"""Game pages: the viewer's page of one game, served with its own content policy."""

from __future__ import annotations

from quart import Response

from croupier.server import viewer


def game_response(page: str) -> Response:
    """Return a page of the viewer as a response that no other page may frame."""
    policy = f"{viewer.policy()}; frame-ancestors 'none'"
    return Response(page, content_type="text/html; charset=utf-8", headers={"Content-Security-Policy": policy})
