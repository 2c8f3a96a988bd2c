"""Records of games from files: found again by their SHA-256, carried by the record, or missing."""

import shutil

import pytest
from command_line import croupier

from croupier.protocol import record as lines
from croupier.server.games.recycle.game import LIBRARY
from croupier.server.records.replay import judge

SOURCE = (LIBRARY / "kuhn-poker.gdl").read_bytes()


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    """Play a program that is in no library, named as a file, and return a record that carries it."""
    folder = tmp_path_factory.mktemp("mine")
    (folder / "mine.gdl").write_bytes(SOURCE + b";; mine, \xc3\xa9\r\n")
    croupier(
        "play", str(folder / "mine.gdl"), "random", "random", "--seed", "x", "--record", str(folder), "--with-program"
    )
    text = (folder / "deal-1.record").read_text()
    shutil.rmtree(folder)
    return text


def test_a_record_that_carries_its_program_replays_alone(record):
    """Whatever bytes it has, and wherever its file went."""
    assert judge(record).valid is True
    carried = [line for _, line in lines.read(record) if isinstance(line, lines.Source)]
    assert lines.Source.join(carried) == SOURCE + b";; mine, \xc3\xa9\r\n"
    assert carried[0].name == "mine"


def test_a_record_whose_program_is_missing_is_not_judged(record, tmp_path):
    """It says so, and neither that it is valid nor that it is not."""
    bare = "".join(line for line in record.splitlines(keepends=True) if not line.startswith("(source "))
    verdict = judge(bare)
    assert (verdict.valid, verdict.line) == (None, 3)
    assert "no program here has the SHA-256" in verdict.why
    (tmp_path / "bare.record").write_text(bare)
    out = croupier("replay", str(tmp_path / "bare.record"), code=1)[0]
    assert f"{tmp_path / 'bare.record'}: not judged, line 3: no program here" in out


def test_a_program_that_was_changed_is_not_the_record_s(record):
    """A line more, less or otherwise is another program, and one without its SHA-256 is none."""
    number = next(n for n, line in enumerate(record.splitlines()) if line.startswith("(source "))
    rows = record.splitlines(keepends=True)
    for wrong in (
        [*rows[:number], *rows[number + 1 :]],
        [*rows[:number], rows[number], *rows[number:]],
        [row for row in rows if not row.startswith("(program ")],
    ):
        verdict = judge("".join(wrong))
        assert verdict.valid is False
        assert "not those of the program" in verdict.why


@pytest.mark.parametrize("data", [b"", b"\n\n", b"x" * 5000 + b"\n" + bytes(range(256)) * 9, b'"\\;;(\n)'])
def test_a_program_is_carried_byte_for_byte(data):
    """Long lines, quotes, comments and whatever is no ASCII."""
    text = "\n".join(map(str, lines.Source.lines("any", data)))
    assert lines.Source.join(line for _, line in lines.read(text)) == data
    assert text.isascii()


@pytest.mark.parametrize("line", ["(source)", "(source x)", '(source "x")', "(source x y)", '(source x "y" z)'])
def test_a_line_of_a_program_has_its_shape(line):
    """A name and strings, nothing else."""
    with pytest.raises(lines.BadRecord, match="should look like"):
        list(lines.read(line))


def test_only_a_game_from_a_file_has_a_program():
    """Asked for of another game, or without a record, it is refused before anything is played."""
    for words in (["hearts", "duck", "duck", "duck", "duck"], ["recycle:kuhn-poker", "random", "random"]):
        assert "--with-program needs --record" in croupier("play", *words, "--with-program", code=2)[1]
