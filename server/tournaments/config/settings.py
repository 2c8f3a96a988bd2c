"""Settings: the configuration of a tournament as strict values; a wrong one is a ValueError with the reason."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from croupier.server.entries import check_words
from croupier.server.names import good_name, looks, looks_without_version, title_defect
from croupier.server.tournaments.config import public_form
from croupier.server.tournaments.config.budget import SECONDS, Budget
from croupier.server.tournaments.formats import FORMATS

if TYPE_CHECKING:
    from collections.abc import Sequence

Positive = Annotated[int, msgspec.Meta(ge=1)]
Natural = Annotated[int, msgspec.Meta(ge=0)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Memory = Annotated[str, msgspec.Meta(pattern=r"^[1-9][0-9]*[KMG]$")]


MOST_DEALS = 1_000_000
"""Nobody would live to see more played, and their schedule would be long."""


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of the file that accepts only known keys."""


class Bot(Strict, frozen=True):
    """An entry: ``[[bots]]``. Missing keys default to the tournament's, or to the dialect's."""

    name: str
    title: str = ""
    command: tuple[str, ...] = ()
    builtin: str | None = None
    args: tuple[str, ...] = ()
    dialect: Literal["native", "classic", "json"] = "native"
    sight: Literal["own", "open", "blind"] = "own"
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


class Settings(Strict, frozen=True):
    """A whole tournament. Times are milliseconds; None is a default that depends on other settings."""

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
    probe: Natural = 0
    workers: Positive | None = None
    cluster: str | None = None
    affinity: Literal["auto", "off"] = "auto"
    max_warm: Positive = 16
    until_sure: bool = False
    margin: Annotated[float, msgspec.Meta(gt=0)] | None = None
    sprt: tuple[float, float] | None = None
    sprt_in: Literal["points", "strength"] | None = None
    shadow: bool = False
    budget: str | None = None
    goes_on: bool = False

    @property
    def ends_early(self) -> bool:
        """Return whether it ends when the results are clear."""
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
        if self.budget is not None and Budget.parse(self.budget).kind != SECONDS and self.shadow:
            raise ValueError("a budget of tokens or money goes without shadow, whose questions are in no game's cost")
        names = [bot.name for bot in self.bots]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"names are unique: {', '.join(twice)} stands there more than once")
        _check_titles(self.bots)


def _check_titles(bots: Sequence[Bot]) -> None:
    """Refuse a title that is easily confused with another bot's title, or with its name, with or without a number."""
    named, titled = {looks(bot.name): bot.name for bot in bots}, dict[str, str]()
    for bot in [bot for bot in bots if bot.title]:
        mine = looks(bot.title)
        owners = [named.get(mine), named.get(looks_without_version(bot.title)), titled.setdefault(mine, bot.name)]
        if other := next((owner for owner in owners if owner not in {None, bot.name}), None):
            raise ValueError(f"the title {bot.title!r} of {bot.name} would be taken for {other}")
