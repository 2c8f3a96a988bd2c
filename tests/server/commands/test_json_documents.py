"""The JSON of every command: each has its version, and only the fields that the manual describes."""

import json
import shlex
import shutil
from pathlib import Path

import pytest
from command_line import croupier
from contests import FOUR, bot, contest, settings
from msgspec import Struct, convert

from croupier.protocol.cards import PACK_32
from croupier.server.cli import COMMANDS
from croupier.server.commands import SCHEMA, judgement_documents, season_documents, tournament_documents
from croupier.server.commands import json_documents as kinds
from croupier.server.commands.json_documents import Document
from croupier.server.tournaments.keeping.store import open_for_reading
from croupier.server.tournaments.report.findings import gather

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "reference" / "json-output.md").read_text("utf-8")
GOLDEN = ROOT / "tests" / "golden"
QUICK = shlex.quote(shlex.join(FOUR[0]["command"]))
TABLE = (
    f"{shlex.quote(str(ROOT))}/examples/results/duplicate.csv --deal board --seat seat --player player --score points"
)
SEASON = "deals = 1\n[[games]]\ngame = 'skat'\n" + "".join(
    f"[[games.bots]]\nname = '{name}'\nbuiltin = 'random'\n" for name in ("one", "two", "three")
)
CALLS = [
    (kinds.Games, "games"),
    (kinds.OneGame, "games hearts"),
    (kinds.OneProgram, "games kuhn-poker"),
    (kinds.Bots, "bots"),
    (kinds.Bots, "bots hearts"),
    (kinds.NewBot, "new-bot sedma mine"),
    (kinds.OneCheck, f"check sedma {QUICK}"),
    (kinds.Checks, f"check sedma {QUICK} random"),
    (kinds.Play, "play hearts duck random random random --record games"),
    (kinds.Play, "play hearts duck random random random --deals-of cup"),
    (kinds.Bridges, "bridge"),
    (tournament_documents.Commitment, "tournament sedma random random random random --out new --commit"),
    (tournament_documents.Standings, "tournament sedma random random random random --out new --deals 2"),
    (tournament_documents.Standings, "standings cup"),
    (tournament_documents.Neighbors, "standings cup --neighbors"),
    (tournament_documents.Report, "report cup"),
    (tournament_documents.Report, "report cup --all"),
    (tournament_documents.Verify, "verify cup"),
    (tournament_documents.Improve, "improve sedma random random --deals 2"),
    (tournament_documents.Improve, "improve sedma random random --deals 2 --sprt 0 2"),
    (tournament_documents.Improve, "improve sedma random random --deals 2 --probe 1"),
    (season_documents.Season, "season autumn"),
    (judgement_documents.CountsVerdict, "verdict --counts 487 2530 359"),
    (judgement_documents.CountsVerdict, "verdict --counts 17 253 1042 337 39 --sprt 0 10"),
    (judgement_documents.ForeignVerdict, f"verdict {TABLE} --low-wins"),
    (judgement_documents.ForeignVerdict, f"verdict {TABLE} --low-wins --old low --new duck"),
    (judgement_documents.Reviews, "review sedma.record --playouts 5"),
    (judgement_documents.Reviews, "review sedma.record --playouts 5 --for a"),
    (kinds.Verdict, "replay hearts.record"),
    (kinds.Verdict, "replay broken.record"),
    (kinds.Verdicts, "replay hearts.record broken.record"),
    (kinds.Verdict, "replay batch.records.gz:3"),
    (kinds.Verdicts, "replay batch.records.gz"),
    (kinds.Verdicts, "replay --from xskat broken.record"),
    (kinds.Verdict, "replay sedma cards.txt"),
    (kinds.Imagine, "imagine state.txt --count 1"),
    (kinds.Find, "find cup"),
    (kinds.Find, "find hearts.record"),
    (kinds.Export, "export cup --to cup.csv"),
    (kinds.PuzzleCheck, "check duck --puzzles duck.puzzles"),
    (kinds.OneGameCheck, "check-game kuhn-poker"),
    (kinds.OneGameCheck, "check-game sedma -o rounds=one"),
    (kinds.GameChecks, "check-game kuhn-poker leduc-poker"),
    (kinds.OneAnalysis, "analyze kuhn-poker --deals 3 --thinking 1 --searching 1"),
    (kinds.TwoAnalyses, "analyze kuhn-poker leduc-poker --deals 2 --thinking 1 --searching 1"),
    (kinds.Pages, "docs"),
    (kinds.OnePage, "docs hearts"),
    (kinds.Doctor, "doctor"),
]
SERVED = {kinds.Address: "tests/server/web/test_watching.py"}
"""Documents of commands that serve until they are interrupted, and the test that reads each."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a tournament in which one bot faults now and then, and with records."""
    here = tmp_path_factory.mktemp("json")
    contest(here / "cup", settings([bot("sloppy", "mixed", 5), *FOUR[1:]], deals=3))
    shutil.copy(GOLDEN / "hearts.record", here)
    croupier("play", "sedma", "a=random", "random", "random", "random", "--record", here / "played")
    shutil.copy(here / "played" / "deal-1.record", here / "sedma.record")
    shutil.copy(next((here / "cup" / "records").iterdir()), here / "batch.records.gz")
    (here / "cards.txt").write_text(" ".join(PACK_32))
    croupier("find", here / "hearts.record", "--where", "rank=1", "--wrong", "--puzzles", here / "duck.puzzles")
    text = (GOLDEN / "hearts.record").read_text()
    (here / "broken.record").write_text(text.replace("(end finished)", "(end forfeit)"))
    sent, _ = croupier("replay", here / "hearts.record", "--sent", text.split("(players ")[1].split()[0], "#5")
    (here / "state.txt").write_text(sent.splitlines()[-1])
    (here / "autumn" / "submissions").mkdir(parents=True)
    (here / "autumn" / "submissions" / "ann.zip").write_text("junk")
    (here / "autumn" / "season.toml").write_text(SEASON)
    return here


def printed(call, folder):
    """Return the document of a call; two versions that are the same are not better, and a broken record is told."""
    words = [*shlex.split(call), "--json"]
    out, _ = croupier(*words, cwd=folder, code=int("broken" in call or "puzzles" in call or call.startswith("improve")))
    return json.loads(out)


@pytest.mark.parametrize(("kind", "call"), CALLS, ids=[call.replace(QUICK, "quick") for _, call in CALLS])
def test_a_document_has_the_fields_of_its_type(kind, call, folder):
    """All that are required, of these kinds, and none that the page does not describe."""
    document = printed(call, folder)
    assert next(iter(document)) == "schema"
    assert document["schema"] == SCHEMA
    convert(document, kind)


def test_every_command_and_every_document_is_among_the_calls():
    """A new command gets a type, and a type is the document of a command."""
    assert {call.split()[0] for _, call in CALLS} | {"watch"} == set(COMMANDS)
    modules = [vars(module).values() for module in (kinds, tournament_documents, season_documents, judgement_documents)]
    structs = {each for module in modules for each in module if isinstance(each, type) and issubclass(each, Struct)}
    documents = {each for each in structs if "schema" in each.__struct_fields__ and each is not Document}
    assert documents == {kind for kind, _ in CALLS} | SERVED.keys()
    for test in SERVED.values():
        assert "json_documents" in (ROOT / test).read_text()


def test_the_page_has_every_field():
    """Below its document; test_reference.py compares the page with the types."""
    for kind, _ in CALLS:
        called = kind.__doc__.partition("``:")[0].replace("``", "")
        section = PAGE.partition(f"\n## {called}\n")[2].partition("\n## ")[0]
        for field in set(kind.__struct_fields__) - {"schema"}:
            assert f"\n| `{field}` | " in section, (called, field)


def test_standings_have_what_the_report_shows(folder):
    """Means by seat, distribution, convergence, thinking times, and an example of each cause of a fault."""
    document = printed("standings cup", folder)
    with open_for_reading(folder / "cup") as store:
        findings = gather(store)
    for player, line in zip(findings.standings.players, document["players"], strict=True):
        assert [seat["mean"] for seat in line["seats"]] == pytest.approx([seat.mean for seat in player.seats], abs=1e-4)
        assert sum(seat["games"] for seat in line["seats"]) == line["games"]
        assert line["scores"] == {str(score): many for score, many in findings.scores[player.name].items()}
        assert [each["sets"] for each in line["convergence"]] == [each.sets for each in findings.curves[player.name]]
        assert sum(many for _, many in line["thinking"]) == sum(findings.times[player.name].values()) > 0
    examples = {line["name"]: line["examples"] for line in document["players"]}
    assert {name for name in examples if examples[name]} == {"sloppy"}
    assert all(each["asked"] and each["received"] and each["deals"] for each in examples["sloppy"])
