"""Manifest: what a tournament binds itself to before its first deal, and again when it is amended.

The manifest is the first link of the store's chain, and is in the folder as ``manifest.json``; its SHA-256 is the
commitment. An amendment is a whole new manifest, a later link, ``manifest-2.json`` and so on.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from croupier import __version__
from croupier.protocol.notifications import OWN
from croupier.server.tournaments.entering.fingerprint import hashes, source
from croupier.server.tournaments.entering.founding import SCHEDULE
from croupier.server.tournaments.keeping.chain import FORMAT, SETTINGS, written
from croupier.server.tournaments.keeping.folder import write_durably

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from croupier.server.entries import Entry
    from croupier.server.games.game import Game
    from croupier.server.tournaments.config.settings import Settings
    from croupier.server.tournaments.keeping.chain import Link
    from croupier.server.tournaments.keeping.store import Store


def is_drawn_otherwise(manifest: Mapping[str, Any]) -> bool:
    """Return whether a manifest is from an older croupier, which seated its deals differently."""
    return bool(manifest.get("schedule") != SCHEDULE)


def bind(store: Store, settings: Settings, rules: type[Game], seated: Mapping[str, Entry]) -> str:
    """Bind a tournament to what is to be played, unless it is bound to exactly that; return the current SHA-256."""
    state = store.chain_state()
    before = state.manifest or {"bots": ()}
    now = json.loads(written(_document(store, settings, rules, seated, {bot["name"]: bot for bot in before["bots"]})))
    if now == {name: value for name, value in before.items() if name != "after"}:
        return state.manifests[-1].sha256
    return store.append(now)


def publish(store: Store) -> None:
    """Write the manifest and its amendments where people can read them."""
    for path, link in published_files(store):
        if not path.exists():
            write_durably(path, link.text.encode())


def published_files(store: Store) -> Iterator[tuple[Path, Link]]:
    """Yield the manifest and its amendments with their files."""
    for number, link in enumerate(store.chain_state().manifests, 1):
        yield store.folder / ("manifest.json" if number == 1 else f"manifest-{number}.json"), link


def facts(store: Store, settings: Settings, rules: type[Game]) -> dict[str, Any]:
    """Return the store's facts that a manifest binds, except those of bots."""
    return {
        "key": store.fact("commitment"),
        "seeded": store.fact("seed") is not None,
        **{name: getattr(settings, name) for name in (*SETTINGS, "public_form")},
        **({"shuffles": store.fact("shuffles")} if store.fact("shuffles") else {}),
        **({"shadow": True} if settings.shadow else {}),
        **({"budget": settings.budget} if settings.budget else {}),
        **({"goes_on": True} if settings.goes_on else {}),
        "options": rules.read_options(settings.options),
        "program": getattr(rules, "PROGRAM_SHA256", None),
        "roster": store.fact("roster"),
        "retired": sorted(version.name for version in store.versions() if version.retired),
    }


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
        said |= {"sight": bot.sight} if bot.sight != OWN else {}
        bots.append(said | ({"network": True} if bot.network else {}) | {"files": files})
    return {
        "manifest": FORMAT,
        "croupier": __version__,
        "schedule": SCHEDULE,
        **facts(store, settings, rules),
        **({"luck": source(rules.LUCK)} if rules.LUCK else {}),
        "bots": bots,
    }
