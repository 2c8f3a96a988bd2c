"""Config: a tournament file, TOML read into strict values; what it does not know is an error with its place."""

from __future__ import annotations

import math
import re
import tomllib
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn, get_args

import msgspec

from croupier.server.entries import check_words
from croupier.server.misspelt import did_you_mean
from croupier.server.names import good_name, looks, looks_without_version, title_defect
from croupier.server.texts import BadText, read_text
from croupier.server.tournaments import globs, public_form
from croupier.server.tournaments.formats import FORMATS
from croupier.server.tournaments.globs import GLOB, BadGlob, expanded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Positive = Annotated[int, msgspec.Meta(ge=1)]
Natural = Annotated[int, msgspec.Meta(ge=0)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Memory = Annotated[str, msgspec.Meta(pattern=r"^[1-9][0-9]*[KMG]$")]


MOST_DEALS = 1_000_000
"""More are not played in a lifetime, and the schedule of them is long."""


class BadConfig(ValueError):
    """A tournament file, or a setting of the command line, that cannot be meant; the message says where."""


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of the file whose keys are all known."""


class Bot(_Strict, frozen=True):
    """An entry: ``[[bots]]``. What is left out is as in the tournament, or as the bot's dialect has it."""

    name: str
    title: str = ""
    command: tuple[str, ...] = ()
    builtin: str | None = None
    args: tuple[str, ...] = ()
    dialect: Literal["native", "classic"] = "native"
    lifetime: Literal["batch", "game", "auto"] | None = None
    build: str | None = None
    build_network: bool = False
    cores: Positive = 1
    memory: Memory | None = None
    network: bool = False
    env: dict[str, str | int] = {}

    def __post_init__(self) -> None:
        """Check what concerns several keys at once."""
        if not good_name(self.name):
            raise ValueError(f"{self.name!r} is no name: a letter, then at most 31 letters, digits, - or _")
        if bool(self.command) == (self.builtin is not None):
            raise ValueError(f"{self.name} needs a command, as a list of words, or a builtin: exactly one of them")
        if self.title and (why := title_defect(self.title)):
            raise ValueError(f"the title {self.title!r} of {self.name} {why}")
        env = {key: str(value) for key, value in self.env.items()}
        check_words([*self.command, *self.args, self.build or ""], env)
        if self.args and self.builtin is None:
            raise ValueError(f"{self.name}: args are a builtin's; the words of a command stand in command")


class Settings(_Strict, frozen=True):
    """A whole tournament. Times are milliseconds; None is the default that depends on other settings."""

    game: str
    bots: tuple[Bot, ...]
    options: dict[str, str | int] = {}
    format: str | None = None
    deals: Annotated[int, msgspec.Meta(ge=1, le=MOST_DEALS)] = 100
    rounds: Annotated[int, msgspec.Meta(ge=1, le=MOST_DEALS)] | None = None
    seats: Positive | None = None
    seatings: Literal["rotations", "all"] = "rotations"
    teams: Literal["mixed", "copies"] | None = None
    seed: str | int | None = None
    public: str = ""
    public_form: str = public_form.NUMBERS
    on_fault: Literal["stand-in", "forfeit"] | None = None
    max_fault_share: Share = 0.5
    time: Natural = 10_000
    bank: Natural = 0
    total: Positive | None = None
    start: Natural = 5_000
    sandbox: Literal["auto", "none", "limits", "bwrap"] = "auto"
    memory: Memory = "512M"
    freeze: bool = False
    isolate: Literal["batch", "strict"] = "batch"
    batch: Positive | None = None
    notes: bool = False
    workers: Positive | None = None
    cluster: str | None = None
    affinity: Literal["auto", "off"] = "auto"
    max_warm: Positive = 16
    until_sure: bool = False
    margin: Annotated[float, msgspec.Meta(gt=0)] | None = None
    sprt: tuple[float, float] | None = None
    sprt_in: Literal["points", "strength"] | None = None
    shadow: bool = False

    @property
    def ends_early(self) -> bool:
        """Whether it ends when nothing is left to find out."""
        return self.until_sure or self.sprt is not None

    def __post_init__(self) -> None:
        """Check what concerns several keys at once."""
        if not self.bots:
            raise ValueError("a tournament needs [[bots]]")
        if self.format is not None and self.format not in FORMATS:
            raise ValueError(f"format: expected one of {', '.join(FORMATS)}, {self.format!r} is none")
        if why := public_form.defect(self.public_form):
            raise ValueError(f"public_form {why}")
        if not self.time and not self.bank:
            raise ValueError("time = 0 needs a bank, which is then all that a bot has for a game")
        if not all(map(math.isfinite, [self.margin or 0, *(self.sprt or ())])):
            raise ValueError("margin and the bounds of sprt are finite numbers")
        if self.sprt is not None and not self.sprt[0] < self.sprt[1]:
            raise ValueError("sprt has two bounds, the lower first, between which it decides")
        if self.sprt is not None and self.margin is not None:
            raise ValueError(
                "margin goes with the search for an interval, sprt has bounds of its own: name one of them"
            )
        if self.sprt_in is not None and self.sprt is None:
            raise ValueError("sprt_in says what the two bounds of sprt are in, and there is no sprt")
        if self.shadow and (self.format != "paired" or self.bank or self.isolate == "strict"):
            raise ValueError('shadow goes with the format paired, without a bank and without isolate = "strict"')
        names = [bot.name for bot in self.bots]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"names are unique: {', '.join(twice)} stands there more than once")
        _check_titles(self.bots)


def _check_titles(bots: Sequence[Bot]) -> None:
    """Refuse a title that is easily taken for another bot: for its name, with or without a number, or its title."""
    named, titled = {looks(bot.name): bot.name for bot in bots}, dict[str, str]()
    for bot in [bot for bot in bots if bot.title]:
        mine = looks(bot.title)
        owners = [named.get(mine), named.get(looks_without_version(bot.title)), titled.setdefault(mine, bot.name)]
        if other := next((owner for owner in owners if owner not in {None, bot.name}), None):
            raise ValueError(f"the title {bot.title!r} of {bot.name} would be taken for {other}")


def parse(
    text: str,
    changes: Sequence[str] = (),
    source: str = "the tournament file",
    folder: Path | None = None,
    **named: object,
) -> Settings:
    """Read a tournament file under what `build` lays over it."""
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:  # numbers without end and lists in lists are no TOMLDecodeError
        raise BadConfig(f"{source} is not TOML: {problem}") from None
    return build(document, changes, source, folder, **named)


def read(path: Path, changes: Sequence[str] = (), **named: object) -> Settings:
    """Read a tournament file from the disk."""
    try:
        return parse(read_text(path, encoding="utf-8"), changes, path.name, path.parent, **named)
    except (OSError, BadText) as problem:
        raise BadConfig(f"{path} cannot be read: {getattr(problem, 'strerror', None) or problem}") from None


def passed_over(path: Path) -> list[str]:
    """Return a line for each folder of a roster without a file that its pattern matches, of a file that can be read."""
    tables = tomllib.loads(read_text(path, encoding="utf-8"))["bots"]
    return [line for table in tables if GLOB in table for line in globs.passed_over(table[GLOB], path.parent)]


def build(
    document: dict[str, Any],
    changes: Sequence[str] = (),
    source: str = "the command line",
    folder: Path | None = None,
    **named: object,
) -> Settings:
    """Make settings of plain values, under ``named`` ones and then ``key=value`` as in ``--set bots.0.cores=2``.

    A named table, such as the game's options, is laid over the one of the document key by key. Globs of ``[[bots]]``
    are relative to ``folder``.
    """
    for name, value in named.items():
        below = document.get(name)
        document[name] = {**below, **value} if isinstance(value, dict) and isinstance(below, dict) else value
    for change in changes:
        _set(document, change)
    places: list[int] = []
    if isinstance(document.get("bots"), list):
        try:
            document["bots"], places = expanded(document["bots"], folder)
        except BadGlob as problem:
            raise BadConfig(f"{source}: bots[{problem.table}].{problem.key}: {problem}") from None
    try:
        return msgspec.convert(document, Settings)
    except msgspec.ValidationError as problem:
        _explain(str(problem), source, places)


def _set(document: dict[str, Any], change: str) -> None:
    """Make one change: a path of keys and places, ``=``, and a TOML value or else plain text."""
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
    """Read a value as TOML would, and what is none as text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text


def _explain(problem: str, source: str, places: Sequence[int]) -> NoReturn:
    """Raise BadConfig with what is wrong in the file's own terms; ``places`` are those of its [[bots]] by entry."""
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
    """List the words that a key takes."""
    struct: type[_Strict] = Bot if where.startswith("bots") else Settings
    key = where.rpartition(".")[2]
    kind = next(field.type for field in msgspec.structs.fields(struct) if field.name == key)
    return [value for part in (kind, *get_args(kind)) for value in get_args(part) if isinstance(value, str)]


def _plain(what: str) -> str:
    """Call types by the words that a person who writes TOML uses."""
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
