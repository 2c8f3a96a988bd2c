"""Fuzz every reader, guided by coverage: replies, notifications, records, tournament files, lists, games, results.

    python tests/fuzz/readers.py [-max_total_time=600] [CORPUS ...]

Each reader may refuse in its own one way; anything else that it raises is a bug. What is found is written beside the
working folder as ``crash-...``; what deserves to stay goes to ``tests/corpus``.
"""

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["croupier", "sexpdata"]):
    from croupier.protocol import json_dialect, notifications
    from croupier.protocol.sexp import Flooded, Framer, Malformed, Reader, parse, read, write
    from croupier.server.games.game import BadOption
    from croupier.server.records.card_lists import judge_jass, judge_sedma
    from croupier.server.records.readers import doko, iss
    from croupier.server.records.readers.foreign import Foreign
    from croupier.server.records.replay import judge
    from croupier.server.tournaments.config import tournament_file
    from croupier.server.tournaments.foreign.fairness import Fairness
    from croupier.server.tournaments.foreign.results import ColumnNames, read_results
    from croupier.server.tournaments.foreign.table_rows import BadTable

CORPUS = Path(__file__).parent.parent / "corpus"
LARGEST = 8192


def reply(data: bytes) -> None:
    """Whatever the guarded reader takes, the strict one reads alike, and it is written back as it reads."""
    framer = Framer()
    try:
        framer.feed(data)
        message = framer.take()
        if message is not None:
            form = read(message)
            assert parse(message.decode()) == form == parse(write(form))
    except (Malformed, Flooded):
        pass


def json_reply(data: bytes) -> None:
    """What is read of an array can be written as one, and as an s-expression."""
    framer = Framer(pair="[]")
    try:
        framer.feed(data)
        message = framer.take()
        if message is not None:
            form = json_dialect.read_play(message)
            assert json_dialect.read_play(json_dialect.write_play(form).encode()) == form == parse(write(form))
    except (Malformed, Flooded):
        pass


def notification(data: bytes) -> None:
    """A form is a notification, nothing known, or malformed."""
    try:
        for form in Reader().feed(data):
            notifications.read(form)
    except Malformed:
        pass


def record(data: bytes) -> None:
    """A record is valid or has a line at which it is not."""
    verdict = judge(data.decode("latin-1"))
    assert verdict.valid or (verdict.line >= 1 and verdict.why)


def tournament(data: bytes) -> None:
    """A tournament file is one, or is refused with its place."""
    try:
        tournament_file.parse(data.decode("utf-8", "replace"))
    except tournament_file.BadConfig:
        pass


def bare_list(data: bytes) -> None:
    """A bare list is judged."""
    text = data[1:].decode("latin-1")
    try:
        judge_jass(text, chr(data[0]) if data else "c")
        judge_sedma(text)
    except BadOption:
        pass


def foreign(data: bytes) -> None:
    """Each game of another server is one that can be judged, or has a reason why it cannot be read."""
    text = data.decode("latin-1")
    for game in (*iss.read(text), *doko.read(text)):
        assert judge(game.record) if isinstance(game, Foreign) else game.why.isprintable()


def results(data: bytes) -> None:
    """A table of results has games, or is refused; the first byte chooses the form of its rows."""
    seated = ColumnNames(["player"], ["score"], ["deal"], "seat")
    forms = (seated, seated._replace(game="game", side="side"), ColumnNames(["a", "b"], ["x", "y"]), ColumnNames())
    try:
        columns = forms[data[0] % len(forms)] if data else seated
        found = read_results(data[1:].decode("utf-8", "replace"), "table", columns.for_chess(), low_wins=False)
        assert Fairness.of(found).sets <= len(found.games)
    except BadTable:
        pass


TARGETS = (reply, notification, record, tournament, bare_list, foreign, json_reply, results)


def one(data: bytes) -> None:
    """Let the first byte choose the reader."""
    if data:
        TARGETS[data[0] % len(TARGETS)](data[1:])


def seeds(folder: Path) -> None:
    """Write the corpus as inputs, each with its reader's number before it."""
    kinds = ("replies", "replies", "records", "configs", "replies", "records", "replies", "results")
    for place, kind in enumerate(kinds):
        for path in (CORPUS / kind).iterdir():
            (folder / f"{place}-{path.name}").write_bytes(bytes([place]) + path.read_bytes()[:LARGEST])


def main() -> None:
    """Run libFuzzer with the command line's options."""
    with tempfile.TemporaryDirectory() as folder:
        seeds(Path(folder))
        atheris.Setup([*sys.argv, f"-max_len={LARGEST}", folder], one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
