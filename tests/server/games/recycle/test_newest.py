"""What CardStock reads since 0.6.3, and how programs of older generations are told apart from such."""

from random import Random

import pytest
from tests.support.recycle import DECK, begin, play_out, program, ranks, value

from croupier.protocol import views
from croupier.protocol.sexp import parse

STOCK = "(game vloc STOCK)"
PIPS = "(set (game points PIPS) (((RANK : A) 1) ((RANK : TWO) 2) ((RANK : THREE) 3) ((SUIT : CLUBS) 10)))"
TOP = "(score (top (game vloc STOCK)) using (game points PIPS))"
SUM = "(sum (game vloc STOCK) using (game points PIPS))"
TURN = "(choice ((inc ((current player) sto N))))"


@pytest.mark.parametrize(
    ("expression", "number"),
    [
        ("(+ 1 2 3)", 6),
        ("(+ 1 2 3 4 5)", 15),
        ("(* 2 2 2)", 8),
        ("(+ 2147483647 1 1)", -2147483647),
        ("(* 1 2 (+ 1 1 1))", 6),
    ],
)
def test_sums_and_products_take_two_numbers_or_more(expression, number):
    """They are worked out from left to right, in 32 bits."""
    assert value(expression) == number


@pytest.mark.parametrize(
    ("size", "many"),
    [("== 2", 15), ("!= 2", 48), ("<= 2", 21), ("< 2", 6), (">= 5", 7), ("> 5", 1), ("== 7", 0), ("== 0", 0)],
)
def test_subsets_may_be_of_some_sizes_only(size, many):
    """The empty one is never among them."""
    assert value(f"(size (subsets {STOCK} {size}))") == many


@pytest.mark.parametrize("size", ["== 2", "<= 2", ">= 5", "!= 3"])
def test_subsets_of_some_sizes_keep_the_order_of_all(size):
    """They come as all subsets do, the others left out."""
    some, all_ = f"(subsets {STOCK} {size})", f"(filter (subsets {STOCK}) 'S ({size[:2]} (size 'S) {size[3:]}))"
    assert ranks(f"(union {some})") == ranks(f"(union {all_})")


def test_subsets_of_one_size_may_be_of_many_cards():
    """Only as many as there are have to be made: 2 of 60 cards are 1,770 subsets."""
    setup = f"(repeat 10 {DECK})"
    assert value(f"(size (subsets {STOCK} == 2))", setup=setup) == 1770


@pytest.mark.parametrize(
    ("early", "late", "many"),
    [
        ("", "", 63),
        ("(put points 'X (((RANK (A)) 1)))", "", 64),
        ("(move (actual (top (game vloc STOCK))) (top (game vloc STOCK)))", "", 64),
        ("(set (game sto X) (size (partition (game vloc STOCK) SUIT)))", "", 64),
        ("(put points 'X (((RANK (A)) 1)))", "(set (game sto Y) (+ 1 2 3))", 63),
        ("(put points 'X (((RANK (A)) 1)))", "(update (game points X) (((RANK : A) 2)))", 63),
    ],
)
def test_the_empty_subset_goes_with_older_programs(early, late, many):
    """Where something is written as CardStock no longer reads it, and nothing as only it reads it."""
    assert value(f"(size (subsets {STOCK}))", f"(do ({early} {late} (turn pass)))") == many


@pytest.mark.parametrize(("players", "turns"), [(2, [0, 1]), (3, [0, 1, 2])])
def test_a_stage_that_is_played_once_gives_everybody_a_turn(players, turns):
    """It begins with the player on turn, and ends when the turn comes round."""
    assert asked(f"(stage player once {TURN})", players) == turns
    outer = "(do ((cycle current (1 player))))"
    assert asked(f"{outer} (stage player once {TURN})", players) == turns[1:] + turns[:1]
    assert asked(f"(stage player (end (== ((0 player) sto N) 4)) (stage player once {TURN}))", 2) == [0, 1, 1, 0] * 2


def test_a_player_named_next_has_a_turn_in_a_stage_played_once():
    """`cycle next` goes before the seats, also back to the player with whom the stage began."""
    again = "((== ((0 player) sto N) 1) (cycle next (0 player)))"
    once = f"(stage player once (choice ((do ((inc ((current player) sto N)) {again})))))"
    assert asked(once, 2) == [0, 0, 1]


def test_a_team_stage_may_be_played_once():
    """Each team has one turn of it."""
    setup = f"(create teams (0) (1) (2)) {DECK}"
    body = "(stage team once (do ((inc ((current team) sto T)) (inc (game sto ALL)))))"
    assert value("(+ (game sto ALL) ((team (current player)) sto T))", body, setup=setup, players=3) == 4


def test_a_view_tells_where_a_stage_played_once_is():
    """Told again from what the player on turn sees, as many turns are to come."""
    game = begin(program(f"(stage player once {TURN}) (stage player once {TURN})", players=3))
    game.play(0, ("choose", 1))
    again = game.WORLD.of_view(type(game), views.read(parse(str(game.view(1)))))
    assert len(rest(again.game)) == 5


def test_update_replaces_the_awards_for_the_same_keys():
    """All others stay: a map of ranks is given another suit trick by trick."""
    trump = "(update (game points PIPS) (((SUIT : {}) 100)))"
    assert value(SUM, f"(do ({PIPS}))") == 42
    assert value(SUM, f"(do ({PIPS} {trump.format('HEARTS')}))") == 312
    assert value(TOP, f"(do ({PIPS} {trump.format('HEARTS')} {trump.format('CLUBS')}))") == 3
    assert value(SUM, f"(do ({trump.format('HEARTS')}))") == 300


def test_an_option_that_updates_a_map_is_taken_back():
    """Trying options out leaves the map as it was."""
    body = f"(do ({PIPS})) (choice ((update (game points PIPS) (((RANK : A) 9))) (turn pass)))"
    game = begin(program(body, SUM))
    assert game.scores()[0] == 42
    assert game.view(0).choices == ((1, ("set", "table", "PIPS")), (2, ("pass",)))
    game.play(0, ("choose", 1))
    assert game.scores()[0] == 48


def test_a_run_may_be_asked_for_as_the_manual_of_cardstock_has_it():
    """(top N LIST using MAP) is (run top N LIST using MAP)."""
    for end in ("top", "bottom"):
        run = f"({end} 2 {STOCK} using (game points PIPS))"
        assert ranks(run, f"(do ({PIPS}))") == ranks(f"(run {run[1:]}", f"(do ({PIPS}))")


def asked(body, players):
    """Return which seats are asked, each taking the first option."""
    return rest(begin(program(body, players=players)))


def rest(game):
    """Return which seats are asked from now on, each taking the first option."""
    seats = []
    while game.turn is not None and len(seats) < 20:
        seats.append(game.turn)
        game.play(game.turn, ("choose", 1))
    return seats


def test_programs_of_the_newest_language_are_played_to_their_end():
    """All of it together: a round of turns, subsets of two, a map that is updated."""
    body = f"""
     (do ({PIPS} (all player 'P (repeat 3 (move (top {STOCK}) (top ('P iloc HAND)))))))
     (stage player once
      (choice ((any (subsets ((current player) iloc HAND) == 2) 'S
                (repeat all (move (top 'S) (top (game vloc PILE)))))))
      (do ((update (game points PIPS) (((SUIT : HEARTS) 5)))
           (inc ((current player) sto SCORE) (+ 1 2 (score (top (game vloc PILE)) using (game points PIPS)))))))
    """
    game = play_out(begin(program(body, "((current player) sto SCORE)")), Random(1))
    assert game.outcome == "finished"
    assert len(game.table.lists[game.table.game]["vloc PILE 0"]) == 4
