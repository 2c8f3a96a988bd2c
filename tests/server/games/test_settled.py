"""What of a view stays while a hand is played is made once: it must never be what it was before."""

from random import Random

import pytest

from croupier.protocol.notifications import NATIVE, Request
from croupier.protocol.views.known import Known
from croupier.protocol.views.view import CARDS, PLAYS, TRICK, TRICKS
from croupier.server import games
from croupier.server.games.skat.contract import Declaration
from croupier.server.table import talk
from croupier.server.table.clock import Budget, Clock

OPTIONS = {
    "hearts": {"score-to": 60},
    "skat": {"list": 6, "contra": "yes"},
    "jass": {"score-to": 300},
    "doppelkopf": {"list": 2},
    "sedma": {"score-to": 20},
    "dominion": {"turns": 8},
}


def counting(rules, built):
    """Return the rules, which put down whose views they build."""

    class Counting(rules):
        def view(self, seat):
            built.append(seat)
            return super().view(seat)

    return Counting


@pytest.mark.parametrize("name", games.BUNDLED)
def test_a_view_shows_what_it_would_if_nobody_had_looked_before(name, key):
    """Field by field and byte by byte, over several hands, whoever looks."""
    rules, rng = games.find(name), Random(name)
    seats = range(rules.SEATS[0])
    players = tuple([f"bot{seat}" for seat in seats])
    game, blind = (rules(players, OPTIONS[name], key.deal(1)) for _ in range(2))
    known = [Known() for _ in seats]
    while game.turn is not None:
        unseen = blind.copy()
        for seat in seats:
            view, fresh = game.view(seat), unseen.view(seat)
            assert view.text(known[seat]) == str(fresh) == str(view)
            assert [getattr(view, field) for field in view.NAMES] == [getattr(fresh, field) for field in view.NAMES]
        play = game.sample(rng)
        for same in (game, blind):
            same.play(same.turn, play)


VARIANTS = [
    (
        "jass",
        {"weis": "yes", "stoeck": "yes", "score-to": 300},
        ["trump)", "weis)", "chosen-by", "weis (bot", "(shift)"],
    ),
    ("jass", {"trump": "u", "weis": "yes", "factors": "schieber", "score-to": 200}, ["contract u", "weis) (clock"]),
    ("jass", {"stoeck": "yes", "score-to": 150, "undertrump": "free-with-only-trumps"}, ["contract o", "contract s"]),
    ("jass", {"trump": "h"}, ["contract h"]),
    ("doppelkopf", {"list": 6, "poverty": "yes"}, ["(poverty)", "(contract wedding"]),
    (
        "doppelkopf",
        {"list": 6, "poverty": "yes", "nines": "no", "schweinchen": "yes", "dulle": "second-but-last-trick"},
        ["schweinchen bot", "announced (bot", "(announce black)", "party re", "party kontra", "parties (bot"],
    ),
    ("doppelkopf", {"list": 4, "duty-solo": "yes"}, ["contract (solo", "owing bot", "owing)", "finished 3"]),
    (
        "doppelkopf",
        {"list": 6, "duty-solo": "yes", "solo-leads": "yes"},
        ["(contract normal", "(solo ace)", "finished 5"],
    ),
    ("doppelkopf", {}, ["(contract normal"]),
    ("sedma", {"rounds": "many"}, ["(stop)"]),
    ("sedma", {"rounds": "many", "score-to": 10}, ["(stock 0", "(stock 8"]),
    ("sedma", {}, ["won (bot"]),
]
"""Games of which no view is built, and what each shows sooner or later in some seat."""

DEALS = [
    *[variant[:2] for variant in VARIANTS],
    *[(name, OPTIONS[name]) for name in games.BUNDLED],
    *[("hearts", {"pass": "none", **how}) for how in ({}, {"queen-breaks": "yes"}, {"lead": "first", "score-to": 50})],
    *[
        ("skat", {"list": 4, **how})
        for how in ({"all-pass": "ramsch"}, {"contra": "yes"}, {"impossible-null": "reject"})
    ],
]


@pytest.mark.parametrize("every", [1, 3])
@pytest.mark.parametrize(("name", "options"), DEALS)
def test_a_question_is_written_as_its_view_is(name, options, every, key):
    """Whatever is written without a view says what the view would, byte by byte, also if views are told in between."""
    rules, rng, budget = games.find(name), Random(name), Budget(1.0, 3.0, None)
    written, asked = 0, 0
    for deal in range(1, 9):
        seats = rng.choice(rules.SEATS)
        game, known = rules(tuple([f"bot{seat}" for seat in range(seats)]), options, key.deal(deal)), {}
        while (seat := game.turn) is not None:
            question, shown = talk.question(game, budget.clock), known.setdefault(seat, Known())
            written += question.write(NATIVE, shown) == talk.question(game, budget.clock).write()
            asked += 1
            if asked % every == 0:
                assert Request(question.view).write(NATIVE, shown) == question.write()
            game.play(seat, bold(game, rng))
            budget.spend(rng.random())
        assert written == asked


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *[variant[:2] for variant in VARIANTS],
        ("hearts", {}),
        ("hearts", {"pass": "none"}),
        ("hearts", {"score-to": 40}),
        ("skat", {"contra": "yes"}),
        ("skat", {"list": 6, "all-pass": "ramsch"}),
        ("dominion", {"turns": 8}),
    ],
)
def test_no_view_is_built_for_a_question_that_only_text_is_wanted_of(name, options, key):
    """Of each seat one view is built, the first, whatever is asked afterwards, unless it is a defense."""
    rules, rng, built = games.find(name), Random(name), []
    game = counting(rules, built)(tuple([f"bot{seat}" for seat in range(rules.SEATS[0])]), options, key.deal(1))
    known = {}
    while (seat := game.turn) is not None:
        if game.attack is None:
            talk.question(game, Clock(1000)).write(NATIVE, known.setdefault(seat, Known()))
        game.play(seat, bold(game, rng))
    assert sorted(built) == sorted(known)


@pytest.mark.parametrize(("name", "options"), DEALS)
def test_a_beginning_is_written_as_its_view_is(name, options, key):
    """To every seat, of game after game, with questions in between; also where players, options or hands are others."""
    rules, rng, clock = games.find(name), Random(name), Clock(1000, 5)
    players = tuple([f"bot{seat}" for seat in range(rules.SEATS[0])])
    known = [Known() for _ in players]
    for deal in range(1, 13):
        sat, chosen = players if deal % 4 else players[::-1], options if deal % 3 else {}
        game = rules(sat, chosen, key.deal(deal))
        for seat, shown in enumerate(known):
            (line, _), (told, _) = talk.start(game, seat, clock, as_line=True), talk.start(game, seat, clock)
            assert line.write(NATIVE, shown) == told.write()
            assert (line.name, line.play) == (told.name, told.play)
        for _ in range(rng.randrange(40)):
            if (seat := game.turn) is None:
                break
            assert talk.question(game, clock).write(NATIVE, known[seat]) == talk.question(game, clock).write()
            game.play(seat, game.sample(rng))


@pytest.mark.parametrize(
    ("name", "options", "seats"),
    [
        *[(name, options, 4) for name, options, _ in VARIANTS],
        *[("hearts", {}, 4), ("hearts", {"pass": "none"}, 4), ("skat", {}, 4), ("dominion", {}, 1)],
    ],
)
def test_no_view_is_built_for_the_beginning_of_another_game(name, options, seats, key):
    """Of a game of tricks for nobody, of Dominion for all but who begins."""
    rules, built = games.find(name), []
    players = tuple([f"bot{seat}" for seat in range(rules.SEATS[-1])])
    known = [Known() for _ in players]
    for deal in (1, 2):
        game, before = counting(rules, built)(players, options, key.deal(deal)), len(built)
        for seat, shown in enumerate(known):
            talk.start(game, seat, Clock(1000), as_line=True)[0].write(NATIVE, shown)
    assert before == len(players)
    assert len(built) == before + len(players) - seats


@pytest.mark.parametrize(("name", "options", "shows"), VARIANTS)
def test_every_seat_is_written_as_its_view_is(name, options, shows, key):
    """On turn and off turn, of copies and imagined deals in between, game after game of players who change seats."""
    rules, rng, known = games.find(name), Random(name), [Known() for _ in range(4)]
    built, missing = [], set(shows)

    def look(game, blind):
        """Hold what is written to what is shown of the same game, at which nobody has looked."""
        for seat, shown in enumerate(known):
            view = blind.copy().view(seat)
            view.clock = 1000
            state = game.as_text(seat, shown, (1000, None))
            if state is None:
                built.append(seat)
            assert (view.text(shown) if state is None else state) == str(view)
            missing.difference_update([text for text in missing if text in str(view)])

    def step(both):
        """Make the same play in two games, and look."""
        if both[0].turn is not None:
            play = bold(both[0], rng)
            for game in both:
                game.play(game.turn, play)
            look(*both)

    for deal in range(1, 9):
        players = tuple([f"bot{(deal // 3 + seat) % 4}" for seat in range(4)])
        both = [rules(players, options if deal % 4 else {}, key.deal(deal)) for _ in range(2)]
        look(*both)
        while (seat := both[0].turn) is not None:
            if rng.random() < 0.03:
                seed = rng.random()
                copies, imagined = zip(
                    *[(game.copy(), game.determinize(seat, Random(seed))) for game in both], strict=True
                )
                for _ in range(6):
                    step(copies)
                    step(imagined)
                look(*both)
            step(both)
    assert sorted(built) == [0, 1, 2, 3]
    assert missing == set()


OF_TRICKS = [
    ("hearts", {"score-to": 40}),
    ("skat", {"list": 4}),
    ("jass", {}),
    ("doppelkopf", {"list": 3}),
    ("sedma", {}),
]


@pytest.mark.parametrize(("name", "options"), OF_TRICKS)
def test_cards_are_written_as_the_view_shows_them(name, options, key):
    """Hand, trick, tricks and legal plays of every game of tricks, also where the pack has each card twice."""
    rules, rng = games.find(name), Random(name)
    for deal in range(1, 5):
        game = rules(tuple([f"bot{seat}" for seat in range(rules.SEATS[0])]), options, key.deal(deal))
        while (seat := game.turn) is not None:
            view = game.view(seat)
            if game.phase == "play":
                hand, trick, tricks, legal = game.rewritten_cards(seat)
                cards = [CARDS.write(view.hand), TRICK.write(view.trick), f" (tricks{TRICKS.write(view.tricks)})"]
                plays = tuple([play for play in view.legal if play[0] == "play"])  # Doppelkopf lists announcements too
                assert [hand, trick, tricks, legal] == [*cards, f" (legal{PLAYS.write(plays)})"]
            game.play(seat, game.sample(rng))


def bold(game, rng):
    """Return a play by chance; most often what comes seldom: Skat ouvert, a wedding, poverty, no solo."""
    plays = list(game.legal())
    seldom = [play for play in plays if play[0] == "declare" and "ouvert" in Declaration.read(play).words]
    seldom = seldom or [play for play in plays if play in {("wedding",), ("poverty",)}]
    seldom = seldom or [play for play in plays if play == ("healthy",)]
    return rng.choice(seldom if seldom and rng.random() < 0.8 else plays)


@pytest.mark.parametrize("name", ["hearts", "skat"])
def test_another_deal_is_seen_as_it_is(name, key):
    """Of a game that somebody has looked at as of one that nobody has: gifts and skat are others there."""
    rules, rng = games.find(name), Random(name)
    players = tuple([f"bot{seat}" for seat in range(rules.SEATS[0])])
    game = rules(players, {"pass": "left"} if name == "hearts" else {}, key.deal(2))
    while game.phase != "play":
        game.play(game.turn, ("pick-up",) if game.phase == "skat" else game.sample(rng))
    blind, seats = game.copy(), range(len(players))
    looks = {str(game.view(seat)) for seat in seats}
    for seat in seats:
        twin, other = game.determinize(seat, Random(seat)), blind.determinize(seat, Random(seat))
        assert [str(twin.view(each)) for each in seats] == [str(other.view(each)) for each in seats]
        assert str(twin.view((seat + 1) % len(players))) not in looks
