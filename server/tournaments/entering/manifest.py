"""Manifest: what a tournament binds itself to before its first deal, and what of that was changed later.

The manifest is the first link of the store's chain, and lies in the folder as ``manifest.json``; its SHA-256 is the
commitment. An amendment is a whole manifest again, a later link, ``manifest-2.json`` and so on.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from croupier import __version__
from croupier.server.tournaments.entering.fingerprint import hashes, source
from croupier.server.tournaments.entering.founding import SCHEDULE
from croupier.server.tournaments.keeping.chain import written
from croupier.server.tournaments.keeping.chain_state import (
    FORMAT,
    OF_A_BOT,
    SETTINGS,
    BadEvent,
    Bound,
    ChainState,
    Ended,
    Manifest,
    Renewed,
    events,
)
from croupier.server.tournaments.keeping.folder import write_durably
from croupier.server.tournaments.keeping.rows import SHADOW
from croupier.server.tournaments.keeping.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from croupier.server.entries import Entry
    from croupier.server.games.game import Game
    from croupier.server.tournaments.config.settings import Settings
    from croupier.server.tournaments.keeping.chain import Link
    from croupier.server.tournaments.keeping.store import Store

SILENT = {"after", "files", "manifest", "roster", "bots", "retired"}


class Amendment(NamedTuple):
    """What was changed after the commitment, and when."""

    games: int
    """How many had been kept before."""
    commitment: str
    changes: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """Return the amendment as ``standings --json`` prints it."""
        return {"games": self.games, "commitment": self.commitment, "changes": self.changes}

    def lines(self) -> list[str]:
        """Return what a person is told."""
        return [f"after {self.games} games: {change}" for change in self.changes]


class Bond(NamedTuple):
    """What a tournament is bound to; without a commitment it was begun by a croupier that had no manifest."""

    commitment: str | None
    amendments: tuple[Amendment, ...]
    older: bool = False
    """Whether an earlier croupier drew its tables, by rules of its own."""
    shadowed: int = 0
    """How many games nobody has played: they were taken over."""
    unbound: tuple[str, ...] = ()
    """What later manifests bind, and this one does not."""

    @classmethod
    def of(cls, store: Store) -> Bond:
        """Read it from the chain."""
        links = manifests(store)
        older = bool(links) and drawn_otherwise(links[-1].document)
        shadowed = sum(stored.game.shadow for stored in store.games("WHERE whys LIKE ? ", (f'%"{SHADOW}",""%',)))
        unbound = BOUND_SINCE_2 if links and links[-1].document["manifest"] < FORMAT else ()
        return cls(links[0].sha256 if links else None, tuple(_amendments(store)), older, shadowed, unbound)

    def document(self) -> dict[str, Any]:
        """Return what ``standings --json`` prints of it."""
        amended = [amendment.document() for amendment in self.amendments]
        shadowed = {"shadowed": self.shadowed} if self.shadowed else {}
        older = {"older": True} if self.older else {}
        unbound = [*self.unbound, NEVER_BOUND]
        return {"commitment": self.commitment, "amendments": amended, "not_bound": unbound, **older, **shadowed}

    def lines(self) -> list[str]:
        """Return what a person is told."""
        if self.commitment is None:
            return [WITHOUT]
        lines = [line for amendment in self.amendments for line in amendment.lines()]
        taken = [f"{self.shadowed} games {TAKEN_OVER}"] if self.shadowed else []
        unbound = [f"{UNBOUND}{', '.join(self.unbound)}"] if self.unbound else []
        return [*lines, *([OLDER] if self.older else []), *unbound, *taken]


def drawn_otherwise(manifest: Mapping[str, Any]) -> bool:
    """Return whether an earlier croupier, which seated its deals otherwise, wrote a manifest."""
    return bool(manifest.get("schedule") != SCHEDULE)


BOUND_SINCE_2 = (
    "the form of the public text", "sandbox level", "isolation", "CPU time off turn", "standard error", "notes",
)  # fmt: skip
UNBOUND = "an earlier croupier began this chain, which does not bind: "
NEVER_BOUND = "dates"
"""They are from events.jsonl, which is a log."""
OLDER = (
    "an earlier croupier drew the tables of this tournament by other rules, which cannot be repeated: whether all that"
    " was planned has been played is not checked"
)
WITHOUT = (
    "this tournament has no manifest, as an earlier croupier began it: nothing binds its bots, its number of deals or"
    " its rule for stopping, and whether all that was planned has been played cannot be checked"
)


TAKEN_OVER = (
    "were not played but taken over from others of their deals: whoever sits elsewhere in them was asked each decision,"
    " and answered the same"
)


def manifests(store: Store) -> list[Link]:
    """List the manifest and its amendments."""
    found = [link for link in store.chain() if "manifest" in link.document]
    try:
        for link in found:
            msgspec.convert(link.document, Manifest)
    except msgspec.ValidationError as problem:
        raise StoreError(f"a manifest of {store.folder} cannot be read: {problem}") from None
    return found


def bind(store: Store, settings: Settings, rules: type[Game], seated: Mapping[str, Entry]) -> str:
    """Bind a tournament to what is to be played, unless it is bound to just that; return the SHA-256 that holds now."""
    bound = manifests(store)
    before = bound[-1].document if bound else {"bots": ()}
    now = json.loads(written(_document(store, settings, rules, seated, {bot["name"]: bot for bot in before["bots"]})))
    if now == {name: value for name, value in before.items() if name != "after"}:
        return bound[-1].sha256
    return store.append(now)


def publish(store: Store) -> None:
    """Write the manifest and its amendments where people can read them."""
    for path, link in published(store):
        if not path.exists():
            write_durably(path, link.text.encode())


def published(store: Store) -> Iterator[tuple[Path, Link]]:
    """Yield the manifest and its amendments with the files in which they lie."""
    for number, link in enumerate(manifests(store), 1):
        yield store.folder / ("manifest.json" if number == 1 else f"manifest-{number}.json"), link


def _document(
    store: Store, settings: Settings, rules: type[Game], seated: Mapping[str, Entry], before: Mapping[str, Any]
) -> dict[str, Any]:
    versions = {version.name: version for version in store.versions()}
    bots = []
    for bot in settings.bots:
        known = versions[bot.name]
        said = {"name": known.name, "entry": known.entry, "sha256": known.sha256}
        said |= {"title": bot.title} if bot.title else {}
        old = before.get(known.name, {})
        files = old.get("files") if old.get("sha256") == known.sha256 else hashes(seated[known.name])
        bots.append(said | ({"network": True} if bot.network else {}) | {"files": files})
    return {
        "manifest": FORMAT,
        "croupier": __version__,
        "schedule": SCHEDULE,
        "key": store.fact("commitment"),
        "seeded": store.fact("seed") is not None,
        **{name: getattr(settings, name) for name in SETTINGS},
        "public_form": settings.public_form,
        **({"shuffles": store.fact("shuffles")} if store.fact("shuffles") else {}),
        **({"shadow": True} if settings.shadow else {}),
        **({"luck": source(rules.LUCK)} if rules.LUCK else {}),
        "options": rules.read_options(settings.options),
        "program": getattr(rules, "PROGRAM_SHA256", None),
        "bots": bots,
        "roster": store.fact("roster"),
        "retired": sorted(version.name for version in versions.values() if version.retired),
    }


def _amendments(store: Store) -> Iterator[Amendment]:
    state, revealed = ChainState(), ""
    links = store.chain()
    for number, event in events(links):
        if isinstance(event, BadEvent):
            continue
        link = links[number - 1]
        if isinstance(event, Bound) and state.manifest:
            changes = tuple(f"{change}{revealed}" for change in differences(state.manifest, event.facts))
            yield Amendment(state.games, link.sha256, changes or ("the manifest was written again",))
        elif isinstance(event, Renewed):
            yield Amendment(state.games, link.sha256, (f"deals from {event.first} on follow from a new key",))
        elif isinstance(event, Ended):
            revealed = ", after the key was revealed"
        state = state.after(event)


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Say what of a manifest has been changed."""
    for name in sorted({*before, *now} - SILENT):
        was, is_now = before.get(name), now.get(name)
        if was != is_now:
            yield _changed(name, was, is_now)
    old = {bot["entry"]: bot["name"] for bot in before["bots"]}
    new = {bot["entry"]: bot["name"] for bot in now["bots"]}
    yield from (f"{name} came in" for name in new if name not in old)
    yield from (f"{name} left" for name in old if name not in new)
    yield from (
        f"{old[name]} was changed and plays as {new[name]}" for name in new if old.get(name, new[name]) != new[name]
    )
    yield from (f"{what} of {name} was changed under the same name" for name, what in _swapped(before, now))
    titles = [{bot["name"]: bot.get("title", "") for bot in each["bots"]} for each in (before, now)]
    yield from (
        f"the title of {name} was {titles[0][name] or 'not set'} and is {title or 'not set'}"
        for name, title in titles[1].items()
        if titles[0].get(name, title) != title
    )
    if list(old) != list(new) and set(old) == set(new):
        yield "the bots are listed in another order"
    yield from (f"what {name} has played counts no more" for name in now["retired"] if name not in before["retired"])
    yield from (f"what {name} has played counts again" for name in before["retired"] if name not in now["retired"])
    if now["roster"][: len(before["roster"])] != before["roster"]:
        yield "who came and left before was changed in the roster"


def _swapped(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each version that has kept its name and nothing else, with what of it was changed."""
    known = {bot["name"]: bot for bot in before["bots"]}
    for bot in now["bots"]:
        old = known.get(bot["name"], bot)
        for fact in sorted({*old, *bot} - {"title"}):
            if old.get(fact) != bot.get(fact):
                yield bot["name"], OF_A_BOT.get(fact, fact)


def _changed(name: str, was: object, is_now: object) -> str:
    if isinstance(was, bool) and isinstance(is_now, bool):
        return f"{name} was switched {'on' if is_now else 'off'}"
    if isinstance(was, int | float) and isinstance(is_now, int | float):
        return f"{name} was {'raised' if is_now > was else 'lowered'} from {was} to {is_now}"
    return f"{name} was {_plain(was)} and is {_plain(is_now)}"


def _plain(value: object) -> str:
    return "not set" if value is None or value == "" else str(value)
