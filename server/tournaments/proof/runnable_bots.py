"""Runnable bots: which of a folder's bots can be run here exactly as they played, by the hash of their files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from croupier.server.entries import AUTO, BadEntry
from croupier.server.tournaments.entering.enrolment import entry_of
from croupier.server.tournaments.entering.fingerprint import fingerprint
from croupier.server.tournaments.keeping.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.server.entries import Entry
    from croupier.server.tournaments.config.settings import Settings
    from croupier.server.tournaments.keeping.store import Store


class RunnableBots(NamedTuple):
    """The bots that can be run, by version name, and why the others cannot."""

    entries: Mapping[str, Entry]
    missing: Mapping[str, str]


def runnable_bots(store: Store, settings: Settings) -> RunnableBots:
    """Look for each version of the tournament among the programs that its settings name."""
    bound = store.chain_state().programs
    entry_names = {version.name: version.entry for version in store.versions()}
    here: dict[str, tuple[Entry, str] | str] = {}
    for bot in settings.bots:
        try:
            entry = entry_of(bot, settings.memory)
            here[entry_names.get(bot.name, bot.name)] = entry, fingerprint(entry)
        except (BadEntry, StoreError) as problem:
            here[entry_names.get(bot.name, bot.name)] = f"it cannot be started here: {problem}"
    entries: dict[str, Entry] = {}
    missing: dict[str, str] = {}
    for version in store.versions():
        found = here.get(version.entry, "it has left the tournament, which does not keep how it was started")
        wanted = bound[version.name]["sha256"] if version.name in bound else version.sha256
        if isinstance(found, str):
            missing[version.name] = found
        elif found[1] != wanted:
            missing[version.name] = f"its files here are another version ({found[1][:12]}) than played ({wanted[:12]})"
        elif found[0].network:
            missing[version.name] = "it may use the network, and is not run again by a folder that says so"
        else:  # one that is only tried for a second game gets a process per game here
            lifetime = "game" if found[0].lifetime == AUTO else found[0].lifetime
            entries[version.name] = replace(found[0], name=version.name, lifetime=lifetime)
    return RunnableBots(entries, missing)
