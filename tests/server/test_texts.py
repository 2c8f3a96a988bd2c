"""Files of users: unpacked by what they begin with, without a byte-order mark, bounded, and never as mojibake."""

import importlib

import pytest
from tests.support.command_line import croupier

from croupier.server import texts
from croupier.server.games.recycle.check import problems
from croupier.server.records.files import BadFile, read_records, split
from croupier.server.texts import BadText, read_text
from croupier.server.tournaments.config import tournament_file

MARK = b"\xef\xbb\xbf"
TEXT = "(record 1)\n(game sedma)\n"
CARDS = """c7 d8 h9 sT cJ dQ hK sA c8 d9 hT sJ cQ dK hA s7 c9 dT hJ sQ cK dA h7 s8 cT dJ hQ sK cA d7 h8 s9"""


@pytest.fixture(params=["gzip", "bz2", "lzma"])
def pack(request):
    """Return what packs bytes; a Python may have been built without bz2 and lzma."""
    try:
        return importlib.import_module(request.param).compress
    except ImportError:
        pytest.skip(f"this Python has no {request.param}")


def test_a_text_is_unpacked_whatever_its_name(tmp_path, pack):
    """What a file begins with says how it is packed; several members are one text."""
    path = tmp_path / "text.record"
    path.write_bytes(pack(MARK + TEXT.encode()))
    assert read_text(path) == TEXT
    path.write_bytes(pack(TEXT.encode()) * 2)
    assert read_text(path) == TEXT * 2


def test_what_is_packed_is_bounded_and_may_be_broken(tmp_path, monkeypatch, pack):
    """Neither a bomb nor half a file is more than a reason."""
    monkeypatch.setattr(texts, "MOST_BYTES", 1 << 20)
    path = tmp_path / "text"
    path.write_bytes(pack(b"\n" * (8 << 20)))
    with pytest.raises(BadText, match="more than 1 MiB"):
        read_text(path)
    path.write_bytes(pack(TEXT.encode())[:-9])
    with pytest.raises(BadText, match="cannot be unpacked"):
        read_text(path)


@pytest.mark.parametrize(("data", "how"), [(b"PK\x03\x04....", "zip"), (b"\x28\xb5\x2f\xfd....", "zstd")])
def test_what_is_not_unpacked_is_named(tmp_path, data, how):
    """The message says what it is and what to do."""
    path = tmp_path / "text"
    path.write_bytes(data)
    with pytest.raises(BadFile, match=rf"compressed \({how}\).*: unpack it first"):
        read_records(path)
    assert f"compressed ({how})" in problems(data)[0].message


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wide_text_is_named(tmp_path, encoding):
    """UTF-16 with and without its mark is no list of strange characters to any reader."""
    path = tmp_path / "text"
    path.write_bytes(TEXT.encode(encoding))
    with pytest.raises(BadFile, match="UTF-16"):
        read_records(path)
    with pytest.raises(tournament_file.BadConfig, match="UTF-16"):
        tournament_file.read(path)
    assert "UTF-16" in problems(path.read_bytes())[0].message


def test_a_mark_is_skipped_wherever_a_text_is_read(tmp_path):
    """Records, joined ones too, lists of cards, tournament files and programs read as without it."""
    joined = tmp_path / "joined.records"
    joined.write_bytes((MARK + TEXT.encode()) * 3)
    assert [piece.text for piece in read_records(joined)] == [TEXT] * 3
    cards = tmp_path / "cards.txt"
    cards.write_bytes(MARK + CARDS.encode())
    assert "valid: AC" in croupier("replay", "--game", "sedma", cards)[0]
    cup = tmp_path / "cup.toml"
    cup.write_bytes(MARK + b'game = "hearts"\nbots = [{name = "a", command = ["random"]}]\n')
    assert tournament_file.read(cup).game == "hearts"
    assert problems(MARK + b";; nothing")[0].message == problems(b";; nothing")[0].message


def test_what_precedes_the_first_record_is_a_piece_of_its_own():
    """A record that has lost its beginning swallows none that follows; a comment belongs to the first."""
    assert split(f"(score (a 1))\n{TEXT}") == [(1, "(score (a 1))\n"), (2, TEXT)]
    assert [piece.text for piece in split(f"; mine\n\n{TEXT}")] == [f"; mine\n\n{TEXT}"]


def test_a_record_that_is_cut_off_swallows_none_that_follows():
    """Neither where its last line is whole, nor where the next record begins in that line; a string begins none."""
    cut = "(record 1)\n(game sedma)\n(play ann (pl"
    assert [piece.line for piece in split(f"{TEXT}{cut}{TEXT}{TEXT}")] == [1, 3, 5, 7]
    fault = f'{TEXT}(fault ann unknown "why" "request" "(record 1)")\n(game sedma)\n'
    assert [piece.text for piece in split(fault)] == [fault]


def test_bytes_that_are_no_text_are_named_with_their_line(tmp_path):
    """A tournament file is UTF-8."""
    path = tmp_path / "cup.toml"
    path.write_bytes(b'game = "hearts"\n# \xe4\n')
    with pytest.raises(tournament_file.BadConfig, match="line 2: the byte 0xe4"):
        tournament_file.read(path)
