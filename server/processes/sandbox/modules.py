"""The variables with which a bot's Python finds our modules, although its HOME and environment are different."""

from __future__ import annotations

import functools
import os
import site
import sys
from pathlib import Path

import croupier


# cached because the environment and the path of this process are fixed
@functools.cache
def variables() -> dict[str, str]:
    """Return PYTHONUSERBASE and PYTHONPATH as far as they lead to our modules.

    PYTHONUSERBASE (``pip install --user``) affects no other version of Python and no virtual environment. PYTHONPATH
    affects every Python, so only the folder that contains croupier is passed on, and only if it was found that way.
    """
    base = site.getuserbase() if _user_site() else None
    found = {"PYTHONUSERBASE": base, "PYTHONPATH": _folder_on_path()}
    return {name: value for name, value in found.items() if value}


def folders() -> tuple[Path, ...]:
    """Return the folders to which these variables lead."""
    return tuple(Path(folder) for folder in (_user_site(), _folder_on_path()) if folder)


def _user_site() -> str | None:
    """Return the user's own site-packages, if our Python looks there (PEP 370)."""
    folder = site.getusersitepackages() if site.ENABLE_USER_SITE else None
    return folder if folder in sys.path else None


# cached so that a later change of the working folder does not change the answer
@functools.cache
def _folder_on_path() -> str | None:
    """Return the folder that contains croupier, if PYTHONPATH names it or it was the working folder (``python -m``)."""
    holder = str(Path(croupier.__file__).parents[1])
    named = [*sys.path[:1], *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return holder if holder in map(os.path.abspath, named) else None
