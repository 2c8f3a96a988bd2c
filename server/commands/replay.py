"""``croupier replay``: records played again, and bare lists of cards judged."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from croupier.protocol.notifications import CLASSIC, JSON, NATIVE
from croupier.server import games
from croupier.server.commands import foreign, json_option, print_json, wrong
from croupier.server.commands.command import command, option
from croupier.server.commands.completion import files
from croupier.server.errors import Milliseconds, complain
from croupier.server.records import notes
from croupier.server.records.card_lists import judge_jass, judge_sedma
from croupier.server.records.files import BadFile, read_records
from croupier.server.records.replay import Invalid, NoSuchPlayer, Replay, ReplayedPlay, judge
from croupier.server.records.sent import Wire
from croupier.server.table.commentary import Commentary
from croupier.server.terminal import say
from croupier.server.texts import BadText, read_text
from croupier.server.viewer import page, page_data

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from croupier.server.games.game import Game
    from croupier.server.records.files import RecordText
    from croupier.server.records.notes import Notes

LISTED = ("sedma", "jass")
"""Games whose bare lists of cards are judged. GAME comes first, and wins over a file of that name."""


@command(
    "croupier replay games/deal-01.record --show",
    "croupier replay games/deal-01.record --html game.html",
    "croupier replay games/deal-01.record --sent duck '#3'",
)
@click.argument("files", nargs=-1, required=True, metavar="[GAME] FILE ... [#N]", shell_complete=files)
@option(
    "--game",
    "listed",
    type=click.Choice(LISTED),
    metavar="GAME",
    help="The game, if it is not the first word. For bare lists of cards of sedma or jass.",
)
@option(
    "--contract",
    type=click.Choice(list("cdhsou")),
    help="Of a list of Jass: the trump suit, or o for obenabe, u for undenufe.",
)
@option(
    "--from", "source", type=click.Choice(list(foreign.FORMATS)), help="Read records of another server, in this format."
)
@option(
    "--record",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a record of each game into this folder. With --from.",
)
@option("--show", is_flag=True, help="Show the game in words. Hands, plays, tricks, faults and scores.")
@option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write an HTML page into this file. It steps through the game, and needs nothing else.",
)
@option(
    "--for",
    "--seat",
    "seat",
    metavar="NAME",
    help="For this player alone. Shows only what NAME may know; nothing else is in the page of --html.",
)
@option(
    "--notes",
    "noted",
    is_flag=True,
    help="How long each decision took, and what the bot wrote at it. Shown by --show and --html, where it is kept.",
)
@option(
    "--program",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The RECYCLE program. Needed if it lies neither in this folder nor beside the records.",
)
@option(
    "--sent",
    "--wire",
    "wire",
    metavar="NAME",
    help="Print exactly what NAME was sent. With #N, up to the Nth question.",
)
@option(
    "--dialect",
    type=click.Choice([NATIVE, CLASSIC, JSON]),
    metavar="DIALECT",
    help="The dialect of the protocol. With --sent: native, classic or json, instead of NAME's own.",
)
@option(
    "--clock", type=Milliseconds(0), default=10_000, show_default=True, help="With --sent: the clock in each STATE."
)
@json_option
def replay(
    files: Sequence[str],
    *,
    listed: str | None,
    contract: str | None,
    source: str | None,
    record: Path | None,
    show: bool,
    html: Path | None,
    seat: str | None,
    noted: bool,
    program: Path | None,
    wire: str | None,
    dialect: str | None,
    clock: int,
    as_json: bool,
) -> int:
    """Replay records: each is judged by the rules, shown, or made a page to step through.

    A FILE holds one record or many; FILE:3 is the third, and `croupier find` names them so. If a record breaks the
    rules, you are told the line at which it fails.
    """
    if listed is None and files[0].lower() in LISTED:
        listed, *files = files[0].lower(), *files[1:]
    if html is not None and (show or {wire, source, listed} != {None}):
        wrong("--html shows a record by itself: --show, --sent, --from and a GAME are calls of their own")
    words, question = _split(files)
    pieces = pieces_of(words, program)
    if wire is not None:
        return _print_wire(list(pieces), wire, question, dialect, clock)
    paths = [Path(word) for word in words]
    if source is not None:
        return _print_foreign(source, paths, record, as_json=as_json)
    if listed is not None:
        return _tell([(str(path), _judge_list(listed, contract, path)) for path in paths], as_json=as_json)
    if seat is not None and html is None:
        wrong("--for says who looks at the page of --html")
    if noted and html is None and not show:
        wrong("--notes adds to what --show or --html shows")
    if html is not None:
        return _write_page(list(pieces), html, seat, noted=noted, as_json=as_json)
    judged = [(piece.name, _verdict(piece, show=show and not as_json, noted=noted)) for piece in pieces]
    return _tell(judged, as_json=as_json)


def _write_page(pieces: Sequence[Piece], path: Path, seat: str | None, *, noted: bool, as_json: bool) -> int:
    """Write the page of one record, as far as it follows the rules."""
    if len(pieces) != 1:
        wrong(f"a page shows one game; of {len(pieces)} records name one, such as FILE:3")
    piece = pieces[0]
    if isinstance(piece.record, BadFile):
        wrong(str(piece.record))
    try:
        replayed = Replay(piece.record.text, piece.find)
        viewer = None if seat is None else replayed.seat_of(seat)
        written = page(
            page_data(replayed, Path(piece.name).name, viewer, _notes(replayed, piece) if noted else notes.NONE)
        )
    except NoSuchPlayer as problem:
        wrong(str(problem))
    except Invalid as problem:
        wrong(f"{piece.name} is no record to show: {problem}")
    try:
        path.write_text(written, encoding="utf-8")
    except OSError as problem:
        wrong(f"{path}: {problem.strerror}")
    verdict = _verdict(piece, show=False)
    if verdict["valid"] and not as_json:  # the scores are at the end of the page
        say(str(path))
        return 0
    return _tell([(piece.name, verdict)], as_json=as_json)


def _tell(judged: Sequence[tuple[str, dict[str, object]]], *, as_json: bool) -> int:
    verdicts = [verdict for _, verdict in judged]
    if as_json:
        print_json(verdicts[0] if len(verdicts) == 1 else {"records": verdicts})
    else:
        for name, verdict in judged:
            say(f"{name}: {_sentence(verdict)}")
    return 0 if all(verdict["valid"] for verdict in verdicts) else 1


def _print_foreign(source: str, paths: list[Path], folder: Path | None, *, as_json: bool) -> int:
    verdicts = [verdict for path in paths for verdict in _foreign_verdicts(source, path, folder)]
    if as_json:
        print_json({"records": verdicts})
    else:
        for verdict in verdicts:
            ended = f" ({verdict['stopped']})" if "stopped" in verdict else ""
            say(f"{verdict['game']}: {_sentence(verdict)}{ended}")
    return 0 if all(verdict["valid"] for verdict in verdicts) else 1


def _foreign_verdicts(source: str, path: Path, folder: Path | None) -> Iterator[dict[str, Any]]:
    try:
        yield from foreign.verdicts(source, path, _text(path), folder)
    except BadText as problem:
        yield foreign.unreadable(str(path), str(problem))


def _split(files: Sequence[str]) -> tuple[list[str], int | None]:
    """Split ``#17`` from the files."""
    numbers = [word[1:] for word in files if word.startswith("#") and not Path(word).exists()]
    words = [word for word in files if not (word.startswith("#") and not Path(word).exists())]
    if len(numbers) > 1 or any(not number.isdecimal() or int(number) == 0 for number in numbers):
        wrong("one #N at most, counted from 1, such as #17")
    if not words:
        wrong("name at least one file")
    return words, int(numbers[0]) if numbers else None


def _text(path: Path) -> str:
    try:
        return read_text(path)
    except OSError as problem:
        wrong(f"{path}: {problem.strerror}")


class Piece(NamedTuple):
    """A record with its name: its file's, plus ``:3`` for the third of several; or why its file contains none."""

    name: str
    record: RecordText | BadFile
    path: Path
    find: Callable[[str], type[Game]]
    """Finds its game; a program may be beside the record, or beside the record's folder."""


def pieces_of(words: Sequence[str], program: Path | None) -> Iterator[Piece]:
    """Yield every record."""
    for word in words:
        file, colon, number = word.rpartition(":")
        chosen = int(number) if colon and number.isdecimal() and not Path(word).exists() else None
        path = Path(word if chosen is None else file)
        find = partial(games.find, near=([] if program is None else [program]) + [path.parent, path.parent / ".."])
        try:
            pieces = _records(path)
        except IsADirectoryError:
            wrong(f"{path} is a folder: name the records in it; a tournament's are {path}/records/*")
        except OSError as problem:
            wrong(f"{path}: {problem.strerror}")
        except BadFile as problem:
            yield Piece(str(path), problem, path, find)
            continue
        if chosen is not None and not 1 <= chosen <= len(pieces):
            wrong(f"{path} has {len(pieces)} records, counted from 1; there is no {chosen}")
        for place, piece in enumerate(pieces, 1):
            if chosen in {None, place}:
                yield Piece(f"{path}:{place}" if len(pieces) > 1 else str(path), piece, path, find)


def _records(path: Path) -> list[RecordText]:
    """Read the records of a file; raise BadFile if it is in another server's format, and name its reader."""
    records = read_records(path)
    if source := foreign.reads(records[0].text):
        raise BadFile(f"this is no record of ours: --from {source} reads it")
    return records


def _notes(replayed: Replay, piece: Piece) -> Notes:
    """Return the notes kept beside a record."""
    try:
        return notes.beside(replayed, piece.path)
    except notes.BadNotes as problem:
        wrong(str(problem))


def _verdict(piece: Piece, *, show: bool, noted: bool = False) -> dict[str, object]:
    """Return the verdict on a record, with line numbers of its file."""
    if isinstance(piece.record, BadFile):
        return {"valid": False, "unreadable": True, "line": None, "why": str(piece.record)}
    if show:
        _show(piece, piece.record.text, noted=noted)
    verdict = judge(piece.record.text, piece.find).json()
    if isinstance(line := verdict.get("line"), int):
        verdict["line"] = line + piece.record.line - 1
    return verdict | ({"record": piece.name} if not Path(piece.name).exists() else {})


def _show(piece: Piece, text: str, *, noted: bool) -> None:
    """Print a record as far as it follows the rules."""
    try:
        replayed = Replay(text, piece.find)
        for line in _lines(replayed, _notes(replayed, piece) if noted else notes.NONE):
            say(line)
    except Invalid:
        return
    if replayed.outcome is not None:
        scores = " ".join(f"{name} {score}" for name, score in (replayed.scores or {}).items())
        say(f"{'':20}{replayed.outcome.value}{': ' if scores else ''}{scores}")


def _lines(replayed: Replay, kept: Notes) -> Iterator[str]:
    """Yield a game's lines: decisions and faults with their numbers, and the news that they caused below them."""
    commentary, margin = Commentary(replayed.game), f"{'':20}"
    questions, played = notes.Questions(replayed), False
    yield from (margin + line for line in commentary.opening())
    for step in replayed.steps():
        if played:
            yield from (margin + line for line in commentary.after(replayed.news))
        played = isinstance(step, ReplayedPlay)
        what = commentary.before(step.seat, step.play) if isinstance(step, ReplayedPlay) else f"FAULT: {step.kind}"
        by = " (stand-in)" if played and step.seat in replayed.standing_in else ""
        name = replayed.game.players[step.seat]
        yield f"{step.line:5} {name:>12}  {what}{by}"
        note = kept.get((name, questions.number(step) or 0))
        yield from (f"{margin}| {line}" for line in (note.lines() if note else ()))
    if played:
        yield from (margin + line for line in commentary.after(replayed.news))


def _sentence(verdict: dict[str, object]) -> str:
    if not verdict["valid"]:
        place = ", ".join(f"{key} {verdict[key]}" for key in ("line", "trick", "player") if verdict.get(key))
        what = "unreadable" if "unreadable" in verdict else "invalid" if verdict["valid"] is False else "not judged"
        return f"{what}{', ' + place if place else ''}: {verdict['why']}"
    scores = verdict.get("scores")
    if isinstance(scores, dict):
        return "valid: " + " ".join(f"{name} {score}" for name, score in scores.items())
    if "winner" in verdict:
        return f"valid: {verdict['winner']} {verdict['points']}"
    return "valid"


def _judge_list(listed: str, contract: str | None, path: Path) -> dict[str, object]:
    try:
        text = _text(path)
    except BadText as problem:
        return {"valid": False, "unreadable": True, "why": str(problem)}
    if listed == "sedma":
        return judge_sedma(text).json()
    if contract is None:
        wrong("a Jass matrix needs its contract: --contract c, d, h, s, o or u")
    return judge_jass(text, contract).json()


def _print_wire(pieces: Sequence[Piece], name: str, question: int | None, dialect: str | None, clock: int) -> int:
    name, mark, number = name.partition("#")
    if mark and number.isdecimal():
        question = int(number)
    strangers: list[NoSuchPlayer] = []
    try:
        for piece, record, _, find in pieces:
            if isinstance(record, BadFile):
                wrong(f"{piece}: {record}")
            try:
                wire = Wire(Replay(record.text, find), name, dialect, clock)
            except NoSuchPlayer as problem:
                strangers.append(problem)
                continue
            for line in wire.lines(question):
                say(line)
            if question is not None and wire.asked < question:
                complain(f"{piece}: {name} was asked {wire.asked} questions, and never the {question}th")
                return 1
    except Invalid as problem:
        complain(str(problem))
        return 1
    if len(strangers) == len(pieces):
        wrong(str(strangers[0]))
    return 0
