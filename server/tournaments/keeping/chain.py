"""The chain: documents that each contain the SHA-256 of the one before, so that the last one binds them all.

A chain begins with a manifest. Batches, amendments (whole manifests), new keys and ends follow. `ChainState.after`
folds one event into the state; `ChainState.objections` says why the event is not allowed there. Neither reads a file or
a database.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

import msgspec

from croupier.server.tournaments.config.public_form import MOST, NUMBERS, fits
from croupier.server.tournaments.formats import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


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


FORMAT = 3
"""The number of a manifest.

Since 2 it fixes the form of the public text, and batches bind how they were played. Since 3 batches bind of which deals
of the schedule they are a part.
"""
PUBLIC_FORM_SINCE = 2
NUMBERED = {name for name, kind in FORMATS.items() if not kind.same_deals}
"""Formats in which the deals of a round depend on the round's number of deals."""
SETTINGS = (
    "game", "format", "seats", "seatings", "teams", "deals", "rounds", "until_sure", "margin", "sprt", "sprt_in",
    "public", "on_fault", "max_fault_share", "time", "bank", "total", "start", "memory",
)  # fmt: skip
"""The settings that decide what is played and how it is judged."""
AMENDABLE = {
    "deals", "rounds", "until_sure", "margin", "sprt", "sprt_in", "shadow", "budget", "goes_on", "public", "bots",
    "roster", "retired", "croupier", "luck",
}  # fmt: skip
"""The facts of a manifest that an amendment may change; some have rules of their own."""
_FIXED = {"manifest", "schedule", "key", "seeded", "options", "program", "public_form", "shuffles"}
_MANIFEST = AMENDABLE | _FIXED | {*SETTINGS, "after"}
PLAYED_HOW = {"deals": 2, "part_of": 3, "sandbox": 2, "isolate": 2, "burnt": 2, "kept": 2}
"""The facts of a batch about how it was played and what was kept beside its records, by the first manifest."""

OF_A_BOT = {
    "sha256": "the program",
    "files": "the list of files",
    "network": "the grant of the network",
    "sight": "the sight",
}
"""The facts of a version in a manifest, with their names in sentences."""

_SHA256 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
_Round = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
_Number = Annotated[int, msgspec.Meta(ge=1)]


class BadEvent(NamedTuple):
    """A link that a chain cannot have."""

    why: str


class _Bot(TypedDict):
    name: str
    entry: str
    sha256: str


class Manifest(TypedDict):
    """The minimum of a manifest, by any author."""

    manifest: int
    key: _SHA256
    seeded: bool
    bots: Annotated[list[_Bot], msgspec.Meta(min_length=1)]
    roster: list[tuple[str, _Round, bool]]
    retired: list[str]
    format: NotRequired[str]
    deals: NotRequired[_Number]
    public: NotRequired[str]
    public_form: NotRequired[Annotated[str, msgspec.Meta(max_length=MOST)]]


class _Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A link with exactly the facts of its kind."""

    after: str | None = None


class Bound(NamedTuple):
    """The first manifest, or an amendment, which is complete too."""

    link: Link


class Played(_Event, frozen=True):
    """A batch: the SHA-256 of its records and of the store's rows of its games, and how it was played."""

    batch: str
    records: _SHA256
    played: int
    games: _SHA256
    deals: tuple[_Number, _Number] | None = None
    part_of: tuple[_Number, _Number] | None = None
    """The first and the last deal of the schedule's batch. A batch that was stopped is kept in parts."""
    sandbox: Literal["none", "limits", "bwrap"] | None = None
    isolate: Literal["batch", "strict"] | None = None
    burnt: dict[str, float] | None = None
    """Seconds of CPU time while others were on turn, by name."""
    kept: dict[str, _SHA256] | None = None
    """The SHA-256 of each file that was written beside the records, by its path in the folder."""


class Renewed(_Event, frozen=True):
    """A new key, from this deal on."""

    key: _SHA256
    first: _Number = msgspec.field(name="from")


class Ended(_Event, frozen=True):
    """The end, which reveals every key."""

    end: Literal["finished"]
    key: _SHA256
    later: dict[str, _SHA256] = {}

    @property
    def secrets(self) -> dict[str, str]:
        """Return every revealed key, by its first deal."""
        return {"1": self.key, **self.later}


Event = Bound | Played | Renewed | Ended
_KINDS: dict[str, type[Played | Renewed | Ended]] = {"batch": Played, "from": Renewed, "end": Ended}


def read(link: Link) -> Event | BadEvent:
    """Return the event of a link, a BadEvent if it is of no kind, of two, or has facts that its kind does not have."""
    kinds = [kind for kind in _KINDS if kind in link.document]
    try:
        if "manifest" in link.document:
            msgspec.convert(link.document, Manifest)
            return Bound(link)
        if len(kinds) != 1:
            return BadEvent("it is neither a manifest nor exactly one of batch, new key (from) and end")
        return msgspec.convert(link.document, _KINDS[kinds[0]])
    except msgspec.ValidationError as problem:
        return BadEvent(f"it cannot be read: {problem}")


class Tenure(NamedTuple):
    """A manifest while it is in force: the batches played under it, and whether it came to an end."""

    link: Link
    batches: tuple[Played, ...] = ()
    ended: bool = False

    @property
    def manifest(self) -> Mapping[str, Any]:
        """Return the content of the manifest."""
        return self.link.document

    @property
    def files(self) -> list[str]:
        """List the files of records of its batches."""
        return [batch.batch for batch in self.batches]

    @property
    def playing(self) -> dict[str, str]:
        """Return the version that plays for each entry."""
        return {bot["entry"]: bot["name"] for bot in self.manifest["bots"]}


@dataclass(frozen=True, slots=True)
class ChainState:
    """A tournament after some links of its chain."""

    tenures: tuple[Tenure, ...] = ()
    """The manifests, in the order in which they came into force."""
    keys: Mapping[int, str] = field(default_factory=dict)
    """Each key's commitment, by its first deal."""
    secrets: Mapping[str, str] = field(default_factory=dict)
    """The keys that the last end revealed, by their first deals."""
    programs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Every version that was ever entered, by name."""
    games: int = 0
    last_deal: int = 0
    over: bool = False
    """Whether the last link, apart from new keys, was an end."""
    revealed_to: int | None = None
    """The last deal of a revealed key, until the next key."""

    @property
    def manifest(self) -> Mapping[str, Any]:
        """Return the manifest in force; an empty one before the first link."""
        return self.tenures[-1].manifest if self.tenures else {}

    @property
    def playing(self) -> dict[str, str]:
        """Return the version that plays for each entry; empty before the first link."""
        return self.tenures[-1].playing if self.tenures else {}

    @property
    def manifests(self) -> list[Link]:
        """List the manifest and its amendments."""
        return [tenure.link for tenure in self.tenures]

    @property
    def batches(self) -> list[Played]:
        """List every batch."""
        return [batch for tenure in self.tenures for batch in tenure.batches]

    def after(self, event: Event | BadEvent) -> ChainState:
        """Return the state after another event, allowed or not; one that cannot be read changes nothing."""
        match event:
            case Bound(link=link):
                keys = self.keys or {1: link.document["key"]}
                entered = {bot["name"]: bot for bot in link.document["bots"]}
                programs = {**entered, **self.programs}
                return replace(self, tenures=(*self.tenures, Tenure(link)), keys=keys, programs=programs, over=False)
            case Played() if self.tenures:
                last = max(self.last_deal, event.deals[1] if event.deals else 0)
                tenures = self._in_force(batches=(*self.tenures[-1].batches, event))
                return replace(self, tenures=tenures, games=self.games + event.played, last_deal=last)
            case Renewed():
                return replace(self, keys={**self.keys, event.first: event.key}, revealed_to=None)
            case Ended() if self.tenures:
                revealed = None if self.manifest["seeded"] else self.last_deal
                tenures = self._in_force(ended=True)
                return replace(self, tenures=tenures, secrets=event.secrets, over=True, revealed_to=revealed)
        return self

    def _in_force(self, **changes: Any) -> tuple[Tenure, ...]:
        """Return the tenures with changes to the last one."""
        return *self.tenures[:-1], self.tenures[-1]._replace(**changes)

    def objections(self, event: Event) -> Iterator[str]:
        """Return the reasons why an event may not come next."""
        match event:
            case Bound(link=link):
                yield from self._to_any(link.document)
                yield from self._to_amendment(link.document) if self.tenures else _to_first(link.document)
            case _ if not self.tenures:
                yield "the chain does not begin with a manifest"
            case Played():
                yield from self._to_batch(event)
            case Renewed():
                yield from self._to_key(event)
            case Ended():
                yield from self._to_end(event)

    def _to_any(self, now: Mapping[str, Any]) -> Iterator[str]:
        """Return objections that apply to every manifest, the first or an amendment."""
        for name in sorted(now.keys() - _MANIFEST):
            yield f"a manifest has no {name}"
        formed = now["manifest"] >= PUBLIC_FORM_SINCE
        if formed and now.get("public") and not fits(now.get("public_form", NUMBERS), now["public"]):
            yield f"the public text {now['public']!r} does not have the form {now.get('public_form')!r} of the manifest"
        for bot in now["bots"]:
            known = self.programs.get(bot["name"], bot)
            for fact in sorted({*known, *bot} - {"title"}):
                if known.get(fact) != bot.get(fact):
                    yield f"{OF_A_BOT.get(fact, fact)} of {bot['name']} was changed under the same name"
        present = _present(now["roster"])
        if present != {bot["entry"] for bot in now["bots"]}:
            yield f"its bots are not those of its roster: {' '.join(sorted(present))}"

    def _to_amendment(self, now: Mapping[str, Any]) -> Iterator[str]:
        fixed = (now.keys() | self.manifest.keys()) & _MANIFEST - AMENDABLE - {"after"}
        if self.manifest.get("format") in NUMBERED:
            fixed |= {"deals"}
        if self.games:
            fixed |= {"public"}
        for name in sorted(fixed):
            if self.manifest.get(name) != now.get(name):
                yield f"no amendment may change {name}, which was {self.manifest.get(name)} and is {now.get(name)}"
        yield from self._to_roster([*map(tuple, self.manifest["roster"])], [*map(tuple, now["roster"])], now)
        yield from self._to_retired({*self.manifest["retired"]}, {*now["retired"]}, now["bots"])

    def _to_roster(self, before: list[Any], roster: list[Any], now: Mapping[str, Any]) -> Iterator[str]:
        if roster[: len(before)] != before:
            yield "who came and left before was changed in its roster"
        if now.get("format") in NUMBERED:
            first = -(-self.last_deal // now.get("deals", 1))
            for name, number, _ in roster[len(before) :]:
                if number != first:
                    yield f"{name} comes or leaves at round {number}, and the first that nobody has begun is {first}"

    def _to_retired(self, before: set[str], retired: set[str], bots: Iterable[_Bot]) -> Iterator[str]:
        playing = {bot["entry"]: bot["name"] for bot in bots}
        for name in sorted(retired - before):
            entry = self.programs[name]["entry"] if name in self.programs else None
            if playing.get(entry or "", name) == name:
                yield f"what {name} has played counts no more, and no other version of it plays"
        for name in sorted(before - retired - {*playing.values()}):
            yield f"what {name} has played counts again, and it does not play"

    def _to_batch(self, batch: Played) -> Iterator[str]:
        if self.over:
            yield "a batch follows the end, and no amendment says why"
        for how, since in PLAYED_HOW.items():
            if self.manifest["manifest"] >= since and getattr(batch, how) is None:
                yield f"the batch does not say its {how}"
        if batch.deals and batch.part_of and not _within(batch.deals, batch.part_of):
            yield f"deals {batch.deals} are no part of a batch of deals {batch.part_of}"
        if self.revealed_to is not None and batch.deals and batch.deals[1] > self.revealed_to:
            yield f"deals after {self.revealed_to} were played by a key that had been revealed"

    def _to_key(self, key: Renewed) -> Iterator[str]:
        if self.manifest["seeded"]:
            yield "a seed has no other key"
        elif self.revealed_to is None:
            yield f"a new key from deal {key.first} on, and the one before had not been revealed by an end"
        elif key.first != self.revealed_to + 1:
            yield f"a new key from deal {key.first} on, and deal {self.revealed_to} was the last before it"

    def _to_end(self, end: Ended) -> Iterator[str]:
        if self.over:
            yield "an end follows an end"
        revealed = end.secrets
        if {*revealed} != {*map(str, self.keys)}:
            yield f"the end reveals the keys from deals {' '.join(revealed)}, not {' '.join(map(str, self.keys))}"
        for first, commitment in self.keys.items():
            secret = revealed.get(str(first))
            if secret and hashlib.sha256(bytes.fromhex(secret)).hexdigest() != commitment:
                yield f"the key from deal {first} on that the end reveals is not the one committed to"


def _to_first(now: Mapping[str, Any]) -> Iterator[str]:
    if now["retired"]:
        yield f"{' '.join(now['retired'])} cannot be retired before the first game"
    if any(number or not here for _, number, here in now["roster"]):
        yield "somebody comes or leaves later in the roster of the first manifest"


def _within(deals: tuple[int, int], whole: tuple[int, int]) -> bool:
    return whole[0] <= deals[0] <= deals[1] <= whole[1]


def _present(roster: Iterable[tuple[str, int, bool]]) -> set[str]:
    """Return the entries after all changes of a roster."""
    found = set[str]()
    for name, _, here in roster:
        (found.add if here else found.discard)(name)
    return found
