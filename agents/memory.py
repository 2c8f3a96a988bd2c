"""Memory: remembers a function's answers, so that nothing about a hand is computed twice."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any

MOST = 1024


class Memory:
    """A function with its answers remembered, up to `MOST` of them. The answer must depend on the arguments alone.

    `functools.lru_cache` does the same, but importing functools takes longer than everything else that a bot loads.
    """

    def __init__(self, find: Callable[..., Any]) -> None:
        self._find = find
        self._found: dict[Hashable, Any] = {}

    def __call__(self, *asked: Hashable) -> Any:
        """Return the answer."""
        if asked not in self._found:
            if len(self._found) == MOST:
                self._found.clear()
            self._found[asked] = self._find(*asked)
        return self._found[asked]
