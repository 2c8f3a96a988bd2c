"""The settings of a season are read, or refused with the place of the mistake."""

import pytest

from croupier.server.season.settings import read
from croupier.server.tournaments.config.tournament_file import BadConfig

TWO = """
title = "Autumn"
time = 700
options = { pass = "none" }
[[bots]]
name = "chance"
builtin = "random"
[[games]]
game = "hearts"
weight = 2
deals = 3
[[games.bots]]
name = "bench"
builtin = "duck"
[[games]]
game = "hearts"
name = "short"
time = 50
format = "round-robin"
[games.options]
pass = "left"
"""


OF_AUTHORS = "[[games]]\ngame = 'hearts'\n[[games.submissions]]\nglob = "


def write(folder, text):
    """Write a season's file and return its path."""
    (folder / "season.toml").write_text(text)
    return folder / "season.toml"


def test_each_game_has_its_own_terms(tmp_path):
    """Keys above the games are for all of them; a key of a game comes first."""
    season = read(write(tmp_path, TWO))
    first, second = season.games
    assert season.title == "Autumn"
    assert (first.name, first.weight, first.terms.time, first.terms.format) == ("hearts", 2.0, 700, "balanced")
    assert (second.name, second.weight, second.terms.time, second.terms.format) == ("short", 1.0, 50, "round-robin")
    assert [bot.name for bot in first.bots] == ["chance", "bench"]
    assert [bot.name for bot in second.bots] == ["chance"]
    assert (first.terms.options, second.terms.options) == ({"pass": "none"}, {"pass": "left"})


def test_a_night_adds_rounds_or_deals(tmp_path):
    """Deals to a format whose tables all play the same deals, rounds to the others."""
    first, second = read(write(tmp_path, TWO)).games
    assert (first.until_night(3).rounds, first.until_night(3).deals) == (30, 3)
    assert second.until_night(3).deals == 3 * second.terms.deals


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "season.toml: it needs a table [[games]]"),
        ("games = 3", "season.toml: it needs a table [[games]]"),
        ("title = 3\n[[games]]\ngame = 'hearts'", "season.toml: title: expected text"),
        ("[[games]]\ngame = 'hart'", "season.toml: games[0]: game: there is no game hart"),
        ("[[games]]\ngame = 'hearts'\nwieght = 2", "there is no key wieght (did you mean weight?)"),
        ("[[games]]\ngame = 'hearts'\nweight = 0", "season.toml: games[0]: weight: expected a number above 0"),
        ("[[games]]\ngame = 'hearts'\nweight = true", "season.toml: games[0]: weight: expected a number above 0"),
        ("[[games]]\ngame = 'hearts'\ntime = 'x'", "season.toml: games[0]: time: expected a whole number"),
        ("[[games]]\ngame = 'hearts'\nname = 'a b'", "season.toml: games[0]: name: 'a b' is no name"),
        ("[[games]]\ngame = 'hearts'\nformat = 'knockout'", "games[0]: format: knockout comes to an end"),
        ("[[games]]\ngame = 'hearts'\nbudget = '3h'", "games[0]: budget: it decides when a tournament ends"),
        ("[[games]]\ngame = 'hearts'\n[games.options]\nx = 1", "season.toml: games[0]: options:"),
        ("[[games]]\ngame = 'hearts'\n[[games]]\ngame = 'hearts'", "season.toml: two games are called hearts"),
        ("bots = 3\n[[games]]\ngame = 'hearts'", "games[0]: bots: expected tables"),
        ("[[games]]\ngame = 'hearts'\n[[games.bots]]\nname = 'x'", "games[0]: bots[0]: x needs a command"),
        (
            "[[games]]\ngame = 'hearts'\n[[games.bots]]\nname = 'x'\nbuiltin = 'skat-club'",
            "games[0]: bots: skat-club does not play hearts",
        ),
        (f"{OF_AUTHORS}'/x'", "games[0]: submissions[0].glob: expected"),
        (f"{OF_AUTHORS}'../x'", "submissions[0].glob: expected"),
        (f"{OF_AUTHORS}'**x'", "submissions[0].glob: expected"),
        (
            f"{OF_AUTHORS}'x'\nname = 'y'",
            "submissions[0].name: it is no key",
        ),
        (
            f"{OF_AUTHORS}'x'\nmemory = 3",
            "submissions[0].memory: expected",
        ),
        (f"{OF_AUTHORS}'x'\nsight = 'open'", "submissions[0].sight: "),
        ("= 3", "season.toml is not TOML"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path, text, why):
    """In one line, as in a tournament's file."""
    with pytest.raises(BadConfig) as refused:
        read(write(tmp_path, text))
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)
