"""A tournament file: what it says, and what it must not say."""

from __future__ import annotations

import pytest

from croupier.server.deals import Key
from croupier.server.games.hearts import Hearts
from croupier.server.games.jass.game import Jass
from croupier.server.processes.sandbox.settings import memory_bytes
from croupier.server.tournaments.config.tournament_file import BadConfig, parse, read
from croupier.server.tournaments.entering.scheduling import schedule_for
from croupier.server.tournaments.formats import FORMATS
from croupier.server.tournaments.formats.balanced import Balanced
from croupier.server.tournaments.formats.fixed import RoundRobin
from croupier.server.tournaments.formats.schedule import Layout, ScheduleError

FILE = """
game = "skat"
deals = 200
[options]
list = 3
[[bots]]
name = "smithy"
command = ["./smithy-john", "--fast"]
dialect = "classic"
env = { LEVEL = 3 }
[[bots]]
name = "miner"
builtin = "miner"
"""


def test_a_file_is_read_with_its_defaults():
    """What is left out has its default."""
    settings = parse(FILE)
    assert (settings.game, settings.deals, settings.options) == ("skat", 200, {"list": 3})
    assert (settings.format, settings.time, settings.start, settings.sandbox) == (None, 10_000, 5_000, "auto")
    assert settings.bots[0].command == ("./smithy-john", "--fast")
    assert (settings.bots[0].dialect, settings.bots[1].dialect) == ("classic", "native")


def test_settings_of_the_command_line_go_before_the_file():
    """Any key, by its path: TOML values, or plain text."""
    settings = parse(
        FILE, ["bots.0.cores=2", "format=swiss", "options.scoring=seeger-fabian", "until_sure=true", "margin=1"]
    )
    assert (settings.bots[0].cores, settings.format, settings.until_sure, settings.margin) == (2, "swiss", True, 1)
    assert settings.options == {"list": 3, "scoring": "seeger-fabian"}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("dealz=3", r"there is no key dealz \(did you mean deals\?\); the keys: affinity, "),
        ("bots.1.corse=3", r"bots\[1\]: there is no key corse \(did you mean cores\?\); the keys: args, build, "),
        ("bots.0.cores=many", r"bots\[0\].cores: expected a whole number, got text"),
        ("deals=0", "deals: expected a whole number >= 1"),
        ("format=league", "format: expected one of round-robin, .*, 'league' is none"),
        ("bots.0.dialect=old", r"bots\[0\].dialect: expected one of native, classic"),
        ("memory=lots", "memory: expected an amount of memory such as 512M or 2G"),
        ("options.list=true", "options: expected a whole number or text, got true or false"),
        ("bots.1.name=smithy", "smithy stands there more than once"),
        ("bots.1.name=nil", "'nil' is no name"),
        ("bots.1.name=-x", "'-x' is no name"),
        ("bots.0.builtin=smithy", "exactly one of them"),
        ("bots=[]", r"needs \[\[bots\]\]"),
        ("bots.7.cores=2", "there is no 7; there are 2"),
        ("bots.x=2", "there is no x; there are 2"),
        ("game.x=2", "there is nothing inside game"),
        ("game.x.y=2", "there is no x"),
        ('bots.0.env={"" = 1}', r"bots\[0\]: env has the name ''"),
        ('bots.0.env={"A=B" = 1}', r"bots\[0\]: env has the name 'A=B'"),
        ('bots.0.env={A = "\\u0000"}', r"bots\[0\]: there is a NUL in 'A="),
        ('bots.0.command=["a", "\\u0000"]', r"bots\[0\]: there is a NUL"),
        ('bots.0.build="make \\u0000"', r"bots\[0\]: there is a NUL in 'make"),
        ("bots.0.title=miner", "the title 'miner' of smithy would be taken for miner"),
        ("bots.0.title=Miner 2", "would be taken for miner"),
        ("bots.0.title=miner-v3", "would be taken for miner"),
        ("bots.0.title=M I N E R!", "would be taken for miner"),
        ("bots.0.title=rniner", "would be taken for miner"),
        ("bots.0.title=m\u0456\u0578er", "mixes the letters of several scripts"),
        ("bots.0.title=x\u202ey", "has characters that are not printed"),
        ('bots.0.title="a\\u001b[2J"', "has characters that are not printed"),
        ('bots.0.title=" a"', "begins or ends with a blank"),
        ('bots.0.title="---"', "has neither a letter nor a digit"),
        (f"bots.0.title={'x' * 41}", "has 41 characters, and at most 40"),
        ("bots.0.title=a\u0300\u0301\u0302", "more marks than letters to bear them"),
        ("game", "--set takes key=value"),
        ("=3", "--set takes key=value"),
    ],
)
def test_what_it_does_not_know_is_an_error_with_its_place(change, says):
    """In the words of the file."""
    with pytest.raises(BadConfig, match=says):
        parse(FILE, [change])


TITLES = (
    "Old Smithy",
    "Schmiede \u00fc\u00df",
    "\u5f20\u4f1f bot",
    "\u041a\u0443\u0437\u043d\u0435\u0446",
    "smithy",
)


def test_titles_may_be_of_any_script_and_differ_from_each_other():
    """Two that look the same are no titles, though their letters are not."""
    for title in TITLES:
        assert parse(FILE, [f"bots.0.title={title}"]).bots[0].title == title
    for one, other in (("Cop", "\u0421\u043e\u0440"), ("Bot 10", "Bot l0"), ("Gro\u00df", "GROSS")):
        with pytest.raises(BadConfig, match=r"the title .* of miner would be taken for smithy"):
            parse(FILE, [f"bots.0.title={one}", f"bots.1.title={other}"])


def test_a_missing_key_and_what_is_not_toml_are_told(tmp_path):
    """With the file's name."""
    path = tmp_path / "cup.toml"
    with pytest.raises(BadConfig, match=r"cup.toml cannot be read"):
        read(path)
    path.write_text('game = "skat"')
    with pytest.raises(BadConfig, match=r"cup.toml: the key bots is missing"):
        read(path)
    path.write_text("game = ")
    with pytest.raises(BadConfig, match=r"cup.toml is not TOML: .*line 1|cup.toml is not TOML"):
        read(path)
    path.write_text(FILE)
    assert read(path) == parse(FILE)


def test_memory_is_read_in_bytes():
    """Powers of two, as the machine counts."""
    assert (memory_bytes("512M"), memory_bytes("2G"), memory_bytes("1K")) == (2**29, 2**31, 2**10)


def entered(count, **settings):
    """Enter some bots."""
    changes = [f"{key}={value}" for key, value in settings.items()]
    bots = "".join(f'[[bots]]\nname = "b{number}"\nbuiltin = "random"\n' for number in range(count))
    return parse('game = "hearts"\n' + bots, changes)


def test_many_bots_play_balanced_and_few_everybody_against_everybody():
    """Thirty bots have 27,405 tables of four."""
    key = Key.from_seed("x")
    assert isinstance(schedule_for(entered(8), Hearts, key), RoundRobin)
    assert isinstance(schedule_for(entered(9), Hearts, key), Balanced)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_can_be_asked_for(name):
    """By the name that the file uses."""
    assert type(schedule_for(entered(9, format=name), Hearts, Key.from_seed("x"))) is FORMATS[name]


def test_a_table_that_the_game_does_not_have_is_refused():
    """With those that it has."""
    with pytest.raises(ScheduleError, match="hearts is played by 4, not by 3"):
        schedule_for(entered(4, seats=3), Hearts, Key.from_seed("x"))


def test_partners_differ_where_bots_are_enough_and_the_format_allows():
    """Two bots play as partners of themselves; so do all where one alone must win."""
    key = Key.from_seed("x")
    assert schedule_for(entered(4), Jass, key).table == Layout(4, Jass.PARTNERS)
    assert schedule_for(entered(2), Jass, key).table.size == 2
    assert schedule_for(entered(4, teams="copies"), Jass, key).table.size == 2
    assert schedule_for(entered(4, format="knockout"), Jass, key).table.size == 2
    assert schedule_for(entered(5, seatings="all"), Hearts, key).table.every


def test_batches_are_no_longer_than_asked_nor_than_a_look():
    """Where it is looked whether anything is left to find out, a long batch would make looks rare."""
    key = Key.from_seed("x")
    asked: list[dict[str, int]] = [{}, {"batch": 7}, {"batch": 500}]
    assert [schedule_for(entered(4, **each), Hearts, key).most for each in asked] == [600, 7, 500]
    looking = [entered(4, until_sure="true", **each) for each in asked]
    assert [schedule_for(each, Hearts, key).most for each in looking] == [25, 7, 25]
