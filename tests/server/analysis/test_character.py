"""The sentences on what kind of game it is: three to six, and each claims only what the numbers show."""

import re

import pytest
from analyses import FOUR, moment, played
from click.testing import CliRunner

from croupier.server.analysis.character import character
from croupier.server.analysis.measures import figures
from croupier.server.analysis.tables import Table
from croupier.server.analysis.variance import VarianceShares
from croupier.server.cli import cli
from croupier.server.tournaments.statistics.intervals import Interval


def won_by(seats, options=(2, 3, 2, 3), **how):
    """Return games of four, each won by one of the seats."""
    return [
        played([9 if seat == winner else 0 for seat in range(4)], options=options, deal=deal, **how)
        for deal, winner in enumerate(seats, 1)
    ]


def said(random, *, alone=None, sensible=None, thinking=None, variance=None, options=2):
    """Return the sentences about a game whose tables were played so."""
    tables = {Table.RANDOM: random}
    if alone:
        tables[Table.ONE_THINKING] = alone
    if sensible:
        tables[Table.ONE_SENSIBLE] = sensible
    if thinking:
        tables[Table.THINKING] = thinking
    known = figures(FOUR, tables)
    shares = variance and VarianceShares(*(Interval(each, 0.0, 1.0, 40) for each in variance))
    return character("mine", known._replace(variance=shares), FOUR, options)


EVEN = won_by([0, 1, 2, 3] * 10)
ALONE = [game for place in range(4) for game in won_by([place] * 20, place=place)]
"""Games that are always won by the one among random players."""


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (4, "mine is a very short game: a player chooses once, mostly among two or three options."),
        (8, "mine is a very short game: a player chooses twice,"),
        (28, "mine is a short game: a player chooses seven times,"),
        (52, "mine is a game of medium length: a player chooses thirteen times,"),
        (150, "mine is a game of medium length: a player chooses about forty times,"),
        (900, "mine is a long game: a player chooses more than a hundred times,"),
    ],
)
def test_the_first_sentence_says_how_long_it_is(number, words):
    """By the choices of one player."""
    assert said(won_by([0, 1, 2, 3] * 5, options=(2,) * number))[0].startswith(words)


@pytest.mark.parametrize(
    ("options", "median", "words"),
    [
        ((5, 5, 5, 1), 5, "mostly among a few options, and often has but one."),
        ((1, 1, 1, 5), 1, "mostly with one option, and in most cases has but one."),
        ((300, 4, 4, 4), 4, "mostly among a few options."),
        ((30,) * 4, 30, "mostly among very many options."),
    ],
)
def test_it_says_how_many_options_there_are(options, median, words):
    """The usual number: one choice of three hundred is not what a game is like."""
    assert said(won_by([0, 1, 2, 3] * 5, options=options), options=median)[0].endswith(words)


@pytest.mark.parametrize(
    ("winners", "words"),
    [
        ([0, 1, 2, 3] * 10, "No seat is known to be better than another."),
        (
            [0] * 40,
            "Random players do not win alike in every seat: more in the first seat, less in the second, the third",
        ),
        ([0, 1, 2] * 20, "Random players do not win alike in every seat: less in the fourth seat."),
        ([0], "No seat is known to be better than another."),
    ],
)
def test_a_seat_is_better_only_where_chance_does_not_explain_it(winners, words):
    """Few games tell nothing."""
    assert said(won_by(winners))[1].startswith(words)


def test_thinking_pays_only_where_chance_does_not_explain_it():
    """It was not measured, is not known, or is."""
    unknown = [game for place in range(4) for game in won_by([0, 1, 2, 3] * 5, place=place)]
    little, much = (
        [
            game
            for place in range(4)
            for game in won_by([(place + ((7 * deal + place) % 20 >= wins)) % 4 for deal in range(200)], place=place)
        ]
        for wins in (7, 11)
    )
    assert said(EVEN)[2] == "Whether thinking pays was not measured."
    assert said(EVEN, alone=unknown)[2].startswith("Whether thinking pays is not known yet")
    assert said(EVEN, alone=little)[2].startswith("Thinking pays a little: a player that tries out each option wins")
    assert said(EVEN, alone=much)[2].startswith("Thinking pays: ")
    assert said(EVEN, alone=unknown, sensible=ALONE)[2].startswith("Thinking pays a great deal: the bundled bot wins")
    assert said(EVEN, alone=ALONE)[2].startswith("Thinking pays a great deal")


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ((0.7, 0, 0.1, 0.2), "What a player scores depends mostly on the cards that are dealt."),
        ((0.05, 0, 0.6, 0.35), "depends mostly on who plays better; the deal explains hardly anything."),
        (
            (0.3, 0.1, 0.2, 0.4),
            "depends most on how the others play, and luck within the game; the deal explains a part.",
        ),
    ],
)
def test_it_says_what_the_scores_depend_on(shares, words):
    """The largest share, and the luck of the deal."""
    assert said(EVEN, variance=shares)[3].endswith(words)


def test_it_says_how_the_lead_goes_and_how_games_end():
    """Where they were measured, and where there is anything to say."""
    early = [played([1, 0, 0, 0], options=(2,) * 4, moments=[moment(1.0, 0, 0, 0)] * 4)] * 5
    assert said(EVEN, thinking=early)[-1] == (
        "Among thinking players the lead hardly ever changes, and the winner is known early."
    )
    shared = [played([1, 1, 0, 0], options=(2, 2, 2, 2), deal=deal) for deal in range(20)]
    assert said(EVEN + shared)[-1] == "Opponents often share the first place."
    endless = [played([0] * 4, void="no end")]
    assert said(EVEN + endless)[-1] == "Some random games come to no end."
    assert said(EVEN + shared + endless)[-1].endswith("first place, and some random games come to no end.")
    assert said(endless) == ["No random game of mine came to an end."]


def test_there_are_three_to_six_sentences_and_no_digit():
    """However much is known."""
    least, most = said(EVEN), said(EVEN * 2, alone=ALONE, variance=(0.4, 0, 0.3, 0.3))
    assert len(least) == 3
    assert 4 <= len(most) <= 6
    assert all(re.fullmatch(r"[^.\d]+\.", sentence) for sentence in (*least, *most))


def test_the_command_and_its_page_begin_with_them(tmp_path):
    """Before any number."""
    words = ["analyze", "kuhn-poker", "--deals", "20", "--thinking", "2", "--searching", "0", "--workers", "1"]
    done = CliRunner().invoke(cli, [*words, "--html", str(tmp_path / "page.html")])
    assert done.exit_code == 0, done.output
    first = done.output.splitlines()[0]
    assert first.startswith("Kuhn poker is a very short game: a player chooses once")
    header = re.search("<header>(.*?)</header>", (tmp_path / "page.html").read_text())[1]
    assert re.sub("<[^>]+>", "\n", header).split()[2:][: len(first.split())] == first.split()
