"""Misspelled words: the known word that was probably meant."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `` (did you mean NEAREST?)`` for a misspelled word, or an empty string if no known word is near it."""
    spelt = {each.lower(): each for each in known}
    near = difflib.get_close_matches(word.lower(), spelt, n=1)
    return f" (did you mean {spelt[near[0]]}?)" if near else ""
