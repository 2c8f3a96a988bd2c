"""Stages, pointers and steps: who is on turn, and what the machine does."""

import pytest
from tests.support.recycle import begin, program, stores, value

PASS = "(choice ((inc (game sto N) 1)))"


def turns(body, players=3, steps=12):
    """Return which seats are asked, in order, each taking the first option."""
    game = begin(program(body, players=players))
    asked = []
    while game.turn is not None and len(asked) < steps:
        asked.append(game.turn)
        game.play(game.turn, ("choose", 1))
    return asked


def test_a_stage_goes_round_until_its_end():
    """The end is asked before every turn, and before the pointer moves on."""
    assert turns(f"(stage player (end (== (game sto N) 5)) {PASS})") == [0, 1, 2, 0, 1]
    assert turns(f"(stage player (end (== (current player) (2 player))) {PASS})") == [0, 1, 2]


def test_a_stage_that_has_ended_is_not_entered():
    """The end is asked before the first turn too."""
    assert turns(f"(stage player (end (== 1 1)) {PASS}) {PASS}") == [0]


def test_an_inner_stage_begins_where_the_outer_is():
    """It has a pointer of its own, and the outer one stays where it was."""
    count = "(choice ((do ((inc (game sto M) 1) (inc (game sto N) 1)))))"
    inner = f"(do ((set (game sto M) 0))) (stage player (end (== (game sto M) 2)) {count})"
    assert turns(f"(stage player (end (>= (game sto N) 6)) {inner})") == [0, 1, 1, 2, 2, 0]


def test_cycle_next_says_who_is_next():
    """The last word counts; once used it is forgotten."""
    again = "((== (game sto N) 2) (cycle next current)) ((== (game sto N) 4) (cycle next (0 player)))"
    body = f"(stage player (end (== (game sto N) 6)) (choice ((do ((inc (game sto N) 1) {again})))))"
    assert turns(body) == [0, 1, 1, 2, 0, 1]


def test_cycle_current_changes_the_turn_at_once():
    """And leaves who is queued alone."""
    cycle = "(do ((cycle next (1 player)) (cycle current (2 player))))"
    assert turns(f"(stage player (end (== (game sto N) 3)) {cycle} {PASS})") == [2, 2, 2]


def test_the_next_player_is_the_queued_one():
    """(next player) follows the queue, (previous player) the seats."""
    both = "(+ (* 10 (pid (next player))) (pid (previous player)))"
    assert value("(game sto R)", f"(do ((cycle next (2 player)) (set (game sto R) {both})))", players=3) == 22


def test_a_team_stage_moves_the_teams_only():
    """Teams go round as they are numbered, and a team is its players."""
    setup = "(create teams (0, 2) (1)) (create deck (game vloc S) (deck (RANK (A))))"
    body = "(stage team (end (== (game sto N) 3)) (do ((inc (game sto N) 1) (inc ((current team) sto T) 1))))"
    game = begin(program(body, "((team (current player)) sto T)", setup=setup, players=3))
    assert game.scores() == (2, 1, 2)
    assert value("(size (0 team))", setup=setup, players=3) == 2
    assert value("(all (0 team) 'P (pid 'P))", setup=setup, players=3) == 2


def test_everybody_has_a_team_of_his_own_unless_the_setup_says_otherwise():
    """Teams are numbered in the order in which they are made."""
    assert value("(tid (team (1 player)))") == 1


def test_outside_a_choice_any_is_all():
    """Both go through every element."""
    for word in ("any", "all"):
        assert value("(game sto X)", f"(do (({word} (range 1..4) 'X (inc (game sto X) 'X))))") == 10


def test_a_loop_goes_over_what_was_there_when_it_began():
    """Moving cards out of a list while going through it skips none."""
    assert value("(size (game vloc B))", "(do ((all (game vloc STOCK) 'C (move 'C (top (game vloc B))))))") == 6


def test_repeat_does_one_after_the_other():
    """Each sees what the one before has done; all is as many as there are now."""
    assert value("(game sto X)", "(do ((repeat 3 (inc (game sto X) (+ 1 (game sto X))))))") == 7
    assert value("(size (game vloc B))", "(do ((repeat all (move (top (game vloc STOCK)) (top (game vloc B))))))") == 6
    assert value("(size (game vloc B))", "(do ((repeat all (move (top (game vloc NONE)) (top (game vloc B))))))") == 0


@pytest.mark.parametrize("times", [1, 4, 6])
def test_cards_dealt_at_once_lie_as_if_one_by_one(times):
    """Each comes from the top and goes on top, whether the move stands once or that often."""
    move = "(move (top (game vloc STOCK)) (top (game iloc HAND)))"
    both = [begin(program(f"(do (({step})))")).table for step in (f"repeat {times} {move}", f"do ({move * times})")]
    assert both[0].lists[2] == both[1].lists[2]
    assert [[held.name for held in table.where] for table in both] == [["STOCK"] * (6 - times) + ["HAND"] * times] * 2


def test_more_cards_than_there_are_cannot_be_dealt():
    """The last is moved before the game cannot go on; to where they came from, they can be dealt forever."""
    deal = "(do ((repeat 7 (move (top (game vloc STOCK)) (top (game vloc {}))))))"
    game = begin(program(deal.format("HAND")))
    assert "there is no card to move from (top (game vloc STOCK))" in game.void
    assert game.table.lists[2]["vloc HAND 0"] == [5, 4, 3, 2, 1, 0]
    assert begin(program(deal.format("STOCK"))).table.lists[2]["vloc STOCK 0"] == [0, 1, 2, 3, 4, 5]


def test_variables_end_with_their_form():
    """An inner variable of the same name does not disturb the outer."""
    body = "(do ((all (range 1..2) 'X (do ((all (range 5..6) 'X (inc (game sto A) 'X)) (inc (game sto B) 'X))))))"
    assert value("(game sto B)", body) == 3


@pytest.mark.parametrize(
    ("steps", "bottom_to_top"),
    [
        ("(move (top (game vloc STOCK)) (bottom (game vloc STOCK)))", [5, 0, 1, 2, 3, 4]),
        ("(move (bottom (game vloc STOCK)) (top (game vloc STOCK)))", [1, 2, 3, 4, 5, 0]),
        ("(move (top (game vloc STOCK)) (2 (game vloc STOCK)))", [0, 1, 5, 2, 3, 4]),
        ("(swap (top (game vloc STOCK)) (bottom (game vloc STOCK)))", [5, 1, 2, 3, 4, 0]),
        ("(do ((swap (game vloc STOCK) (game vloc B)) (move (top (game vloc B)) (top (game vloc STOCK)))))", [5]),
        ("(move (actual (min (game vloc STOCK) using (game points P))) (top (game vloc B)))", [1, 2, 3, 4, 5]),
    ],
)
def test_moves(steps, bottom_to_top):
    """The top is the end of a list; a card is put before the one with the number."""
    awards = "((RANK : A) (SUIT : CLUBS) 1) ((RANK : A) (SUIT : HEARTS) 2) ((RANK : TWO) 5) ((RANK : THREE) 5)"
    game = begin(program(f"(do ((set (game points P) ({awards})) {steps}))"))
    assert game.table.lists[2]["vloc STOCK 0"] == bottom_to_top


def test_a_held_group_gives_up_the_cards_that_are_moved_out_of_it():
    """Moving its top again and again moves every card of it, and trying that out in a choice leaves all in place."""
    move = "(repeat all (move (top 'G) (top (game vloc (cardatt RANK (top 'G))))))"
    groups = "(any (partition RANK (game vloc STOCK)) 'G (do (MOVE (inc (game sto N) (size 'G)))))".replace(
        "MOVE", move
    )
    assert value("(+ (game sto N) (* 10 (size (game vloc TWO))))", f"(do ({groups}))") == 20
    game = begin(program(f"(choice ((do ((any player 'P (inc ('P sto A) 1)) {groups}))))"))
    assert len(game.ways) == 6
    assert game.table.lists[2]["vloc STOCK 0"] == [0, 1, 2, 3, 4, 5]
    assert [len(choice[1:]) for choice in game.view(0).choices] == [4] * 6


def test_a_memory_holds_references():
    """Remembering moves nothing; the owner of a remembered card is who holds it."""
    body = """(do ((move (top (game vloc STOCK)) (top ((1 player) vloc TRICK)))
                   (remember (top ((1 player) vloc TRICK)) (top (game mem LEAD)))
                   (set (game sto R) (pid (owner (top (game mem LEAD)))))
                   (forget (top (game mem LEAD)))))"""
    assert value("(+ (game sto R) (* 10 (size (game mem LEAD))))", body) == 1


def test_forgetting_nothing_is_an_error_only_in_new_programs():
    """The old dialect let it pass."""
    forget = "(forget (top (game mem NONE)))"
    assert begin(program(f"(do ({forget}))")).outcome == "broken"
    assert begin(program(f"(do ((put points 'P (((RANK (A)) 1))) {forget}))")).outcome == "finished"


def test_forgetting_what_a_memory_does_not_hold_ends_the_game():
    """Its number is beyond the last."""
    forget = "(remember (top (game vloc STOCK)) (top (game mem M))) (forget (7 (game mem M)))"
    assert "nothing to forget" in begin(program(f"(do ({forget}))")).void


def test_words_are_kept_as_numbers_are():
    """A word may be the name of a store."""
    assert value("(game sto TWO)", "(do ((set (game str S) TWO) (set (game sto (game str S)) 7)))") == 7


def test_decks_and_teams_may_be_made_later():
    """New cards are numbered on, and known to the point maps."""
    body = """(do ((set (game points P) (((RANK : K) 5)))
                   (create deck (game vloc MORE) (deck (RANK (K, Q))))
                   (create teams (0, 1))))"""
    assert value("(+ (sum (game vloc MORE) using (game points P)) (tid (team (1 player))))", body) == 7


def test_scores_are_asked_for_each_player_on_turn():
    """(current player) in the scoring is each seat in turn, also if another is queued."""
    game = begin(program("(do ((inc ((1 player) sto S) 4) (cycle next (0 player))))", "((current player) sto S)"))
    assert game.scores() == (0, 4)
    assert game.ranks() == (2, 1)


def test_an_option_may_pass():
    """Passing is an action that changes nothing."""
    assert stores(program("(choice ((turn pass)))")) == [[]]
