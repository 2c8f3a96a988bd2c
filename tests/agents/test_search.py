"""The bot that thinks: it plays every game by the rules, betrays nothing it cannot know, and answers in time."""

import subprocess
import sys
import time
from functools import partial
from importlib.util import find_spec
from math import inf
from random import Random

import pytest
from tests.support.recycle import program

from croupier.agents.bundled import make
from croupier.agents.driver import decide
from croupier.agents.search import BadWords, Budget, Search, Words
from croupier.agents.search.player import observation
from croupier.agents.search.playout import Playout
from croupier.agents.search.sampling import Sampling
from croupier.protocol import views
from croupier.protocol.dominion import Piles
from croupier.protocol.notifications import Attacked, Request
from croupier.protocol.sexp import parse
from croupier.server import games
from croupier.server.games.game import Dice
from croupier.server.games.recycle import library
from croupier.server.games.recycle.game import game_of
from croupier.server.games.world import NotToldError, world_of
from croupier.server.thinking import knows, words_for

NAMES = ("alice", "bob", "carol", "dave")
FEW = ("--iterations", "6")


def begin(name, seed=1, options=None):
    """Seat the players of a game."""
    rules = games.find(name)
    return rules(NAMES[: rules.SEATS[0]], options or {}, Dice(Random(seed)))


def asked(bot, game):
    """Ask for a decision as the referee does, over the wire."""
    view = views.read(parse(str(game.view(game.turn))))
    if game.attack is not None:
        return decide(bot, Attacked(game.attack.play, game.players[game.attack.attacker], view))
    return decide(bot, Request(view))


@pytest.mark.parametrize("name", [*games.BUNDLED, *[f"recycle:{name}" for name in library()]])
def test_it_plays_every_game_by_the_rules(name):
    """Here and there in a random game it is asked, in every phase, and what it says is legal."""
    bot, game, rng, met = make("search", FEW), begin(name), Random(2), set()
    for _ in range(150):
        if game.turn is None:
            break
        play = game.sample(rng)
        phase = (game.view(game.turn).phase, game.attack)
        if phase not in met or rng.random() < 0.02:
            met.add(phase)
            play = asked(bot, game)
            game.check(game.turn, play)
        game.play(game.turn, play)
    assert met


@pytest.mark.parametrize("name", ["hearts", "skat", "doppelkopf", "dominion", "recycle:whist"])
def test_it_answers_alike_where_it_sees_alike(name):
    """Two tables that its seat cannot tell apart, the same seed: the same play, whatever the others hold."""
    game, rng = begin(name, 3), Random(4)
    for number in range(24):
        if game.turn is None:
            break
        if number % 6 == 5:
            plays = {asked(make("search", FEW), table) for table in (game, *worlds(game, rng))}
            assert len(plays) == 1
        game.play(game.turn, game.sample(rng))


def classic(game):
    """Return what the seat on turn sees in the classic dialect."""
    view = game.view(game.turn)
    return type(view).of_classic(parse(view.classic()), "defend" if game.attack else "")


def worlds(game, rng):
    """Imagine what is hidden from the seat on turn, twice."""
    return [world_of(game).determinize(game.turn, rng).game for _ in range(2)]


def test_a_view_that_says_too_little_is_the_own_bot_s_to_answer():
    """In the classic dialect nobody is told what the others own: it plays on, and meets attacks."""
    game, bot = begin("dominion", 7, {"rules": "classic"}), make("search", FEW)
    game.sides[0].hand.insert(0, "militia")
    game.sides[0].owns = {**game.sides[0].owns, "militia": 1}
    for play in (None, ("act", "militia")):
        if play is not None:
            game.play(0, play)
        view = classic(game)
        attack = game.attack
        question = Request(view) if attack is None else Attacked(attack.play, game.players[attack.attacker], view)
        game.check(game.turn, decide(bot, question))


def test_the_solver_is_loaded_when_the_bot_is_seated_and_not_before():
    """Loading numba takes time, which nobody else is to spend, and no reply to a first question."""
    steps = "import croupier.server.thinking", "make('duck')", "make('search')"
    look = "print('numba' in sys.modules, 'croupier.agents.search.perfect_lines' in sys.modules)"
    program = "\n".join(
        ["import sys", "from croupier.agents.bundled import make", *[f"{step}\n{look}" for step in steps]]
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    with_numba = find_spec("numba") is not None
    assert said.stdout.splitlines() == ["False False", "False False", f"{with_numba} True"]


def test_another_seed_is_another_chance():
    """Of many decisions on few playouts some come out otherwise."""
    game = begin("recycle:gops", 5)
    assert len({asked(make("search", ("--iterations", "20", "--seed", str(seed))), game) for seed in range(6)}) > 1


def test_the_clock_is_nothing_to_decide_by():
    """What is left of the time stands in STATE, and changes no decision."""
    text = str(begin("hearts").view(0))
    assert observation(views.read(parse(f"{text[:-1]} (clock 1000) (bank 5))"))) == observation(views.read(parse(text)))


def test_it_lets_the_referee_s_clock_have_the_last_word():
    """However long it may think, most of the time that a reply may take is left."""
    watch = Budget(ms=3_600_000).start(views.read(parse("((game hearts) (clock 30))")))
    began = time.monotonic()
    while not watch.over:
        pass
    assert time.monotonic() - began < 20
    assert time.process_time() < watch.cpu


def test_a_playout_is_broken_off_when_it_is_late():
    """However many plays it still has."""
    game = begin("hearts")
    Playout(None).finish(world_of(game), 0, Random(1), time.monotonic())
    assert game.turn is not None


@pytest.mark.parametrize("late", [True, False])
def test_a_world_whose_last_playout_was_broken_off_does_not_count(late, monkeypatch):
    """What it came to by then says nothing of any play."""
    game = begin("hearts")
    watch, ends = Budget(iterations=99).start(game.view(game.turn)), []

    def finish(world, seat, rng, end, bot):
        ends.append(end)
        watch.wall = 0.0 if late and len(ends) == 3 else inf
        return 1.0

    playout = Playout(None)
    monkeypatch.setattr(playout, "finish", finish)
    sampling = Sampling(world_of(game), list(game.legal())[:3], playout, Random(1))
    sampling._sample(watch)
    assert len(ends) == 3
    assert sampling.values == [[] if late else [1.0]] * 3


def test_what_takes_long_to_list_is_not_imagined():
    """The rules list the options of a program however long it takes within bounds; a thinker has not the time."""
    deck = "(create deck (game vloc POOL) (deck (RANK (A, TWO, THREE, FOUR, FIVE, SIX)) (SUIT (CLUBS, HEARTS, STARS))))"
    many = "((> (size (subsets (game vloc POOL))) 9) (turn pass))"
    take = "(any (game vloc POOL) 'C (move 'C (top (game vloc TAKEN))))"
    stage = f"(stage player (end (== (size (game vloc POOL)) 0)) (choice ({take} {many})))"
    game = game_of("long", program(stage, setup=deck).encode())(("ann", "bob"), {}, Dice(Random(1)))
    with pytest.raises(NotToldError):
        game.WORLD.of_view(type(game), game.view(0))
    world = world_of(game).determinize(0, Random(1)).game
    world.play(0, ("choose", 1))
    assert world.turn is None
    assert "more than 50,000 steps of work" in world.void
    for seat in (0, 1, 0):
        game.play(seat, ("choose", 1))
    assert game.WORLD.of_view(type(game), game.view(1)).game.legal() == game.legal()


def test_iterations_are_playouts():
    """They are counted, and no clock but the referee's ends them sooner."""
    watch = Budget(iterations=2).start(views.read(parse("((game hearts) (clock 3600000))")))
    for _ in range(2):
        assert not watch.over
        watch.spend()
    assert watch.over


def test_the_words_behind_its_name_are_read():
    """Milliseconds or playouts, a seed, a program."""
    assert Words.read(()) == Words(Budget(100, None), "", None)
    assert Words.read(("--ms", "20", "--seed", "x")) == Words(Budget(20, None), "x", None)
    assert Words.read(("--iterations", "7", "--program", "a.gdl")) == Words(Budget(100, 7), "", "a.gdl")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--ms",), "each once"),
        (("--depth", "3"), "behind search there may stand"),
        (("--ms", "1", "--ms", "2"), "each once"),
        (("--ms", "soon"), "whole number from 1 to 3600000, not soon"),
        (("--ms", "0"), "not 0"),
        (("--ms", "\u0663"), "whole number"),
        (("--iterations", "-1"), "not -1"),
        (("--ms", "1", "--iterations", "1"), "not for both"),
    ],
)
def test_words_that_it_does_not_know_are_refused(words, why):
    """In one sentence that says what may stand there."""
    with pytest.raises(BadWords, match=why):
        Words.read(words)


def test_options_that_hang_on_hidden_cards_are_worlds_apart():
    """A program offers a choice for each heart among hidden cards: a world has as many, or is not thought about."""
    hidden = """(do ((shuffle (game vloc STOCK)) (repeat 3 (move (top (game vloc STOCK)) (top (game iloc HERE))))
                (repeat 3 (move (top (game vloc STOCK)) (top (game iloc THERE))))))
        (choice ((any (filter (game iloc HERE) 'H (== (cardatt SUIT 'H) HEARTS)) 'C (inc (game sto DONE) 1))
                 (inc (game sto DONE) 1)))"""
    rules = game_of("hidden", program(hidden).encode())
    told = partial(rules.WORLD.of_view, rules)
    thinker, met = Search(told, lambda _: Playout(None), Budget(iterations=20)), set()
    for seed in range(12):
        game = rules(["a", "b"], {}, Dice(Random(seed)))
        view = views.read(parse(str(game.view(0))))
        game.check(0, thinker.tryPlay(view))
        met.add(len(game.legal()))
        for world in (world_of(game), told(view)):
            assert {len(world.determinize(0, Random(luck)).game.legal()) for luck in range(9)} == {len(game.legal())}
    assert len(met) > 1


@pytest.mark.parametrize(
    ("provinces", "tried"),
    [(7, []), (6, ["militia", "duchy"]), (3, ["duchy", "militia"]), (2, [])],
)
def test_at_dominion_only_when_to_turn_to_victory_cards_is_thought_about(provinces, tried, monkeypatch):
    """Treasures are played without a thought, and what is bought too where early or late would make no difference."""
    compared = []
    monkeypatch.setattr(Sampling, "think", lambda self, _: compared.append(self.plays) or self.plays[0])
    game, bot = begin("dominion", 7), make("search", FEW)
    game.sides[0].hand = ["gold", "copper", "copper", "estate", "estate"]
    game.supply = Piles({**game.supply, "province": provinces})
    while game.buys:
        game.play(0, asked(bot, game))
    assert compared == ([[("buy", card) for card in tried]] if tried else [])
    assert game.sides[0].plays[-1] == "gold"


def test_a_program_of_no_library_has_to_be_named(tmp_path):
    """It is known by its bytes: another file will not do, nor one that is not there."""
    ending = "(choice ((inc ((0 player) sto S) 1)))"
    mine, other = tmp_path / "mine.gdl", tmp_path / "other.gdl"
    mine.write_text(program(ending))
    other.write_text(program(ending) + "\n")
    rules = games.find(f"recycle:{mine}")
    assert knows(rules, ("--program", str(mine)))
    for words in ((), ("--program", str(other)), ("--program", str(tmp_path / "none.gdl"))):
        assert not knows(rules, words)
    assert all(knows(games.find(name), ()) for name in ("recycle:agram", "hearts"))


@pytest.mark.parametrize("prefix", ["", "recycle:"])
def test_a_program_that_the_game_names_is_found(prefix, tmp_path):
    """Words that name a program stay as they are, and so do those that need none."""
    mine = tmp_path / "mine.gdl"
    mine.write_text(program("(choice ((inc ((0 player) sto S) 1)))"))
    rules, known = games.find(f"recycle:{mine}"), games.find("recycle:agram")
    assert knows(rules, words_for(f"{prefix}{mine}", rules, ("--ms", "5")))
    assert words_for(f"{prefix}{mine}", rules, ("--program", "x")) == ("--program", "x")
    assert words_for("recycle:agram", known, ("--ms", "5")) == ("--ms", "5")
