"""A program as a Game: options, limits, chance, sight."""

from random import Random

import pytest
from tests.support.recycle import begin, play_out, program

from croupier.protocol import views
from croupier.protocol.sexp import parse, write
from croupier.protocol.views.recycle import named_cards
from croupier.server.deals import Key, Listed, RecordedDeal
from croupier.server.games import BadGame, NoSuchGame, find
from croupier.server.games.game import Dice, IllegalPlay, UnknownPlay
from croupier.server.games.recycle import library, load

ROUND = "(stage player (end (== (game sto N) {n})) (choice ((inc (game sto N) 1))))"
SECRETS = """
 (do ((all player 'P (do ((move (top (game iloc STOCK)) (top ('P iloc HAND)))
                          (move (top (game iloc STOCK)) (top ('P hloc BACKS)))
                          (move (top (game iloc STOCK)) (top ('P oloc BROW))))))))
 (choice ((any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc SHOWN))))
          (any ((current player) iloc HAND) 'C (move 'C (top (game hloc AWAY))))
          (do ((move (top (game iloc STOCK)) (top ((current player) iloc HAND)))
               (set (game str TOLD) (cardatt RANK (top ((current player) iloc HAND))))))
          (remember (top ((current player) hloc BACKS)) (top (game mem SEEN)))
          (swap (top ((current player) iloc HAND)) (top ((next player) iloc HAND)))))
"""
DECK = "(create deck RED (game iloc STOCK) (deck (RANK (A, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT))))"
CARDS = "(create deck (game vloc STOCK) (deck (RANK (A, TWO)) (SUIT (CLUBS, HEARTS))))"


def secret():
    """Begin a game with lists of every kind."""
    return begin(program(SECRETS, setup=DECK))


def test_a_play_is_the_number_of_an_option():
    """Numbers count from one; everything else is refused with a reason."""
    game = begin(program("(choice ((turn pass) (turn pass)))"))
    assert list(game.legal()) == [("choose", 1), ("choose", 2)]
    for play in [(), ("choose",), ("choose", "x"), ("choose", ("1",)), ("play", 1), ("choose", 1, 2)]:
        with pytest.raises(UnknownPlay):
            game.check(0, play)
    for seat, play in [(0, ("choose", 0)), (0, ("choose", 3)), (0, ("choose", -1)), (1, ("choose", 1))]:
        with pytest.raises(IllegalPlay, match=r"choice|turn"):
            game.check(seat, play)


BRANCHES = """
 (stage player (end (== (size (game vloc STOCK)) 0))
  (choice ((do ((move (top (game vloc STOCK)) (top ((current player) iloc LEFT))) (inc (game sto LEFTS) 1)))
           (do ((move (top (game vloc STOCK)) (top ((current player) hloc RIGHT))) (set (game str WENT) RIGHT))))))
"""


def test_a_copy_and_its_original_show_each_their_own():
    """However often both were looked at before, each shows what a game shows that came there unseen."""
    ways = {(): begin(program(BRANCHES, setup=CARDS))}
    while ways:
        for way, game in ways.items():
            unseen = begin(program(BRANCHES, setup=CARDS))
            for play in way:
                unseen.play(unseen.turn, play)
            for seat in range(2):
                assert str(game.view(seat)) == str(unseen.view(seat))
        going = {way: game for way, game in ways.items() if game.turn is not None}
        ways = {}
        for way, game in going.items():
            for play in game.legal():
                ways[*way, play] = game.copy() if play[1] == 1 else game
                ways[*way, play].play(game.turn, play)


def test_single_choices_are_asked_or_made():
    """They count as choices either way."""
    text = program(ROUND.format(n=5))
    asked, made = begin(text), begin(text, {"single": "auto"})
    assert asked.turn == 0
    assert made.turn is None
    assert made.table.choices == 5
    assert play_out(asked, Random(1)).table.choices == 5


def test_a_game_has_a_last_choice():
    """One choice more than max-choices, and the game counts for nobody."""
    text = program(ROUND.format(n=5), "(game sto N)")
    enough = play_out(begin(text, {"max-choices": 5}), Random(1))
    assert (enough.outcome, enough.void) == ("finished", None)
    over = play_out(begin(text, {"max-choices": 4}), Random(1))
    assert (over.outcome, over.void) == ("max-choices", "more than 4 choices")
    assert over.scores() == (4, 4)


def test_a_program_that_asks_nobody_is_stuck():
    """It is scored as it stands, and counts for nobody."""
    game = begin(program("(stage player (end (== 1 2)) (do ((inc (game sto N) 1))))", "(game sto N)"))
    assert game.turn is None
    assert game.outcome == "stuck"
    assert "200 steps" in game.void
    assert game.scores()[0] == 100


def test_the_ending_is_told():
    """How a game ended otherwise comes before the score."""
    game = begin(program(f"{ROUND.format(n=1)} (do ((move (top (game vloc NONE)) (top (game vloc B)))))"))
    news = game.play(0, ("choose", 1))
    assert [item.play[0] for item in news] == ["broken", "score"]
    game = begin(program(ROUND.format(n=1)))
    assert [item.play for item in game.play(0, ("choose", 1))] == [("score", ("p0", 0), ("p1", 0))]


def test_a_choice_of_nothing_ends_the_game():
    """There is no legal play, and that is the program's fault."""
    game = begin(program("(choice (((== 1 2) (turn pass))))"))
    assert game.outcome == "broken"
    assert "nothing to choose from" in game.void


def test_every_shuffle_has_its_number():
    """A record has one shuffle for each that the program executes, top first, and it replays from the list."""
    body = "(do ((shuffle (game vloc STOCK)) (shuffle (game vloc STOCK))))"
    rules = type(begin(program(body)))
    deal = RecordedDeal(Key.from_seed("x").deal(1))
    game = rules(("a", "b"), {}, deal)
    (first, _), (second, order) = deal.new()
    assert (first.text(()), second.text(())) == (("shuffle", 1), ("shuffle", 2))
    assert [str(card) for card in game.table.lists[2]["vloc STOCK 0"]] == list(reversed(order))


def test_a_random_number_is_one_card_of_the_record():
    """Whatever its range: only what was drawn is kept, and the game replays from it."""
    rules = type(begin(program("(do ((set (game sto X) (random 5 .. 99999))))", "(game sto X)")))
    deal = RecordedDeal(Key.from_seed("x").deal(1))
    (score, _) = rules(("a", "b"), {}, deal).scores()
    ((label, order),) = deal.new()
    assert (label.text(()), order) == (("random", 1), (str(score - 5),))
    again = Listed()
    again.orders.append(order)
    assert rules(("a", "b"), {}, again).scores()[0] == score


@pytest.mark.parametrize("step", ["(set (game sto X) (random 1))", "(shuffle (game vloc STOCK))"])
def test_chance_is_paid_for(step):
    """Neither numbers nor shuffles are had without end between two choices."""
    game = begin(program(f"(do ((repeat 20000 {step})))"))
    assert (game.outcome, game.void) == ("broken", "more than 1,500,000 steps of work between two choices")
    assert begin(program(f"(do ((repeat 200 {step})))")).void is None


def test_looking_draws_no_chance():
    """Views, public plays and copies take nothing from the deal, also where options need it."""
    step = "(do ((any player 'P (set (game sto X) (random 9))) (shuffle (game vloc STOCK))))"
    rules = type(begin(program(f"(choice ({step}))")))
    deal = RecordedDeal(Key.from_seed("x").deal(1))
    game = rules(("a", "b"), {}, deal)
    deal.new()
    before = str(game.view(0))
    game.public(0, ("choose", 1))
    assert list(game.copy().legal()) == [("choose", 1), ("choose", 2)]
    assert str(game.copy().view(0)) == before
    assert deal.new() == []


def test_a_view_shows_what_its_seat_may_see():
    """Vloc and mem to all, iloc to its owner, oloc to the others, hloc to nobody."""
    view = secret().view(0)
    lists = {place: cards for place, *cards in view.visible}
    assert set(lists) == {("p0", "iloc", "HAND"), ("p1", "oloc", "BROW")}
    hidden = {place: (many, back) for place, many, back in view.hidden}
    assert hidden == {
        ("table", "iloc", "STOCK"): (2, "RED"),
        ("p0", "hloc", "BACKS"): (1, "RED"),
        ("p0", "oloc", "BROW"): (1, "RED"),
        ("p1", "iloc", "HAND"): (1, "RED"),
        ("p1", "hloc", "BACKS"): (1, "RED"),
    }
    assert {card for card, *_ in view.cards} == {card for cards in lists.values() for card in cards}


def test_options_name_no_card_that_their_chooser_cannot_see():
    """A hidden card is its back, and nothing is told from where an option looks at one."""
    game = secret()
    shown, away, drawn, remembered, swapped = (write(choice[1:]) for choice in game.view(0).choices)
    mine = game.table.lists[0]["iloc HAND 0"][0]
    assert shown == f"((move {mine} (p0 iloc HAND) (p0 vloc SHOWN)))"
    assert away == f"((move {mine} (p0 iloc HAND) (table hloc AWAY)))"
    assert drawn == "((move RED (table iloc STOCK) (p0 iloc HAND)) (unknown))"
    assert remembered == "((remember RED (table mem SEEN)))"
    assert swapped == f"((swap {mine} RED))"


NOTED = """
 (do ((all player 'P (move (top (game iloc STOCK)) (top (game vloc SHOWN))))
      (remember (top (game vloc SHOWN)) (top (game mem SEEN)))
      (all player 'P (move (top (game vloc SHOWN)) (top (game iloc STOCK))))
      (shuffle (game iloc STOCK))))
 (choice ((move (top (game iloc STOCK)) (top (game hloc AWAY)))
          (set (game str TOLD) (cardatt RANK (top (game iloc STOCK))))
          (forget (top (game mem SEEN)))))
"""


def test_a_card_that_is_remembered_does_not_show_where_it_lies():
    """A ``mem`` list names it; a move from the top of a hidden list says nothing, whatever is there."""
    games = [begin(program(NOTED, setup=DECK), seed=seed) for seed in range(40)]
    seen = {game.table.lists[2]["mem SEEN 0"][0] == game.table.lists[2]["iloc STOCK 0"][-1] for game in games}
    assert seen == {True, False}
    for game in games:
        (noted,) = game.table.lists[2]["mem SEEN 0"]
        move, forget = "(move RED (table iloc STOCK) (table hloc AWAY))", f"(forget {noted} (table mem SEEN))"
        assert write(game.view(0).choices) == f"((1 {move}) (2 (unknown)) (3 {forget}))"
        assert write(game.public(0, ("choose", 1))) == f"(choose {move})"
        rank = game.table.deck.cards[noted]["RANK"]
        assert write(game.public(0, ("choose", 3))) == f"(choose {forget} (cards ({noted} (RANK {rank}))))"


def test_what_others_hear_names_only_what_all_see():
    """The number of a choice would betray a hidden card: they hear the actions, hidden cards by their backs."""
    game = secret()
    mine = game.table.lists[0]["iloc HAND 0"][0]
    assert game.public(0, ("choose", 1)) == (
        "choose",
        ("move", mine, ("p0", "iloc", "HAND"), ("p0", "vloc", "SHOWN")),
        ("cards", (mine, *game.table.deck.cards[mine].items())),
    )
    assert game.public(0, ("choose", 2)) == (
        "choose",
        ("move", "RED", ("p0", "iloc", "HAND"), ("table", "hloc", "AWAY")),
    )


def test_a_card_that_is_heard_of_can_be_read_before_the_next_state():
    """What is on the cards that a choice names is told with it, wherever they lie when the hearer is asked again."""
    step = "(any (game iloc STOCK) 'C (do ((move 'C (top (game vloc SHOWN))) (move 'C (top (game hloc AWAY))))))"
    game = begin(program(f"(choice ({step} (turn pass)))", setup=DECK))
    heard = parse(write(game.public(0, ("choose", 3))))
    game.play(0, ("choose", 3))
    assert named_cards(heard) == {2: {"RANK": "THREE"}}
    assert named_cards(game_of_passing().public(0, ("choose", 1))) == {}


def game_of_passing():
    """Begin a game of one pass."""
    return begin(program("(choice ((turn pass)))"))


def test_the_score_s_direction_teams_and_point_maps_are_seen():
    """By every seat, and a card's worth is worked out from them."""
    step = (
        "(do ((set (game points P) (((RANK : A) 11) ((RANK : (game str LEAD)) (SUIT : HEARTS) 5)))"
        " (set (game str LEAD) A) (set ((0 team) points Q) (((SUIT : (game str LEAD)) (RANK : A) 2)))))"
    )
    text = program(f"{step} (choice ((turn pass)))", setup=f"(create teams (0, 2) (1, 3)) {CARDS}", players=4)
    game = begin(text.replace("max", "min"))
    view = views.read(parse(str(game.view(1))))
    assert (view.wins, view.teams) == ("low", (("p0", "p2"), ("p1", "p3")))
    assert view.maps == (
        ("table", "P", (("RANK", "A"), 11), (("RANK", "none"), ("SUIT", "HEARTS"), 5)),
        (("team", "p0", "p2"), "Q", (("SUIT", "A"), ("RANK", "A"), 2)),
    )
    assert [view.worth(card, "table", "P") for card in view.pile("table", "STOCK")] == [11, 11, 0, 0]
    alone = begin(program("(choice ((turn pass)))")).view(0)
    assert (alone.wins, alone.teams, alone.maps) == ("high", None, ())


def test_lists_of_one_name_are_told_apart():
    """By kind and by number; without, all of them together."""
    moves = "".join(
        f"(move (bottom (game vloc STOCK)) (top ({place})))"
        for place in ("game vloc RUN", "game vloc RUN 2", "game iloc RUN", "game hloc RUN 2")
    )
    view = views.read(parse(str(begin(program(f"(do ({moves})) (choice ((turn pass)))")).view(0))))
    assert view.pile("table", "RUN") == (0, 1)
    assert view.pile("table", "RUN", number=2) == (1,)
    assert view.pile("table", "RUN", "iloc") == ()
    assert view.count("table", "RUN") == 4
    assert view.count("table", "RUN", "iloc") == 1
    assert view.count("table", "RUN", number=2) == 2
    assert view.count("table", "RUN", "vloc", 0) == 1


def test_a_view_reads_back():
    """STATE is read as the same view, which finds cards, piles and stores."""
    game = secret()
    view = views.read(parse(str(game.view(0))))
    (mine,) = view.pile("p0", "HAND")
    assert view.card(mine) == game.table.deck.cards[mine]
    assert view.count("table", "STOCK") == 2
    assert view.store("table", "NOTHING") == 0
    assert list(view.legal_plays()) == list(game.legal())


def test_more_than_sixty_four_options_are_listed_in_choices():
    """Legal is left out, and the view still lists them."""
    view = begin(program("(choice ((any (range 1..70) 'X (set (game sto X) 'X))))")).view(0)
    assert view.legal is None
    assert len(list(view.legal_plays())) == 70


def test_a_penalty_is_the_worst_of_some_games_and_the_same_each_time():
    """No fault pays, and an award is what a winner gets at least."""
    game = load("whist")(list("abcd"), {}, Dice(Random(1)))
    assert game.penalty() == game.penalty() == 0
    assert game.award() >= 1
    assert load("hearts")(list("abcd"), {}, Dice(Random(1))).penalty() >= 13


def test_programs_are_found_by_file_name_or_digest(tmp_path, monkeypatch):
    """A file, else a game of the library, else either by its SHA-256 as records name it."""
    mine = tmp_path / "My game!.gdl"
    mine.write_text(program(ROUND.format(n=1)))
    rules = find(f"recycle:{mine}")
    assert (rules.PROGRAM, rules.SEATS, rules.NAME) == ("My-game", (2,), "recycle")
    assert find(f"recycle:{mine}") is find(str(mine)) is rules
    assert find(str(mine.rename(mine.with_suffix(".rcy")))) is rules
    with pytest.raises(NoSuchGame, match=r"there is no file nowhere\.gdl"):
        find("nowhere.gdl")
    assert find("recycle:whist") is load("whist")
    assert load(load("whist").PROGRAM_SHA256) is load("whist")
    monkeypatch.chdir(tmp_path)
    assert load(rules.PROGRAM_SHA256) is rules
    with pytest.raises(NoSuchGame, match="library"):
        load("no-such-game")
    with pytest.raises(NoSuchGame, match="SHA-256"):
        load("0" * 64)
    with pytest.raises(BadGame, match="cannot be read"):
        load(str(tmp_path))


def test_a_folder_named_like_a_game_of_the_library_hides_nothing(tmp_path, monkeypatch):
    """A file of that name is the game instead."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "whist").mkdir()
    assert find("whist") is find("recycle:whist") is load("whist")


def test_the_library_has_names():
    """At least twenty-five games come with the package."""
    assert len(library()) >= 25
