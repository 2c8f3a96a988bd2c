"""``croupier bridge``: bots that ask a player of another program or service for each play."""

from __future__ import annotations

import json
import os
import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from croupier.agents.bridges import base
from croupier.agents.bridges.prompt import Prompt
from croupier.agents.bridges.skin import Skin
from croupier.protocol.notifications import OWN
from croupier.server import extras, games, imagining
from croupier.server.commands import (
    START,
    TIME,
    json_option,
    network_option,
    port_option,
    print_json,
    sandbox_options,
    the_entries,
    the_game,
    the_sandboxing,
    time_options,
    with_network,
    wrong,
)
from croupier.server.commands.command import CommandGroup, command, option
from croupier.server.commands.completion import bot_names, files
from croupier.server.commands.docs import MANUAL
from croupier.server.errors import Finite, complain
from croupier.server.games import PROGRAM_ENDINGS
from croupier.server.processes.sandbox import Level, SandboxSettings
from croupier.server.terminal import say
from croupier.server.texts import open_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KEY = "OPENAI_API_KEY"
"""The environment variable with the key, unless it is in a file."""
_MOST_RULES = 1 << 18
RULES = {
    *("Announcements", "Options", "Plays", "Scores", "STATE", "The cards", "The rules in corners", "Weis"),
    "What may be played",
}
"""The sections of a game's page that are about its rules. All others are about bots, records and other programs."""


class Bridge(NamedTuple):
    """The service that a bridge asks, and the extra with its libraries, if it needs any."""

    about: str
    extra: str | None = None


BRIDGES = {
    "llm": Bridge("a language model behind the OpenAI chat API", "llm"),
    "openspiel": Bridge("a searching or random player of OpenSpiel", "openspiel"),
    "onnx": Bridge("a network in a file of ONNX", "onnx"),
    "jass": Bridge("a Jass player behind the player service of jass-kit"),
    "jass-service": Bridge("the other way round: lets jass-kit ask a bot of ours", "web"),
}


@click.group(cls=CommandGroup, examples=["croupier bridge", "croupier bridge llm --help"], invoke_without_command=True)
@json_option
@click.pass_context
def bridge(context: click.Context, *, as_json: bool) -> None:
    """List the bridges: bots that ask a player of another program or service for each play.

    `croupier bridge NAME ...` is the command of such a bot, to be seated like any other.
    """
    if context.invoked_subcommand is not None:
        return
    if as_json:
        print_json({"bridges": [{"name": name, **each._asdict()} for name, each in BRIDGES.items()]})
        return
    for name, each in BRIDGES.items():
        say(f"{name:13} {each.about}")


@command(
    'croupier play hearts "llm=croupier bridge llm --model gpt-5 --key-file key.txt" duck duck duck --network llm',
)
@option("--model", metavar="NAME", required=True, help="The model's name, as the server calls it.")
@option(
    "--url",
    metavar="URL",
    help="Where the foreign player is served. Such as http://127.0.0.1:8080/v1.  [default: the library's own]",
)
@option(
    "--key-file",
    type=click.Path(dir_okay=False, path_type=Path),
    shell_complete=files,
    help=f"A file with the key.  [default: the environment variable {KEY}]",
)
@option(
    "--legal",
    type=click.Choice(["yes", "no"]),
    default="yes",
    show_default=True,
    help="Whether the model is shown the legal plays. A RECYCLE game's choices are always shown.",
)
@option(
    "--retries",
    type=click.IntRange(0, 100),
    default=2,
    show_default=True,
    help="How often one decision is asked again.",
)
@option("--price-in", type=Finite(0), help="The price of a million tokens that are sent.")
@option("--price-out", type=Finite(0), help="The price of a million tokens that are answered.")
@option("--skin", metavar="KEY", help="Rename cards and words, by any text as the key.")
@option(
    "--rules",
    type=click.Path(dir_okay=False, path_type=Path),
    shell_complete=files,
    help="The rules of the game, as a text or a RECYCLE program.  [default: the manual's, or the library's]",
)
@option("--body", metavar="JSON", help='Fields that are added to each request, such as {"temperature": 0}.')
def llm(
    model: str,
    *,
    url: str | None,
    key_file: Path | None,
    legal: str,
    retries: int,
    price_in: float | None,
    price_out: float | None,
    skin: str | None,
    rules: Path | None,
    body: str | None,
) -> None:
    """Ask a language model behind the OpenAI chat API for each play.

    Standard input and output are the table's: seat it with `croupier play` or in a tournament's file.
    """
    require_libraries("llm")
    key = _key(key_file)
    if not key and url is None:
        wrong(f"there is no key: set {KEY}, name a file with --key-file, or name a server that needs none with --url")
    own = None if rules is None else _rules_in(rules)
    prompt = Prompt(
        rules_text if own is None else lambda view: own, None if skin is None else Skin(skin), legal=legal == "yes"
    )
    fields = _fields(body)
    chat, player = (import_module(f"croupier.agents.bridges.{name}") for name in ("chat", "llm"))
    base.run(player.Llm(chat.Chat(model, key, url, fields), prompt, retries, (price_in, price_out), key))


@command('croupier play hearts "spiel=croupier bridge openspiel --simulations 200" duck duck duck')
@option(
    "--algorithm",
    type=click.Choice(["is-mcts", "mcts", "random"]),
    default="is-mcts",
    show_default=True,
    help="Which player of the library is asked.",
)
@option(
    "--simulations",
    type=click.IntRange(2, 1_000_000),
    default=200,
    show_default=True,
    help="How many games are played out per decision, if the clock allows.",
)
@option("--seed", help="Any text. The same text gives the same plays.  [default: other plays each time]")
def openspiel(algorithm: str, simulations: int, seed: str | None) -> None:
    """Ask a player of OpenSpiel for each play.

    Standard input and output are the table's: seat it with `croupier play` or in a tournament's file.
    """
    require_libraries("openspiel")
    bridges = import_module("croupier.agents.bridges.openspiel")
    base.run(bridges.OpenSpiel(algorithm, simulations, seed, imagining.worlds))


@command('croupier play hearts "net=croupier bridge onnx net.onnx" duck duck duck')
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), shell_complete=files)
@option(
    "--program",
    type=click.Path(dir_okay=False, path_type=Path),
    shell_complete=files,
    help="The RECYCLE program. Needed if it is not in the library.",
)
def onnx(file: Path, *, program: Path | None) -> None:
    """Let the network in FILE choose each play. Its inputs are the arrays of the game's environment.

    Standard input and output are the table's: seat it with `croupier play` or in a tournament's file.
    """
    require_libraries("onnx")
    networks = import_module("croupier.server.learning.onnx_policy")
    try:
        network = networks.OnnxPolicy(file)
    except networks.BadNetwork as problem:
        wrong(str(problem))
    base.run(networks.OnnxAgent(network, None if program is None else str(program)))


@command(
    'croupier play jass "service=croupier bridge jass --url http://127.0.0.1:8888/jass/players/NAME" jass jass jass'
    " --network service",
)
@option(
    "--url",
    metavar="URL",
    required=True,
    help="Where the foreign player is served. A player's address is http://HOST:PORT/jass/players/NAME.",
)
def jass(url: str) -> None:
    """Ask a Jass player behind the player service of jass-kit for each play.

    It shows no Weis. Standard input and output are the table's: seat it with `croupier play` or in a tournament's file.
    """
    try:
        player = import_module("croupier.agents.bridges.jass").JassKit(url)
    except ValueError as problem:
        wrong(f"--url {problem}")
    base.run(player)


@command("croupier bridge jass-service jass --port 8888", name="jass-service")
@click.argument("bot", metavar="BOT", shell_complete=bot_names)
@port_option
@option(
    "--host",
    metavar="ADDRESS",
    default="127.0.0.1",
    show_default=True,
    help="The address of this machine at which it is served. At another one, other machines can ask the bot.",
)
@time_options(1, TIME, START)
@sandbox_options(Level.LIMITS.value, SandboxSettings.memory)
@network_option
@json_option
def jass_service(
    bot: str,
    *,
    port: int,
    host: str,
    time: int,
    start: int,
    sandbox: str,
    memory: str,
    network: Sequence[str],
    as_json: bool,
) -> None:
    """Serve BOT to programs that ask a player service of jass-kit, and print its address. Ctrl-C ends it."""
    require_libraries("jass-service")
    (entry,) = with_network(the_entries([bot], "jass", the_game("jass")), network)
    if entry.human:
        wrong("a person cannot be served: name a bot")
    if entry.sight != OWN:
        wrong(f"{entry.name} is asked by programs that tell it no other hands: leave open: out")
    sandboxing = the_sandboxing(sandbox, memory)
    service = import_module("croupier.server.web.jass_service")

    def tell(address: str) -> None:
        print_json({"address": address}) if as_json else say(address)

    service.serve(entry, sandboxing, start / 1000, time / 1000, (host, port), tell, _say_failure)


def _say_failure(why: str) -> None:
    complain(why, "croupier bridge jass-service")


for each in (llm, openspiel, onnx, jass, jass_service):
    bridge.add_command(each)


def require_libraries(name: str) -> None:
    """Refuse the call if the libraries of a bridge are missing, with the command that installs them."""
    extra = BRIDGES[name].extra
    if extra is not None and (how := extras.missing(extra)):
        wrong(f"the bridge {name} needs libraries that are not installed here: {how}")


def rules_text(view: Any) -> str:
    """Return the rules of a view's game: its page of the manual, or a program of the library."""
    page = MANUAL / "reference" / "games" / f"{view.game}.md"
    if page.is_file():
        return _rules_of_page(page.read_text("utf-8"))
    if view.game == "recycle":
        try:
            rules: Any = games.find(f"recycle:{view.program}")
        except games.NoSuchGame:
            raise base.NoPlay(
                f"the program {view.program} is none of the library: name its file with --rules FILE"
            ) from None
        return rules_of_program(rules.TEXT)
    return _rules_of_game(games.find(view.game))


def rules_of_program(text: str) -> str:
    """Return the rules of a RECYCLE program, with an explanation of its STATE."""
    syntax = (MANUAL / "reference" / "recycle" / "syntax.md").read_text("utf-8")
    return f"The rules are a program in RECYCLE:\n\n```\n{text.strip()}\n```\n\n{_section(syntax, 'STATE')}"


def _rules_of_page(text: str) -> str:
    """Return only the parts of a page about the rules, without its links."""
    opening, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    kept = [f"## {part}" for part in sections if part.partition("\n")[0] in RULES]
    return re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", "".join([opening, *kept]))


def _rules_of_game(rules: type[games.game.Game]) -> str:
    """Return the description that a game from another package gives of itself."""
    plays = [f"- `{play}`: {meaning}" for play, meaning in rules.PLAYS.items()]
    options = [f"- `{name}`: {each.about}" for name, each in rules.OPTIONS.items()]
    parts = [f"# {rules.NAME}", rules.__doc__ or "", "## Plays", "\n".join(plays), "## Options", "\n".join(options)]
    return "\n\n".join(parts)


def _section(page: str, heading: str) -> str:
    parts = re.split(r"^## ", page, flags=re.MULTILINE)
    return next(f"## {part}" for part in parts if part.startswith(f"{heading}\n"))


def _rules_in(file: Path) -> str:
    text = _read(file, _MOST_RULES)
    return rules_of_program(text) if file.suffix in PROGRAM_ENDINGS else text


def _key(file: Path | None) -> str:
    """Return the key, or an empty text if there is none. The message about a wrong one does not contain it."""
    key = os.environ.get(KEY, "") if file is None else _read(file, 1 << 16).strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        where = KEY if file is None else str(file)
        wrong(f"{where} has no key: a key is one word of ASCII letters, digits and signs")
    return key


def _read(file: Path, most: int) -> str:
    try:
        with open_file(file) as opened:
            return opened.read(most).decode("utf-8", "replace")
    except OSError as problem:
        wrong(f"{file} cannot be read: {problem.strerror}")


def _fields(body: str | None) -> Mapping[str, object]:
    """Return the fields of a JSON object, or refuse the call."""
    try:
        fields = json.loads(body or "{}")
    except (ValueError, RecursionError) as problem:
        wrong(f"--body {body}: no JSON: {problem}")
    if not isinstance(fields, dict):
        wrong(f'--body {body}: write a JSON object, such as {{"temperature": 0}}')
    return fields
