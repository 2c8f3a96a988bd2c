"""The pages of a season: one ranking over all games, a page for each game and one for each author."""

import json
import random
import re
from contextlib import contextmanager
from html.parser import HTMLParser

import msgspec
import pytest
from command_line import croupier
from contests import Here, bot, contest, settings
from tests.docs.test_commands import DOCS, commands

from croupier.server.conformance.examination import Result
from croupier.server.conformance.steps import Finding, Step
from croupier.server.season import judging
from croupier.server.season.folder import Author, Ledger, SeasonFolder, Submission
from croupier.server.season.pages.writing import write_pages
from croupier.server.season.settings import read
from croupier.server.table.played_game import PlayedGame
from croupier.server.tournaments.keeping.packed_games import PackedGames

TERMS = """
title = "Autumn"
time = 5000
deals = 1
rounds = 2
seed = "season"
workers = 1
sandbox = "none"
[[bots]]
name = "chance"
builtin = "random"
[[games]]
game = "hearts"
weight = 2
[[games.bots]]
name = "bench"
builtin = "duck"
[[games]]
game = "recycle:kuhn-poker"
"""
PLAIN = "drive(Agent())"
CRASHES = """
class Crashing(Agent):
    def tryPlay(self, state):
        raise ValueError("what nobody else may read")

drive(Crashing())
"""
NAMES = [
    "author-ann.html",
    "author-ben.html",
    "author-cat.html",
    "game-hearts.html",
    "game-kuhn-poker.html",
    "index.html",
]


def hand_in(folder, author, game, text):
    """Let an author hand in a program for a game."""
    place = folder.submissions / author
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{game}.py").write_text(f"from croupier.agents import Agent, drive\n\n{text}\n")


@pytest.fixture(scope="module")
def season(tmp_path_factory):
    """Play two nights: ann has a new version in the second, ben crashes, and cat's Hearts never passes the check."""
    folder = SeasonFolder(tmp_path_factory.mktemp("season"))

    def examine(entry, *_):
        fails = any(b"broken" in path.read_bytes() for path in entry.files if path.suffix == ".py")
        return Result([Finding(Step.LEGAL, passed=not fails, detail="it is broken; its last words: secret words")])

    folder.settings.write_text(TERMS)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(judging, "examine", examine)
        hand_in(folder, "ann", "hearts", PLAIN)
        hand_in(folder, "ben", "hearts", CRASHES)
        hand_in(folder, "cat", "hearts", f"{PLAIN}  # broken")
        hand_in(folder, "cat", "kuhn-poker", PLAIN)
        croupier("season", folder.path)
        hand_in(folder, "ann", "hearts", f"{PLAIN}  # better")
        folder.said, _ = croupier("season", folder.path)
    return folder


def written(folder, *, public=False):
    """Write the pages and return them by name."""
    write_pages(folder, read(folder.settings), public=public)
    return {path.name: path.read_text() for path in sorted(folder.pages.iterdir())}


@contextmanager
def changed(folder, name, **changes):
    """Change what the ledger has of an author, for a while."""
    ledger = folder.read_ledger()
    author = next(each for each in ledger.authors if each.name == name)
    folder.write_ledger(ledger.with_author(msgspec.structs.replace(author, **changes)))
    yield
    folder.write_ledger(ledger)


class Links(HTMLParser):
    """The targets of all links, and whatever a page loads."""

    def __init__(self, page):
        super().__init__()
        self.links, self.loaded = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        """Take the addresses of a tag."""
        found = dict(attrs)
        if tag == "a":
            self.links.append(found["href"])
        elif address := found.get("src") or (tag == "link" and found["href"]):
            self.loaded.append(address)


@pytest.fixture(scope="module")
def pages(season):
    """Return the pages by name."""
    return written(season)


def plain(page):
    """Return the text of a page."""
    return re.sub(r"\s+", " ", re.sub(r"<(style|script).*?</\1>|<[^>]+>", " ", page, flags=re.DOTALL))


def test_there_is_a_page_for_each_author_and_each_game(pages):
    """And nothing else."""
    assert list(pages) == NAMES


def test_every_link_leads_to_a_page_beside_it_and_nothing_is_loaded(pages):
    """The pages may be copied anywhere."""
    for page in pages.values():
        found = Links(page)
        assert {link for link in found.links if not link.startswith("#")} <= {*NAMES}
        assert all(address.startswith("data:") for address in found.loaded)
    assert {*NAMES} - {"index.html"} <= {*Links(pages["index.html"]).links}


def test_the_ranking_has_all_authors_and_the_bots_that_play_every_game(season, pages):
    """The terminal shows the same order."""
    ranking = pages["index.html"].partition('id="ranking"')[2].partition("</section>")[0]
    rows = re.findall(r'data-sort="([a-z]+)"', ranking)
    assert sorted(rows) == ["ann", "ben", "cat", "chance"]
    assert "Hearts, weight 2" in ranking
    assert re.findall(r"│ +\d+ │ (\w+)", season.said) == rows


def test_an_authors_page_has_the_places_after_each_night_with_the_version(pages):
    """The new version is named from its first night on."""
    places = plain(pages["author-ann.html"].partition('id="places"')[2].partition("</section>")[0])
    assert re.search(r" 2 \d of 4 \d of 3 ann-v2 1 \d of 4 \d of 3 ann ", places)


def test_an_authors_page_has_its_faults_with_the_exchange_and_the_command(pages):
    """The command is for the folder of the page."""
    page = pages["author-ben.html"]
    assert 'id="hearts-faults"' in page
    assert re.search(r"croupier replay \.\./games/hearts/records/\S+ --show", page)
    assert "what nobody else may read" in page
    assert "crashed" in page
    assert "what nobody else may read" not in pages["author-ann.html"]


def test_an_authors_page_has_what_was_sent_back_and_why(pages):
    """With all that the check said."""
    assert "sent back" in pages["author-cat.html"]
    assert "it is broken" in plain(pages["author-cat.html"])
    assert "entered" in plain(pages["author-cat.html"])
    row = plain(pages["index.html"].partition('id="sent-back"')[2].partition("</section>")[0])
    assert re.search(r"cat hearts 1 nothing .*it is broken", row)


def test_the_history_has_every_night_the_last_one_first(season, pages):
    """With what was handed in for it, how much of that was sent back, and the games of each."""
    rows = re.findall("<tr>.*?</tr>", pages["index.html"].partition('id="nights"')[2].partition("</section>")[0])[1:]
    cells = [[plain(cell).strip() for cell in re.findall("<t[hd].*?</t[hd]>", row)] for row in rows]
    assert [(row[0], row[3], row[4]) for row in cells] == [("2", "1", "0"), ("1", "3", "1")]
    first, second = (night.games["hearts"] for night in season.read_ledger().nights)
    assert [int(row[5]) for row in cells] == [second - first, first]


def test_public_pages_leave_out_what_programs_wrote_to_standard_error(season):
    """In games, checks and builds."""
    folder = season.feedback("cat", 1)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "hearts.stderr").write_text("secret words\n")
    mine, everybodys = written(season), written(season, public=True)
    assert "secret words" in mine["author-cat.html"]
    assert not [name for name, page in everybodys.items() if "secret words" in page or "nobody else may read" in page]
    assert "it is broken" in everybodys["author-cat.html"]


def test_an_author_who_is_gone_is_not_ranked_and_keeps_the_page(season):
    """What was played stays."""
    with changed(season, "ben", gone=True):
        pages = written(season)
    assert 'data-sort="ben"' not in pages["index.html"].partition('id="ranking"')[2].partition("</section>")[0]
    assert "Nothing is handed in any more" in pages["author-ben.html"]


def test_the_name_of_a_file_is_escaped(season):
    """Authors choose it."""
    with changed(
        season, "ann", submissions=(Submission(number=1, file="<script>x", sha256="", at=0.0, refused="<b>"),)
    ):
        pages = written(season)
    assert "&lt;script&gt;x" in pages["author-ann.html"]
    assert not [name for name, page in pages.items() if "<script>x" in page or "<b>" in page.partition("sent-back")[2]]


def test_a_season_without_a_night_has_pages_that_say_so(tmp_path):
    """Even without an author."""
    folder = SeasonFolder(tmp_path)
    folder.settings.write_text(TERMS)
    assert "No game has been played yet" in written(folder)["index.html"]


def test_every_command_of_the_manuals_page_works(season):
    """Typed in the page's order, one folder above the season's."""
    (season.path.parent / "autumn").symlink_to(season.path)
    for command in commands(DOCS / "how-to/season-pages.md"):
        said, _ = croupier(*command.split()[1:], cwd=season.path.parent)
        assert "pages/index.html" in said


def giving(job, stopped):
    """Play a batch in which "ann" gives "ben" three points of each game of Hearts, whose luck is the deal's."""
    played = []
    for seating, deal in job.games:
        luck = random.Random(f"{deal} {seating}")
        scores = [max(0, round(luck.gauss(10, 2))) for _ in seating]
        if {"ann", "ben"} <= {*seating}:
            scores[seating.index("ann")] += 3
            scores[seating.index("ben")] -= 3
        ranks = tuple(1 + sum(other < score for other in scores) for score in scores)
        played.append(
            PlayedGame(job.pairing, deal, seating, tuple(scores), ranks, decisions=52, record=("(record 1)",))
        )
    return PackedGames(played).pack()


def test_two_that_play_for_each_other_are_named_on_everybodys_page_and_on_theirs(tmp_path):
    """From the games in the tournament's folder; it says more than chance explains, and never more."""
    names = ("ann", "ben", "cat", "dan", "eve", "fay", "gus")
    folder = SeasonFolder(tmp_path)
    folder.settings.write_text('[[games]]\ngame = "hearts"\nformat = "round-robin"\n')
    bots = [bot(name) for name in names]
    contest(folder.tournament("hearts"), settings(bots, deals=24, format="round-robin"), Here(giving))
    folder.write_ledger(Ledger(authors=tuple(Author(name=name, stem=name) for name in names)))
    pages = written(folder)
    rows = re.findall("<tr>.*?</tr>", pages["index.html"].partition('id="soft-play"')[2].partition("</section>")[0])
    assert len(rows) == 2
    assert re.search(r"ann to ben Hearts .* 24 more than chance explains", plain(rows[1]).replace("  ", " "))
    assert [name for name in names if 'id="soft-play"' in pages[f"author-{name}.html"]] == ["ann", "ben"]


def test_the_tournaments_own_report_names_them_too(tmp_path):
    """On its page, and in its JSON with both measures and their bounds."""
    names = ("ann", "ben", "cat", "dan", "eve", "fay", "gus")
    contest(tmp_path, settings([bot(name) for name in names], deals=24, format="round-robin"), Here(giving))
    croupier("report", tmp_path)
    section = plain((tmp_path / "report.html").read_text().partition('id="soft-play"')[2].partition("</section>")[0])
    assert re.search(r"ann to ben .*Of 21 pairs that can be judged, one shows more than chance explains", section)
    (gift,) = json.loads(croupier("standings", tmp_path, "--json")[0])["soft_play"]
    assert (gift["giver"], gift["taker"], gift["deals"]) == ("ann", "ben", 24)
    assert 0 < gift["points"]["low"] < 3 < gift["points"]["high"]
