"""The page of the JSON dialect: its examples are what is said, its refusals what is refused."""

import json
import re
from pathlib import Path

import pytest

from croupier.protocol import json_dialect, notifications, views
from croupier.protocol.notifications import JSON
from croupier.protocol.sexp import parse
from croupier.server.table.channel import Channel
from croupier.server.table.faults import Kind

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "json.md").read_text("utf-8")
PAIRS = re.findall(r"^```\n(\(.+?\))\n```\n\n```json\n(\{.+?\})\n```$", PAGE, re.MULTILINE | re.DOTALL)
REFUSED = re.findall(r"^\| `(.+)` \| (.+) \|$", PAGE.partition("| reply | cause |")[2], re.MULTILINE)
FIELDS = re.findall(r'`"([a-z-]+)": (.+?)`(?=,| \|)', PAGE.partition("| field | JSON | example |")[2])


@pytest.mark.parametrize(("native", "said"), PAIRS)
def test_an_example_says_the_same_in_both_dialects(native, said):
    """Byte for byte, except for the page's line breaks."""
    note = notifications.read(parse(native))
    assert json_dialect.write(note) == re.sub(r"\n +", " ", said)
    assert json_dialect.read(said) == note


@pytest.mark.parametrize(("reply", "cause"), REFUSED)
def test_a_refused_reply_has_the_cause_that_the_page_names(reply, cause):
    """And the kind."""
    outcome = Channel(dialect=JSON).take(f"{reply}\n".encode()).outcome
    assert (outcome.kind, outcome.why) == (Kind.MALFORMED, cause)


@pytest.mark.parametrize(("key", "value"), FIELDS)
def test_an_example_of_a_field_is_json(key, value):
    """It reads back as the field of a page does."""
    game = next(game for game in ("hearts", "skat") if key in set(views.page(game).keys()))
    view = json_dialect.read(f'{{"type": "request", "state": {{"game": "{game}", "{key}": {value}}}}}').view
    assert json.loads(json_dialect.write(notifications.Request(view)))["state"][key] == json.loads(value)


def test_the_page_has_examples():
    """None of these tests is empty."""
    assert (len(PAIRS), len(REFUSED), len(FIELDS)) == (2, 9, 10)
