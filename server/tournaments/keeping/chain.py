"""The chain: documents that each contain the SHA-256 of the one before, so that the last one binds them all."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping


class Link(NamedTuple):
    """A document of the chain: a manifest, a batch, or the end with the key."""

    sha256: str
    text: str
    document: dict[str, Any]

    @classmethod
    def after(cls, before: str | None, document: Mapping[str, object]) -> Link:
        """Make the link that follows another: JSON, sorted, one value per line."""
        whole = {**document, "after": before}
        text = written(whole, indent=1) + "\n"
        return cls(sha256(text), text, whole)

    @classmethod
    def read(cls, claimed: str, text: str) -> Link:
        """Read a link that somebody has stored; raise MsgspecError or ValueError if it is not one."""
        return cls(claimed, text, msgspec.json.decode(text, type=dict[str, Any]))


def written(value: object, indent: int | None = None) -> str:
    """Write JSON, sorted; a name that is not UTF-8, as file names may be, in a readable form."""
    return json.dumps(value, sort_keys=True, indent=indent, ensure_ascii=False).encode(errors="replace").decode()


def sha256(text: str) -> str:
    """Return SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()
