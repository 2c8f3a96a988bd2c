"""The commands, one module per family; this one has their shared printing and reading of arguments."""

from __future__ import annotations

import json as json_text
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from croupier.agents.bundled import BUNDLED
from croupier.protocol.notifications import BLIND, OPEN
from croupier.server import entries, games
from croupier.server.commands.command import option
from croupier.server.commands.completion import folders, game_names, option_values
from croupier.server.errors import Amount, Milliseconds
from croupier.server.processes import sandbox
from croupier.server.processes.sandbox import Level, SandboxSettings
from croupier.server.processes.sandbox.settings import AUTO
from croupier.server.table import ability
from croupier.server.table.clock import REPLIES
from croupier.server.table.faults import Policy
from croupier.server.terminal import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from croupier.protocol.sexp import Atom
    from croupier.server.commands.command import Added
    from croupier.server.entries import Entry
    from croupier.server.games.game import Game
    from croupier.server.tournaments.config.settings import Bot


SCHEMA = 1
"""The version of all JSON documents: increased when a field is renamed or removed, or its meaning changes."""
TIME = 10_000
START = 5_000
"""Milliseconds for a reply and for a start, also where a tournament's file does not set them."""

json_option: Added = option("--json", "as_json", is_flag=True, help="Print one JSON document.")
game_option: Added = option(
    "-o",
    "options",
    multiple=True,
    metavar="OPTION=VALUE",
    shell_complete=option_values,
    help="Set an option of the game. May be repeated; `croupier games GAME` lists them.",
)
named_game_option: Added = option(
    "--game", metavar="GAME", shell_complete=game_names, help="The game, if it is not the first word."
)
blind_option: Added = option(
    "--blind", is_flag=True, help="Tell bots that are seated as open: imagined deals in place of all hands."
)
workers_option: Added = option(
    "--workers", type=click.IntRange(1), help="How many processes play.  [default: one a core]"
)
kept_option: Added = option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    shell_complete=folders,
    help="Keep the results in this folder. The same command then continues.  [default: nowhere]",
)
network_option: Added = option(
    "--network", multiple=True, metavar="NAME", help="Let this bot use the network. May be repeated."
)

port_option: Added = option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="The port at which it is served.  [default: any that is free]",
)


def places_argument(metavar: str = "DIR ...") -> Added:
    """Add the places in which games are looked for: files of records, folders of them, tournaments."""
    return click.argument(
        "places",
        nargs=-1,
        required=True,
        metavar=metavar,
        type=click.Path(exists=True, path_type=Path),
        shell_complete=folders,
    )


def probe_option(worlds: int | None = None) -> Added:
    """Add the option for a probe. Without a value a tournament's file decides."""
    return option(
        "--probe",
        type=click.IntRange(1),
        default=worlds,
        help="Ask bots again about each game, in N worlds that they cannot tell apart, to see whether they peek.",
    )


def time_options(least: int, time: int | None = None, start: int | None = None) -> Added:
    """Add the options for the time of a reply and of a start. Without a value a tournament's file decides."""
    reply = option(
        "--time",
        type=Milliseconds(least),
        default=time,
        help=f"How long a reply may take, in milliseconds.  [default: {time or TIME}]",
    )
    beginning = option(
        "--start",
        type=Milliseconds(0),
        default=start,
        help=f"How long a program may take to start, in milliseconds.  [default: {start or START}]",
    )
    return lambda command: reply(beginning(command))


def sandbox_options(sandbox: str | None = None, memory: str | None = None) -> Added:
    """Add the options for the sandbox. Without a value a tournament's file decides, or its default.

    At a table of your own ``sandbox`` is `limits`: a bot under development can read what its author can read.
    """
    level = option(
        "--sandbox",
        type=click.Choice([AUTO, *(level.value for level in Level)]),
        default=sandbox,
        help="How far bots are shut in. auto is the strongest level that works here (`croupier doctor`)."
        f"  [default: {sandbox or AUTO}]",
    )
    amount = option(
        "--memory",
        type=Amount(),
        default=memory,
        help=f"How much memory a bot may use, such as 2G.  [default: {memory or SandboxSettings.memory}]",
    )
    return lambda command: level(amount(command))


def terms_options(command: Any) -> Any:
    """Add the options for a bot's time in a game, in addition to that for a reply, and for the cost of a fault."""
    bank = option(
        "--bank",
        type=Milliseconds(0),
        help="Reserve beyond --time for all of a game, in milliseconds. With --time 0 there is nothing but this.",
    )
    total = option(
        "--total",
        type=Milliseconds(1),
        help="How long all of a bot's replies in a game may take together, in milliseconds."
        f"  [default: {REPLIES} replies and the bank]",
    )
    fault = option(
        "--on-fault",
        type=click.Choice([policy.value for policy in Policy]),
        help="What follows a fault.  [default: forfeit at a table of two, else stand-in]",
    )
    return bank(total(fault(command)))


def the_sandboxing(level: str, memory: str, *, freeze: bool = False, hidden: Iterable[Path] = ()) -> SandboxSettings:
    """Read the options of the sandbox, and the folders that bots may read, or refuse the call."""
    sandboxing = SandboxSettings(level, memory, freeze, tuple(folder.absolute() for folder in hidden))
    try:
        sandbox.choose_level(sandboxing)
    except sandbox.NoSuchLevel as problem:
        wrong(str(problem))
    return sandboxing


def wrong(why: str) -> NoReturn:
    """Refuse a wrong call: print one sentence on standard error and exit with status 2."""
    raise click.UsageError(why)


def print_json(document: Mapping[str, object]) -> None:
    """Print one JSON document on standard output, beginning with the version of all documents."""
    document = {"schema": SCHEMA} | dict(document)
    say(*json_text.dumps(document, indent=2).replace("\x7f", "\\u007f").split("\n"))


def the_game(name: str) -> type[Game]:
    """Return the game, or refuse the call."""
    try:
        return games.find(name)
    except games.BadGame as problem:
        wrong(str(problem))
    except games.NoSuchGame as problem:
        is_bot = name.lower() in BUNDLED or " " in name or entries.is_file(name)
        wrong(f"{name} is no game; the game comes first, then the bots" if is_bot else str(problem))


def the_game_first(words: Sequence[str], game: str | None) -> tuple[str, type[Game], Sequence[str]]:
    """Return the game's registered name, the game, and the words after it, or refuse the call.

    The first word is the game unless ``game`` (--game) names it. There, the name of a game is never taken for a bot's
    file; write ./NAME for the file.
    """
    if game is None:
        game, *words = words
    rules = the_game(game)
    if not words:
        wrong("name the bots after the game")
    return games.find_name(game), rules, words


def the_pairs(given: Iterable[str], game: str = "GAME") -> dict[str, Atom]:
    """Split ``-o option=value`` words, or refuse the call."""
    pairs: dict[str, Atom] = {}
    for word in given:
        name, _, value = word.partition("=")
        if not (name and value):
            wrong(f"-o {word}: write it as option=value; `croupier games {game}` lists the options and their values")
        pairs[name] = value
    return pairs


def the_options(rules: type[Game], given: Iterable[str]) -> dict[str, Atom]:
    """Read ``-o option=value`` words into a game's options, or refuse the call."""
    try:
        return rules.read_options(the_pairs(given, rules.NAME))
    except games.BadOption as problem:
        wrong(str(problem))


def the_entries(bots: Iterable[str], game: str, rules: type[Game]) -> list[Entry]:
    """Read BOT words into entries that can play this game, called ``game`` here, or refuse the call."""
    try:
        read = [ability.with_program(entries.read(bot), game, rules) for bot in bots]
    except entries.BadEntry as problem:
        wrong(str(problem))
    require_able(read, rules)
    return entries.distinct(read)


def require_able(bots: Iterable[Entry | Bot], rules: type[Game]) -> None:
    """Refuse the call unless all entries can play this game."""
    for bot in bots:
        if (why := ability.inability(bot, rules)) is not None:
            wrong(why)


def the_sights(sights: Mapping[str, str], *, blind: bool, probe: int | None) -> dict[str, str]:
    """Return what each bot is told of the others' cards, by name; with ``blind`` none is told all hands.

    Refuse the call if none would have been, or if one is although the game is not probed.
    """
    told = [name for name, sight in sights.items() if sight == OPEN]
    if blind and not told:
        wrong("--blind is for bots that are told all hands, and none here is seated as open:COMMAND")
    if told and not blind and not probe:
        wrong(
            f"{told[0]} is told all hands: add --blind, and it is told imagined deals instead, or --probe N, which"
            " shows whether it plays by them"
        )
    return {name: BLIND if blind and sight == OPEN else sight for name, sight in sights.items()}


def with_network(seated: Sequence[Entry], names: Sequence[str]) -> list[Entry]:
    """Return the entries, with the network for those named. Refuse the call if no entry has such a name."""
    if unknown := sorted({*names} - {entry.name for entry in seated}):
        wrong(f"--network {unknown[0]}: nobody here is called so; they are {', '.join(each.name for each in seated)}")
    return [replace(entry, network=entry.name in names) for entry in seated]


def on_terminal() -> bool:
    """Return whether a person would see a progress bar."""
    return sys.stderr.isatty()
