"""`croupier new-bot`: every template, built, run and checked as it is written."""

import ast
import json
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

import needs
import pytest
import trio
from command_line import croupier
from tables import children_left

from croupier.server import entries, games
from croupier.server.commands import SCHEMA, new_bot
from croupier.server.commands.new_bot import JSON_LANGUAGES, LANGUAGES, readme, source
from croupier.server.conformance import Asking, Demands, Examiner

NEEDS = {
    "python": sys.executable, "c": "cc", "javascript": "node", "sh": "sh",
    "cpp": "c++", "go": "go", "java": "javac", "rust": "rustc",
}  # fmt: skip
SLOWLY_BUILT = ("cpp", "go", "java", "rust")
"""Languages whose compilers take seconds: natively built for the game with the most to decide, and checked at that."""
STRICT = {"-Wall": "-Wall -Wextra -Werror", "javac": "javac -Xlint:all -Werror", "rustc": "rustc -D warnings"}
TEMPLATES = Path(new_bot.__file__).parents[1] / "templates"
OPTIONS = {"skat": {"contra": "yes"}, "doppelkopf": {"poverty": "yes"}, "jass": {"weis": "yes"}}


def run(*words, cwd, code=0):
    """Return what croupier prints, or what it says of a call that is wrong."""
    return croupier("new-bot", *words, cwd=cwd, code=code)[code == 2]


def line_of(text, word):
    """Return the text after a word of the README.txt."""
    return next((line.partition(":")[2].strip() for line in text.splitlines() if line.startswith(word)), None)


def file_of(language, name):
    """Return what the program of a bot in a language is called."""
    return LANGUAGES[language].file.replace("@NAME@", name)


def cases():
    """List each template once, with the game it is for; what is for any game at two of those that have none.

    Those of the JSON dialect are tried at every game, in all their languages.
    """
    for dialect, languages in (("native", LANGUAGES), ("json", JSON_LANGUAGES)):
        for language in languages:
            place = TEMPLATES / ("" if dialect == "native" else dialect) / language
            own = [game for game in games.BUNDLED if (place / f"{game}.tmpl").exists()]
            others = [game for game in games.BUNDLED if game not in own][: 1 if dialect == "native" else None]
            once = dialect == "native" and language in SLOWLY_BUILT
            every = ["doppelkopf"] if once else [*own, *others, "recycle:kuhn-poker"]
            yield from ((dialect, language, game) for game in every)


@pytest.mark.parametrize(("dialect", "language", "game"), list(cases()))
async def test_every_template_passes_its_check(game, language, dialect, tmp_path):
    """As generated: built by the line of its README.txt, where there is one, then examined."""
    if shutil.which(NEEDS[language]) is None:
        pytest.skip(f"{NEEDS[language]} is not installed")
    if language == "rust" and not needs.compiles():
        pytest.skip("rustc links by a C compiler, and none works here")
    rules = games.find(game)
    home = tmp_path / "made"
    home.mkdir()
    (home / file_of(language, "mine")).write_text(source(rules, game, language, "mine", dialect))
    told = readme(rules, game, language, "mine", dialect)
    if build := line_of(told, "Build it"):
        strictly = re.sub("|".join(STRICT), lambda word: STRICT[word[0]], build)
        env = {**os.environ, "GOCACHE": str(tmp_path / "cache")}  # the usual one is in a home, which may be read-only
        await trio.run_process(["sh", "-c", strictly], cwd=home, env=env)
    command = shlex.split(line_of(told, "Check it"))[-1]
    assert command.startswith("json:") == (dialect == "json")
    words = [str(home / word) if "mine" in word else word for word in command.removeprefix("json:").split()]
    asking = Asking(
        entries.of_command(words, dialect=dialect), rules, OPTIONS.get(game, {}), Demands(positions=40), tmp_path
    )
    found = await Examiner(asking).run()
    assert all(finding.passed for finding in found), [finding for finding in found if not finding.passed]
    assert children_left() == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_new_bot_writes_a_bot_and_a_readme(language, tmp_path):
    """Named as its folder, with all that one needs to go on."""
    run("skat", "my-bot", "--language", language, cwd=tmp_path)
    program = tmp_path / "my-bot" / file_of(language, "my-bot")
    assert sorted(path.name for path in program.parent.iterdir()) == sorted([program.name, "README.txt"])
    assert "@" not in program.read_text().replace("@NAME", "@")
    told = (program.parent / "README.txt").read_text()
    assert "@" not in told
    assert {"Check it", "Play it", "Enter it"} <= {line.partition(":")[0] for line in told.splitlines()}
    assert os.access(program, os.X_OK) == (language in {"javascript", "sh"})


@pytest.mark.parametrize("language", SLOWLY_BUILT)
@pytest.mark.parametrize("game", [*games.BUNDLED, "recycle:kuhn-poker"])
def test_a_bot_is_written_for_every_game(language, game):
    """In each language, with a play of its own where plays are not listed, and with nothing left to fill in."""
    text = source(games.find(game), game, language, "mine")
    plays = {"hearts": "(give", "skat": "(declare grand", "doppelkopf": "(exchange", "dominion": "(clean"}
    assert f"mine: a bot for {game}, to make your own" in text
    assert plays.get(game, "(pass") in text
    assert "@" not in text


@pytest.mark.parametrize(
    ("game", "hooks"),
    [
        ("skat", {"tryBid", "tryPlay"}),
        ("dominion", {"tryAction", "tryBuy", "discardTo"}),
        ("recycle:agram", {"tryOption"}),
    ],
)
def test_the_python_template_shows_the_hooks_of_its_game(game, hooks):
    """What is there to fill in stands there."""
    tree = ast.parse(source(games.find(game), game, "python", "my-bot"))
    (bot,) = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    assert bot.name == "MyBot"
    assert hooks <= {node.name for node in bot.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(
    ("game", "others"),
    [
        ("skat", "skat-club skat-club"),
        ("jass", "jass jass jass"),
        ("dominion", "smithy"),
        ("recycle:kuhn-poker", "random"),
    ],
)
def test_the_readme_names_opponents_that_play_the_game(game, others):
    """Chance is no opponent where a bot of the game is there: at Skat nobody would ever declare."""
    told = readme(games.find(game), game, "python", "mine")
    assert f'"python mine.py" {others} --show' in told
    assert f'"python mine.py" {others} --out cup' in told
    assert told.startswith(f"mine, a bot for {game}\n")


def test_a_bot_for_a_program_is_a_recycle_agent():
    """It is offered options by what they do, and says at its top for which program it is."""
    text = source(games.find("recycle:agram"), "recycle:agram", "python", "mine")
    assert text.startswith('"""mine: a bot for recycle:agram')
    assert "class Mine(RecycleAgent):" in text


def test_a_program_is_named_as_the_bots_folder_sees_it(tmp_path):
    """The lines of the README.txt work where the bot lies, though the program was named from elsewhere."""
    library = Path(games.__file__).parent / "recycle" / "library"
    shutil.copy(library / "kuhn-poker.gdl", tmp_path / "mine.gdl")
    run("recycle:mine.gdl", "bots/low", cwd=tmp_path)
    told = (tmp_path / "bots" / "low" / "README.txt").read_text()
    command = line_of(told, "Play it").replace("python low.py", "random")
    assert "recycle:../../mine.gdl" in command
    assert "random" in croupier(*shlex.split(command)[1:], cwd=tmp_path / "bots" / "low")[0]


def test_json_lists_the_files(tmp_path):
    """One document."""
    out = json.loads(run("hearts", "low", "--name", "lowest", "--json", cwd=tmp_path))
    assert out == {"schema": SCHEMA, "name": "lowest", "game": "hearts", "files": ["low/lowest.py", "low/README.txt"]}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["hearts", "full"], "not empty"),
        (["chess", "new"], "no game chess"),
        (["hearts", "new", "--name", "7up"], "a name begins with a letter"),
        (["hearts", "new", "--name", "table"], "a name begins with a letter"),
        (["hearts", "new", "--language", "cobol"], "cobol"),
    ],
)
def test_a_wrong_call_is_one_sentence_and_changes_nothing(words, why, tmp_path):
    """Nothing is ever written over."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "work.py").write_text("years of it")
    assert why in run(*words, cwd=tmp_path, code=2)
    assert (tmp_path / "full" / "work.py").read_text() == "years of it"
    assert not (tmp_path / "new").exists()
