"""Logs of an online Doppelkopf server become records."""

from __future__ import annotations

import json
from random import Random

import pytest

from croupier.server.games.doppelkopf.announcements import WORDS
from croupier.server.games.doppelkopf.contracts import PACK
from croupier.server.games.doppelkopf.game import Doppelkopf
from croupier.server.games.game import Dice
from croupier.server.records.readers import doko
from croupier.server.records.replay import Replay

RESERVED = {"healthy": "gesund", "wedding": "hochzeit"}
SAID = {"no90": "90", "no60": "60", "no30": "30", "black": "0"}


def theirs(card: str) -> str:
    """Write a card as the server does."""
    return card[1] + card[0].upper()


def log(seed: int, cards: int = 48) -> dict:
    """Play a game at random and write it down as the server would, announcements out of turn among it."""
    rng = Random(seed)
    game = Doppelkopf(("a", "b", "c", "d"), {}, Dice(rng))
    hands = [[theirs(card) for card in PACK.cards[hand]] for hand in game.hands]
    fields: dict = {"source": f"our own/{seed}", "hands": hands, "vorbehalte": [], "events": [], "first_leader": 0}
    while game.turn is not None and cards:
        seat, plays = game.turn, list(game.legal())
        if game.phase == "reserve":
            play = ("wedding",) if ("wedding",) in plays else ("healthy",) if rng.random() < 0.8 else ("solo", "ace")
            fields["vorbehalte"].append(RESERVED.get(play[0], "_".join(play)))
        else:
            seat, play = spoken(game, rng) or (seat, rng.choice([play for play in plays if play[0] == "play"]))
            if play[0] == "play":
                fields["events"].append({"t": "card", "p": seat, "card": theirs(play[1])})
                cards -= 1
            else:
                held = game.hand_size(seat)
                fields["events"].append(
                    {"t": "announce", "p": seat, "v": SAID.get(play[1], play[1]), "cards_in_hand": held}
                )
        game.play(seat, play)
    if game.turn is None:
        winner = game.result.winner
        fields["winner"] = None if winner is None else ("re", "contra")[winner]
        fields["re_players"] = [seat for seat, side in enumerate(game.parties.sides or []) if side == 0]
        fields |= {"trick_winners": game.winners, "card_points": game.points, "player_points": list(game.scores())}
    return fields


def spoken(game: Doppelkopf, rng: Random) -> tuple | None:
    """Let any player announce now and then, or say again what his party has said."""
    seat, sides = rng.randrange(4), game.parties.sides
    if sides is None or rng.random() < 0.9:
        return None
    said = WORDS[sides[seat]][: game.announcements.steps[sides[seat]]]
    words = said + game.announcements.open(sides[seat], game.hand_size(seat))
    return (seat, ("announce", rng.choice(words))) if words else None


def replayed(foreign) -> Replay:
    """Play a foreign game again."""
    replay = Replay(foreign.record)
    for _ in replay.steps():
        pass
    return replay


def test_what_the_server_wrote_comes_out_again():
    """Scores, card points, the winners of tricks, the parties and the side that won are the same."""
    text = "\n".join([json.dumps(log(seed)) for seed in range(20)])
    for seed, foreign in enumerate(doko.read(text + "\n\n")):
        replay = replayed(foreign)
        assert foreign.title == f"game {seed}"
        assert len(foreign.values) == 11
        assert foreign.differences(replay.game) == []
        assert replay.scores is not None


def test_a_value_that_differs_is_named():
    """Whatever the server has otherwise is said with both values."""
    fields = log(1)
    fields["card_points"][2] += 1
    (foreign,) = doko.read(json.dumps(fields))
    (difference,) = foreign.differences(replayed(foreign).game)
    assert difference.startswith("card points of player-3 is ")


def test_a_game_that_stops_says_so():
    """A log that ends before the last card can be replayed as far as it goes."""
    (foreign,) = doko.read(json.dumps(log(2, cards=30)))
    assert foreign.stopped == "the log ends 18 cards before the game does"
    assert replayed(foreign).scores is None


def test_another_leader_is_listed_first():
    """The leader is the first player of the record, and the outcome stays by name."""
    fields = log(3)
    turned = {**fields, "first_leader": 1, "hands": fields["hands"][-1:] + fields["hands"][:-1]}
    turned["vorbehalte"] = fields["vorbehalte"][-1:] + fields["vorbehalte"][:-1]
    turned["events"] = [{**event, "p": (event["p"] + 1) % 4} for event in fields["events"]]
    for key in ("card_points", "player_points"):
        turned[key] = fields[key][-1:] + fields[key][:-1]
    turned["trick_winners"] = [(seat + 1) % 4 for seat in fields["trick_winners"]]
    turned["re_players"] = [(seat + 1) % 4 for seat in fields["re_players"]]
    (foreign,) = doko.read(json.dumps(turned))
    assert "(players player-2 player-3 player-4 player-1)" in foreign.record
    assert foreign.differences(replayed(foreign).game) == []


@pytest.mark.parametrize(
    "text",
    ["{", "[]", "{}", json.dumps({**log(1), "hands": []}), json.dumps({**log(1), "vorbehalte": ["krank"] * 4}),
     json.dumps({**log(1), "events": [{"t": "card", "p": 9, "card": "9C"}]}), json.dumps({**log(1), "events": 3})],
)  # fmt: skip
def test_what_is_no_log_is_none_at_its_line(text):
    """Whatever stands there, the line is named, and the games around it are read."""
    first, wrong, last = doko.read(f"{json.dumps(log(1))}\n\n{text}\n{json.dumps(log(2))}\n")
    assert wrong[:2] == ("game 2", 3)
    assert wrong.why
    assert first.title == "game 1"
    assert last.title == "game 2"


@pytest.mark.parametrize("cards", [0, 1, 24, 47])
def test_the_outcome_of_a_log_that_is_cut_is_not_compared(cards):
    """What the server wrote down is of the whole game, and the log ends before it."""
    whole, cut = log(4), log(4, cards=cards)
    (foreign,) = doko.read(json.dumps({**whole, "events": cut["events"]}))
    assert foreign.stopped == f"the log ends {48 - cards} cards before the game does"
    assert foreign.differences(replayed(foreign).game) == []
