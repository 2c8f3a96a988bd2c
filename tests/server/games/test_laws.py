"""The laws that every game keeps, whatever its rules; a new game or option is one more row."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest

from croupier.protocol import views
from croupier.protocol.sexp import parse, write
from croupier.server import games
from croupier.server.games.game import Dice, Game, IllegalPlay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.protocol.sexp import Sexp
    from croupier.server.games.game import Play

NAMES = ("alice", "bob", "carol", "dave")
MANY = 2000
"""More plays than are listed one by one: a Cellar's may be millions."""
LENIENT = ("skat",)
"""Games that accept what they do not list: implied words left out."""
REVEALING = ("sedma", "doppelkopf")
"""Games in which a play lets others see more than itself: cards from the stock, the party of whoever announces."""

ROWS = [
    ("dominion", 2, {"turns": 60}),
    ("dominion", 3, {"turns": 30, "rules": "classic"}),
    ("dominion", 4, {"turns": 40}),
    ("hearts", 4, {}),
    ("hearts", 4, {"variant": "seed", "score-to": 30}),
    ("hearts", 4, {"pass": "across", "queen-breaks": "yes", "jack": 10, "score-to": 40}),
    ("jass", 4, {}),
    ("jass", 4, {"weis": "yes", "stoeck": "yes", "factors": "schieber"}),
    ("jass", 4, {"trump": "u", "undertrump": "free-with-only-trumps", "score-to": 300}),
    ("sedma", 4, {}),
    ("sedma", 4, {"rounds": "many", "score-to": 4}),
    ("skat", 3, {}),
    ("skat", 4, {"list": 3, "scoring": "seeger-fabian"}),
    ("skat", 3, {"contra": "yes", "all-pass": "ramsch", "impossible-null": "lose", "list": 3}),
    ("doppelkopf", 4, {}),
    ("doppelkopf", 4, {"poverty": "yes", "schweinchen": "yes", "nines": "no", "solo-leads": "yes", "list": 3}),
    ("doppelkopf", 4, {"dulle": "second-but-last-trick", "duty-solo": "yes", "list": 2}),
    ("doppelkopf", 4, {"dulle": "second", "duty-solo": "yes", "poverty": "yes", "list": 5}),
]

IDS = [" ".join([name, str(seats), *map(str, sum(options.items(), ()))]) for name, seats, options in ROWS]
every_game = pytest.mark.parametrize("row", ROWS, ids=IDS)


def begin(row, rng: Random) -> Game:
    """Seat as many players as the row says at its game."""
    name, seats, options = row
    return games.find(name)(NAMES[:seats], options, Dice(rng))


def varied(game: Game, rng: Random) -> Play:
    """Choose what to do before how, so that rare kinds of plays are not drowned by frequent ones."""
    plays = list(islice(game.legal(), MANY))
    word = rng.choice(sorted({play[0] for play in plays}))
    return rng.choice([play for play in plays if play[0] == word])


def decisions(row, seed: int) -> Iterator[tuple[Game, Random]]:
    """Play one game at random; yield it before every decision."""
    rng = Random(f"{row} {seed}")
    game = begin(row, rng)
    while game.turn is not None:
        yield game, rng
        game.play(game.turn, varied(game, rng))


def finish(game: Game, rng: Random) -> Game:
    """Play to the end at random."""
    while game.turn is not None:
        game.play(game.turn, game.sample(rng))
    return game


def looks(game: Game) -> list[str]:
    """Return what each seat sees."""
    return [str(game.view(seat)) for seat in range(len(game.players))]


def any_order(play: Play) -> list[str]:
    """Return what two plays have in common whose cards stand in different orders."""
    return sorted(map(write, play))


def refusal(game: Game, seat: int, play: Play) -> str | None:
    """Return why the seat may not play this, None if it may."""
    try:
        game.check(seat, play)
    except IllegalPlay as problem:
        return str(problem)
    return None


def atoms(form: Sexp) -> Iterator[Sexp]:
    """List the words and numbers in a form."""
    if isinstance(form, tuple):
        for item in form:
            yield from atoms(item)
    else:
        yield form


def mutated(play: Play, words: list[Sexp], rng: Random) -> Play:
    """Return a play that is a little or utterly wrong, or right by accident."""
    changed = list(play)
    place = rng.randrange(len(changed) + 1)
    match rng.randrange(6):
        case 0:
            changed.insert(place, rng.choice(words))
        case 1:
            changed[place : place + 1] = []
        case 2:
            changed[place : place + 1] = [rng.choice(words)]
        case 3:
            changed[place : place + 1] = [(*changed[place : place + 1], rng.choice(words))]
        case 4:
            rng.shuffle(changed)
        case 5:
            changed = [rng.choice(words) for _ in range(rng.randrange(5))]
    return tuple(changed)


@every_game
def test_what_is_listed_is_legal(row):
    """Every listed play passes check, can be played, is listed once, and is what the view lists."""
    for game, _ in decisions(row, 1):
        plays = list(islice(game.legal(), MANY))
        assert plays
        assert len(set(plays)) == len(plays)
        assert list(islice(game.view(game.turn).legal_plays(), MANY)) == plays
        for play in plays[:200]:
            game.check(game.turn, play)
        for play in plays[:3]:
            game.copy().play(game.turn, play)


@every_game
def test_what_is_not_listed_is_refused_with_a_reason(row):
    """Whatever is sent, check raises nothing but IllegalPlay, and lets through only what is listed."""
    words: list[Sexp] = [0, -1, 10**17, "x", "table", *NAMES]
    for game, rng in decisions(row, 2):
        plays = list(islice(game.legal(), MANY))
        words = list(dict.fromkeys([*words[-60:], *atoms(tuple(plays[:20]))]))
        listed = [any_order(play) for play in plays]
        for seat in range(len(game.players)):
            for _ in range(6):
                play = mutated(rng.choice(plays), words, rng)
                why = refusal(game, seat, play)
                assert why != ""
                if why is None:
                    known = len(plays) == MANY or row[0] in LENIENT or seat != game.turn
                    assert known or any_order(play) in listed
                    game.copy().play(seat, play)


@every_game
def test_a_copy_goes_its_own_way(row):
    """Playing on in a copy changes nothing in the original, and the copy begins as its equal."""
    for game, rng in decisions(row, 3):
        before = looks(game)
        copy = game.copy()
        assert looks(copy) == before
        for _ in range(4):
            if copy.turn is not None:
                copy.play(copy.turn, copy.sample(rng))
        assert looks(game) == before


@every_game
def test_equal_knowledge_is_equal_bytes(row):
    """Dealing anew what a seat cannot see changes no byte of what it is told."""
    for game, rng in decisions(row, 4):
        for seat in range(len(game.players)):
            assert str(game.determinize(seat, rng).view(seat)) == str(game.view(seat))


@every_game
def test_what_is_done_in_secret_stays_secret(row):
    """One play from two hands that a seat cannot tell apart is told it in the same bytes, and leaves the same view."""
    for game, rng in decisions(row, 8):
        author, play = game.turn, varied(game, rng)
        for seat in range(len(game.players)):
            one, other = game.copy(), game.determinize(seat, rng)
            if seat == author or refusal(other, author, play) is not None:
                continue
            assert one.public(author, play) == other.public(author, play)
            news = one.play(author, play)
            if not news and not other.play(author, play) and row[0] not in REVEALING:
                assert str(one.view(seat)) == str(other.view(seat))


@every_game
def test_an_imagined_deal_can_be_played_out(row):
    """A determinized copy goes on to an end of its own and leaves the original alone."""
    for step, (game, rng) in enumerate(decisions(row, 5)):
        if step % 9 == 0:
            before = looks(game)
            copy = finish(game.determinize(step % len(game.players), rng), rng)
            assert len(copy.scores()) == len(game.players)
            assert looks(game) == before


@every_game
def test_a_view_reads_back_as_it_was_written(row):
    """Reading STATE gives a view with the same fields, which writes the same STATE."""
    for game, _ in decisions(row, 6):
        for seat in range(len(game.players)):
            view = game.view(seat)
            again = views.read(parse(str(view)))
            assert type(again) is type(view)
            assert str(again) == str(view)
            for field in type(view)._ALL:
                assert getattr(again, field) == getattr(view, field), field
            assert view.players[0] == NAMES[seat]
            assert view.options == game.options


@every_game
def test_scores_and_ranks_agree(row):
    """Everybody has a score, the best is first, and nobody with a better score ranks behind."""
    for seed in range(3):
        game = begin(row, rng := Random(seed))
        finish(game, rng)
        scores, ranks = game.scores(), game.ranks()
        assert len(scores) == len(ranks) == len(game.players)
        assert min(ranks) == 1
        for mine, rank in zip(scores, ranks, strict=True):
            for other, behind in zip(scores, ranks, strict=True):
                if mine != other and game.better(mine, other) == mine:
                    assert rank < behind
        for seat in range(len(scores)):
            assert all(scores[partner] == scores[seat] for partner in game.partners(seat))
        assert list(game.legal()) == []
        with pytest.raises(IllegalPlay):
            game.check(0, ("play", "h9"))


@every_game
def test_the_same_luck_and_plays_are_the_same_game(row):
    """Chance enters through the deal alone: equal shuffles and plays give equal views and scores."""
    one = [looks(game) for game, _ in decisions(row, 7)]
    assert one == [looks(game) for game, _ in decisions(row, 7)]
