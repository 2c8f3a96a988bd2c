"""What seldom happens at Doppelkopf is written as it is seen, for the player on turn and for all others."""

import pytest
from doppelkopf_table import do, field, table

from croupier.server.games.sheets import Text, Typed

POOR = "dJ d9 d9 c9 c9 s9 s9 h9 h9 cK cK sK", "cQ cQ hT"
TRUMPLESS = "s9 s9 h9 h9 cK cK c9 c9 sK sK hK hK"
OFFERED = "poverty", "healthy", "healthy", "healthy"
HEALTHY = ("healthy",) * 4

MOMENTS = [
    (POOR, {"poverty": "yes"}, OFFERED, ["(phase poverty)", "(contract (poverty alice 3))", "(legal (pass) (take))"]),
    (POOR, {"poverty": "yes"}, OFFERED, ["(exchanged dJ d9 d9)", "(hand cK cK c9 c9 sK s9 s9 h9 h9)"]),
    (
        POOR,
        {"poverty": "yes"},
        (*OFFERED, "pass", "take", "exchange dJ hA hA"),
        ["(contract (poverty alice 3 carol 1))", "(received dJ hA hA)", "(exchanged dJ hA hA) (received dJ d9 d9)"],
    ),
    (
        POOR,
        {"poverty": "yes", "list": 2},
        (*OFFERED, "pass", "pass", "pass", *OFFERED, "pass", "take", "exchange dJ hA hA", "bob announce kontra"),
        ["(announced (bob kontra))", "(finished 0)"],
    ),
    (
        (TRUMPLESS, "cQ cQ"),
        {"poverty": "yes"},
        (*OFFERED, "take", "exchange"),
        ["(contract (poverty alice 0 bob 0))", "(exchanged) (received)"],
    ),
    (
        ("cQ cQ", "hA", "hA"),
        {},
        ("wedding", "healthy", "solo ace", "healthy"),
        ["(contract (solo ace carol))", "(reservations (alice reservation) (bob healthy) (carol reservation)"],
    ),
    (("cQ cQ", "", "hT"), {}, ("wedding", *HEALTHY[1:], "d9"), ["(contract wedding)", "(parties (alice re)) (announ"]),
    (("cQ cQ", "", "hT"), {}, ("wedding", *HEALTHY[1:], "d9", "dK", "hT", "dJ"), ["(carol re)", "(party kontra)"]),
    (
        ("hT", "dA dA", "hT", "d9"),
        {"schweinchen": "yes", "nines": "yes"},
        (*HEALTHY, "hT", "dA"),
        ["(schweinchen bob)"],
    ),
    (("dA dA",), {"schweinchen": "yes"}, (*HEALTHY, "dA"), ["(schweinchen alice)"]),
    (
        ("cQ", "", "cQ"),
        {"nines": "no"},
        (*HEALTHY, "carol announce re", "announce no90", "bob announce kontra"),
        [
            "(announced (carol re) (alice no90) (bob kontra))",
            "(parties (alice re) (bob kontra) (carol re) (dave kontra))",
        ],
    ),
    (
        (),
        {"duty-solo": "yes", "list": 5},
        ("healthy", "healthy", "solo queens", "solo ace"),
        ["(owing alice bob carol dave)", "(owing dave alice bob carol)", "(contract (solo queens carol))"],
    ),
]


@pytest.mark.parametrize(("hands", "options", "moves", "shows"), MOMENTS)
def test_what_seldom_happens_is_written_as_it_is_seen(hands, options, moves, shows):
    """After each move and until the game is over; the moves come to what is shown."""
    game, blind = (table(*hands, **options) for _ in range(2))
    sheets = [Text(game.players, seat) for seat in range(4)]

    def look():
        """Return what the seats see, in text and as views of a game say that nobody looked at."""
        written = [sheet.state(game, 1000) for sheet in sheets]
        assert written == [str(Typed(game.players, seat).state(blind, 1000)) for seat in range(4)]
        return "".join(written)

    look()
    for move in moves:
        for one in (game, blind):
            do(one, move)
        seen = look()
    assert [text for text in shows if text not in seen] == []
    while game.turn is not None:
        play = next(iter(game.legal()))
        for one in (game, blind):
            one.play(one.turn, play)
        look()


def test_one_hand_is_no_list():
    """How many hands are finished is shown where there are several, and who owes a solo where anybody does."""
    assert [field(table(list=hands), 0, "finished") for hands in (1, 2)] == [None, 0]
    assert [field(table(duty_solo=duty), 1, "owing") for duty in ("no", "yes")] == [
        None,
        ("bob", "carol", "dave", "alice"),
    ]
