"""Founding: what a tournament fixes at its beginning, and afterwards refuses to mix with anything else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.server import games
from croupier.server.deals import KEY_BYTES, Key
from croupier.server.tournaments.config.public_form import NUMBERS, fits
from croupier.server.tournaments.config.settings import Settings
from croupier.server.tournaments.formats import default_format
from croupier.server.tournaments.keeping.chain import FORMAT, NUMBERED, written
from croupier.server.tournaments.keeping.folder import write_durably
from croupier.server.tournaments.keeping.store import StoreError

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.server.games.game import Game
    from croupier.server.tournaments.keeping.store import Store

FIXED = (
    "game",
    "seats",
    "seatings",
    "teams",
    "public",
    "on_fault",
    "max_fault_share",
    "time",
    "bank",
    "total",
    "start",
    "memory",
    "public_form",
)
"""Settings whose change would mix games that cannot be compared."""
ORDER_DRAWN = 4
"""From this schedule number on, the key draws the order in which a deal's seatings are played."""
SCHEDULE = 7
"""Increased when the same key would seat the same deals differently, or in another order."""


SHUFFLES = 2
"""How shuffles follow from the key. Since 2 each deal has a key of its own; older manifests have no number."""


def check_settings(store: Store, settings: Settings, rules: type[Game]) -> str:
    """Store the settings, or raise StoreError naming those that differ from the earlier ones; return the format."""
    _refuse_analysis(store)
    now = {name: getattr(settings, name) for name in FIXED}
    now["options"] = rules.read_options(settings.options)
    now["format"] = settings.format or (store.fact("settings") or {}).get("format", default_format(len(settings.bots)))
    if now["format"] in NUMBERED:
        now["deals"] = settings.deals
    now["schedule"] = SCHEDULE
    if (program := getattr(rules, "PROGRAM_SHA256", None)) is not None:
        now["program"] = program
    now = json.loads(written(now))
    before = store.fact("settings")
    if before is not None:
        before = dict.fromkeys(FIXED) | before  # settings that did not exist then have their defaults
    if before is not None and before.get("schedule", 1) != SCHEDULE:
        raise StoreError(
            f"{store.folder} was begun by a croupier that seated its deals otherwise: `standings`, `report` and"
            " `verify` read it, but it cannot be continued. Use another --out"
        )
    if before is not None and store.chain_state().manifest.get("manifest", FORMAT) != FORMAT:
        raise StoreError(
            f"{store.folder} was begun by a croupier whose chain binds less: `standings`, `report` and `verify` read"
            " it, but it cannot be continued. Use another --out"
        )
    if settings.public and not fits(settings.public_form, settings.public):
        raise StoreError(
            f"the public text {settings.public!r} does not have the form that the manifest fixes,"
            f" public_form = '{settings.public_form}': {_example(settings.public_form)}"
        )
    if before is None or (store.last_deal() is None and {**before, "public": now["public"]} == now):
        store.write_fact("settings", now)
        _keep_program(store, rules)
    elif before != now:
        changed = [
            f"{name} was {before.get(name)} and is {now.get(name)}"
            for name in sorted({*before, *now})
            if before.get(name) != now.get(name)
        ]
        raise StoreError(
            f"{store.folder} holds a tournament with other settings: {'; '.join(changed)}. "
            "Games under different settings cannot be added up: use another --out"
        )
    return str(now["format"])


def _refuse_analysis(store: Store) -> None:
    """Raise StoreError if the folder is one of ``analyze --out``, whose games have no records."""
    if store.fact("analysis") is not None:
        raise StoreError(f"{store.folder} holds an analysis, which only the same `croupier analyze` shows")


def program_of(rules: Any) -> tuple[str, bytes] | None:
    """Return the RECYCLE program of a game, with its name; None for games of other kinds."""
    return (rules.PROGRAM, rules.PROGRAM_BYTES) if hasattr(rules, "PROGRAM_BYTES") else None


def _keep_program(store: Store, rules: type[Game]) -> None:
    """Copy a RECYCLE program into the folder, so that its games can be replayed wherever the folder is."""
    if (program := program_of(rules)) is not None:
        store.write_fact("program", f"{program[0]}.gdl")
        write_durably(store.folder / store.fact("program"), program[1])


def rules_of(store: Store, settings: Settings) -> type[Game]:
    """Return the rules of a tournament; raise NoSuchGame or BadGame."""
    program = store.fact("program")
    return games.find(settings.game if program is None else str(store.folder / program))


def key(store: Store, settings: Settings) -> Key:
    """Return the tournament's key; at its beginning it is drawn or made from the seed, and kept in its own file."""
    seed = None if settings.seed is None else str(settings.seed)
    if store.fact("commitment") is None:
        fresh = Key.fresh(settings.public) if seed is None else Key.from_seed(seed, settings.public)
        write_durably(_path(store, 1), f"{fresh.secret.hex()}\n".encode("ascii"), 0o600)
        with store.transaction():
            store.write_fact("seed", seed)
            store.write_fact("shuffles", SHUFFLES)
            store.write_fact("commitment", fresh.commitment)
    if seed is not None and store.fact("seed") != seed:
        raise StoreError(f"{store.folder} was begun with {_how_seeded(store.fact('seed'))}, not with the seed {seed}")
    return committed_key(store, settings.public)


def committed_key(store: Store, public: str) -> Key:
    """Return the key in the folder; raise StoreError unless it matches the commitment."""
    secrets = {first: _secret(_path(store, first), sha256) for first, sha256 in commitments(store).items()}
    return Key(secrets.pop(1), public, secrets, by_deal=by_deal(store))


def by_deal(store: Store) -> bool:
    """Return whether each deal has a key of its own, according to the manifest, or in older folders the store."""
    manifest = store.chain_state().manifest or {"shuffles": store.fact("shuffles")}
    return manifest.get("shuffles") == SHUFFLES


def commitments(store: Store) -> dict[int, str]:
    """Return each key's commitment by its first deal; there are several if a key was revealed and replaced."""
    return dict(store.chain_state().keys) or {1: store.fact("commitment")}


def is_known(store: Store) -> bool:
    """Return whether the key of the next deals was revealed; a seed stays, because it is meant to repeat a run."""
    return store.chain_state().revealed_to is not None


def renew_key(store: Store, key: Key) -> Key:
    """Draw a key for the deals that are still unplayed, and commit to it."""
    fresh, first = Key.fresh(), 1 + (store.last_deal() or 0)
    write_durably(_path(store, first), f"{fresh.secret.hex()}\n".encode("ascii"), 0o600)
    store.append({"key": fresh.commitment, "from": first})
    return committed_key(store, key.public)


def _path(store: Store, first: int) -> Path:
    return store.folder / ("key" if first == 1 else f"key-{first}")


def _secret(path: Path, commitment: str) -> bytes:
    try:
        with path.open(encoding="ascii") as file:
            known = Key(bytes.fromhex(file.read(3 * KEY_BYTES).strip()))
    except (OSError, ValueError) as problem:
        raise StoreError(f"{path} cannot be read: {problem}") from None
    if known.commitment != commitment:
        raise StoreError(f"{path} is not the key that this tournament committed to")
    return known.secret


def known_key(store: Store, public: str) -> Key | None:
    """Return the key that was revealed, at the end or by the chain, or else the one in the folder."""
    state = store.chain_state()
    first = store.fact("revealed") or state.secrets.get("1")
    try:
        if not first or not {*map(str, state.keys)} <= {"1", *state.secrets}:
            return committed_key(store, public)
        later = {int(deal): bytes.fromhex(secret) for deal, secret in state.secrets.items() if deal != "1"}
        return Key(bytes.fromhex(first), public, later, by_deal=by_deal(store))
    except (StoreError, AttributeError, TypeError, ValueError):
        return None


def revealed_key(store: Store, public: str) -> Key | None:
    """Return the completely revealed key of a finished tournament; None as long as a deal may be played.

    The key in the folder beside the database does not count as revealed: that is where a run keeps its secret.
    """
    if not store.fact("finished") or not store.fact("revealed"):
        return None
    state = store.chain_state()
    return known_key(store, public) if {*map(str, state.keys)} <= state.secrets.keys() else None


def settings_of(store: Store) -> Settings:
    """Return the settings of the last run in this folder."""
    _refuse_analysis(store)
    known = store.fact("run")
    if known is None:
        raise StoreError(f"nothing has been played in {store.folder} yet")
    try:
        return msgspec.convert(known, Settings)
    except msgspec.ValidationError as problem:
        raise StoreError(f"the settings in {store.folder} cannot be read: {problem}") from None


def titles_of(store: Store) -> dict[str, str]:
    """Return the titles of the last run's bots, by name, for those that have one."""
    return {bot.name: bot.title for bot in settings_of(store).bots if bot.title}


def conclude(store: Store, key: Key) -> None:
    """Mark the tournament as complete and reveal its key, because nobody will play these deals again."""
    with store.transaction():
        if not store.chain_state().over:
            later = {str(first): secret.hex() for first, secret in key.later.items()}
            store.append({"end": "finished", "key": key.secret.hex(), **({"later": later} if later else {})})
        store.write_fact("finished", True)
        store.write_fact("revealed", key.secret.hex())


def is_over(store: Store) -> bool:
    """Return whether a tournament has ended, according to its store and its chain, with no game missing."""
    state = store.chain_state()
    return bool(store.fact("finished")) and (not state.tenures or (state.over and state.games == store.counts()[0]))


def _example(form: str) -> str:
    if form == NUMBERS:
        return "whole numbers without leading zeros, one space between them, such as 3 11 24"
    return "write the text in that form"


def _how_seeded(seed: str | None) -> str:
    return "a secret key" if seed is None else f"the seed {seed}"
