"""Compiled: functions of integers that numba compiles if it is there (extra ``solver``); else they stay what they are.

What is compiled is kept beside the modules, if that folder can be written. In a sandbox it can only be read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Numbers = Any
    """Integers of 64 bits: an array if numba is there, else a list."""

F = TypeVar("F", bound="Callable[..., Any]")

try:
    import numpy as np
    from numba import config, njit
    from numba.core import caching

    COMPILED = not config.DISABLE_JIT
except ImportError:
    COMPILED = False

if COMPILED:

    class _Beside(caching.InTreeCacheLocator):  # type: ignore[misc]  # numba has no types
        """The folder beside a module, whether or not it can be written."""

        def ensure_cache_path(self) -> None:
            """Return without trying to write there."""

    class _ReadResults(caching.CompileResultCacheImpl):  # type: ignore[misc]  # numba has no types
        _locator_classes: ClassVar[list[Any]] = [_Beside]

    class _ReadOnlyCache(caching.FunctionCache):  # type: ignore[misc]  # numba has no types
        """What was compiled and kept before."""

        _impl_class = _ReadResults

        def save_overload(self, signature: object, result: object) -> None:
            """Keep nothing."""


def jit(function: F) -> F:
    """Compile a function if numba is there; keep the result if numba finds a folder that it may write to."""
    if not COMPILED:
        return function
    compiled = njit(function)
    try:
        compiled.enable_caching()
    except RuntimeError:  # there is no such folder
        compiled._cache = _ReadOnlyCache(function)  # noqa: SLF001  numba has no other way to read without writing
    result: F = compiled
    return result


def numbers(values: Sequence[int]) -> Numbers:
    """Return integers as compiled functions take them."""
    return np.array(values, np.int64) if COMPILED else list(values)
