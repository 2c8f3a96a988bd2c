"""A sheet keeps what stays the same: what it shows must never be what it was before."""

from random import Random
from typing import ClassVar

import pytest

from croupier.protocol.views.hearts import HeartsView
from croupier.protocol.views.view import CARDS, FLAG, NUMBER, TABLE, View
from croupier.server import games
from croupier.server.games.game import Dice
from croupier.server.games.hearts import Hearts
from croupier.server.games.sheets import NoSuchField, Text, Typed
from croupier.server.games.skat.contract import Declaration
from croupier.server.games.tricks_broadcast import TrickBroadcast
from croupier.server.games.world import world_of

OPTIONS = {
    "hearts": {"score-to": 60},
    "skat": {"list": 6, "contra": "yes"},
    "jass": {"score-to": 300},
    "doppelkopf": {"list": 2},
    "sedma": {"score-to": 20},
    "dominion": {"turns": 8},
}


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
"""Games, and what each shows sooner or later in some seat."""

DEALS = [
    *[variant[:2] for variant in VARIANTS],
    *[(name, OPTIONS[name]) for name in games.BUNDLED],
    *[("hearts", {"pass": "none", **how}) for how in ({}, {"queen-breaks": "yes"}, {"lead": "first", "score-to": 50})],
    *[
        ("skat", {"list": 4, **how})
        for how in ({"all-pass": "ramsch"}, {"contra": "yes"}, {"impossible-null": "reject"})
    ],
]


@pytest.mark.parametrize(("name", "options"), DEALS)
def test_both_sheets_show_what_a_fresh_one_does(name, options, key):
    """Byte by byte and field by field, in deal after deal, from every seat, however seldom it looks."""
    rules, rng = games.find(name), Random(name)
    players = tuple([f"bot{seat}" for seat in range(rules.SEATS[-1])])
    texts, views = ([kind(players, seat) for seat in range(len(players))] for kind in (Text, Typed))
    for deal in range(1, 5):
        game = rules(players, options, key.deal(deal))
        while game.turn is not None:
            for seat in {game.turn, rng.randrange(len(players))}:
                fresh, clock = Typed(players, seat).state(game, 5, deal), views[seat].state(game, 5, deal)
                assert texts[seat].state(game, 5, deal) == str(fresh) == str(clock)
                assert [getattr(clock, field) for field in clock.NAMES] == [
                    getattr(fresh, field) for field in fresh.NAMES
                ]
            game.play(game.turn, bold(game, rng))


@pytest.mark.parametrize(("name", "options", "shows"), VARIANTS)
def test_every_kind_of_moment_comes(name, options, shows, key):
    """The deals above have what each option brings."""
    rules, rng, seen = games.find(name), Random(name), ""
    players = tuple([f"bot{seat}" for seat in range(rules.SEATS[-1])])
    for deal in range(1, 13):
        game = rules(players, options, key.deal(deal))
        while game.turn is not None:
            seen += "".join([Text(players, seat).state(game, 5) for seat in range(len(players))])
            game.play(game.turn, bold(game, rng))
        seen += Text(players, 0).state(game, 5)
    assert [show for show in shows if show not in seen] == []


def test_a_sheet_turns_to_other_rules_and_options():
    """One sheet serves all tables of the same players, one after the other or beside each other."""
    dice, players = Random(1), ("ann", "bob", "cleo", "dan")
    tables = [
        games.find(name)(players, options, Dice(dice))
        for name in ("hearts", "doppelkopf", "jass", "sedma", "dominion")
        for options in ({}, OPTIONS[name])
    ]
    text, typed = Text(players, 2), Typed(players, 2)
    for _ in range(60):
        for table in tables:
            fresh = str(Typed(players, 2).state(table, 7))
            assert text.state(table, 7) == fresh == str(typed.state(table, 7))
            if table.turn is not None:
                table.play(table.turn, table.sample(dice))


def test_an_unchanged_token_leaves_a_part_as_it_was():
    """And a different one has it stated again, be it equal to the one before."""

    class Counting(Hearts):
        asked = 0

        def show_hand(self, seat, to):
            self.asked += 1
            super().show_hand(seat, to)

    for kind in (Text, Typed):
        game = Counting(("ann", "bob", "cleo", "dan"), {"pass": "none"}, Dice(Random(1)))
        sheet = kind(game.players, 0)
        for _ in range(3):
            sheet.state(game)
        assert game.asked == 1
        game.tally = (*list(game.tally),)
        sheet.state(game)
        assert game.asked == 2


class Moody(Hearts):
    """Hearts whose players see one thing more."""

    class PAGE(HeartsView):
        """Its page."""

        FIELDS = HeartsView.FIELDS | {"lowest": TABLE}

    def show(self, seat, to):
        super().show(seat, to)
        to.around("lowest", [hand.bit_count() for hand in self.hands])


def test_a_field_is_added_by_the_page_and_show_alone():
    """It is on the wire, in the typed view, and in what people see."""
    game = Moody(("ann", "bob", "cleo", "dan"), {"pass": "none"}, Dice(Random(1)))
    assert " (lowest (cleo 13) (dan 13) (ann 13) (bob 13))" in Text(game.players, 2).state(game)
    assert game.view(2).lowest == {"cleo": 13, "dan": 13, "ann": 13, "bob": 13}
    assert "lowest 13" in TrickBroadcast(game).picture(2).beside[0]


@pytest.mark.parametrize("kind", [Text, Typed])
def test_a_field_that_the_page_does_not_have_is_refused(kind):
    """With its name, and what to do."""

    class Wrong(Hearts):
        def show(self, seat, to):
            super().show(seat, to)
            to.put("mood", "gay")

    game = Wrong(("ann", "bob", "cleo", "dan"), {}, Dice(Random(1)))
    with pytest.raises(NoSuchField, match="states mood, which HeartsView does not have"):
        kind(game.players, 0).state(game)


class Page(View):
    """A page of some kinds of fields."""

    FIELDS: ClassVar = {"pile": CARDS, "many": NUMBER, "open": FLAG}


def test_equal_values_of_two_kinds_are_written_as_they_are():
    """1 is no yes, and what is gone is not shown."""
    sheet = Text(("ann", "bob"), 0)

    class Changing:
        PAGE, NAME, options, turn = Page, "page", {}, None

        def show(self, seat, to):
            for name, value in self.fields.items():
                to.put(name, value)

    game = Changing()
    for fields, told in (
        ({"pile": ("c2",), "many": 1, "open": 1}, "(pile c2) (many 1) (open yes)"),
        ({"pile": None, "many": 0, "open": False}, "(many 0) (open no)"),
        ({"pile": (), "many": None, "open": True}, "(pile) (open yes)"),
    ):
        game.fields = fields
        assert sheet.state(game) == f"((game page) (options) (players ann bob) {told})"


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
        twin, other = (
            world_of(game).determinize(seat, Random(seat)).game,
            world_of(blind).determinize(seat, Random(seat)).game,
        )
        assert [str(twin.view(each)) for each in seats] == [str(other.view(each)) for each in seats]
        assert str(twin.view((seat + 1) % len(players))) not in looks
