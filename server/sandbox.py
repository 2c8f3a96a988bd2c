"""What a bot process may touch and use up."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.server.entries import Entry


def environment(entry: Entry, folder: Path) -> dict[str, str]:
    """Return a small clean environment: no secrets of whoever runs the table, and unbuffered output for Python bots."""
    path = os.pathsep.join([str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"])
    return {
        "PATH": path,
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        **entry.env,
    }
