"""What an organizer could forge: each change that a chain does not allow is named, whatever was published of it."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from dataclasses import replace

import forger
import pytest
from click.testing import CliRunner
from contests import FOUR, Here, bot, contest, pretend, settings

from croupier.server import games
from croupier.server.cli import cli
from croupier.server.deals import Key
from croupier.server.tournaments.entering import founding
from croupier.server.tournaments.keeping.store import Store
from croupier.server.tournaments.playing import batch
from croupier.server.tournaments.playing.run import Run
from croupier.server.tournaments.proof.audit import Published
from croupier.server.tournaments.proof.verify import verify


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Play eleven sets in two batches; a bot writes to standard error, and notes are kept."""
    folder = tmp_path_factory.mktemp("played") / "cup"

    def play(job, stopped):
        kept = batch.play(job, stopped)
        for place, game in enumerate(kept):
            burnt = tuple(0.1 * (name == "ben") for name in game.seating)
            kept[place] = game._replace(burnt=burnt, errors=tuple("a word" * (name == "ann") for name in game.seating))
        return kept

    contest(folder, settings(deals=11, public="17 23 42", notes=True, max_fault_share=1), Here(play))
    return folder


@pytest.fixture
def cup(played, tmp_path):
    """Copy it for a forger."""
    return shutil.copytree(played, tmp_path / "cup")


def found(folder):
    """List what is wrong with a folder of which commitment, public text and last link were published as they are."""
    with closing(Store(folder, new=False)) as store:
        bound = store.chain_state().manifests
        published = Published(bound[0].sha256, bound[-1].document["public"], (store.last_link(),))
        return [str(problem) for problem in verify(store, published).problems]


def named(folder, *whys):
    """Return whether each of these is among the problems."""
    problems = found(folder)
    return all(any(why in problem for problem in problems) for why in whys) or problems


def amended(**facts):
    """Make a forger who puts these facts into an amendment behind the first batch."""
    return lambda cup: forger.amend(cup, lambda manifest: manifest | facts)


def run_facts(cup, **facts):
    """Change what the store says of the last run."""
    ((run,),) = forger.change(cup, "SELECT value FROM facts WHERE name = 'run'")
    forger.change(cup, "UPDATE facts SET value = ? WHERE name = 'run'", json.dumps(json.loads(run) | facts))


def test_what_was_played_is_in_order(played):
    """Nothing is named where nobody has forged."""
    assert found(played) == []


# the table of what an organizer could forge


def chosen_key(folder, first):
    """Commit to a tournament, then add a key of the forger's after the manifest and play by it."""
    asked = settings(seed=None, deals=3, public="17 23 42")
    run = Run(asked, games.find("hearts"), folder)
    run.commit()
    fresh = Key.fresh()
    (folder / f"key-{first}").write_text(f"{fresh.secret.hex()}\n")
    run.store.append({"key": fresh.commitment, "from": first})
    run.store.close()
    contest(folder, asked)


def test_a_key_that_follows_no_end_is_named(tmp_path):
    """With it the organizer would choose the deals after the lottery."""
    chosen_key(tmp_path / "cup", 2)
    assert (
        named(tmp_path / "cup", "a new key from deal 2 on, and the one before had not been revealed by an end") is True
    )


def test_games_scored_by_other_options_than_the_manifest_s_are_named(tmp_path):
    """Everything is played by other options, and its records are bound to the published manifest."""
    contest(tmp_path / "published", settings(deals=1))
    contest(tmp_path / "cup", settings(deals=1, options={"pass": "none", "break": "no"}))
    published = json.loads((tmp_path / "published" / "manifest.json").read_text())
    forger.relink(tmp_path / "cup", lambda document: published if "manifest" in document else document)
    assert named(tmp_path / "cup", "options: the store has {'break': 'no'") is True


def test_a_program_rewritten_afterwards_is_named(tmp_path):
    """The rules that lie in the folder are those that the manifest binds."""
    contest(tmp_path / "cup", settings(deals=1))
    forger.relink(
        tmp_path / "cup", lambda document: document | ({"program": "0" * 64} if "manifest" in document else {})
    )
    assert named(tmp_path / "cup", "program: the store has None, the manifest 0000") is True


def test_games_left_out_behind_an_amended_schedule_number_are_named(cup):
    """A number of another croupier's schedule in an amendment would leave its plan unchecked."""
    ((file,),) = forger.change(cup, "SELECT file FROM batches WHERE number = 2")
    amended(schedule=6)(cup)
    forger.change(cup, "DELETE FROM games WHERE batch = 2")
    forger.change(cup, "DELETE FROM batches WHERE number = 2")
    forger.relink(cup, lambda document: None if document.get("batch") == file else document)
    assert named(cup, "no amendment may change schedule, which was 7 and is 6") is True


def test_a_rival_withdrawn_from_the_first_game_is_named_under_any_amendment(tmp_path):
    """Every manifest in force is checked, the first and each that follows."""
    crew = Here(lambda job, _: batch.play(replace(job, absent={"ann": "a fault in more than 50% of its games"})))
    contest(tmp_path, settings(deals=1), crew)
    contest(tmp_path, settings(deals=2), crew)
    problems = [problem for problem in found(tmp_path) if "ann is said to have been withdrawn before" in problem]
    assert {problem.split(",")[0] for problem in problems} == {"tournament.db: deal 1", "tournament.db: deal 2"}


def swapped(manifest):
    """Enter another program as ann."""
    manifest["bots"][0]["sha256"] = "0" * 64
    return manifest


def test_a_program_swapped_under_its_name_is_named_and_shown(cup):
    """`verify` calls it wrong; standings, their JSON and the report show the amendment."""
    forger.change(cup, "UPDATE versions SET sha256 = ? WHERE name = 'ann'", "0" * 64)
    forger.amend(cup, swapped)
    assert named(cup, "the program of ann was changed under the same name") is True
    assert all("after 40 games: the program of ann was changed under the same name" in text for text in shown(cup))


def shown(folder):
    """Return what verify, standings, their JSON and the report tell of amendments, each as a person reads it."""
    runner = CliRunner()
    document = json.loads(runner.invoke(cli, ["standings", str(folder), "--json"]).stdout)
    runner.invoke(cli, ["report", str(folder)])
    return [
        runner.invoke(cli, ["verify", str(folder)]).stdout,
        runner.invoke(cli, ["standings", str(folder)]).stdout,
        "\n".join(
            f"after {each['games']} games: {change}" for each in document["amendments"] for change in each["changes"]
        ),
        (folder / "report.html").read_text(),
    ]


@pytest.mark.parametrize("text", ["lottery of 7 March: 17 23 42", "17  23 42", "017 23 42", "17 23 42 "])
def test_a_public_text_that_is_worded_to_taste_is_named(tmp_path, monkeypatch, text):
    """Its form is in the manifest, so that one draw has one text."""
    monkeypatch.setattr(founding, "fits", lambda form, text: True)
    contest(tmp_path, settings(deals=1, public=text), Here(pretend()))
    assert named(tmp_path, f"the public text {text!r} does not have the form") is True


def without_a_remark(cup):
    """Remove what a bot wrote to standard error."""
    next((cup / "stderr" / "ann").iterdir()).unlink()


def other_stderr_and_notes(cup):
    """Write other words to standard error."""
    next((cup / "stderr" / "ann").iterdir()).write_text("I give up\n")


def remark_of_another(cup):
    """Put words into the mouth of a bot that wrote nothing."""
    shutil.copytree(cup / "stderr" / "ann", cup / "stderr" / "ben")


def other_notes(cup):
    """Change how long decisions took."""
    next((cup / "notes").iterdir()).write_bytes(b"")


@pytest.mark.parametrize(
    ("forge", "why"),
    [
        (lambda cup: forger.change(cup, "UPDATE burnt SET seconds = 9"), "the CPU time while others were on turn"),
        (lambda cup: forger.change(cup, "DELETE FROM burnt"), "the CPU time while others were on turn"),
        (without_a_remark, "it was kept beside the records, and is missing"),
        (other_stderr_and_notes, "it was changed: its SHA-256 is not the one in the chain"),
        (remark_of_another, "it was put in: its batch has kept no such file"),
        (other_notes, "it was changed: its SHA-256 is not the one in the chain"),
        (lambda cup: forger.change(cup, "UPDATE facts SET value = '\"x\"' WHERE name = 'seed'"), "of the seed x"),
        (lambda cup: run_facts(cup, seed="x"), "is not that of the seed x"),
        (lambda cup: forger.change(cup, "DELETE FROM facts WHERE name = 'seed'"), "seeded: the store has False"),
    ],
)
def test_what_the_tables_show_is_bound_by_the_chain(cup, forge, why):
    """CPU time off turn, standard error, notes, the seed."""
    forge(cup)
    assert named(cup, why) is True


@pytest.mark.parametrize("fact", ["sandbox", "isolate"])
def test_how_a_batch_was_played_is_in_its_link(cup, fact):
    """Sandbox level and isolation are read from the chain, and a batch has to say them."""
    with closing(Store(cup, new=False)) as store:
        link = store.last_link()
    forger.relink(cup, lambda document: {name: value for name, value in document.items() if name != fact})
    assert named(cup, f"the batch does not say its {fact}") is True
    with closing(Store(cup, new=False)) as store:
        assert any("there is no link" in str(each) for each in verify(store, Published(links=(link,))).problems)


# their siblings


def retired(cup):
    """Take a rival out of the table, in the store and by an amendment."""
    forger.change(cup, "UPDATE versions SET retired = 1 WHERE name = 'ben'")
    amended(retired=["ben"])(cup)


def late(manifest):
    """Say that ann was never there before."""
    manifest["roster"][0] = ["ann", 1, True]
    return manifest


def granted(manifest):
    """Let ann use the network under its name."""
    manifest["bots"][0]["network"] = True
    return manifest


def smuggled(kind):
    """Put a key of the forger's into a link of another kind."""
    mine = {"from": 2, "key": Key.fresh().commitment}
    return lambda cup: forger.relink(
        cup, lambda document: mine | document if kind in document and document.get("played", 1) else document
    )


def ended_early(cup):
    """Call it over after the first batch, and go on behind an amendment as if more had been asked for."""
    ends = [json.loads(text) for (text,) in forger.change(cup, "SELECT text FROM chain") if '"end"' in text]
    seen = []

    def edit(document):
        seen.append(document)
        if "batch" in document and sum("batch" in each for each in seen) == 1:
            return [document, ends[0], seen[0] | {"max_fault_share": 0.5}]
        return document

    forger.relink(cup, edit)


def ended_twice(cup):
    """Write the end twice."""
    forger.relink(cup, lambda document: [document, document] if "end" in document else document)


def played_on(cup):
    """Put the last batch behind the end."""
    links = [json.loads(text) for (text,) in forger.change(cup, "SELECT text FROM chain ORDER BY number")]
    forger.relink(
        cup, lambda document: [document, links[2]] if "end" in document else None if document == links[2] else document
    )


def other_key_revealed(cup):
    """Reveal a key that nobody has committed to."""
    forger.relink(cup, lambda document: document | ({"key": "0" * 64} if "end" in document else {}))


def bound_to_what_was_amended(cup):
    """Bind the records of the second batch to the manifest that an amendment has replaced before it."""
    amended(deals=12)(cup)
    with closing(Store(cup, new=False)) as store:
        first, second = (link.sha256 for link in store.chain_state().manifests)
    forger.write(cup, forger.text(cup, 2).replace(second, first), 2)
    forger.relink(cup)


def as_another(cup):
    """Make ben a version of ann, which the table would call replaced."""
    forger.change(cup, "UPDATE versions SET entry = 'ann' WHERE name = 'ben'")


def older_schedule(cup):
    """Note in the store that an earlier croupier drew the tables."""
    ((kept,),) = forger.change(cup, "SELECT value FROM facts WHERE name = 'settings'")
    forger.change(
        cup, "UPDATE facts SET value = ? WHERE name = 'settings'", json.dumps(json.loads(kept) | {"schedule": 3})
    )


def other_deals(cup):
    """Say of a batch that it had other deals."""
    forger.relink(cup, lambda document: document | ({"deals": [1, 99]} if "batch" in document else {}))


def part_of_others(cup):
    """Say of each batch that it is a part of the first."""
    forger.relink(cup, lambda document: document | ({"part_of": [1, 10]} if "batch" in document else {}))


def manifest_beside(cup):
    """Let people read an amendment that never was."""
    (cup / "manifest-2.json").write_text((cup / "manifest.json").read_text().replace("ann", "eve"))


SIBLINGS = [
    (amended(options={"pass": "left"}), "no amendment may change options"),
    (amended(time=1), "no amendment may change time, which was 10000 and is 1"),
    (amended(max_fault_share=0.01), "no amendment may change max_fault_share"),
    (amended(game="skat"), "no amendment may change game"),
    (amended(public="3 11 24"), "no amendment may change public"),
    (amended(public_form=".*"), "no amendment may change public_form"),
    (amended(shuffles=1), "no amendment may change shuffles, which was 2 and is 1"),
    (amended(key="0" * 64), "no amendment may change key"),
    (amended(seeded=False), "no amendment may change seeded"),
    (amended(manifest=1), "no amendment may change manifest"),
    (retired, "what ben has played counts no more, and no other version of it plays"),
    (lambda cup: forger.amend(cup, late), "who came and left before was changed in its roster"),
    (lambda cup: forger.amend(cup, granted), "the grant of the network of ann was changed under the same name"),
    (smuggled("manifest"), "a manifest has no from"),
    (smuggled("played"), "exactly one of batch, new key (from) and end"),
    (ended_early, "these were planned and are missing"),
    (ended_twice, "an end follows an end"),
    (played_on, "a batch follows the end, and no amendment says why"),
    (other_key_revealed, "the key from deal 1 on that the end reveals is not the one committed to"),
    (bound_to_what_was_amended, "the record is bound to another manifest"),
    (as_another, "ben: no manifest has entered this program"),
    (older_schedule, "settings: schedule: the store has 3, the manifest 7"),
    (other_deals, "the chain has other deals of it"),
    (part_of_others, "deals (11, 11) are no part of a batch of deals (1, 10)"),
    (manifest_beside, "manifest-2.json: it was put in: the chain has no such manifest"),
]


@pytest.mark.parametrize(("forge", "why"), SIBLINGS)
def test_a_sibling_of_a_forgery_is_named(cup, forge, why):
    """All is hashed again, and what was published is what the forger has."""
    forge(cup)
    assert named(cup, why) is True


def test_a_new_key_begins_with_the_deal_after_the_end(tmp_path):
    """One that begins later, or earlier, would leave deals to a key that everybody knows, or have them played again."""
    contest(tmp_path, settings(deals=2, seed=None))
    contest(tmp_path, settings(deals=4, seed=None))
    assert found(tmp_path) == []
    forger.relink(tmp_path, lambda document: document | ({"from": 4} if "from" in document else {}))
    assert named(tmp_path, "a new key from deal 4 on, and deal 2 was the last before it") is True


def test_deals_that_are_played_by_a_revealed_key_are_named(tmp_path, monkeypatch):
    """Their bots could have known them."""
    contest(tmp_path, settings(deals=2, seed=None))
    monkeypatch.setattr("croupier.server.tournaments.entering.founding.is_known", lambda store: False)
    contest(tmp_path, settings(deals=4, seed=None))
    assert named(tmp_path, "deals after 2 were played by a key that had been revealed") is True


def test_a_round_s_deals_cannot_be_made_fewer(tmp_path):
    """Where the rounds share out the deals, another number gives other tables."""
    contest(tmp_path, settings(format="balanced", rounds=2, deals=2), Here(pretend()))
    forger.amend(tmp_path, lambda manifest: manifest | {"deals": 1})
    assert named(tmp_path, "no amendment may change deals") is True


def test_every_amendment_is_shown_and_a_new_key_too(tmp_path):
    """In `verify`, standings, their JSON and the report."""
    contest(tmp_path, settings(deals=1, seed=None), Here(pretend()))
    contest(tmp_path, settings([*FOUR, bot("eve", title="Eve")], deals=2, seed=None), Here(pretend()))
    told = [
        "after 4 games: deals was raised from 1 to 2, after the key was revealed",
        "after 4 games: eve came in, after the key was revealed",
        "after 4 games: deals from 2 on follow from a new key",
    ]
    assert all(line in text for text in shown(tmp_path) for line in told)


def test_a_tournament_whose_deals_have_no_keys_of_their_own_is_continued(tmp_path, monkeypatch):
    """By the shuffles that its key gives, and verified by them; a cluster, which would see the key, may not play it."""
    with monkeypatch.context() as before:
        before.setattr(founding, "SHUFFLES", 0)
        before.setattr(founding, "by_deal", lambda store: False)
        contest(tmp_path, settings(deals=2))
    forger.change(tmp_path, "DELETE FROM facts WHERE name = 'shuffles'")
    assert found(tmp_path) == []
    contest(tmp_path, settings(deals=4))
    assert found(tmp_path) == []
    run = Run(settings(deals=6, cluster="tcp://127.0.0.1:9"), games.find("hearts"), tmp_path)
    with closing(run.store), pytest.raises(founding.StoreError, match="continue it without --cluster"):
        run.play()


def older(document):
    """Write a link as a croupier did that bound less."""
    since = {"public_form", "deals", "part_of", "sandbox", "isolate", "burnt", "kept"}
    if "manifest" in document:
        return {name: value for name, value in document.items() if name != "public_form"} | {"manifest": 1}
    return {name: value for name, value in document.items() if name not in since}


def without_parts(document):
    """Write a link as the croupier between did."""
    if "manifest" in document:
        return document | {"manifest": 2}
    return {name: value for name, value in document.items() if name != "part_of"}


def test_a_folder_whose_batches_do_not_say_their_part_is_verified(cup):
    """As the second number of a manifest has it; everything else is bound."""
    forger.relink(cup, without_parts)
    assert found(cup) == []
    unbound = "an earlier croupier began this chain, which does not bind: of which deals a batch is a part"
    assert all(unbound in text for text in (shown(cup)[0], shown(cup)[1]))
    forger.relink(cup, lambda document: {name: value for name, value in document.items() if name != "sandbox"})
    assert named(cup, "the batch does not say its sandbox") is True


def test_a_folder_whose_chain_binds_less_is_verified_as_far_as_it_goes(cup):
    """It is shown, with what its chain does not bind; it is not continued."""
    forger.change(cup, "INSERT INTO facts VALUES ('levels', '[\"limits\"]')")
    for name in ("run", "settings"):
        ((kept,),) = forger.change(cup, "SELECT value FROM facts WHERE name = ?", name)
        facts = {key: value for key, value in json.loads(kept).items() if key != "public_form"}
        forger.change(cup, "UPDATE facts SET value = ? WHERE name = ?", json.dumps(facts), name)
    forger.relink(cup, older)
    assert found(cup) == []
    said, table, _, page = shown(cup)
    unbound = "an earlier croupier began this chain, which does not bind: the form of the public text, sandbox level"
    assert all(unbound in text for text in (said, table, page))
    assert all("sandbox: limits (not bound)" in text for text in (table, page))
    with pytest.raises(founding.StoreError, match="was begun by a croupier whose chain binds less"):
        contest(cup, settings(deals=12, public="17 23 42"), Here(pretend()))
    amended(time=1)(cup)
    assert named(cup, "no amendment may change time") is True
