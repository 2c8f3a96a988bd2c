"""Write the generated pages of the manual: the command line from its parsers, options and plays from the rules.

    python bench/reference.py [DIR]        write them into docs/reference, or into a folder

tests/docs/test_reference.py compares the pages with the code.
"""

from __future__ import annotations

import json
import sys
import textwrap
from contextlib import redirect_stdout
from io import StringIO
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct
from msgspec.json import schema as json_schema

from croupier.protocol import views
from croupier.server import games
from croupier.server.arrays import Encoder
from croupier.server.cli import GROUPS, cli
from croupier.server.commands import SCHEMA as SCHEMA_OF_JSON
from croupier.server.commands import (
    json_documents,
    judgement_documents,
    season_documents,
    tournament_documents,
)
from croupier.server.commands.json_documents import Document
from croupier.server.exporting.columns import SCHEMA, state_columns
from croupier.server.exporting.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "docs" / "reference"
WRITTEN = "`python bench/reference.py` writes this page from the code."
WIDTH = 120
"""The columns of a help: as many as code hosts show without scrolling."""


def slug(group: str) -> str:
    """Return the name of a group's page."""
    return f"commands-{group.lower().replace(' ', '-')}"


def helped(name: str) -> dict[str, str]:
    """Return a command's help, and that of each command of its own, by name and independent of the terminal's width."""
    command = cli.get_command(click.Context(cli), name)
    if command is None:
        raise KeyError(name)
    parent = click.Context(cli, info_name="croupier", terminal_width=WIDTH, max_content_width=WIDTH)
    context = click.Context(command, info_name=name, parent=parent)
    found = {name: command.get_help(context).rstrip()}
    for sub, own in command.commands.items() if isinstance(command, click.Group) else ():
        found[f"{name} {sub}"] = own.get_help(click.Context(own, info_name=sub, parent=context)).rstrip()
    return found


def command_line() -> str:
    """Return the page that lists the commands."""
    parts = [
        "# The command line",
        WRITTEN,
        "`croupier COMMAND --help` prints the same. Every command exits with [a status](errors.md#errors-of-a-call).",
    ]
    for group, commands in GROUPS.items():
        rows = [f"| [`{name}`]({slug(group)}.md#{name}) | {command.summary} |" for name, command in commands.items()]
        parts += [f"## {group}", "\n".join(["| command | purpose |", "|---|---|", *rows])]
    return "\n\n".join(parts) + "\n"


def group_page(group: str) -> str:
    """Return the page of a group of commands: the help of each."""
    parts = [f"# Commands: {group}", WRITTEN]
    for name in GROUPS[group]:
        for called, text in helped(name).items():
            parts += [f"## {called}", f"```text\n{text}\n```"]
    return "\n\n".join(parts) + "\n"


def described(game: str) -> dict[str, Any]:
    """Return the output of ``croupier games --json GAME``."""
    printed = StringIO()
    with redirect_stdout(printed):
        cli.main(["games", "--json", game], prog_name="croupier", standalone_mode=False)
    found: dict[str, Any] = json.loads(printed.getvalue())
    return found


def words(each: Iterable[object]) -> str:
    """Return a list as it is written in a sentence."""
    return ", ".join(map(str, each))


def cell(text: object) -> str:
    """Return a table's cell, with bars escaped."""
    return str(text).replace("|", "\\|")


def options() -> str:
    """Return the page of the built-in games' options, plays and STATE fields."""
    parts = [
        "# Options, plays and fields of the games",
        WRITTEN,
        "`-o NAME=VALUE` sets an option. `croupier games GAME` prints the same, for any game.",
    ]
    for game in games.BUNDLED:
        about = described(game)
        rows = [
            f"| `{name}` | {cell(each['default'])} | {cell(each['values'])} | {cell(each['about'])} |"
            for name, each in about["options"].items()
        ]
        plays = [f"| `{cell(play)}` | {cell(meaning)} |" for play, meaning in about["plays"].items()]
        parts += [
            f"## {game}",
            f"[The rules](games/{game}.md). Seats: {words(about['seats'])}. The {about['wins']} score wins.",
            "\n".join(["| option | default | values | meaning |", "|---|---|---|---|", *rows]),
            "\n".join(["| play | meaning |", "|---|---|", *plays]),
            textwrap.fill(f"STATE fields: {words(f'`{field}`' for field in about['state'])}.", WIDTH),
        ]
    return "\n\n".join(parts) + "\n"


def columns() -> str:
    """Return the page of the tables that ``croupier export`` writes."""
    parts = [
        "# Columns of exported games",
        WRITTEN,
        f"`croupier export` writes these tables ([how](../how-to/export.md)). Version {SCHEMA} of their columns:",
        "Any value may be missing, if it is unknown. In Parquet a list is a list, and `leader` with `cards` is a"
        " struct.\nIn CSV both are JSON text. JSON is text in both. In JSON lines every value is what it is.",
    ]
    for name, table in TABLES.items():
        rows = [f"| `{column.name}` | {column.kind.value} | {cell(column.meaning)} |" for column in table.columns]
        parts += [f"## {name}", "\n".join(["| column | kind | meaning |", "|---|---|---|", *rows])]
    parts += [
        "## Fields of STATE",
        "The table *decisions* goes on with what the player saw at the decision: a column for each field of the\n"
        "game's STATE. [Options, plays and fields](options.md) explains the fields. The columns of a package's game\n"
        "follow from its page in the same way.",
    ]
    pages = {games.find(game).PAGE for game in games.BUNDLED} | {views.page("recycle")}
    for page in sorted(pages, key=lambda page: page.GAME):
        rows = [f"| `{each.column.name}` | {each.column.kind.value} |" for each in state_columns(page)]
        parts += [f"### {page.GAME}", "\n".join(["| column | kind |", "|---|---|", *rows])]
    return "\n\n".join(parts) + "\n"


def documents() -> list[type[Struct]]:
    """Return the type of each JSON document, in the order of the modules."""
    modules = (json_documents, tournament_documents, season_documents, judgement_documents)
    defined = [each for module in modules for each in vars(module).values()]
    structs = [each for each in defined if isinstance(each, type) and issubclass(each, Struct)]
    return [each for each in dict.fromkeys(structs) if "schema" in each.__struct_fields__ and each is not Document]


def json_output() -> str:
    """Return the page of the documents that ``--json`` prints."""
    parts = [
        "# JSON output",
        WRITTEN,
        "Every command has `--json`, which prints one document, an object. Its first field is `schema`, the version\n"
        f"of all documents: {SCHEMA_OF_JSON} here. It increases when a field is renamed or removed, or when its\n"
        "meaning changes. A new field alone does not change it.",
        "`players[].name` is the field `name` of each object in the array `players`. `measures{}.low` is the field\n"
        "`low` of each value of the object `measures`. An optional field is left out where it does not apply.",
    ]
    for kind in documents():
        called, _, about = (kind.__doc__ or "").partition("``:")
        schema = json_schema(kind)
        rows = [
            f"| `{path}` | {text} | {cell(meaning)} |"
            for path, text, meaning in fields(schema["$ref"], "", schema["$defs"])
            if path != "schema"
        ]
        parts += [f"## {called.replace('``', '')}", about.strip()[0].upper() + about.strip()[1:]]
        parts.append("\n".join(["| field | kind | meaning |", "|---|---|---|", *rows]))
    return "\n\n".join(parts) + "\n"


def fields(ref: str, before: str, known: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield each field of an object of a JSON Schema: its path, its kind and its meaning, then those inside it."""
    described = known[ref.rpartition("/")[2]]
    for name, value in described["properties"].items():
        optional = "" if name in described["required"] else ", optional"
        text, marks, inner = kind_of(value)
        yield f"{before}{name}", text + optional, value["description"]
        if inner:
            yield from fields(inner, f"{before}{name}{marks}.", known)


def kind_of(value: dict[str, Any]) -> tuple[str, str, str]:
    """Return the kind of a value of a JSON Schema in words, how its path goes on, and the objects inside it."""
    if "$ref" in value:
        return "object", "", value["$ref"]
    if "anyOf" in value:
        kinds = [kind_of(each) for each in value["anyOf"]]
        inner = next((each for each in kinds if each[2]), ("", "", ""))
        return " or ".join(each[0] for each in kinds), inner[1], inner[2]
    if value.get("prefixItems"):
        return f"array of {words(kind_of(each)[0] for each in value['prefixItems'])}", "", ""
    for of, marks in (("items", "[]"), ("additionalProperties", "{}")):
        if isinstance(value.get(of), dict):
            text, more, inner = kind_of(value[of])
            return f"{'array' if of == 'items' else 'object'} of {text}", marks + more, inner
    return {"string": "text", None: "any"}.get(value.get("type"), value.get("type", "any")), "", ""


def observations() -> str:
    """Return the page of the arrays that learners of the built-in games are given."""
    parts = [
        "# Observations and actions",
        WRITTEN,
        "What [environments](../how-to/environments.md) give a learner, field by field: for each game at its smallest\n"
        "table, with its default options. `print(env.encoder)` prints the same for any game, options and program, and\n"
        "what each cell of `candidates` stands for.",
        "Seats are counted from the observer, who is 0, clockwise. Cards, words and actions are numbered by their\n"
        "places in the lists below, from 0 unless the meaning says from 1. In an action, C is each card and N each\n"
        "number. A field that is not stated is all zeros. Tokens are the parts of s-expressions, of these kinds:",
        "| kind | token | value |\n|---|---|---|\n| 0 | none | 0 |\n| 1 | a number | itself |\n"
        "| 2 | a word | its number |\n| 3 | a player | the seat |\n| 4 | a card | its number |\n"
        "| 5, 6 | an opening, a closing parenthesis | 0 |",
    ]
    for game in games.BUNDLED:
        rules = games.find(game)
        encoder = Encoder(rules, rules.SEATS[0], {})
        rows = [
            f"| `{name}` | {words(shape)} | {dtype} | {cell(encoder.about(name))} |"
            for name, (shape, dtype, _) in encoder.shapes().items()
        ]
        lists = {name: encoder.legends[name] for name in ("words", "cards")} | {"actions": _grouped(encoder)}
        contents = [f"| {name} | {words(each)} |" for name, each in lists.items()]
        parts += [
            f"## {game}",
            "\n".join(["| array | shape | type | meaning |", "|---|---|---|---|", *rows]),
            "\n".join(["| list | content |", "|---|---|", *contents]),
        ]
    return "\n\n".join(parts) + "\n"


def _grouped(encoder: Encoder) -> list[str]:
    """Return the actions by their forms, with a C for each card and an N for each number, in their order."""
    cards = set(encoder.legends["cards"])
    groups: list[str] = []
    for play in encoder.actions.table:
        named = 2 if len(play) > 2 else 1  # an action card's own name, and the word before it
        parts = ["C" if part in cards else "N" if isinstance(part, int) else part for part in play[named:]]
        groups.append(f"({' '.join([*map(str, play[:named]), *map(str, parts)])})")
    found: list[str] = []
    first = 0
    for form, same in groupby([*groups, *["candidates"] * encoder.actions.most]):
        last = first + len([*same]) - 1
        found.append(f"`{form}` {first}" + (f" to {last}" if last > first else ""))
        first = last + 1
    return found


def pages() -> dict[str, str]:
    """Return each generated page by its file's name."""
    groups = {f"{slug(group)}.md": group_page(group) for group in GROUPS}
    return {
        "command-line.md": command_line(),
        **groups,
        "options.md": options(),
        "columns.md": columns(),
        "json-output.md": json_output(),
        "observations.md": observations(),
    }


def main() -> int:
    """Write the pages into the manual, or into a folder that is named."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGES
    for name, text in pages().items():
        (folder / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
