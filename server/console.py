"""The terminal output of rich: no text in it is read as markup, and no character controls the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich import console

from croupier.server.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import ConsoleOptions, RenderableType
    from rich.segment import Segment
    from rich.text import Text


class Console(console.Console):  # noqa: TID251  the one place that may
    """A console that shows text literally, with ``?`` for characters that control the terminal or are invisible.

    Names, titles and reasons come from strangers. Their brackets and colons are neither styles nor emoji.
    """

    def __init__(self, **how: Any) -> None:
        super().__init__(markup=False, emoji=False, **how)

    def render_str(self, text: str, **how: Any) -> Text:
        """Return a text to be drawn. Tables measure it too, so its measured width is its real width."""
        return super().render_str(printable(text, also="\n\t"), **how)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """Yield the segments to be drawn. Only rich's own segments may move the cursor."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text, also="\n\t"))
