"""A tournament file: TOML read into settings; anything unknown is an error with its place."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any, NoReturn, get_args

import msgspec

from croupier.server.suggestions import did_you_mean
from croupier.server.texts import BadText, read_text
from croupier.server.tournaments.config import globs
from croupier.server.tournaments.config.globs import GLOB, BadGlob, expand
from croupier.server.tournaments.config.settings import Bot, Settings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from croupier.server.tournaments.config.settings import Strict


class BadConfig(ValueError):
    """An invalid tournament file, or setting of the command line; the message says where."""


def parse(
    text: str,
    changes: Sequence[str] = (),
    source: str = "the tournament file",
    folder: Path | None = None,
    **named: object,
) -> Settings:
    """Read a tournament file; the other arguments are those of `build`."""
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:  # endless numbers and nested lists raise other errors
        raise BadConfig(f"{source} is not TOML: {problem}") from None
    return build(document, changes, source, folder, **named)


def read(path: Path, changes: Sequence[str] = (), **named: object) -> Settings:
    """Read a tournament file from the disk."""
    try:
        return parse(read_text(path, encoding="utf-8"), changes, path.name, path.parent, **named)
    except (OSError, BadText) as problem:
        raise BadConfig(f"{path} cannot be read: {getattr(problem, 'strerror', None) or problem}") from None


def folders_without_file(path: Path) -> list[str]:
    """Return a warning for each roster folder that contains no matching file; empty if the file cannot be read."""
    tables = tomllib.loads(read_text(path, encoding="utf-8"))["bots"]
    return [line for table in tables if GLOB in table for line in globs.folders_without_file(table[GLOB], path.parent)]


def build(
    document: dict[str, Any],
    changes: Sequence[str] = (),
    source: str = "the command line",
    folder: Path | None = None,
    **named: object,
) -> Settings:
    """Make settings of plain values, overridden by ``named`` ones, then by ``--set`` texts such as ``bots.0.cores=2``.

    A named table, such as the game's options, overrides that of the document key by key. Globs of ``[[bots]]`` are
    relative to ``folder``.
    """
    for name, value in named.items():
        below = document.get(name)
        document[name] = {**below, **value} if isinstance(value, dict) and isinstance(below, dict) else value
    for change in changes:
        _set(document, change)
    places: list[int] = []
    if isinstance(document.get("bots"), list):
        try:
            document["bots"], places = expand(document["bots"], folder)
        except BadGlob as problem:
            raise BadConfig(f"{source}: bots[{problem.table}].{problem.key}: {problem}") from None
    try:
        return msgspec.convert(document, Settings)
    except msgspec.ValidationError as problem:
        _explain(str(problem), source, places)


def _set(document: dict[str, Any], change: str) -> None:
    """Apply one change: a path of keys and indices, ``=``, and a TOML value or else plain text."""
    path, equals, text = change.partition("=")
    *way, last = path.strip().split(".")
    if not equals or not all([*way, last]):
        raise BadConfig(f"--set takes key=value, as in bots.0.cores=2, not {change}")
    here: Any = document
    for step in way:
        here = _step(here, step, path)
    if isinstance(here, list):
        _step(here, last, path)
        here[int(last)] = _value(text)
    elif isinstance(here, dict):
        here[last] = _value(text)
    else:
        raise BadConfig(f"--set {path}: there is nothing inside {way[-1]}")


def _step(here: Any, step: str, path: str) -> Any:
    if isinstance(here, dict):
        return here.setdefault(step, {})
    if not isinstance(here, list) or not step.isdecimal() or int(step) >= len(here):
        known = f"; there are {len(here)}, counted from 0" if isinstance(here, list) else ""
        raise BadConfig(f"--set {path}: there is no {step}{known}")
    return here[int(step)]


def _value(text: str) -> Any:
    """Read a value as TOML would; anything else is text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text


def _explain(problem: str, source: str, places: Sequence[int]) -> NoReturn:
    """Raise BadConfig with the error in terms of the file; ``places`` are those of its [[bots]] by entry."""
    what, _, place = problem.partition(" - at `")
    where = re.sub(r"^\$\.?", "", place.rstrip("`")).replace("[...]", "")
    where = re.sub(r"^bots\[(\d+)\]", lambda entry: f"bots[{places[int(entry[1])]}]", where)
    if unknown := re.search(r"unknown field `(.*)`", what):
        known = sorted({*Bot.__struct_fields__, GLOB} if where.startswith("bots") else Settings.__struct_fields__)
        what = f"there is no key {unknown[1]}{did_you_mean(unknown[1], known)}; the keys: {', '.join(known)}"
    elif missing := re.search(r"missing required field `(.*)`", what):
        what = f"the key {missing[1]} is missing"
    elif what.startswith("Invalid enum value"):
        wrong, known = what.removeprefix("Invalid enum value "), _choices(where)
        what = f"expected one of {', '.join(known)}, {wrong} is none{did_you_mean(wrong.strip(chr(39)), known)}"
    elif "matching regex" in what:
        what = "expected an amount of memory such as 512M or 2G"
    raise BadConfig(f"{source}: {where}: {_plain(what)}" if where else f"{source}: {_plain(what)}") from None


def _choices(where: str) -> list[str]:
    """List the words that a key accepts."""
    struct: type[Strict] = Bot if where.startswith("bots") else Settings
    key = where.rpartition(".")[2]
    kind = next(field.type for field in msgspec.structs.fields(struct) if field.name == key)
    return [value for part in (kind, *get_args(kind)) for value in get_args(part) if isinstance(value, str)]


def _plain(what: str) -> str:
    """Replace names of Python types by those that writers of TOML use."""
    words = {
        "str": "text",
        "int": "a whole number",
        "float": "a number",
        "bool": "true or false",
        "array": "a list",
        "object": "a table",
        "null": "nothing",
        " | ": " or ",
    }
    types = re.compile("|".join(map(re.escape, words)))
    what = re.sub("`(.*?)`", lambda quoted: types.sub(lambda word: words[word[0]], quoted[1]), what)
    return what[0].lower() + what[1:]
