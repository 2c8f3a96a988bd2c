"""Results of tables: which rows are a game, who sat where, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.server.tournaments.foreign import fairness
from croupier.server.tournaments.foreign.fairness import Fairness, games_of_two
from croupier.server.tournaments.foreign.results import ColumnNames, read_results
from croupier.server.tournaments.foreign.table_rows import BadTable
from croupier.server.tournaments.statistics.improvement import Question, judge
from croupier.server.tournaments.statistics.standings import standings

LONG = ColumnNames(["player"], ["score"])
SEATED = LONG._replace(seat="seat")
WIDE = ColumnNames(["north", "south"], ["n", "s"])
BY_DEAL, BY_GAME, SIDED = SEATED._replace(deal=["deal"]), LONG._replace(game="game"), SEATED._replace(side="side")
HEAD = "deal,game,seat,side,player,score\n"


def read(text, columns=SEATED, **how):
    """Return the results in a text."""
    return read_results(text, "table", columns, **{"low_wins": False} | how)


def seatings(results):
    """Return the seating of each game."""
    games = results.games
    return [games.seatings[number] for number in games.seating.tolist()]


def rows(*games):
    """Write a table of games, each ``deal number seating`` with one letter a player; a score is a place from behind."""
    lines = []
    for game in games:
        deal, number, seating = game.split()
        for seat, name in enumerate(seating):
            lines.append(f"{deal},{number},{seat},{seat % 2},{name},{len(seating) - seat}")
    return HEAD + "\n".join(lines) + "\n"


TWO_DEALS = rows("1 1 ab", "1 2 ba", "2 3 ab", "2 4 ba")


@pytest.mark.parametrize("columns", [SEATED, BY_GAME, BY_DEAL._replace(game="game")])
def test_a_game_ends_where_a_seat_is_taken_or_its_number_changes(columns):
    """With either column, or both. Without seats, players are in the order of their names."""
    found = seatings(read(TWO_DEALS, columns))
    assert found == [("a", "b"), ("b", "a"), ("a", "b"), ("b", "a")] if columns.seat else [("a", "b")] * 4


def test_rows_of_different_deals_may_be_mixed():
    """A game goes on within its deal."""
    mixed = HEAD + "1,,n,,a,1\n2,,n,,b,1\n1,,s,,b,2\n2,,s,,a,2\n"
    assert seatings(read(mixed, BY_DEAL)) == [("a", "b"), ("b", "a")]


def test_a_row_per_game_has_its_seats_in_the_order_of_the_columns():
    """The same games as a table with a row per player."""
    wide = read("deal,north,n,south,s\n1,a,2,b,1\n1,b,2,a,1\n2,a,2,b,1\n2,b,2,a,1\n", WIDE._replace(deal=["deal"]))
    long = read(TWO_DEALS, BY_DEAL)
    assert seatings(wide) == seatings(long)
    assert standings(wide.games, wide.scoring).document() == standings(long.games, long.scoring).document()


def test_columns_name_a_deal_together():
    """And each game is a deal of its own if no column does."""
    text = "day,round,north,n,south,s\nx,1,a,1,b,2\ny,1,b,1,a,2\ny,1,a,1,b,2\n"
    found = read(text, WIDE._replace(deal=["day", "round"]))
    assert (found.deals, found.games.deal.tolist()) == (["x 1", "y 1"], [1, 2, 2])
    assert (read(text, WIDE).deals, read(text, WIDE).games.deal.tolist()) == ([], [1, 2, 3])


def test_partners_are_those_with_the_same_side():
    """Here the seats 0 and 2, whatever the side is called in a game."""
    text = rows("1 1 abcd", "1 2 badc")
    assert read(text, SIDED).scoring.PARTNERS == ((0, 2), (1, 3))
    assert read(text).scoring.PARTNERS == ()


def test_the_worst_score_is_the_worst_in_the_table():
    """It is the least, or the most if low scores win."""
    assert read(TWO_DEALS).scoring.PENALTY == 1
    assert read(TWO_DEALS, low_wins=True).scoring.PENALTY == 2


def test_unfinished_games_of_chess_are_counted_and_left_out():
    """They have no score."""
    game = '[White "{}"]\n[Black "{}"]\n[Result "{}"]\n\n*\n'
    text = game.format("a", "b", "1-0") + game.format("b", "a", "*") + game.format("b", "a", "1/2-1/2")
    found = read(text, ColumnNames().for_chess())
    assert (found.left_out, found.games.scores.tolist()) == (1, [[1, 0], [0.5, 0.5]])


@pytest.mark.parametrize(
    ("row", "columns", "said"),
    [
        ("1,1,n,,a,x", SEATED, "line 2: score is x; write a number such as 12, -3.5 or 1e6"),
        ("1,1,n,,a,", SEATED, "line 2: score is empty; write a number"),
        ("1,1,n,,a,nan", SEATED, "line 2: score is nan; write"),
        ("1,1,n,,a,1_0", SEATED, "line 2: score is 1_0; write"),
        ("1,1,n,,a,1e300", SEATED, "line 2: score is 1e300; write"),
        ("1,1,n,,,1", SEATED, "line 2: the player in player is empty"),
        ("1,1,n,,a\x1b[2J,1", SEATED, "line 2: the player in player is longer than 100 characters or has an invisible"),
        ("1,1,,,a,1", SEATED, "line 2: seat is empty"),
        (",1,n,,a,1", BY_DEAL, "line 2: deal is empty; name each deal, or leave --deal out"),
    ],
)
def test_a_cell_that_makes_no_sense_is_refused_with_its_line(row, columns, said):
    """In one sentence that says what to write."""
    with pytest.raises(BadTable) as problem:
        read(f"{HEAD}{row}\n", columns)
    assert str(problem.value).startswith(said)


OTHER_SEATS = HEAD + "1,1,0,0,a,1\n1,1,1,1,b,1\n1,1,2,0,c,1\n1,2,0,0,a,1\n1,2,1,0,b,1\n1,2,2,1,c,1\n"


@pytest.mark.parametrize(
    ("text", "columns", "said"),
    [
        (HEAD, SEATED, "it has no finished game"),
        (
            f"{HEAD}1,1,n,,a,1\n1,1,n,,b,1\n",
            SEATED._replace(game="game"),
            "line 3: seat n is already taken in the game",
        ),
        (f"{HEAD}1,1,,,a,1\n1,1,,,a,1\n", BY_GAME, "line 3: a is already taken in the game of line 2: give every game"),
        (f"{HEAD}1,1,n,,a,1\n1,1,s,,a,1\n", SEATED, "line 2: nobody plays against a in the game that begins here"),
        (
            rows("1 1 ab", "1 2 abc"),
            BY_GAME,
            "line 4: the game that begins here has 3 players, and that of line 2 has 2",
        ),
        (
            rows("1 1 ab", "1 2 abc"),
            SEATED,
            "line 4: the game that begins here has the seats 0, 1, 2, and that of line 2",
        ),
        (
            f"{HEAD}1,1,n,x,a,1\n1,1,s,x,b,1\n",
            SIDED,
            "line 2: all players of the game that begins here are on one side",
        ),
        (
            rows("1 1 " + "ab" * 33),
            BY_DEAL,
            "line 66: the game that begins in line 2 has more than 64 players: give",
        ),
        (OTHER_SEATS, SIDED, "line 5: partners sit in other seats than in the game of line 2: leave out --side"),
    ],
)
def test_what_is_no_game_is_refused_with_its_line(text, columns, said):
    """In one sentence that says what to write."""
    with pytest.raises(BadTable) as problem:
        read(text, columns)
    assert str(problem.value).startswith(said)


@pytest.mark.parametrize(
    ("text", "columns", "known"),
    [
        (TWO_DEALS, BY_DEAL, (2, 0, "")),
        (TWO_DEALS, SEATED, (4, None, "")),
        (TWO_DEALS, LONG._replace(deal=["deal"], game="game"), (2, None, "")),
        (rows("1 1 ab", "1 2 ba", "7 3 ab"), BY_DEAL, (2, 1, "7")),
        (rows("1 1 aabb", "1 2 bbaa"), BY_DEAL, (1, 0, "")),
        (rows("1 1 abcd", "1 2 badc"), BY_DEAL, (1, 1, "1")),
        (rows("1 1 abcd", "1 2 badc"), SEATED._replace(deal=["deal"], side="side"), (1, 0, "")),
    ],
)
def test_luck_cancels_in_sets_in_which_everybody_had_every_seat(text, columns, known):
    """It is unknown without deals or seats; partners need only have had both sides."""
    assert Fairness.of(read(text, columns))[:3] == known


@pytest.mark.parametrize(
    ("games", "alike"),
    [
        ("ab bc ca", True),
        ("ab bc ca ab", False),
        ("ab cd", False),
        ("abc acb", True),
    ],
)
def test_means_are_compared_only_if_everybody_met_everybody_alike(games, alike):
    """Other players' scores are against other opponents."""
    text = rows(*(f"{number} {number} {seating}" for number, seating in enumerate(games.split())))
    assert (Fairness.of(read(text)).ranked_by == "mean") == alike


def test_many_players_are_ranked_by_strength(monkeypatch):
    """The score against the field would take too long."""
    monkeypatch.setattr(fairness, "MOST_WORK", 3**3 * 4 - 1)
    assert Fairness.of(read(rows("1 1 ab", "2 2 bc", "3 3 ca", "4 4 ab"))).ranked_by == "strength"


def test_partners_who_change_meet_alike_only_if_all_do():
    """With the same partners always, each has met the same number of opponents equally often."""
    side = SIDED
    assert Fairness.of(read(rows("1 1 abcd", "2 2 badc"), side)).ranked_by == "mean"
    assert Fairness.of(read(rows("1 1 abcd", "2 2 badc", "3 3 acbd"), side)).ranked_by == "field"
    assert Fairness.of(read(rows("1 1 abcd", "2 2 acbd", "3 3 abdc"), side)).ranked_by == "mean"


def test_two_are_judged_by_the_games_in_which_they_met():
    """One that also beat a third often is not better for that."""
    games = [
        f"{deal} {deal}{place} {seating}" for deal in range(20) for place, seating in enumerate(("ab", "ba", "ac"))
    ]
    found = read(rows(*games), BY_DEAL)
    chosen = games_of_two(found, "a", "b")
    assert len(chosen) == 40
    assert judge(chosen, found.scoring, Question("b", "a")).difference == 0


def test_two_that_never_met_are_judged_in_the_same_seat_with_the_same_others():
    """A deal in which only one of them sat there says nothing, even if that one sat there twice."""
    games = [
        f"{deal} {deal}{place} {seating}"
        for deal in range(20)
        for place, seating in enumerate(("ax", "xb", "ax", "xb"))
    ]
    apart = read(rows(*games), BY_DEAL)
    assert judge(games_of_two(apart, "a", "b"), apart.scoring, Question("b", "a")).sets == 0
    games += [f"{deal} {deal}{place} {seating}" for deal in range(20) for place, seating in enumerate(("ax", "bx"))]
    beside = read(rows(*games), BY_DEAL)
    assert judge(games_of_two(beside, "a", "b"), beside.scoring, Question("b", "a")).sets == 20


CELLS = st.tuples(*map(st.sampled_from, ["12", "12", "ns", "xy", "abc", ["1", "-2.5", "", '"', "x,y"]])).map(",".join)
PIECES = ["a,b\n", ",", ";", "\t", '"', "\n", "\r\n", "1", "a", "é", "\0", "{", "}", '{"player": "a"}', "[", "1-0\n"]
PIECES += ['[White "a"]\n', '[Black "b"]\n', '[Result "1-0"]\n', '[Result "*"]\n']
TEXTS = st.lists(CELLS, max_size=12).map(lambda lines: HEAD + "\n".join(lines)) | st.lists(st.sampled_from(PIECES)).map(
    "".join
)


@given(TEXTS, st.sampled_from([SEATED, BY_DEAL, BY_GAME, SIDED, WIDE, ColumnNames().for_chess()]))
def test_any_text_has_results_or_is_refused(text, columns):
    """A stranger's table never ends in a traceback, and what it has can be ranked."""
    try:
        found = read(text, columns)
    except BadTable:
        return
    table = standings(found.games, found.scoring, ranked_by=Fairness.of(found).ranked_by, sampled=False)
    assert table.games == len(found.games) > 0
