"""Nurseries: an exception leaves one as itself, not in a group."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def unwrap_errors() -> Iterator[None]:
    """Raise the first exception of a nursery itself, such as KeyboardInterrupt, instead of its group."""
    try:
        yield
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from None
