"""``croupier play ... --play-on RECORD#N``: the bots named here continue a recorded game from a moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.server.commands import wrong
from croupier.server.commands.dealing import Dealing
from croupier.server.commands.replay import pieces_of
from croupier.server.deals import Key
from croupier.server.records.files import BadFile
from croupier.server.records.replay import Invalid
from croupier.server.terminal import word as quoted
from croupier.server.viewer import moment

if TYPE_CHECKING:
    from croupier.server.games.game import Game
    from croupier.server.table.resumed_game import ResumedGame


def dealing_from(word: str, rules: type[Game], seed: str | None) -> Dealing:
    """Return the game at a moment of a record, or refuse the call."""
    file, mark, number = word.rpartition("#")
    if not mark or not number.isdecimal() or len(number) > 9:
        wrong(f"--play-on {word}: name a record and a moment as its page counts them, such as games/deal-1.record#17")
    found = [*pieces_of([file], None)]
    if len(found) != 1:
        wrong(f"--play-on: {file} holds {len(found)} records; name one, such as {quoted(f'{file}:3#{number}')}")
    name, record, path, find = found[0]
    if isinstance(record, BadFile):
        wrong(str(record))
    try:
        begun = moment.game_at(record.text, find, int(number))
        known = moment.key_of(record.text, find) if seed is None else None
    except Invalid as problem:
        wrong(f"{name} is no game until there: {problem}")
    except moment.NoMoment as problem:
        wrong(f"{name}: {problem}")
    _same_game(begun.game, rules, name)
    key = known or (Key.fresh() if seed is None else Key.from_seed(seed))
    whose = "" if known else f", where shuffles follow from another key, whose SHA-256 is {key.commitment}"
    marked = begun._replace(record=[*begun.record, f"{moment.HERE}{whose}"])
    piece = name.removeprefix(str(path)).replace(":", "-")
    stem = path.name.removesuffix(".gz").removesuffix(".records").removesuffix(".record")
    return Dealing(key, [_number(begun)], marked, f"{stem}{piece}-from-{number}", known is not None)


def _same_game(game: Game, rules: type[Game], name: str) -> None:
    programs = [getattr(each, "PROGRAM_SHA256", None) for each in (game, rules)]
    if game.NAME != rules.NAME:
        wrong(f"{name} is a game of {game.NAME}, not of {rules.NAME}")
    if programs[0] != programs[1]:
        wrong(f"{name} is a game of another program, {getattr(game, 'PROGRAM', game.NAME)}")


def _number(begun: ResumedGame) -> int:
    """Return the deal's number, 1 if its record has none."""
    found = (line.split()[1] for line in begun.record if line.startswith("(deal "))
    return int(next(found, 1))
