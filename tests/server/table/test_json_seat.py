"""Bots that speak JSON at a table: they play on with all others, and what they write wrong is their own fault."""

import json
import sys

import pytest

from croupier.server import entries, games
from croupier.server.games.dominion.game import Dominion
from croupier.server.records.replay import Replay, judge
from croupier.server.records.sent import Wire
from croupier.server.table.faults import Kind
from croupier.server.table.referee import Terms
from croupier.server.table.table import Table

TERMS = Terms(time=20)
BOT = """
import json, os, sys

asked = 0
for line in sys.stdin.buffer:
    told = json.loads(line)
    if told["type"] not in ("request", "attacked"):
        continue
    asked += 1
    state = told["state"]
    good = json.dumps(state["legal"][0]).encode("ascii")
    said = {said} if asked == 2 else good + b"\\n"
    while said:
        said = said[os.write(1, said):]
"""
"""It needs neither our code nor a parser; ``said`` is what its second answer is."""


def program(folder, said="good", dialect="json"):
    """Write the bot, and enter it."""
    path = folder / "own.py"
    path.write_text(BOT.format(said=said))
    return entries.of_command([sys.executable, "-S", "-E", str(path)], "own", dialect)


@pytest.mark.parametrize("game", [*games.BUNDLED, "recycle:kuhn-poker", "recycle:agram"])
async def test_a_game_is_the_same_in_either_dialect(game, key, tmp_path):
    """A bundled bot reads JSON too: it is told the same, plays the same, and its record says what it spoke."""
    rules, records = games.find(game), []
    for prefix in ("json:", ""):
        seats = rules.SEATS[0]
        bots = [
            entries.read(f"{name}={prefix if name == 'ann' else ''}random") for name in ("ann", "bob", "cleo", "dan")
        ]
        async with Table(bots[:seats], tmp_path / f"at {prefix or 'home'}") as table:
            result = await table.play(rules, {}, key.deal(1), TERMS)
        assert not result.faults
        assert judge("\n".join(result.record)).valid
        records.append([line for line in result.record if not line.startswith("(time ")])
    assert [line for line in records[0] if line != "(json ann)"] == records[1]
    assert "(json ann)" in records[0]


async def test_a_record_says_again_what_was_sent_in_json(key, tmp_path):
    """Line by line, each an object."""
    bots = [entries.read("ann=json:miner"), entries.read("bob=smithy")]
    async with Table(bots, tmp_path) as table:
        result = await table.play(Dominion, {"turns": 3}, key.deal(1), TERMS)
    record = "\n".join(result.record)
    told = [json.loads(line) for line in Wire(Replay(record), "ann").lines()]
    assert [told[0]["play"][0], told[-1]["play"][0]] == ["start", "end"]
    assert {line["type"] for line in told} == {"update", "request", "defended"}
    assert next(Wire(Replay(record), "ann", "native").lines()).startswith("(update table (start ")
    assert judge(record.replace("(json ann)", "(json cleo)")).why == "nobody here is called cleo"


@pytest.mark.parametrize("said", [
    "good", 'good + b"\\r\\n"', 'b"\\n\\n " + good', 'json.dumps(state["legal"][0], indent=4).encode("ascii")',
])  # fmt: skip
async def test_a_reply_ends_with_its_last_bracket(said, key, tmp_path):
    """Nothing, CRLF and white space around it, and several lines make no difference."""
    async with Table([program(tmp_path, said), entries.read("smithy")], tmp_path) as table:
        result = await table.play(Dominion, {"turns": 3}, key.deal(1), TERMS)
    assert not result.faults


@pytest.mark.parametrize(
    ("said", "kind", "why"),
    [
        ('b"[" * (1 << 20)', Kind.FLOODED, "more than 65536 bytes before the brackets balance"),
        ('b"[1]" + b"\\n[1]" * 9', Kind.UNKNOWN, "not a play of Dominion"),
        ('b" " * (1 << 20)', Kind.FLOODED, "more than 65536 bytes of white space"),
        ('b"[" * 20_000 + b"]" * 20_000', Kind.MALFORMED, "more than 16 levels of lists"),
        ("good + good", Kind.UNASKED, "it wrote something before it was asked"),
        ("good + b'{}'", Kind.UNASKED, "it wrote something before it was asked"),
        ('b"[NaN]"', Kind.MALFORMED, "NaN is no whole number"),
        ("""b'[{"a": 1, "a": 2}]'""", Kind.MALFORMED, "an object where a play has arrays"),
        (
            """b'{"play": "clean", "play": "act"}'""",
            Kind.MALFORMED,
            "a message begins with [, not with the character {",
        ),
        ('b"[" + b"9" * 60_000 + b"]"', Kind.MALFORMED, "a number of thousands of digits"),
        ("""b'["' + bytes([0xff]) + b'"]'""", Kind.MALFORMED, "the byte 0xff is neither printable ASCII nor"),
        ("bytes([0xef, 0xbb, 0xbf]) + good", Kind.MALFORMED, "the byte 0xef is neither printable ASCII nor"),
        (
            'b"(clean copper)"',
            Kind.MALFORMED,
            "with the character (; if it speaks s-expressions, enter it as COMMAND alone",
        ),
        ("""b'"clean"'""", Kind.MALFORMED, "a message begins with [, not with"),
        ("""b'["clean'""" + ' + b"]"', Kind.MALFORMED, "not JSON at byte 2: Unterminated string"),
        ("""b'["sing"]'""", Kind.UNKNOWN, "not a play of Dominion"),
    ],
)
async def test_what_is_no_reply_is_that_bots_fault(said, kind, why, key, tmp_path):
    """The game goes on to its end, the reason is one line, and its record stands."""
    async with Table([program(tmp_path, said), entries.read("smithy")], tmp_path) as table:
        result = await table.play(Dominion, {"turns": 3}, key.deal(1), TERMS)
    (fault,) = result.faults
    assert (fault.seat, fault.fault.kind) == (0, kind)
    assert why in fault.fault.why
    assert fault.fault.why.isprintable()
    assert judge("\n".join(result.record)).valid


async def test_a_bracket_left_open_is_waited_for_until_the_deadline(key, tmp_path):
    """Of what did not become a reply the reason says what is missing."""
    async with Table([program(tmp_path, 'b"[" * 20_000'), entries.read("smithy")], tmp_path) as table:
        result = await table.play(Dominion, {"turns": 3}, key.deal(1), Terms(time=1))
    (fault,) = result.faults
    assert fault.fault.kind is Kind.TIMEOUT
    assert "a bracket is left open" in fault.fault.why


async def test_a_forgotten_json_is_hinted_at(key, tmp_path):
    """A bot that trips over s-expressions names JSON in its last words."""
    async with Table([program(tmp_path, dialect="native"), entries.read("smithy")], tmp_path) as table:
        result = await table.play(Dominion, {"turns": 3}, key.deal(1), TERMS)
    (fault,) = result.faults
    assert fault.fault.kind is Kind.CRASHED
    assert fault.fault.why.endswith("; if it speaks JSON, enter it as json:COMMAND")
