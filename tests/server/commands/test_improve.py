"""Whether a new version is better: the command, its verdict and its status."""

from __future__ import annotations

import json
import shlex
from math import inf

import pytest
from click.testing import CliRunner
from command_line import croupier
from contests import bot

from croupier.server.cli import cli
from croupier.server.commands.improve import improve
from croupier.server.deals import Key
from croupier.server.games.game import Game
from croupier.server.table.faults import Fault, Kind, PlayerFault
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.formats import Paired
from croupier.server.tournaments.formats.schedule import Layout, NoResults
from croupier.server.tournaments.statistics.improvement import Question, judge
from croupier.server.tournaments.statistics.stopping import Bounds
from croupier.server.tournaments.statistics.strength import advantage, ahead


class Low(Game):
    """A game for two whose lowest score wins."""

    NAME, LOW_WINS, PENALTY, AWARD = "low", True, 99, 0


def played(gain, sets=400, new="new"):
    """Play sets in which the new version's score is lower by some gain, give or take a little."""
    games = []
    for deal in range(sets):
        for place, seating in enumerate((("old", new), (new, "old"))):
            luck = (deal * 7 + place * 3) % 11 - 5
            scores = {"old": 20 + luck, new: 20 - luck - gain}
            games.append(PlayedGame(("old", new), deal, seating, tuple(scores[name] for name in seating), (1, 1)))
    return games


@pytest.mark.parametrize(
    ("gain", "asked", "word", "passed"),
    [
        (5, {}, "better", True),
        (-5, {}, "worse", False),
        (0, {"margin": 3}, "same", False),
        (0, {}, "undecided", False),
        (4, {"bounds": Bounds(0, 4)}, "better", True),
        (0, {"bounds": Bounds(0, 4)}, "same", False),
        (0, {"bounds": Bounds(-4, 0)}, "same", True),
        (-4, {"bounds": Bounds(-4, 0)}, "worse", False),
    ],
)
def test_the_verdict_is_one_word(gain, asked, word, passed):
    """More is better in it, though low scores win."""
    found = judge(played(gain), Low, Question("old", "new", **asked))
    assert (found.word, found.passed) == (word, passed)
    assert found.difference == pytest.approx(gain, abs=3)
    if "bounds" not in asked:
        assert found.low < gain < found.high
    known = ["verdict", "difference", "low", "high", "sets"]
    assert list(found.document()) == known + ["llr", "llr_bounds", "skewness"] * ("bounds" in asked)
    if "bounds" in asked:
        low, high = found.document()["llr_bounds"]
        assert not low < found.document()["llr"] < high
        assert "decided at -2.94 or +2.94" in found.ratio


@pytest.mark.parametrize(
    ("won", "bounds", "word"), [(6, (0, 40), "better"), (5, (0, 40), "same"), (4, (-40, 0), "worse")]
)
def test_bounds_may_be_of_strength(won, bounds, word):
    """What counts is who was ranked above, in how many of ten games: by how much does not matter."""
    ranks = {True: (2, 1), False: (1, 2)}
    games = [
        PlayedGame(("old", "new"), deal, ("old", "new"), (0, 99 * (deal % 7)), ranks[deal * 7 % 10 < won])
        for deal in range(1, 2000)
    ]
    found = judge(games, Low, Question("old", "new", bounds=Bounds(*bounds), unit="strength"))
    assert found.word == word
    assert found.difference == pytest.approx({6: 70, 5: 0, 4: -70}[won], abs=25)
    assert found.low < found.difference < found.high
    level = judge(games[:20], Low, Question("old", "new", bounds=Bounds(*bounds), unit="strength"))
    assert level.word == "undecided"


def test_a_game_that_a_third_has_spoilt_takes_its_counterpart_along_and_no_other():
    """Both play in the same seats of the same deals, so games are compared one by one; a fault of its own counts."""

    def beside(third, spoilt, own=()):
        games = []
        for deal in range(40):
            for name in ("old", "new"):
                for turn, seating in enumerate(((name, "x"), ("x", name))):
                    at = seating.index(name)
                    guilty = [1 - at] * ((deal, turn, name) in spoilt) + [at] * ((deal, turn, name) in own)
                    score = 99 if at in guilty else third if guilty else 20 - (deal * 7 + turn * 3) % 5
                    scores = (score, 40 - score) if at == 0 else (40 - score, score)
                    marks = tuple(PlayerFault(seat, Fault(Kind.CRASHED, "it did")) for seat in guilty)
                    games.append(PlayedGame(tuple(sorted(seating)), deal, seating, scores, (1, 1), marks))
        return judge(games, Low, Question("old", "new"))

    spoilt = {(deal, deal % 2, "old") for deal in range(0, 40, 2)} | {(5, turn, "new") for turn in (0, 1)}
    found = beside(-50, spoilt)
    assert found == beside(77, spoilt)
    assert (found.sets, found.difference) == (39, 0)
    assert beside(0, (), own={(7, 0, "new")}).difference < 0


def test_strength_and_shares_of_games_are_two_ways_to_say_the_same():
    """400 points are odds of ten to one; who has won everything is farther ahead than any number says."""
    assert advantage(400) == pytest.approx(10 / 11 - 0.5)
    assert ahead(advantage(123)) == pytest.approx(123)
    assert (ahead(0.5), ahead(-0.5)) == (inf, -inf)


def test_nothing_played_is_undecided_and_few_sets_are():
    """No wrong word at the beginning."""
    assert judge([], Low, Question("old", "new")).word == "undecided"
    assert judge(played(5, 8), Low, Question("old", "new", bounds=Bounds(0, 4))).word == "undecided"


@pytest.mark.parametrize(("field", "seats"), [(["x"], 2), (["x"], 4), (["x", "y", "z"], 4), (["x", "y", "z"], 3)])
def test_both_play_the_same_deals_in_the_same_seats_with_the_same_others(field, seats):
    """What the one is asked the other is."""
    schedule = Paired(["old", "new", *field], Layout(seats), 25, Key.from_seed("paired"))
    batches = [batch for batches in schedule.rounds(NoResults()) for batch in batches]
    games = {
        name: sorted(
            (tuple("me" if other == name else other for other in seating), deal)
            for batch in batches
            for seating, deal in batch.games()
            if name in seating
        )
        for name in ("old", "new")
    }
    assert games["old"] == games["new"]
    assert {deal for _, deal in games["new"]} == set(range(1, 26))
    assert not any({"old", "new"} <= set(batch.pairing) for batch in batches)


def test_without_others_they_meet_each_other():
    """Alone against copies; at a table of two once both ways round."""
    four = Paired(["old", "new"], Layout(4), 5, Key.from_seed("paired")).pairings()
    assert sorted(sorted(table) for table in four) == [["new", "new", "new", "old"], ["new", "old", "old", "old"]]
    assert len(list(Paired(["old", "new"], Layout(2), 5, Key.from_seed("paired")).pairings())) == 1


def called(*words):
    """Call the command in this process; return its status and what it printed."""
    done = CliRunner().invoke(improve, [str(word) for word in words], standalone_mode=False)
    return done.return_value, done.stdout


def test_a_real_new_version_is_judged_and_its_games_are_kept(tmp_path):
    """The player with the fewest points at Hearts is better; the folder is a tournament's."""
    one, two, other = (
        shlex.join(bot(name, how)["command"]) for name, how in zip("abc", ("first", "last", "mixed"), strict=True)
    )
    status, text = called(
        f"old={one}", f"new={two}", "--against", f"else={other}", "--game", "hearts", "-o", "pass=none",
        "--deals", 2, "--workers", 1, "--seed", "s", "--json", "--out", tmp_path / "cup",
    )  # fmt: skip
    verdict = json.loads(text)
    assert (verdict["verdict"], status) == ("undecided", 1)
    assert verdict["sets"] == 2
    assert (tmp_path / "cup" / "tournament.db").exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--sprt", "2", "0"), "A is to be the lower"),
        (("--sprt", "0", "2", "--margin", "1"), "name one of them"),
        (("--sprt-in", "strength"), "there is no sprt"),
        (("--sprt", "0", "9", "--sprt-in", "strength", "--against", "duck"), "only without others"),
        (("--against", "human"), "people do not play"),
        (("--against", "smithy"), "does not play hearts"),
    ],
)
def test_a_wrong_call_is_told_in_one_sentence(words, why):
    """And nothing is played."""
    done = CliRunner().invoke(cli, ["improve", "duck", "random", "--game", "hearts", *words])
    assert done.exit_code == 2
    assert why in done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize("command", ["improve", "tournament"])
def test_the_network_is_granted_by_name(tmp_path, command):
    """The table shows the grant; another name is refused, and so is one beside a file, which has its own key."""
    words = [command, "hearts", "duck", "random", "--deals", 1, "--workers", 1, "--out", "cup"]
    words += ["--format", "paired"] if command == "tournament" else []
    croupier(*words, "--network", "random", cwd=tmp_path, code=int(command == "improve"))
    assert json.loads(croupier("standings", "cup", "--json", cwd=tmp_path)[0])["network"] == ["random"]
    _, errors = croupier(*words, "--network", "nobody", cwd=tmp_path, code=2)
    assert "--network nobody: nobody here is called so; they are duck, random" in errors
    if command == "tournament":
        _, errors = croupier(command, "cup.toml", "--network", "duck", cwd=tmp_path, code=2)
        assert "network = true in the bot's own table" in errors
