"""A tournament of ours as a table: its verdict has exactly the numbers of the standings."""

import csv
import json
from contextlib import closing
from zlib import crc32

import pytest
from command_line import croupier
from contests import FOUR, Here, contest, document, pretend, settings

from croupier.server.games import find
from croupier.server.tournaments.keeping.store import Store

SHARED = ("name", "rank", "games", "mean", "low", "high", "wins", "shared", "strength", "strength_low", "strength_high")


def games_of(folder):
    """Return the games of a tournament in the order of their deals."""
    with closing(Store(folder, new=False)) as store:
        return sorted((stored.game for stored in store.games()), key=lambda game: game.deal)


def write_long(path, games):
    """Write a row per player, with its side."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["deal", "game", "seat", "side", "player", "score"])
        for number, game in enumerate(games):
            for seat, (name, score) in enumerate(zip(game.seating, game.scores, strict=True)):
                writer.writerow([game.deal, number, seat, ("NS", "EW")[seat % 2], name, score])


def drawn_score(name, deal):
    """Return a score of Hearts that seems random."""
    return crc32(f"{name} {deal}".encode()) % 27


@pytest.mark.parametrize(
    ("game", "crew", "more"),
    [("sedma", Here(), ("--side", "side")), ("hearts", Here(pretend(drawn_score)), ("--low-wins",))],
)
def test_a_tournament_of_ours_gets_the_numbers_of_its_standings(game, crew, more, tmp_path):
    """Means, bounds, wins, strengths and differences, to the last printed digit, with partners and with low scores."""
    contest(tmp_path / "cup", settings(FOUR, game=game, options={}, deals=30), crew)
    games = games_of(tmp_path / "cup")
    penalty = find(game).PENALTY
    assert penalty in {score for each in games for score in each.scores}, "bounds depend on the worst score"
    write_long(tmp_path / "cup.csv", games)
    columns = ("--player", "player", "--score", "score", "--deal", "deal", "--game-id", "game", "--seat", "seat")
    found = json.loads(croupier("verdict", tmp_path / "cup.csv", *columns, *more, "--json")[0])
    expected = document(tmp_path / "cup")
    for mine, ours in zip(found["players"], expected["players"], strict=True):
        assert {key: mine[key] for key in SHARED} == {key: ours[key] for key in SHARED}
    assert found["differences"] == expected["differences"]
    assert (found["ranked_by"], found["games"]) == (expected["ranked_by"], expected["games"])
    assert all(player["low"] is not None for player in found["players"])
