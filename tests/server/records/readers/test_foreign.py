"""Every reader of foreign games gives a verdict, whatever a field of its format is."""

import copy
import gzip
import json
from pathlib import Path

import pytest
from tests.server.records.readers.test_doko import log
from tests.server.records.readers.test_iss import logged
from tests.support.command_line import croupier

from croupier.server.commands import foreign

JUNK = (..., None, True, -1, 99, 2.5, "", "x", "\x1b[31m\n)", [], [[None] * 4] * 4, {}, 10**30)
"""What a field may be instead; the first leaves it out."""
WORDS = ("", "x", "99999999999999", "-1", "v:x", "v:1:2", "CJ", "w", "0", "SC", "RE", "TI.0", "GO", "N", "\x1b[")


def verdicts(source, text):
    """Judge a file, and check that each verdict is one that a terminal can show."""
    found = list(foreign.verdicts(source, Path("file"), text, None))
    for verdict in found:
        assert verdict["valid"] or verdict["why"]
        assert verdict["game"].isprintable()
        assert verdict.get("why", "").isprintable()
    return found


def places(fields, depth=3):
    """List the ways into JSON: each key, and the first element of each list."""
    if depth and isinstance(fields, (dict, list)):
        for key in fields if isinstance(fields, dict) else range(min(1, len(fields))):
            yield (key,)
            yield from ((key, *rest) for rest in places(fields[key], depth - 1))


def changed(fields, place, value):
    """Return the fields with another value at a place, or without it."""
    fields = copy.deepcopy(fields)
    inner = fields
    for key in place[:-1]:
        inner = inner[key]
    if value is ...:
        del inner[place[-1]]
    else:
        inner[place[-1]] = value
    return fields


FIELDS = log(3)


@pytest.mark.parametrize("place", list(places(FIELDS)), ids=str)
def test_any_field_of_doko_may_be_missing_or_wrong(place):
    """A log is judged or unreadable for a reason, and the games around it keep their verdicts."""
    fine = json.dumps(log(2, cards=1))
    text = "\n".join([fine, *[json.dumps(changed(FIELDS, place, value)) for value in JUNK], fine])
    first, *_, last = found = verdicts("doko", text)
    assert len(found) == len(JUNK) + 2
    assert first["valid"]
    assert last["valid"]


@pytest.mark.parametrize("seed", range(4))
def test_any_word_of_iss_may_be_missing_or_wrong(seed):
    """A game is judged or unreadable for a reason, and the games around it keep their verdicts."""
    fine = logged(seed)[1]
    words = fine.split(" ")
    for number in range(len(words)):
        wrong = " ".join([*words[:number], WORDS[(number + seed) % len(WORDS)], *words[number + 1 :]])
        found = verdicts("iss", fine + wrong + fine)
        assert found[0]["valid"]
        assert found[-1]["valid"]


@pytest.mark.parametrize(("source", "text"), [("iss", logged(5)[1]), ("doko", json.dumps(FIELDS))])
def test_a_file_may_end_anywhere(source, text):
    """A game that is cut off is unreadable, never a traceback."""
    for end in range(1, len(text.rstrip()), 41):
        (verdict,) = verdicts(source, text[:end])
        assert verdict["unreadable"]


def test_one_unreadable_game_costs_no_other_its_verdict(tmp_path):
    """Each game is a line of its own, and the exit status is 1."""
    path = tmp_path / "games.sgf"
    fine = logged(1)[1]
    path.write_text(fine + fine[:100] + "\n" + fine)
    out, _ = croupier("replay", "--from", "iss", path, "--record", tmp_path / "records", code=1)
    assert [line.partition(":")[2].split()[0] for line in out.splitlines()] == ["valid:", "unreadable,", "valid:"]
    assert "unreadable, line 2: it is cut off" in out
    assert sorted(file.name for file in (tmp_path / "records").iterdir()) == ["games-0001.record", "games-0003.record"]


def test_a_file_says_which_reader_reads_it(tmp_path):
    """A foreign file without --from, another format's, and a record with it: the right call is named."""
    games, log_ = tmp_path / "games.sgf.gz", tmp_path / "log.jsonl"
    games.write_bytes(gzip.compress(logged(1)[1].encode()))
    log_.write_text(json.dumps(FIELDS))
    out, _ = croupier("replay", games, log_, code=1)
    assert [line.rpartition(": ")[2] for line in out.splitlines()] == ["--from iss reads it", "--from doko reads it"]
    assert "--from iss reads this" in croupier("replay", "--from", "doko", games, code=1)[0]
    croupier("replay", "--from", "iss", games, "--record", tmp_path)
    (record,) = tmp_path.glob("*.record")
    assert "replay it without --from" in croupier("replay", "--from", "iss", record, code=1)[0]


@pytest.mark.parametrize("more", [("--from", "iss"), ("--from", "doko"), ()])
def test_an_empty_file_has_no_game(tmp_path, more):
    """Nothing to judge is not a success."""
    path = tmp_path / "empty"
    path.write_text("\n \n")
    assert croupier("replay", *more, path, code=1)[0] == f"{path}: unreadable: no game in the file\n"
