"""The totals of ``croupier play``: wins, means, and games that count for nobody."""

from __future__ import annotations

import json

from command_line import croupier

from croupier.server import entries, games
from croupier.server.commands.play_totals import Totals
from croupier.server.table.faults import Outcome
from croupier.server.table.played_game import PlayedGame

FOUR = ["a=random", "b=random", "c=random", "d=random"]


def totals(capsys, rules, results):
    """Print the totals of games that were played so; return each player's cells."""
    found = Totals(games.find(rules), [entries.read(bot) for bot in FOUR])
    names = tuple("abcd")
    counts = {True: Outcome.FINISHED, False: Outcome.VOID}
    found.results = [
        (PlayedGame((), deal, names, *result, outcome=counts[bool(result[0])], burnt=(0.0,) * 4), None)
        for deal, result in enumerate(results, 1)
    ]
    found.print()
    lines = [line.replace("│", " ").split() for line in capsys.readouterr().out.splitlines()]
    return {line[0]: line[1:] for line in lines if line and line[0] in names}


def test_partners_who_win_together_share_with_nobody(capsys):
    """As in a tournament: a win is a game in which nobody was ranked above; it is shared with opponents only."""
    found = totals(capsys, "jass", [((100, 57, 100, 57), (1, 3, 1, 3)), ((78, 78, 78, 78), (1, 1, 1, 1))])
    assert [found[name][:2] for name in "abcd"] == [["2", "1"], ["1", "1"], ["2", "1"], ["1", "1"]]


def test_games_that_count_for_nobody_are_not_in_the_mean(capsys):
    """Two games of twelve points each and one void one: the mean is twelve."""
    found = totals(capsys, "hearts", [((12, 14, 0, 0), (3, 4, 1, 1))] * 2 + [((), ())])
    assert found["a"][2:4] == ["24", "12.00"]
    assert totals(capsys, "hearts", [((), ())])["a"][2] == "0"


def test_why_a_game_counts_for_nobody_is_said(tmp_path):
    """In the terminal, the JSON and the record, which replays all the same."""
    words = ["play", "recycle:agram", *FOUR, "-o", "max-choices=4", "--record", tmp_path]
    _, said = croupier(*words)
    assert "deal 1 counts for nobody: more than 4 choices" in said
    game = json.loads(croupier(*words, "--json")[0])["games"][0]
    assert (game["outcome"], game["void"], game["scores"]) == ("void", "more than 4 choices", None)
    assert "(end void)  ; more than 4 choices" in (tmp_path / "deal-1.record").read_text()
    assert json.loads(croupier("replay", tmp_path / "deal-1.record", "--json")[0])["valid"]
