"""The forger's list: a change of a finished folder, with all possible hashes recomputed, is found and named."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from dataclasses import replace

import forger
import pytest
from click.testing import CliRunner
from contests import FOUR, Here, bot, contest, pretend, settings

from croupier.server.cli import cli
from croupier.server.table.faults import Kind
from croupier.server.tournaments.keeping.store import Store
from croupier.server.tournaments.playing import batch
from croupier.server.tournaments.playing.withdrawals import Withdrawals
from croupier.server.tournaments.proof.audit import MOST_MISSING, Published
from croupier.server.tournaments.proof.bond import Bond
from croupier.server.tournaments.proof.verify import verify
from croupier.server.tournaments.report.standing import standing


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """Play eleven sets in two batches; return the folder, its commitment and its last link."""
    folder = tmp_path_factory.mktemp("honest") / "cup"
    contest(folder, settings(deals=11, public="17 23 42", max_fault_share=1))
    with closing(Store(folder, new=False)) as store:
        return folder, Bond.of(store).commitment, store.last_link()


@pytest.fixture
def cup(honest, tmp_path):
    """Copy it for a forger."""
    return shutil.copytree(honest[0], tmp_path / "cup")


def found(folder, published=Published()):  # noqa: B008  a value
    """List what is wrong with a folder."""
    with closing(Store(folder, new=False)) as store:
        return [str(problem) for problem in verify(store, published).problems]


def without_a_game(cup):
    """Drop the last game of the second batch."""
    forger.write(cup, "".join(forger.games(cup, 2)[:-1]), 2)
    forger.change(cup, "DELETE FROM games WHERE batch = 2 AND place = 3")


def test_standings_call_nothing_finished_of_which_a_game_is_gone(cup):
    """They look no further than that, as `verify` does; nor what was never ended."""
    assert over(cup)
    forger.change(cup, "DELETE FROM games WHERE batch = 2 AND place = 3")
    assert not over(cup)


def test_standings_call_nothing_finished_whose_chain_has_no_end(cup):
    """Only the store says so: somebody has cut off what came last."""
    forger.relink(cup, lambda document: None if "end" in document else document)
    assert not over(cup)


def over(folder):
    """Return whether the standings call it finished."""
    with closing(Store(folder, new=False)) as store:
        return standing(store).finished


def without_a_batch(cup):
    """Drop a whole file of records."""
    ((file,),) = forger.change(cup, "SELECT file FROM batches WHERE number = 1")
    forger.change(cup, "DELETE FROM games WHERE batch = 1")
    forger.change(cup, "DELETE FROM batches WHERE number = 1")
    (cup / "records" / file).unlink()
    forger.relink(cup, lambda document: None if document.get("batch") == file else document)


def doubled(cup):
    """Add a good game again, as one of another pairing."""
    forger.write(cup, forger.text(cup, 2) + forger.games(cup, 2)[0], 2)
    columns = "deal, seating, 2, 4, scores, ranks, faults, assisted, whys, times, outcome, decisions, seconds"
    ((pairing,),) = forger.change(cup, "SELECT DISTINCT pairing FROM games")
    other = " ".join(reversed(pairing.split()))
    forger.change(cup, f"INSERT INTO games SELECT ?, {columns} FROM games WHERE batch = 2 AND place = 0", other)


def declared_void(cup):
    """Let a lost game count for nobody."""
    first, *rest = forger.games(cup, 2)
    lines = [line for line in first.splitlines() if not line.startswith("(score")]
    void = "\n".join(lines).replace("(end finished)", "(end void)") + "\n"
    forger.write(cup, void + "".join(rest), 2)
    forger.change(cup, "UPDATE games SET outcome='void', scores='[]', ranks='[]' WHERE batch = 2 AND place = 0")


def interrupted(cup):
    """Cut a game off before its end, with the scores that it had then."""
    first, *rest = forger.games(cup, 2)
    lines = first.splitlines()
    cut = [line for line in lines if line.startswith("(play")][5]
    short = "\n".join(lines[: lines.index(cut)]) + "\n(end interrupted)\n"
    forger.write(cup, short + "".join(rest), 2)
    forger.change(cup, "UPDATE games SET outcome='interrupted', scores='[0,0,0,0]' WHERE batch = 2 AND place = 0")


def exchanged(cup):
    """Let ann have played what ben has played, everywhere but in the manifest."""
    swap = {"ann": "ben", "ben": "ann"}
    for number in (1, 2):
        content = forger.text(cup, number)
        forger.write(cup, content.replace("ann", "?").replace("ben", "ann").replace("?", "ben"), number)
    for pairing, deal, seating in forger.change(cup, "SELECT pairing, deal, seating FROM games"):
        new = [" ".join(swap.get(name, name) for name in names.split()) for names in (pairing, seating)]
        forger.change(
            cup, "UPDATE games SET pairing = '-' || ?, seating = '-' || ? WHERE (pairing, deal, seating) = (?, ?, ?)",
            *new, pairing, deal, seating,
        )  # fmt: skip
    forger.change(cup, "UPDATE games SET pairing = substr(pairing, 2), seating = substr(seating, 2)")


def half_played(cup):
    """Keep of a set the seatings that please."""
    forger.write(cup, "".join(forger.games(cup, 2)[:2]), 2)
    forger.change(cup, "DELETE FROM games WHERE batch = 2 AND place > 1")


def fewer_deals_in_the_store(cup):
    """Lower the number of deals in the settings that the store keeps."""
    ((run,),) = forger.change(cup, "SELECT value FROM facts WHERE name = 'run'")
    forger.change(cup, "UPDATE facts SET value = ? WHERE name = 'run'", json.dumps(json.loads(run) | {"deals": 10}))


def another_bond(cup):
    """Bind some records to a forged manifest."""
    bond = json.loads((cup / "manifest.json").read_text())["key"]
    with closing(Store(cup, new=False)) as store:
        commitment = Bond.of(store).commitment
    forger.write(cup, forger.text(cup, 2).replace(f"(manifest {commitment})", f"(manifest {bond})"), 2)


def sql(statement):
    """Make a forger who needs only this."""
    return lambda cup: forger.change(cup, statement)


def end_taken_away(cup):
    """Take the revealed key out of the store, the chain and the folder."""
    forger.change(cup, "DELETE FROM facts WHERE name = 'revealed'")
    forger.change(cup, "UPDATE facts SET value = 'false' WHERE name = 'finished'")
    (cup / "key").unlink()
    forger.relink(cup, lambda document: None if "end" in document else document)


def nothing(cup):
    """Be honest."""


FORGERIES = [
    (without_a_game, "1 game of deal 11 of", "these were planned and are missing"),
    (without_a_batch, "40 games of deals 1 to 10 of", "these were planned and are missing"),
    (doubled, "1 game of deal 11 of", "the schedule has no such games"),
    (declared_void, "game 1, deal 11", "the game was declared void: by the rules it is not"),
    (interrupted, "game 1, deal 11", "the game was cut off"),
    (exchanged, "games of deals 1 to 11 of", "the schedule has no such games"),
    (half_played, "2 games of deal 11 of", "these were planned and are missing"),
    (fewer_deals_in_the_store, "tournament.db: deals", "the store has 10, the manifest 11"),
    (another_bond, "game 1, deal 11", "the record is bound to another manifest"),
    (sql("UPDATE versions SET retired = 1 WHERE name = 'ann'"), "retired", "the store has ['ann'], the manifest []"),
    (sql("UPDATE versions SET sha256 = 'x' WHERE name = 'ann'"), "ann", "no manifest has entered this program"),
    (sql("UPDATE facts SET value = 'false' WHERE name = 'finished'"), "finished", "the chain the contrary"),
    (
        sql("DELETE FROM facts WHERE name = 'revealed'"),
        "revealed",
        "the key was revealed, and has been taken out again",
    ),
    (end_taken_away, "revealed", "all that was planned is played, and the key is not revealed"),
]


@pytest.mark.parametrize(("forge", "where", "why"), FORGERIES)
def test_a_forgery_is_named_though_all_is_hashed_again(cup, forge, where, why):
    """Nothing that was published is needed for these: the manifest, the key and the rules know better."""
    forge(cup)
    forger.relink(cup)
    assert any(where in problem and why in problem for problem in found(cup)), found(cup)


@pytest.mark.parametrize("forge", [*(forge for forge, _, _ in FORGERIES), nothing])
def test_who_has_the_published_link_needs_nothing_else(honest, cup, forge):
    """What was bound by it has been changed, whatever it is; who has changed nothing is believed."""
    forge(cup)
    if forge is not nothing:
        forger.relink(cup)
    _, commitment, link = honest
    problems = found(cup, Published(commitment, "17 23 42", (link,)))
    assert bool(problems) == (forge is not nothing)


def test_a_plan_made_smaller_afterwards_is_found_by_the_published_commitment_alone(honest, cup):
    """A manifest of ten sets, all else in accordance: without what was published nobody could tell."""
    ((file,),) = forger.change(cup, "SELECT file FROM batches WHERE number = 2")
    forger.change(cup, "DELETE FROM games WHERE batch = 2")
    forger.change(cup, "DELETE FROM batches WHERE number = 2")
    (cup / "records" / file).unlink()
    fewer_deals_in_the_store(cup)

    def smaller(document):
        return None if document.get("batch") == file else document | ({"deals": 10} if "manifest" in document else {})

    forger.relink(cup, smaller)
    _, commitment, link = honest
    assert found(cup) == []
    assert "not the published" in str(found(cup, Published(commitment)))
    assert "there is no link" in str(found(cup, Published(links=(link,))))
    assert "the public text is '17 23 42', not the published '1'" in str(found(cup, Published(public="1")))


def test_a_withdrawal_that_no_faults_have_earned_is_named(tmp_path):
    """A bot's games were given to stand-ins, as if it had been withdrawn."""
    why = next(iter(withdrawn(10).values()))
    contest(tmp_path, settings(deals=1), Here(lambda job, _: batch.play(replace(job, absent={"ann": why}))))
    problems = found(tmp_path)
    assert len(problems) == 4
    assert all("ann is said to have been withdrawn before it had committed faults enough" in each for each in problems)


def test_a_withdrawal_that_was_earned_is_believed(tmp_path):
    """More than half of ten games."""
    two = [bot("ann", "first", 1), bot("ben", "last")]
    contest(tmp_path, settings(two, game="dominion", options={"turns": 1}, deals=11))
    with closing(Store(tmp_path, new=False)) as store:
        assert any(fault.fault.kind is Kind.WITHDRAWN for stored in store.games() for fault in stored.game.faults)
    assert found(tmp_path) == []


def withdrawn(games):
    """Withdraw ann for faults in ``games`` games."""
    gone = Withdrawals(0.5)
    for _ in range(games):
        gone.note(["ann"], [0])
    return gone.absent(["ann"])


def test_a_plan_that_nobody_can_play_to_its_end_is_named_in_moments(cup):
    """A million sets in a crafted manifest: the first that are missing, and that there are more."""
    ((run,),) = forger.change(cup, "SELECT value FROM facts WHERE name = 'run'")
    forger.change(cup, "UPDATE facts SET value = ? WHERE name = 'run'", json.dumps(json.loads(run) | {"deals": 10**6}))
    forger.relink(cup, lambda document: document | ({"deals": 10**6} if "manifest" in document else {}))
    problems = found(cup)
    assert len(problems) == MOST_MISSING + 1
    assert problems[-1] == "tournament.db: and much more of the same"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games SET times = '[[[1,13]],[[1,13]],[[1,13]],[[1,13]]]' WHERE batch = 1 AND place = 0",
        "UPDATE games SET seconds = 5 WHERE batch = 1 AND place = 0",
        "UPDATE chain SET text = replace(text, '\"played\"', '\"player\"') WHERE number = 2",
        "UPDATE chain SET number = number + 5 WHERE number = 2",
        "DELETE FROM chain WHERE number = 2",
        "UPDATE batches SET number = 13 - number",
    ],
)
def test_who_hashes_nothing_again_is_found_by_the_chain(cup, statement):
    """Thinking times too, and batches exchanged or taken out."""
    forger.change(cup, statement)
    assert any("chain" in problem or "was changed" in problem for problem in found(cup))


def test_a_manifest_that_people_read_is_the_one_that_binds(cup):
    """Its file may neither be changed nor missing."""
    path = cup / "manifest.json"
    path.write_text(path.read_text().replace('"deals": 11', '"deals": 10'))
    assert found(cup) == ["manifest.json: it was changed: it is not what the tournament is bound to"]
    path.unlink()
    assert found(cup) == ["manifest.json: it cannot be read: No such file or directory"]


def test_the_command_prints_what_can_be_published_and_compares(honest, cup):
    """Commitment, public text and last link; a published one that is another is named, with status 1."""
    _, commitment, link = honest

    def run(*words):
        return CliRunner().invoke(cli, ["verify", str(cup), *words], standalone_mode=False)

    said = run("--commitment", commitment.upper(), "--public", "17 23 42", "--link", link)
    assert said.return_value == 0
    assert said.stdout.splitlines()[:3] == [f"commitment: {commitment}", "public text: 17 23 42", f"audit hash: {link}"]
    assert run("--commitment", "0" * 64).return_value == 1
    document = json.loads(run("--json").stdout)
    assert (document["commitment"], document["link"], document["amendments"]) == (commitment, link, [])


def test_what_is_changed_after_the_commitment_is_told_in_table_document_and_page(tmp_path):
    """Deals lowered, an early end switched on, a bot that came when the key was known."""
    contest(tmp_path, settings(deals=4), Here(pretend()))
    contest(tmp_path, settings([*FOUR, bot("eve")], deals=2, until_sure=True), Here(pretend()))
    told = [
        "after 16 games: eve came in, after the key was revealed",
        "after 16 games: deals was lowered from 4 to 2, after the key was revealed",
        "after 16 games: until_sure was switched on, after the key was revealed",
    ]
    runner = CliRunner()
    shown = runner.invoke(cli, ["standings", str(tmp_path)]).stdout
    assert all(line in shown for line in told)
    (amendment,) = json.loads(runner.invoke(cli, ["standings", str(tmp_path), "--json"]).stdout)["amendments"]
    assert {f"after {amendment['games']} games: {change}" for change in amendment["changes"]} == set(told)
    runner.invoke(cli, ["report", str(tmp_path)])
    assert all(line in (tmp_path / "report.html").read_text() for line in told)
