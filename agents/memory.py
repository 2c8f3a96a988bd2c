"""Memory: what a player has found out about a hand is not found out again."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any

MOST = 1024


class Memory:
    """A function whose answers are remembered until there are too many; they depend on nothing but what it is given.

    `functools.lru_cache` does more; to load it costs a bot more than all else that it loads.
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
