"""`croupier.open`: a tournament as objects, the same that the commands print, and each shown by a notebook."""

import html
import json
import subprocess
import sys

import pytest
from command_line import croupier as call
from contests import FOUR, bot, contest, settings

import croupier
from croupier.server.viewer.page import unpack


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Play a tournament in which one bot faults now and then."""
    folder = tmp_path_factory.mktemp("opened") / "cup"
    contest(folder, settings([bot("sloppy", "mixed", 5, title="<b>Sloppy</b>"), *FOUR[1:]], deals=3))
    return folder


@pytest.fixture
def cup(folder):
    """Open the tournament."""
    return croupier.open(str(folder))


def test_standings_are_those_of_the_command(cup, folder):
    """Row by row, as far as the command's document has them."""
    document = json.loads(call("standings", folder, "--json")[0])
    assert len(cup.standings().rows()) == len(document["players"]) == 4
    for row, line in zip(cup.standings().rows(), document["players"], strict=True):
        assert row == {name: line[name] for name in row}
    assert [player.name for player in cup.standings().players] == [line["name"] for line in document["players"]]


def test_games_are_those_that_find_lists(cup, folder):
    """With conditions too; a number is the place among all games."""
    for conditions in ([], ["player=sloppy", "fault"], ["score>10"]):
        words = [word for each in conditions for word in ("--where", each)]
        found = json.loads(call("find", folder, *words, "--json")[0])["games"]
        games = [*cup.games(*conditions)]
        assert [game.place for game in games] == [game["record"] for game in found]
        assert [(game.scores, game.ranks, list(game.seating)) for game in games] == [
            (game["scores"], game["ranks"], game["seating"]) for game in found
        ]
        assert [game.faults for game in games] == [
            {fault["player"]: fault["kind"] for fault in game["faults"]} for game in found
        ]
        assert all(cup.record(game.number).place == game.place for game in games)


def test_a_record_has_its_text_and_plays(cup):
    """As the record's lines have them."""
    game = cup.record(2)
    assert game.text.startswith("(record 1)\n")
    assert len(game.plays()) == game.text.count("\n(play ")
    player, play = game.plays()[0]
    assert f"\n(play {player} ({' '.join(play)}))\n" in game.text


def test_a_notebook_shows_each_object(cup):
    """Tables with text escaped, and a game as a page of its own."""
    for shown in (cup, cup.standings(), cup.games()):
        assert shown._repr_html_().count("<table>") == 1
        assert "<b>" not in shown._repr_html_()
    assert "&lt;b&gt;Sloppy&lt;/b&gt;" in cup._repr_html_()
    frame = cup.record(3)._repr_html_()
    page = html.unescape(frame.partition('srcdoc="')[2].partition('" sandbox')[0])
    film = page.partition('<pre id="film" hidden>')[2].partition("</pre>")[0]
    title = unpack(film)["title"]
    assert all(name in title for name in cup.record(3).seating)
    assert repr(cup) == f"croupier.open({str(cup.folder)!r})"


def test_what_is_wrong_is_a_value_error(cup, tmp_path):
    """A folder that is no tournament, a condition that is none; a game that is not there is an IndexError."""
    with pytest.raises(ValueError, match="no such folder"):
        croupier.open(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="a condition is about one of"):
        cup.games("weather=fine")
    for number in (0, 13):
        with pytest.raises(IndexError, match=f"has no game {number}"):
            cup.record(number)


def test_a_bot_that_imports_croupier_loads_no_server():
    """The name is there, and what it needs is loaded when it is called."""
    program = "import croupier, sys; croupier.open; assert not [name for name in sys.modules if '.server' in name]"
    subprocess.run([sys.executable, "-c", program], check=True)
