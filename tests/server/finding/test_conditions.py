"""Conditions: what each means, and one clear sentence for each that means nothing."""

import re
from pathlib import Path

import pytest

from croupier.server.finding.conditions import FIELDS, BadCondition, Condition, Query


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("player=alice", ("player", "=", "alice")),
        (" score > 20 ", ("score", ">", 20.0)),
        ("score>=-3", ("score", ">=", -3.0)),
        ("thought>0.5", ("thought", ">", 0.5)),
        ("fault", ("fault", "!=", "")),
        ("fault=timeout", ("fault", "=", "timeout")),
        ("with!=bob", ("with", "!=", "bob")),
        ("contract=grand  hand", ("contract", "=", "grand hand")),
        ("play=(play sQ)", ("play", "=", ("play", "sQ"))),
        ("play=play sQ", ("play", "=", ("play", "sQ"))),
        ("play=(discard (copper estate))", ("play", "=", ("discard", ("copper", "estate")))),
    ],
)
def test_a_condition_is_read(text, meant):
    """Blanks do not matter, nor do the outer parentheses of a play."""
    assert Condition.parse(text) == meant


@pytest.mark.parametrize("field", FIELDS.values(), ids=FIELDS)
def test_the_example_of_each_field_is_a_condition(field):
    """What an error recommends works."""
    assert Condition.parse(field.example).field in FIELDS


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a condition is about one of player, score"),
        ("colour=red", "a condition is about one of player, score"),
        ("score", "compared with a number, such as score>20"),
        ("score>", "compared with a number, such as score>20"),
        ("score>many", "'many' is none"),
        ("score>1e9", "'1e9' is none"),
        ("score=\u0663", "is none"),
        ("score==3", "'=3' is none"),
        ("player>bob", "takes = or !="),
        ("player=b b", "nobody can be called 'b b'; a bot with this title may be b-b"),
        ("player=", "such as player=alice"),
        ("fault=rude", "fault is one of timeout, malformed"),
        ("fault>timeout", "takes = or !="),
        ("outcome=lost", "outcome is one of finished, forfeit"),
        ("contract!=grand", "takes = alone"),
        ("play!=(play sQ)", "takes = alone"),
        ("play=(play (sQ)", "such as (play sQ)"),
        ("play=()", "as it stands in a record"),
        ("play=((((((((((((((((((((((((((((((((((((((((x))", "such as (play sQ)"),
        ("score>20 and fault", "is none"),
        ("\x1b[31mscore>2", "a condition is about one of"),
    ],
)
def test_a_bad_condition_is_one_sentence(text, why):
    """It says what is wrong and what would be right."""
    with pytest.raises(BadCondition) as problem:
        Condition.parse(text)
    assert why in str(problem.value)
    assert "\n" not in str(problem.value)
    assert "\x1b" not in str(problem.value)


@pytest.mark.parametrize(
    ("text", "known", "holds"),
    [
        ("score>20", 21, True),
        ("score>20", 20, False),
        ("score!=20", 20, False),
        ("score!=20", None, False),
        ("thought<5", None, False),
        ("fault", "timeout", True),
        ("fault", "", False),
        ("fault!=timeout", "", True),
        ("player=alice", "alice", True),
        ("player!=alice", "alice", False),
    ],
)
def test_what_is_not_known_holds_nothing(text, known, holds):
    """A number is compared, a word is the same or not; nothing is said of what is not known."""
    assert Condition.parse(text).holds(known) is holds


def test_a_query_knows_what_it_needs():
    """Conditions about a player stand apart; plays are written as in a record, a contract is its words."""
    query = Query.of([*map(Condition.parse, ["score>3", "play=give h2", "contract=Grand hand", "margin<5"])])
    assert [each.field for each in query.of_player] == ["score", "play"]
    assert [each.field for each in query.of_game] == ["contract", "margin"]
    assert query.plays == ["(give h2)"]
    assert query.contract == {"grand", "hand"}


def test_the_page_has_each_condition():
    """The manual's table lists the fields in their order, each with an example that can be typed."""
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "find.md").read_text()
    rows = [re.findall("`([^`]+)`", row.split("|")[1]) for row in page.splitlines() if row.startswith("| `")]
    assert [Condition.parse(row[0]).field for row in rows] == list(FIELDS)
    for row in rows:
        assert [Condition.parse(example) for example in row]
    assert [row[-1] for row in rows] == [field.example for field in FIELDS.values()]
