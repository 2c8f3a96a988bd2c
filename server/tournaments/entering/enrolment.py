"""Enrolment: the current program of each entry; changed files make a new version with results of its own."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from croupier.agents.bundled import SEARCH
from croupier.server import entries, thinking
from croupier.server.tournaments.entering.fingerprint import fingerprint
from croupier.server.tournaments.formats.roster import Change, Roster
from croupier.server.tournaments.formats.schedule import NoResults
from croupier.server.tournaments.keeping.store import StoreError, Version

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from croupier.server.entries import Entry
    from croupier.server.games.game import Game
    from croupier.server.tournaments.config.settings import Bot, Settings
    from croupier.server.tournaments.formats.schedule import Names, Schedule
    from croupier.server.tournaments.keeping.chain import ChainState
    from croupier.server.tournaments.keeping.store import Store


LOOKS, PAUSE = 20, 0.5
"""How often, and how many seconds apart, to check whether a changed program is complete."""


def enrol(settings: Settings, store: Store, *, drop_old: bool = False) -> tuple[dict[str, str], dict[str, Entry]]:
    """Return the version name of each bot, and the entries by those names; store new versions.

    With ``drop_old``, earlier versions no longer count. Raise BadEntry, naming all bots that cannot play.
    """
    able, unable = entries_of(settings)
    if unable:
        raise entries.BadEntry("\n".join(unable.values()))
    names: dict[str, str] = {}
    seated: dict[str, Entry] = {}
    for bot_name, asked in able.items():
        entry = enter_version(asked, settings, store, drop_old=drop_old)
        names[bot_name] = entry.name
        seated[entry.name] = entry
    return names, seated


def entries_of(settings: Settings) -> tuple[dict[str, Entry], dict[str, str]]:
    """Return the entries of bots that can play, and why the others cannot, by name."""
    able: dict[str, Entry] = {}
    unable: dict[str, str] = {}
    for bot in settings.bots:
        try:
            able[bot.name] = entry_of(bot, settings.memory)
        except entries.BadEntry as problem:
            unable[bot.name] = str(problem)
    return able, unable


def enter_version(entry: Entry, settings: Settings, store: Store, *, drop_old: bool = False) -> Entry:
    """Return an entry with its version's name; store a new version."""
    known = store.versions()
    mine = [version for version in known if version.entry == entry.name]
    sha256 = fingerprint(entry)
    version = next((version for version in mine if version.sha256 == sha256), None)
    if version is None:
        taken = {version.name for version in known} | {bot.name for bot in settings.bots}
        version = _new(entry.name, len(mine) + 1, sha256, _round(store, settings), taken)
        store.enter(version)
    elif version.retired:
        store.retire(version.name, back=True)
    if drop_old:
        for old in mine:
            if old.name != version.name:
                store.retire(old.name)
    return replace(entry, name=version.name)


def at_rest(bot: Bot, memory: str) -> Entry:
    """Return a changed bot once two checks of its files give the same; raise BadEntry or StoreError.

    While a program is being built, it is missing or incomplete.
    """
    last = ""
    problem: Exception = StoreError(f"{bot.name}: its files are being changed again and again")
    for _ in range(LOOKS):
        try:
            entry = entry_of(bot, memory)
            now = fingerprint(entry)
        except (entries.BadEntry, StoreError) as trouble:
            last, problem = "", trouble
        else:
            if now == last:
                return entry
            last = now
        time.sleep(PAUSE)
    raise problem


def roster(store: Store, playing: Collection[str] = ()) -> Roster:
    """Return who was entered when, as the versions that play now, or the last ones of entries that have left."""
    known = store.versions()
    noted = store.fact("roster")
    if noted is None:  # an older tournament, for which no run has stored it
        first = {version.entry: version.joined for version in reversed(known)}
        noted = [(name, joined, True) for name, joined in sorted(first.items(), key=lambda one: one[1])]
    last = {version.entry: version.name for version in known}
    last |= {version.entry: version.name for version in known if version.name in playing}
    return Roster(tuple(Change(*change) for change in noted), last)


def note_changes(store: Store, settings: Settings) -> None:
    """Store who has come and left since the last run, from the first round that has not begun."""
    before = roster(store)
    now = before.change((bot.name for bot in settings.bots), _round(store, settings))
    store.write_fact("roster", [list(change) for change in now.changes])


def with_program(settings: Settings, rules: type[Game]) -> Settings:
    """Return a tournament's settings with the program's file named to its searching players."""
    bots = tuple(
        msgspec.structs.replace(bot, args=thinking.words_for(settings.game, rules, bot.args))
        if bot.builtin == SEARCH
        else bot
        for bot in settings.bots
    )
    return msgspec.structs.replace(settings, bots=bots)


def entry_of(bot: Bot, memory: str) -> Entry:
    """Return a configured bot as an entry, with this much memory by default; raise BadEntry."""
    env = {key: str(value) for key, value in bot.env.items()}
    if bot.builtin is not None:
        entry = entries.of_bundled(bot.builtin, bot.name, bot.dialect, bot.args)
    else:
        entry = entries.of_command(bot.command, bot.name, bot.dialect, bot.lifetime, env=env)
    return replace(
        entries.with_sight(entry, bot.sight),
        lifetime=bot.lifetime or entry.lifetime,
        env=env,
        memory=bot.memory or memory,
        cores=bot.cores,
        network=bot.network,
    )


def _new(name: str, number: int, sha256: str, joined: int, taken: set[str]) -> Version:
    if number == 1:
        return Version(name, name, number, sha256, joined, retired=False)
    while (called := f"{name[: 30 - len(str(number))]}-v{number}") in taken:
        number += 1
    return Version(called, name, number, sha256, joined, retired=False)


def _round(store: Store, settings: Settings) -> int:
    """Return the first round, from 0, that has not begun, which a newcomer can join."""
    last = store.last_deal()
    return 0 if last is None else -(-last // settings.deals)


class Changes(NamedTuple):
    """Sentences about entries that came, changed or left, with the number of all games and of those to be played."""

    sentences: tuple[str, ...]
    kept: int
    missing: int | None

    @classmethod
    def between(cls, before: ChainState, now: Mapping[str, str], store: Store, schedule: Schedule) -> Changes:
        """Compare the versions of the last run, from the previous chain, with those of this run, by entry."""
        tables = None if schedule.adaptive else list(_missing(store, schedule, now))
        left = [name for entry, name in before.playing.items() if entry not in now]
        sentences = [*_came(before, now, tables), *(f"{name} has left; what it has played stays" for name in left)]
        missing = None if tables is None else sum(games for _, games in tables)
        return cls(tuple(sentences), store.counts()[0], missing)

    def lines(self) -> list[str]:
        """Return the lines for a person; empty if no entry has changed."""
        if not self.sentences:
            return []
        rest = "the results decide what is to be played" if self.missing is None else f"{self.missing} are to be played"
        return [*self.sentences, f"{self.kept} games are kept, {rest}"]


def _missing(store: Store, schedule: Schedule, now: Mapping[str, str]) -> Iterator[tuple[Names, int]]:
    """Yield each batch's pairing with the number of its missing games that can be played."""
    here = set(now.values())
    for batches in schedule.rounds(NoResults()):
        for batch in batches:
            if here.issuperset(batch.pairing):
                known = store.games_on(batch.pairing, batch.deals)
                yield batch.pairing, sum(game not in known for game in batch.games())


def _came(before: ChainState, now: Mapping[str, str], tables: list[tuple[Names, int]] | None) -> Iterator[str]:
    old = before.playing
    for entry, name in now.items():
        if old.get(entry) == name:
            continue
        games = "" if tables is None else f": {sum(games for pairing, games in tables if name in pairing)} games"
        if entry in old:
            yield f"{entry} has changed and plays as {name}{games}; what {old[entry]} has played stays"
        else:
            yield f"{name} is {'back' if name in before.programs else 'new'}{games}"
