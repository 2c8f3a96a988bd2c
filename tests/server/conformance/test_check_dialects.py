"""`croupier check` of bots in the other dialects, and of bots that were entered in the wrong one."""

import sys
from dataclasses import replace

import pytest
from checks import examined, loop, program
from tables import BOTS

from croupier.server import entries
from croupier.server.conformance import Demands, Step


async def test_the_classic_dialect_is_checked_too(tmp_path):
    """A client that answers without newlines, made for one game per process, is told whether it can play more."""
    classic = entries.of_command([sys.executable, str(BOTS / "classic.py")], "classic", "classic")
    found = await examined(classic, "dominion", tmp_path, Demands(positions=40), rules="classic")
    assert all(finding.passed for finding in found.values()), found
    assert "survives what it does not know" not in found
    assert found["ends its replies"].detail == "with nothing"
    assert "one process plays many" in found["plays several games in one process"].detail


async def test_a_classic_client_is_told_that_it_is_one(tmp_path):
    """It answers the class server's request, which is tried when it fails at ours; others are told nothing of it."""
    classic = entries.of_command([sys.executable, str(BOTS / "classic.py")])
    found = await examined(classic, "dominion", tmp_path, rules="classic")
    assert "Hint: It answers (move STATE)" in found["starts in time"].detail
    found = await examined(program(tmp_path, "pass\n"), "dominion", tmp_path, rules="classic")
    assert "(move STATE)" not in found["starts in time"].detail


JSON_LOOP = """
import json
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] in ("request", "attacked"):
        state = told["state"]
        play = state["legal"][0] if "legal" in state else ["give", *state["hand"][:3]]
        {0}
        print(json.dumps(play), flush=True)
"""


@pytest.mark.parametrize("bot", ["json:random", "program"])
async def test_the_json_dialect_is_checked_too(bot, tmp_path):
    """All steps, those too that tell it of what no game has."""
    entry = program(tmp_path, JSON_LOOP.format("")) if bot == "program" else entries.read(bot)
    found = await examined(replace(entry, dialect="json"), "hearts", tmp_path, Demands(positions=40))
    assert all(finding.passed for finding in found.values()), found
    assert {step.value for step in Step} - set(found) == {"defends when attacked"}


async def test_a_bot_of_another_dialect_is_told_how_to_enter_it(tmp_path):
    """It answers in that dialect, which is tried when it fails at once; a bot of none is told nothing of it."""
    speaks_json, speaks_lists = "It answers JSON, and not", "It answers s-expressions: enter it as COMMAND alone"
    found = await examined(program(tmp_path, JSON_LOOP.format("")), "hearts", tmp_path)
    assert speaks_json in found["starts in time"].detail
    lists = replace(program(tmp_path, loop()), dialect="json")
    found = await examined(lists, "hearts", tmp_path)
    assert speaks_lists in found["starts in time"].detail
    for dialect in ("native", "json"):
        found = await examined(replace(program(tmp_path, "pass\n"), dialect=dialect), "hearts", tmp_path)
        assert not any(hint in found["starts in time"].detail for hint in (speaks_json, speaks_lists))


@pytest.mark.parametrize(
    ("change", "step", "told"),
    [
        ("play = [word.upper() for word in play]", "answers in each phase", 'did you mean ["give", '),
        ("play = ['bid', 18]", "answers in each phase", '["bid", 18] is a play of skat'),
        ("play = ['play', *state['hand'][:1]]", "plays legally", "illegal: "),
        ("play = {'play': play}", "writes well-formed replies", "begins with [, not with the character {"),
    ],
)
async def test_what_is_wrong_in_json_is_told_in_json(change, step, told, tmp_path):
    """The legal plays, and what was meant."""
    bot = replace(program(tmp_path, JSON_LOOP.format(change)), dialect="json")
    found = await examined(bot, "hearts", tmp_path)
    assert told in found[step].detail
    assert '\n    ["give", ' in found[step].detail
