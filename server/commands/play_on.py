"""``croupier play ... --from RECORD#N``: a recorded game is played on from a moment, by whoever sits down now."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from croupier.server.commands import wrong
from croupier.server.commands.replay import pieces_of
from croupier.server.deals import Key, KeyedDeal
from croupier.server.records.files import BadFile
from croupier.server.records.replay import Invalid
from croupier.server.viewer import moment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.server.entries import Entry
    from croupier.server.games.game import Game
    from croupier.server.table.begun import Begun


class PlayedOn(NamedTuple):
    """A game to be played on."""

    begun: Begun
    deal: KeyedDeal
    """Where its later shuffles come from."""
    own_key: bool
    """Whether that is the deal's own key, which the record has."""
    stem: str
    """What its new record is called."""

    def seated(self, entries: Sequence[Entry]) -> list[Entry]:
        """Return who sits down under the names of those who sat there, or refuse the call."""
        players = self.begun.game.players
        if len(entries) != len(players):
            wrong(f"--from: {len(players)} players sat there, {' '.join(players)}; name a BOT for each of them")
        return [replace(entry, name=player) for entry, player in zip(entries, players, strict=True)]


def played_on(word: str, rules: type[Game], seed: str | None) -> PlayedOn:
    """Return the game as it stands at a moment of a record, or refuse the call."""
    file, mark, number = word.rpartition("#")
    if not mark or not number.isdecimal() or len(number) > 9:
        wrong(f"--from {word}: name a record and a moment as its page counts them, such as games/deal-1.record#17")
    found = [*pieces_of([file], None)]
    if len(found) != 1:
        wrong(f"--from: {file} holds {len(found)} records; name one, such as {file}:3#{number}")
    name, record, path, find = found[0]
    if isinstance(record, BadFile):
        wrong(str(record))
    try:
        begun = moment.at(record.text, find, int(number))
        known = moment.key_of(record.text, find) if seed is None else None
    except Invalid as problem:
        wrong(f"{name} is no game until there: {problem}")
    except moment.NoMoment as problem:
        wrong(f"{name}: {problem}")
    _same_game(begun.game, rules, name)
    deal = known or (Key.fresh() if seed is None else Key.seeded(seed)).deal(_number(begun))
    whose = "" if known else f", where shuffles follow from another key, whose SHA-256 is {deal.key.commitment}"
    marked = begun._replace(record=[*begun.record, f"{moment.HERE}{whose}"])
    piece = name.removeprefix(str(path)).replace(":", "-")
    stem = path.name.removesuffix(".gz").removesuffix(".records").removesuffix(".record")
    return PlayedOn(marked, deal, known is not None, f"{stem}{piece}-from-{number}")


def _same_game(game: Game, rules: type[Game], name: str) -> None:
    programs = [getattr(each, "PROGRAM_SHA256", None) for each in (game, rules)]
    if game.NAME != rules.NAME:
        wrong(f"{name} is a game of {game.NAME}, not of {rules.NAME}")
    if programs[0] != programs[1]:
        wrong(f"{name} is a game of another program, {getattr(game, 'PROGRAM', game.NAME)}")


def _number(begun: Begun) -> int:
    """Return the deal's number, 1 where its record has none."""
    found = (line.split()[1] for line in begun.record if line.startswith("(deal "))
    return int(next(found, 1))
