"""`croupier play --deals-of`: the deals of a tournament that is over, and how one does beside who has played them."""

import json
import re
import shutil
from statistics import fmean

import pytest
from command_line import croupier
from contests import FOUR, contest, settings

from croupier.server import games
from croupier.server.commands.same_deals import the_same_deals
from croupier.server.entries import Entry
from croupier.server.records.files import read_records
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.keeping.store import Store

BOTS = ["duck", "random", "random", "random"]


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """Play a tournament to its end."""
    folder = tmp_path_factory.mktemp("same") / "cup"
    contest(folder, settings(FOUR, deals=4, seed=None))
    return folder


def shuffles(text):
    """Return a record's shuffles."""
    return re.findall(r"^\(shuffle .*", text, re.MULTILINE)


def records(folder):
    """List the texts of a tournament's records."""
    return [piece.text for path in (folder / "records").iterdir() for piece in read_records(path)]


def test_the_same_cards_are_dealt(cup, tmp_path):
    """Each deal is shuffled as it was there, with the options of there, from the deal that is named on."""
    croupier("play", "hearts", *BOTS, "--deals-of", f"{cup}:2", "--deals", 2, "--record", tmp_path)
    assert sorted(path.name for path in tmp_path.glob("*.record")) == ["deal-2.record", "deal-3.record"]
    for path in tmp_path.glob("*.record"):
        text = path.read_text()
        header = re.search(r"^\(game .*", text, re.MULTILINE)[0]
        deal = re.search(r"^\(deal .*", text, re.MULTILINE)[0]
        there = [other for other in records(cup) if deal in other]
        assert len(there) == 4
        assert all(shuffles(other) == shuffles(text) and header in other for other in there)
        assert "(key " in text
        croupier("replay", path)


def test_one_is_compared_on_the_same_deals_in_the_same_seat(cup, tmp_path):
    """The numbers are those that somebody would count by hand from both folders."""
    out, _ = croupier("play", "hearts", *BOTS, "--deals-of", cup, "--deals", 4, "--json")
    said = json.loads(out)
    mine = {game["deal"]: game["scores"]["duck"] for game in said["games"]}
    store = Store(cup, new=False)
    theirs = {(game.deal, game.seating[0]): game.scores[0] for game, _, _ in store.games()}
    store.close()
    rows = {row["beside"]: row for row in said["beside"]}
    assert list(rows) == ["all of them", "ann", "ben", "cat", "dan"]
    assert {row["player"] for row in rows.values()} == {"duck"}
    for name in ("ann", "ben", "cat", "dan"):
        differences = [mine[deal] - theirs[deal, name] for deal in mine]
        assert rows[name]["deals"] == 4
        assert rows[name]["difference"] == pytest.approx(fmean(differences))
    means = [fmean(theirs[deal, name] for name in ("ann", "ben", "cat", "dan")) for deal in mine]
    assert rows["all of them"]["theirs"] == pytest.approx(fmean(means))
    out, _ = croupier("play", "hearts", *BOTS, "--deals-of", cup, "--deals", 4)
    assert "Beside who has played these deals" in out


def test_a_person_is_who_is_compared(cup):
    """Where people sit, the table is about them; the luck that deals share leaves the difference."""
    same = the_same_deals(str(cup), games.find("hearts"), 4)
    seated = [Entry("ann", ())] * 4
    seated[2] = Entry("ada", (), human=True)
    there = {(deal, place): n for deal, rows in same.scores.items() for name, place, n in rows if name == "ben"}
    played = [
        PlayedGame((), deal, ("ann",) * 4, (0, 0, there[deal, 2] + 3, 0), (1, 1, 2, 1)) for deal in same.dealing.numbers
    ]
    rows = {row["beside"]: row for row in same.comparisons(seated, played)}
    assert {row["player"] for row in rows.values()} == {"ada"}
    assert rows["ben"]["difference"] == 3


def test_deals_that_may_yet_be_played_stay_hidden(cup, tmp_path):
    """As long as a tournament is not finished, or goes on with new deals, nobody learns its cards here."""
    folder = tmp_path / "cup"
    shutil.copytree(cup, folder)
    store = Store(folder)
    store.write_fact("finished", value=False)
    store.close()
    _, errors = croupier("play", "hearts", *BOTS, "--deals-of", folder, code=2)
    assert "is not finished" in errors
    store = Store(folder)
    store.write_fact("finished", value=True)
    store.append({"from": 5, "key": "00" * 32})
    store.close()
    _, errors = croupier("play", "hearts", *BOTS, "--deals-of", folder, code=2)
    assert "its key is not revealed" in errors


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["hearts", *BOTS, "--deals-of", "CUP:5"], "from deal 5 on 0 were played there; --deals 1 are too many"),
        (["hearts", *BOTS, "--deals-of", "CUP:0"], "the first deal, counted from 1"),
        (["hearts", *BOTS, "--deals-of", "CUP:x"], "the first deal, counted from 1"),
        (["hearts", *BOTS, "--deals-of", "CUP", "--deals", "9"], "--deals 9 are too many"),
        (["hearts", *BOTS, "--deals-of", "CUP", "--seed", "x"], "-o and --seed say otherwise"),
        (["hearts", *BOTS, "--deals-of", "CUP", "-o", "pass=none"], "-o and --seed say otherwise"),
        (["jass", *BOTS[1:], "random", "--deals-of", "CUP"], "plays hearts, another game"),
        (["hearts", *BOTS[1:], "--deals-of", "CUP"], "4 played there, not 3"),
        (["hearts", *BOTS, "--deals-of", "/nowhere"], "is no tournament's folder"),
    ],
)
def test_a_wrong_call_is_one_sentence(cup, words, why):
    """What to do instead stands in it."""
    _, errors = croupier("play", *[word.replace("CUP", str(cup)) for word in words], code=2)
    assert why in errors
    assert errors.count("\n") == 1
