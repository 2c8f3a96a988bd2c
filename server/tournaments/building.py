"""Building: each bot's build command is run once a tournament, before the first game, in the bots' own sandbox."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from croupier.server.entries import Entry
from croupier.server.processes.sandbox import Level, chosen, launch, workshop
from croupier.server.processes.workplace import workplace
from croupier.server.tournaments.store import RunFailed, StoreError

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.server.processes.sandbox import House
    from croupier.server.tournaments.config import Bot, Settings
    from croupier.server.tournaments.store import Store


def build(store: Store, settings: Settings, house: House) -> None:
    """Run each build command once a tournament; keep what it prints."""
    built = store.fact("built") or []
    for bot in settings.bots:
        if bot.build is None or [bot.name, bot.build] in built:
            continue
        run_build(bot, store.folder / "builds" / f"{bot.name}.log", house)
        built.append([bot.name, bot.build])
        store.state("built", built)


def run_build(bot: Bot, log: Path, house: House) -> None:
    """Run a bot's build command, what it prints into a log; raise StoreError if it fails.

    Under `Level.BWRAP` it is shut in as the bot is, but may write where the bot's program lies, and reach the network
    if that is asked for. Under less it runs as whoever runs this.
    """
    assert bot.build is not None
    log.parent.mkdir(exist_ok=True)
    words, env = ["/bin/sh", "-c", bot.build], None
    with workplace() as scratch, log.open("wb") as file:
        if chosen(house) is Level.BWRAP:
            hidden = [] if house.vault is None else [house.vault.resolve()]
            try:
                words = workshop.command(bot.build, bot.command, scratch, hidden, network=bot.build_network)
            except workshop.NoWorkshop as problem:
                raise StoreError(f"building {bot.name}: {problem}") from None
            env = launch.environment(Entry(bot.name, ()), scratch)
        done = subprocess.run(
            words, env=env, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, check=False
        )
    if done.returncode:
        raise RunFailed(f"building {bot.name} failed with exit status {done.returncode}; its output is in {log}")
