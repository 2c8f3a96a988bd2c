"""Two readers of others, pandas and DuckDB, find in each form what the tournament has."""

import json
from importlib import import_module
from statistics import mean

import pytest
from command_line import croupier
from contests import FOUR, Here, bot, contest, pretend, settings
from needs import FRAMES

from croupier.server.exporting.files import GROUP

pytestmark = FRAMES
READ = {"parquet": "read_parquet", "csv": "read_csv", "jsonl": "read_json"}


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """Play a tournament in which one bot faults now and then."""
    folder = tmp_path_factory.mktemp("readers") / "cup"
    contest(folder, settings([bot("sloppy", "mixed", 5), *FOUR[1:]], deals=3))
    return folder


def exported(cup, table, form, folder):
    """Return the path of an exported table."""
    path = folder / f"{table}.{form}"
    croupier("export", cup, "--table", table, "--to", path)
    return path


def means(cup):
    """Return each bot's mean over all games, from `find`."""
    out, _ = croupier("find", cup, "--json")
    scores = [game["scores"] for game in json.loads(out)["games"]]
    return {name: mean(game[name] for game in scores) for name in scores[0]}


@pytest.mark.parametrize("form", READ)
def test_pandas_finds_the_means(cup, tmp_path, form):
    """A row per seat by `explode`, lists of CSV from JSON."""
    pandas = import_module("pandas")
    path = exported(cup, "games", form, tmp_path)
    games = {
        "parquet": pandas.read_parquet,
        "csv": lambda path: pandas.read_csv(path, converters={"seating": json.loads, "scores": json.loads}),
        "jsonl": lambda path: pandas.read_json(path, lines=True),
    }[form](path)
    seats = games.explode(["seating", "scores"])
    assert seats.groupby("seating")["scores"].mean().to_dict() == pytest.approx(means(cup))


@pytest.mark.parametrize("form", READ)
def test_duckdb_finds_the_means(cup, tmp_path, form):
    """The same by SQL, without a step between."""
    duckdb = import_module("duckdb")
    path = exported(cup, "games", form, tmp_path)
    of_list = ("seating", "scores") if form != "csv" else ("seating::VARCHAR[]", "scores::INTEGER[]")
    found = duckdb.sql(
        f"SELECT player, avg(score) FROM (SELECT unnest({of_list[0]}) AS player, unnest({of_list[1]}) AS score"
        f" FROM {READ[form]}('{path}')) GROUP BY player"
    ).fetchall()
    assert dict(found) == pytest.approx(means(cup))


@pytest.mark.parametrize("table", ["games", "decisions", "deals", "bots"])
def test_parquet_has_what_json_lines_have(cup, tmp_path, table):
    """Every value of every row, with JSON as text."""
    parquet = import_module("pyarrow.parquet")
    lines = exported(cup, table, "jsonl", tmp_path).read_text().splitlines()
    listed = parquet.read_table(exported(cup, table, "parquet", tmp_path)).to_pylist()
    for row, line in zip(listed, lines, strict=True):
        expected = json.loads(line)
        assert row.keys() == expected.keys()
        for name, value in expected.items():
            assert value == (json.loads(row[name]) if row[name] != value and isinstance(row[name], str) else row[name])


def test_parquet_is_written_group_by_group(tmp_path):
    """More rows than a group are several groups, each read alone."""
    parquet = import_module("pyarrow.parquet")
    contest(tmp_path / "cup", settings(deals=GROUP // 4 + 5), Here(pretend()))
    file = parquet.ParquetFile(exported(tmp_path / "cup", "games", "parquet", tmp_path))
    assert [file.metadata.row_group(at).num_rows for at in range(file.num_row_groups)] == [GROUP, 20]
