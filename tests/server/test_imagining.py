"""Full deals for everybody: they agree with what one player sees, are whole, and come equally often."""

import json
import random
import subprocess
import sys
from collections import Counter
from itertools import islice

import pytest
from command_line import croupier as call
from doppelkopf_table import do, table

import croupier
from croupier.protocol import json_dialect
from croupier.protocol.doppelkopf import WITH_NINES
from croupier.protocol.notifications import Request, Update
from croupier.protocol.sexp import parse
from croupier.server import games, imagining
from croupier.server.games.doppelkopf.contracts import NORMAL_TRUMPS, PACK
from croupier.server.games.doppelkopf.reservations import is_poor, may_marry
from croupier.server.games.tricks import TrickTaking
from croupier.server.games.world import world_of
from croupier.server.laws import Trial

POOR = "dJ d9 d9 c9 c9 s9 s9 h9 h9 cK cK sK"
GAMES = [
    ("dominion", 3, {"turns": 20}),
    ("hearts", 4, {}),
    ("hearts", 4, {"score-to": 30}),
    ("skat", 3, {"contra": "yes"}),
    ("skat", 4, {"list": 3}),
    ("doppelkopf", 4, {}),
    ("doppelkopf", 4, {"schweinchen": "yes", "list": 2}),
    ("doppelkopf", 4, {"poverty": "yes", "list": 3}),
    ("jass", 4, {"weis": "yes"}),
    ("sedma", 4, {}),
    ("recycle:gops", 2, {}),
    ("recycle:hearts", 4, {}),
    ("recycle:rummy", 2, {}),
    ("recycle:leduc-poker", 2, {}),
]


def positions(name, seats, options, every=7, most=200):
    """Yield positions of a random game, each with the view of the player on turn."""
    trial = Trial(games.find(name), seats, options)
    for number, (game, rng) in enumerate(trial.decisions(3, most=most)):
        if number % every == 0:
            yield game, game.view(game.turn), rng


def text_of(view):
    """Return what a view says, without what depends on whose turn it is."""
    state = json_dialect.state_of(view)
    return {key: value for key, value in state.items() if key not in {"legal", "clock", "bank"}}


@pytest.mark.parametrize(("name", "seats", "options"), GAMES)
def test_every_deal_agrees_with_the_state(name, seats, options):
    """Field by field, whatever form STATE comes in; the reader is first, the others follow clockwise."""
    for _, view, rng in positions(name, seats, options):
        for state in (view, str(view), json_dialect.write(Request(view))):
            for deal in islice(croupier.worlds(state, rng), 2):
                assert tuple(deal.players) == view.players
                assert text_of(deal.players[view.me]) == text_of(view)


@pytest.mark.parametrize(("name", "seats", "options"), [row for row in GAMES if "recycle" not in row[0]][1:])
def test_every_card_of_a_pack_is_in_one_place(name, seats, options):
    """In a hand, in a trick, put down, or where nobody sees it."""
    for game, view, rng in positions(name, seats, options):
        assert isinstance(game, TrickTaking)
        (deal,) = islice(croupier.worlds(view, rng), 1)
        places = [card for seen in deal.players.values() for card in seen.hand or ()]
        places += [card for trick in (*view.tricks, view.trick) for card in trick.cards]
        places += [card for _, cards in deal.unseen for card in cards]
        if name == "skat":
            down = [seen.skat for seen in deal.players.values() if seen.skat and len(seen.hand) < 12]
            places += down[0] if down else ()
        if view.phase == "give":
            places += [card for seen in deal.players.values() for card in seen.gave or ()]
        if view.phase == "poverty" and len(view.contract) == len(("poverty", "NAME", "N")):  # not taken yet
            places += [card for seen in deal.players.values() for card in seen.exchanged or ()]
        assert Counter(places) == Counter(game.PACK.cards.of(game.PACK.everything)), game.phase


@pytest.mark.parametrize(("name", "seats"), [("recycle:kuhn-poker", 2), ("recycle:leduc-poker", 2), ("dominion", 2)])
def test_the_deals_come_equally_often(name, seats):
    """Where the places of few cards are hidden they are counted: no deal is five deviations from its share."""
    _, view, _ = next(positions(name, seats, {}))
    number, rng = 3000, random.Random("equal")
    if name == "dominion":
        came = Counter(
            str(deal.players[view.players[1]].hand.count("estate"))
            for deal in islice(croupier.worlds(view, rng), number)
        )
        shares = {"0": 21 / 252, "1": 105 / 252, "2": 105 / 252, "3": 21 / 252}
    else:
        came = Counter(
            str(deal.players[view.players[1]].visible) for deal in islice(croupier.worlds(view, rng), number)
        )
        shares = dict.fromkeys(came, 1 / {"recycle:kuhn-poker": 2, "recycle:leduc-poker": 5}[name])
    assert came.keys() == shares.keys()
    for what, share in shares.items():
        assert abs(came[what] - number * share) < 5 * (number * share * (1 - share)) ** 0.5


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ("", "no STATE can be read"),
        ("ace of spades", "no STATE can be read"),
        ("{", "no STATE can be read: not JSON"),
        ("[" * 100_000, "no STATE can be read"),
        ('{"a":' * 100_000, "no STATE can be read: not JSON"),
        ("(update bob (play h9))", "a message without STATE"),
        ('{"type": "update", "name": "bob", "play": ["play", "h9"]}', "a message without STATE"),
        ("((game chess) (players ann bob))", "no game chess"),
        ("((game hearts) (players ann bob))", "no game of hearts comes to this STATE; it must be that of a request"),
        ('{"game": "hearts", "players": ["ann"]}', "no game of hearts comes to this STATE; it must be that of"),
        ('{"game": "hearts", "trick": 3}', "no STATE can be read: STATE has a trick of another shape: 3"),
        ("((game hearts) (players ann bob) (taken 3))", "no game of hearts comes to this STATE"),
        ("((game recycle) (program gops) (players ann bob))", "it must be that of a request, whose player is on turn"),
    ],
)
def test_what_is_no_state_is_one_sentence(state, why):
    """What was wrong, and what is wanted."""
    with pytest.raises(imagining.BadState) as refused:
        next(croupier.worlds(state, random.Random(1)))
    assert why in str(refused.value)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("play", ["pass", "take", "exchange"])
def test_a_poverty_is_imagined(play):
    """Before it is taken, before cards are given back, and in the play of each player: what was seen is seen again."""
    rng = random.Random(play)
    game = table(POOR, "cQ cQ", poverty="yes")
    do(game, "poverty", "healthy", "healthy", "healthy")
    if play != "pass":
        do(game, "pass", "take")
    if play == "exchange":
        hand = game.view(game.turn).hand
        do(game, f"exchange {hand[0]} {hand[-1]} {hand[-2]}")
    for _ in range(9 if play == "exchange" else 1):
        view = game.view(game.turn)
        for deal in islice(croupier.worlds(str(view), rng), 10):
            seen = deal.players[view.me]
            assert text_of(seen) == text_of(view)
            cards = [card for each in deal.players.values() for card in each.hand]
            cards += [card for _, pile in deal.unseen for card in pile]
            cards += [card for trick in (*view.tricks, view.trick) if trick for card in trick.cards]
            assert len(cards) == 48 or (play == "pass" and len(cards) == 45)
        game.play(game.turn, rng.choice([play for play in game.legal() if play[0] != "announce"]))


def test_each_deal_that_explains_a_losing_reservation_is_equally_likely():
    """A poverty has won against a wedding or another poverty: as often either as among deals drawn and rejected."""
    rng = random.Random(3)
    game = table(POOR, "cQ cQ", poverty="yes")
    do(game, "poverty", "wedding", "healthy", "healthy", "pass")
    assert game.turn == 2
    trumps = [card for card in WITH_NINES if PACK.units[card] & NORMAL_TRUMPS]
    unseen = Counter(WITH_NINES) - Counter(PACK.cards[game.hands[2]])
    hidden = sorted((Counter(trumps) & unseen).elements())
    plain = sorted((unseen - Counter(trumps)).elements())

    def drawn():
        while True:
            rng.shuffle(hidden)
            rng.shuffle(plain)
            rest = [*hidden[3:], *plain[9:]]
            hand = PACK.hand(rng.sample(rest, 12))
            if may_marry(hand) or is_poor(hand):
                return hand

    def imagined():
        return world_of(game).determinize(2, rng).game.hands[1]

    weddings = [sum(may_marry(draw()) for _ in range(400)) for draw in (drawn, imagined)]
    assert abs(weddings[0] - weddings[1]) < 4 * (2 * 400 / 4) ** 0.5
    assert all(may_marry(hand) or is_poor(hand) for hand in (imagined() for _ in range(50)))


def test_the_start_of_a_game_has_a_state_too():
    """That of the player on turn."""
    game, view, rng = next(positions("hearts", 4, {}))
    told = Update("table", ("start", view)).write()
    assert next(croupier.worlds(told, rng)).players.keys() == set(game.players)


def test_a_bot_that_does_not_imagine_loads_no_rules():
    """The package's own module stays as small as it was."""
    program = "import croupier, sys; assert not [name for name in sys.modules if name.startswith('croupier.server')]"
    subprocess.run([sys.executable, "-c", program], check=True)


# The command


@pytest.fixture
def games_folder(tmp_path):
    """Play a game, and return the folder that has its record."""
    call(
        "play",
        "hearts",
        "ann=json:duck",
        "bob=duck",
        "random",
        "random",
        "--seed",
        "x",
        "--record",
        "games",
        cwd=tmp_path,
    )
    return tmp_path


@pytest.mark.parametrize(("name", "asked"), [("ann", "#5"), ("bob", "#5"), ("bob", "")])
def test_the_last_question_of_a_conversation_is_imagined(name, asked, games_folder):
    """In the dialect in which it was asked, unless another is named; the same seed gives the same deals."""
    sent, _ = call("replay", "games/deal-1.record", "--sent", name, *[asked][: bool(asked)], cwd=games_folder)
    (games_folder / "asked.txt").write_text(sent)
    words = ["imagine", "asked.txt", "--count", 3, "--seed", "y"]
    out, _ = call(*words, cwd=games_folder)
    assert call(*words[:2], *words[2:], text=sent, cwd=games_folder)[0] == out
    assert call("imagine", *words[2:], text=sent, cwd=games_folder)[0] == out
    in_json = [json.loads(line) for line in call(*words, "--dialect", "json", cwd=games_folder)[0].splitlines()]
    assert json.loads(call(*words, "--json", cwd=games_folder)[0])["worlds"] == in_json
    assert len(in_json) == 3
    lists = [parse(line) for line in call(*words, "--dialect", "native", cwd=games_folder)[0].splitlines()]
    assert [[player[0] for player in players[1:]] for players, _ in lists] == [[*deal["players"]] for deal in in_json]
    assert out.startswith("{" if name == "ann" else "((players (bob ((game hearts)")
    assert next(iter(in_json[0]["players"])) == name


@pytest.mark.parametrize(
    ("words", "text", "why"),
    [
        (["nothing.txt"], "", "nothing.txt"),
        ([], "", "standard input: no STATE can be read"),
        ([], "\xff\xfe(", "standard input: no STATE can be read"),
        (["--count", 0], "()", "--count"),
    ],
)
def test_a_wrong_call_is_one_sentence(words, text, why, tmp_path):
    """Whatever is read."""
    _, said = call("imagine", *words, text=text, cwd=tmp_path, code=2)
    assert why in said
    assert said.count("\n") == 1
