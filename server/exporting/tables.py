"""Tables: games, decisions, deals and bots, as columns and the rows that follow from games."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.protocol import record as lines
from croupier.protocol.sexp import write
from croupier.server.exporting.columns import SCHEMA, VERSION, CannotExport, Column, Kind, state_columns
from croupier.server.games.sheets import Typed
from croupier.server.records import notes
from croupier.server.records.replay import NO_COMMITMENT, Invalid, Replay, ReplayedPlay
from croupier.server.tournaments.keeping.folder import DATABASE
from croupier.server.tournaments.keeping.store import open_for_reading
from croupier.server.tournaments.statistics.times import middle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from croupier.server.exporting.columns import StateColumn
    from croupier.server.finding.found_game import FoundGame
    from croupier.server.games.game import Game
    from croupier.server.records.replay import ReplayedFault
    from croupier.server.table.played_game import PlayedGame
    from croupier.server.tournaments.keeping.store import Version

    Row = tuple[Any, ...]


class Rows(NamedTuple):
    """The content of a table: its columns, and its rows, each with a value per column, made one by one."""

    columns: Sequence[Column]
    each: Iterator[Row]


class Table(NamedTuple):
    """A table: its columns, except those of STATE, and what makes its rows of games.

    ``rows`` calls the second argument with each problem: a game that cannot be replayed has no rows.
    """

    columns: tuple[Column, ...]
    rows: Callable[[Iterable[FoundGame], Callable[[str], None]], Rows]


def _game_row(found: FoundGame) -> Row:
    played, stored = found.played, bool(found.played.pairing)
    by_seat = {fault.seat: fault.fault for fault in played.faults}
    seats = range(len(played.seating))
    return (
        SCHEMA,
        found.record,
        found.called,
        played.deal or None,
        played.pairing or None,
        found.names,
        played.scores or None,
        played.ranks or None,
        [by_seat[seat].kind.value if seat in by_seat else "" for seat in seats],
        [by_seat[seat].why if seat in by_seat else "" for seat in seats],
        played.assisted if stored else None,
        played.outcome.value,
        played.void or None,
        played.shadow if stored else None,
        played.decisions,
        played.seconds if stored else None,
        *_times(played),
        played.luck or None,
    )


def _times(played: PlayedGame) -> tuple[list[float] | None, list[float] | None]:
    """Return the milliseconds of all decisions and of the longest, by seat; None if they are not known."""
    if played.thinking:
        seats = [[1000 * seconds for seconds in seat] for seat in played.thinking]
        return [round(sum(seat), 3) for seat in seats], [round(max(seat, default=0.0), 3) for seat in seats]
    if not played.times:
        return None, None
    counted = [[(middle(bucket) / 1000, many) for bucket, many in seat] for seat in played.times]
    return (
        [round(sum(ms * many for ms, many in seat), 3) for seat in counted],
        [round(max((ms for ms, _ in seat), default=0.0), 3) for seat in counted],
    )


GAMES = (
    VERSION,
    Column("record", Kind.WORD, "the record, as `croupier replay` takes it"),
    Column("game", Kind.WORD, "the game"),
    Column("deal", Kind.NUMBER, "the deal's number"),
    Column("pairing", Kind.WORDS, "in a tournament, the bots that were drawn together"),
    Column("seating", Kind.WORDS, "the players, by seat"),
    Column("scores", Kind.NUMBERS, "the scores, by seat; missing if the game does not count"),
    Column("ranks", Kind.NUMBERS, "the ranks, by seat; 1 is the best"),
    Column("faults", Kind.WORDS, "the kind of fault at each seat, empty for none"),
    Column("reasons", Kind.WORDS, "the reason of each fault in words; records have it only in a tournament"),
    Column("assisted", Kind.NUMBERS, "the seats whose partner was replaced by a stand-in"),
    Column("outcome", Kind.WORD, "`finished`, `forfeit`, `void` or `interrupted`"),
    Column("void", Kind.WORD, "why it does not count"),
    Column("shadow", Kind.FLAG, "whether it was copied from another game of its deal"),
    Column("decisions", Kind.NUMBER, "the number of decisions"),
    Column("seconds", Kind.REAL, "the duration of the game in seconds"),
    Column("thinking_ms", Kind.REALS, "milliseconds of all decisions, by seat; in a tournament within nine percent"),
    Column("longest_ms", Kind.REALS, "milliseconds of the longest decision, by seat"),
    Column("luck", Kind.REALS, "by how much the shuffles favored each seat, if the game defines that"),
)


# Decisions, which only a replay tells


def _decisions(found: Iterable[FoundGame], trouble: Callable[[str], None]) -> Rows:
    """Return a row per decision; the columns of STATE are those of the first game."""
    games = _with_rules(found, trouble)
    first = next(games, None)
    if first is None:
        return Rows(DECISIONS, iter(()))
    page = first[1].PAGE
    state = state_columns(page)
    columns = (*DECISIONS, *(each.column for each in state))
    return Rows(columns, _decision_rows(chain([first], games), page.GAME or first[1].NAME, state, trouble))


def _with_rules(found: Iterable[FoundGame], trouble: Callable[[str], None]) -> Iterator[tuple[FoundGame, type[Game]]]:
    for each in found:
        if each.rules is None:
            trouble(f"{each.record}: the rules of {each.called} are not available here")
        else:
            yield each, each.rules


def _decision_rows(
    games: Iterable[tuple[FoundGame, type[Game]]],
    named: str,
    state: Sequence[StateColumn],
    trouble: Callable[[str], None],
) -> Iterator[Row]:
    for found, rules in games:
        if (rules.PAGE.GAME or rules.NAME) != named:
            raise CannotExport(
                f"{found.record} is a game of {rules.NAME}, and the first was {named}: their decisions have different"
                f" columns. Export one game at a time, with --where game={named}"
            )
        try:
            rows = [*_decisions_of(found, rules, state)]  # all of a game before the first, because it may be invalid
        except (Invalid, notes.BadNotes) as problem:
            trouble(f"{found.record}: {problem}")
            continue
        yield from rows


def _decisions_of(found: FoundGame, rules: type[Game], state: Sequence[StateColumn]) -> Iterator[Row]:
    replay = Replay(found.text(), lambda _: rules)
    spent, questions = notes.seconds(replay, found.path), notes.Questions(replay)
    sheets = [Typed(replay.game.players, seat) for seat in range(len(replay.game.players))]
    for number, step in enumerate(replay.steps(), 1):
        player = replay.game.players[step.seat]
        view = sheets[step.seat].state(replay.game)
        took = spent.get((player, questions.number(step) or 0))
        yield (
            SCHEMA,
            found.record,
            found.called,
            found.played.deal or None,
            number,
            step.seat,
            player,
            step.seat in replay.standing_in,
            None if view.legal is None else [write(play) for play in view.legal],
            *_said(step),
            None if took is None else round(1000 * took, 3),
            *(_value(view, each) for each in state),
        )


def _said(step: ReplayedPlay | ReplayedFault) -> tuple[str | None, str | None]:
    """Return the play of a decision and its fault, one of which is missing."""
    return (write(step.play), None) if isinstance(step, ReplayedPlay) else (None, step.kind)


def _value(view: Any, field: StateColumn) -> Any:
    value = getattr(view, field.attribute)
    return None if value is None else field.convert(value)


DECISIONS = (
    *GAMES[:4],
    Column("number", Kind.NUMBER, "the place of the decision in its game, from 1"),
    Column("seat", Kind.NUMBER, "the seat that decided"),
    Column("player", Kind.WORD, "the player in that seat"),
    Column("stand_in", Kind.FLAG, "whether a stand-in decided for the player"),
    Column("legal", Kind.WORDS, "the legal plays, as a record has them; missing if there are more than 64"),
    Column("play", Kind.WORD, "the play, as a record has it"),
    Column("fault", Kind.WORD, "the kind of fault that the player committed instead"),
    Column("ms", Kind.REAL, "the time it took in milliseconds, if notes were kept (`--notes`)"),
)


# Deals and bots: what is true of many games


def _deal_rows(found: Iterable[FoundGame], trouble: Callable[[str], None]) -> Iterator[Row]:
    """Yield a row for the first game of each deal. The numbers of the deals seen so far are all that is kept."""
    seen: set[tuple[object, ...]] = set()
    for each in found:
        try:
            dealt, *shuffles = _opening(each.text())
        except lines.BadRecord as problem:
            trouble(f"{each.record}: {problem}")
            continue
        number, commitment = dealt if isinstance(dealt, lines.DealLine) else (None, None)
        bound = commitment not in {None, NO_COMMITMENT}
        deal = (each.called, commitment if bound else each.record, number)
        if deal not in seen:
            seen.add(deal)
            yield (
                SCHEMA,
                each.record,
                each.called,
                number,
                commitment if bound else None,
                [{"label": write(each.label), "cards": each.cards} for each in shuffles],
            )


def _opening(text: str) -> Iterator[Any]:
    """Yield the line about the deal of a record, None if it has none, then the shuffles before the first decision."""
    dealt, shuffles = None, []
    for _, line in lines.read(text):
        if isinstance(line, lines.DealLine):
            dealt = line
        elif isinstance(line, lines.Shuffled):
            shuffles.append(line)
        elif isinstance(line, lines.Played | lines.Faulted | lines.Score | lines.End):
            break
    return iter([dealt, *shuffles])


DEALS = (
    *GAMES[:4],
    Column("commitment", Kind.WORD, "the SHA-256 of the tournament's key"),
    Column("shuffles", Kind.JSON, "the shuffles before the first decision: `label`, and `cards` from the top"),
)


class _Tally(NamedTuple):
    """What is counted of a bot."""

    games: Counter[str]
    wins: Counter[str]
    faults: Counter[str]


def _bot_rows(found: Iterable[FoundGame]) -> Iterator[Row]:
    counted: dict[Path, _Tally] = {}
    for each in found:
        folder = each.path.parent.parent if each.played.pairing else each.path.parent
        tally = counted.setdefault(folder, _Tally(Counter(), Counter(), Counter()))
        names = each.played.seating
        tally.games.update(dict.fromkeys(names, 1))
        tally.wins.update(dict.fromkeys((names[seat] for seat in each.played.winners), 1))
        tally.faults.update(names[fault.seat] for fault in each.played.misdeeds)
    for folder, tally in counted.items():
        known = _versions(folder)
        for name, games in sorted(tally.games.items()):
            entered = known[name][1:] if name in known else (None,) * 5
            yield SCHEMA, str(folder), name, *entered, games, tally.wins[name], tally.faults[name]


def _versions(folder: Path) -> dict[str, Version]:
    """Return the programs that were entered in a tournament, by name; none if the folder is not a tournament's."""
    if not (folder / DATABASE).exists():
        return {}
    with open_for_reading(folder) as store:
        return {version.name: version for version in store.versions()}


BOTS = (
    VERSION,
    Column("folder", Kind.WORD, "the tournament's folder, or that of the records"),
    Column("name", Kind.WORD, "the bot's name"),
    Column("entry", Kind.WORD, "in a tournament, the entry of which it is a version"),
    Column("version", Kind.NUMBER, "the number of the version, from 1"),
    Column("sha256", Kind.WORD, "the SHA-256 of its files when it was entered"),
    Column("joined", Kind.NUMBER, "the first deal after it was entered"),
    Column("retired", Kind.FLAG, "whether it no longer counts"),
    Column("games", Kind.NUMBER, "the number of its games"),
    Column("wins", Kind.NUMBER, "in how many of them it ranked first"),
    Column("faults", Kind.NUMBER, "the number of its faults"),
)

TABLES = {
    "games": Table(GAMES, lambda found, _: Rows(GAMES, map(_game_row, found))),
    "decisions": Table(DECISIONS, _decisions),
    "deals": Table(DEALS, lambda found, trouble: Rows(DEALS, _deal_rows(found, trouble))),
    "bots": Table(BOTS, lambda found, _: Rows(BOTS, _bot_rows(found))),
}
