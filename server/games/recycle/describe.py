"""Describe: what a program plays: players, pack, stages, and options from a few random games."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from croupier.protocol.sexp import write
from croupier.server.games.recycle.game import find, game_of, read_bytes
from croupier.server.games.recycle.scope import excerpt

if TYPE_CHECKING:
    from croupier.server.games.recycle.game import RecycleGame
    from croupier.server.games.recycle.program import CompiledProgram
    from croupier.server.games.recycle.reader import Node

SAMPLED_GAMES = 20
SAMPLED_SECONDS = 2.0


def describe(file: str) -> dict[str, Any]:
    """Describe a program, or a game of the library by name, as one JSON document."""
    path = find(file)
    kind = game_of(path.stem, read_bytes(path))
    program = kind.compiled()
    start = program.start
    assert start is not None
    return {
        "program": kind.PROGRAM,
        "sha256": kind.PROGRAM_SHA256,
        "about": about(kind.TEXT),
        "players": program.players,
        "teams": [team for team in start.teams if len(team) > 1],
        "low_wins": program.low_wins,
        "cards": len(start.deck.cards),
        "backs": dict(Counter(start.deck.backs)),
        "pack": pack(program),
        "stages": outline(program.tree),
        "sample": sample(kind),
    }


def about(text: str) -> str:
    """Return the comment at the beginning of a program."""
    lines = []
    for line in text.lstrip("\ufeff").splitlines():
        if not line.startswith(";;"):
            break
        lines.append(line.lstrip("; ").strip())
    return " ".join(lines).strip()


def pack(program: CompiledProgram) -> dict[str, list[str]]:
    """Return the values of each key of the cards, in the order of creation."""
    assert program.start is not None
    values: dict[str, dict[str, None]] = {}
    for card in program.start.deck.cards:
        for key, value in card.items():
            values.setdefault(key, {})[value] = None
    return {key: list(found) for key, found in values.items()}


def outline(node: Node, depth: int = 0) -> list[dict[str, Any]]:
    """Return the stages and choices of a program, one per line, each with its depth and its line in the file."""
    lines: list[dict[str, Any]] = []
    for item in node.items:
        if item.head == "stage" and len(item.items) > 2:
            until = excerpt(item.items[2].items[1]) if len(item.items[2].items) == 2 else "?"
            lines.append({"depth": depth, "line": item.line, "what": f"stage {item.items[1]}, until {until}"})
            lines += outline(item, depth + 1)
        elif item.head == "choice":
            many = len(item.items[1].items)
            lines.append({"depth": depth, "line": item.line, "what": f"choice of {many} kind{'s' * (many > 1)}"})
    return lines


def sample(kind: type[RecycleGame]) -> dict[str, Any]:
    """Play a few random games; return their lengths, numbers of options, endings, and examples of options."""
    outcomes: Counter[str] = Counter()
    options: list[int] = []
    examples: dict[str, str] = {}
    deadline = time.monotonic() + SAMPLED_SECONDS
    for number in range(SAMPLED_GAMES):
        for game in kind.by_chance(number):
            if game.turn is None:
                outcomes[game.outcome] += 1
            else:
                options.append(len(game.ways))
                if number < 2:
                    _note(game, examples)
        if time.monotonic() > deadline:
            break
    games = sum(outcomes.values())
    return {
        "games": games,
        "outcomes": dict(outcomes),
        "choices_a_game": round(len(options) / games, 1),
        "options_a_choice": round(sum(options) / len(options), 1) if options else 0,
        "most_options": max(options, default=0),
        "single": round(sum(many == 1 for many in options) / len(options), 2) if options else 0,
        "examples": list(examples.values()),
    }


def _note(game: RecycleGame, examples: dict[str, str]) -> None:
    """Keep the first option of each kind, where a kind is the same actions between lists of the same names."""
    assert game.turn is not None
    for choice in game.view(game.turn).choices:
        kind = " ".join(str(action[0]) for action in choice[1:])
        if len(examples) < 12:
            examples.setdefault(kind, " ".join(map(write, choice[1:])))
