"""`croupier bridge`: which bridges there are, what a call lacks, and where the rules come from that a model is told."""

import json
import re
import shlex
import socket
import subprocess
import sys

import pytest
from command_line import croupier

from croupier.protocol import views
from croupier.protocol.sexp import parse
from croupier.server import extras, games
from croupier.server.commands import bridge


def refused(*words):
    """Return what a wrong call of the bridge says, in one line."""
    out, errors = croupier("bridge", "llm", *words, code=2)
    assert (out, errors.count("\n")) == ("", 1)
    return errors


@pytest.fixture(autouse=True)
def _installed(monkeypatch):
    """The libraries of the extra are taken to be here, and no key is in the environment."""
    monkeypatch.setattr(extras, "missing", lambda extra: "")
    monkeypatch.delenv(bridge.KEY, raising=False)


def test_the_bridges_are_listed():
    """Each with what it asks."""
    lines = croupier("bridge")[0].splitlines()
    assert lines[0].split(maxsplit=1) == ["llm", "a language model behind the OpenAI chat API"]
    known = json.loads(croupier("bridge", "--json")[0])["bridges"]
    assert [each["name"] for each in known] == [line.split()[0] for line in lines] == list(bridge.BRIDGES)
    assert [each["extra"] for each in known] == ["llm", "openspiel", "onnx", None, "web"]


def test_a_bridge_that_is_not_known_is_named():
    """With the one that may have been meant."""
    assert "there is no bridge lmm (did you mean llm?)" in croupier("bridge", "lmm", code=2)[1]


def test_a_bridge_without_its_libraries_says_how_to_get_them(monkeypatch):
    """One sentence with the command, which names no package of ours."""
    monkeypatch.undo()
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    said = refused("--model", "mock", "--url", "http://127.0.0.1:1")
    how = shlex.join([sys.executable, "-m", "pip", "install", "openai>=3.57,<4", "httpx2>=2.12,<3"])
    assert f"the bridge llm needs libraries that are not installed here: {how}" in said


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "there is no key: set OPENAI_API_KEY"),
        (["--key-file", "none.txt"], "none.txt cannot be read: No such file"),
        (["--url", "http://127.0.0.1:1", "--body", "{"], "--body {: no JSON"),
        (["--url", "http://127.0.0.1:1", "--body", "[1]"], "write a JSON object"),
        (["--url", "http://127.0.0.1:1", "--rules", "none.txt"], "none.txt cannot be read"),
        (["--legal", "maybe"], "--legal maybe"),
        (["--retries", "-1"], "--retries -1"),
        (["--price-in", "inf"], "--price-in inf"),
    ],
)
def test_a_wrong_call_is_refused(words, why):
    """Before anything is asked or played."""
    assert why in refused("--model", "mock", *words)


def test_a_model_has_to_be_named():
    """The refusal says by which option."""
    assert "--model NAME is missing: write croupier bridge llm" in refused()


def test_a_wrong_key_is_refused_without_a_word_of_it(monkeypatch, tmp_path):
    """Whether the environment or a file has it."""
    monkeypatch.setenv(bridge.KEY, "two secret words")
    said = refused("--model", "mock")
    (tmp_path / "key.txt").write_text("h\u00fcbsch secret")
    said += refused("--model", "mock", "--key-file", tmp_path / "key.txt")
    assert said.count("has no key") == 2
    assert "secret" not in said


@pytest.mark.parametrize("name", [*games.BUNDLED, *(f"recycle:{name}" for name in games.library())])
def test_every_game_has_rules_for_a_model(name):
    """The manual's page without what is about bots and other programs, or the program itself."""
    rules = games.find(name)
    program = getattr(rules, "PROGRAM", "")
    told = bridge.rules_text(views.read(parse(f"((game {rules.NAME}) (program {program or 'x'}))")))
    assert "## STATE" in told
    assert "](" not in told
    assert (rules.TEXT.strip() in told) if program else ("## Plays" in told)
    assert not any(word in told for word in ("## Bots", "## A first bot", "Agent", "replay --from"))


OTHER = {
    *("A first bot", "A list of cards", "A matrix of cards", "Bots", "In a record", "Logs of the Internet Skat Server"),
    *("Other people's games", "The bundled bots", "The classic dialect", "Transcripts of XSkat"),
    "Where other programs differ",
}


def test_each_section_of_a_games_page_is_about_its_rules_or_not():
    """A section that is added to the manual is put on one side, so that no rule is kept from a model."""
    pages = (bridge.MANUAL / "reference" / "games").glob("*.md")
    found = {title for page in pages for title in re.findall(r"^## (.+)$", page.read_text("utf-8"), re.MULTILINE)}
    assert found == bridge.RULES | OTHER


def test_a_game_from_outside_says_its_own_rules():
    """Its docstring, its plays and its options."""
    told = bridge._rules_of_game(games.find("sedma"))
    assert all(play in told for play in games.find("sedma").PLAYS)


def test_a_program_is_told_from_a_text_by_its_ending(tmp_path):
    """`--rules` takes either."""
    (tmp_path / "mine.gdl").write_text("(game (setup (create players 2)))")
    (tmp_path / "mine.txt").write_text("The highest card wins.")
    assert "create players 2" in (told := bridge._rules_in(tmp_path / "mine.gdl"))
    assert "## STATE" in told
    assert bridge._rules_in(tmp_path / "mine.txt") == "The highest card wins."


def test_the_library_of_openspiel_is_named_where_it_is_missing(monkeypatch):
    """Before anything else is said."""
    monkeypatch.setattr(extras, "missing", lambda extra: f"install {extra}")
    said = croupier("bridge", "openspiel", code=2)[1]
    assert "the bridge openspiel needs libraries that are not installed here: install openspiel" in said


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--algorithm", "cfr"], "--algorithm cfr"),
        (["--simulations", "1"], "--simulations 1"),
        (["--simulations", "many"], "--simulations many"),
    ],
)
def test_a_wrong_call_of_the_openspiel_bridge_is_refused(words, why):
    """Before a game begins."""
    out, errors = croupier("bridge", "openspiel", *words, code=2)
    assert (out, errors.count("\n")) == ("", 1)
    assert why in errors


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["smithy"], "smithy does not play jass"),
        (["human"], "a person cannot be served: name a bot"),
        (["none.py"], "none.py: no such file"),
        (["jass", "--network", "other"], "--network other: nobody here is called so"),
        (["jass", "--port", "70000"], "--port 70000"),
        (["jass", "--time", "0"], "--time 0"),
    ],
)
def test_a_wrong_call_of_the_jass_service_is_refused(words, why):
    """Before anything is served."""
    out, errors = croupier("bridge", "jass-service", *words, code=2)
    assert (out, errors.count("\n")) == ("", 1)
    assert why in errors


@pytest.mark.parametrize(("words", "why"), [(["--port", "PORT"], "in use"), (["--host", "192.0.2.1"], "assign")])
def test_an_address_that_cannot_be_served_is_named(words, why):
    """A port that is taken, or an address of another machine."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        own = [word.replace("PORT", str(taken.getsockname()[1])) for word in words]
        call = [sys.executable, "-m", "croupier", "bridge", "jass-service", "jass", *own]
        done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert why in done.stderr


def test_the_jass_service_without_its_libraries_says_how_to_get_them(monkeypatch):
    """The other bridges need none of them."""
    monkeypatch.setattr(extras, "missing", lambda extra: f"install {extra}")
    said = croupier("bridge", "jass-service", "jass", code=2)[1]
    assert "the bridge jass-service needs libraries that are not installed here: install web" in said
