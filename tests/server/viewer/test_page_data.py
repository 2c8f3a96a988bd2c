"""A film shows what our rules say, moment by moment, and each seat no more than it knew."""

import json
from itertools import pairwise
from random import Random

import pytest
from games import record_of

from croupier.server import games
from croupier.server.games.broadcast import Broadcast
from croupier.server.games.game import Dice
from croupier.server.games.world import world_of
from croupier.server.records.replay import Replay
from croupier.server.viewer import page_data

NATIVE = [("hearts", 4), ("skat", 3), ("skat", 4), ("doppelkopf", 4), ("jass", 4), ("sedma", 4), ("dominion", 3)]
PROGRAMS = [("recycle:whist", 4), ("recycle:golf", 2), ("recycle:rummy", 2), ("recycle:kuhn-poker", 2)]
NAMES = ("ada", "bob", "cleo", "dan")


def record(game, seats, options=None, **how):
    """Return the record of a game between random bots."""
    rules = games.find(game)
    options = rules.read_options(options or {})
    return record_of(game, ["random"] * seats, options=options, names=NAMES[:seats], **how)


def filmed(text, name=None):
    """Film a record."""
    replay = Replay(text)
    return page_data(replay, "game", None if name is None else replay.seat_of(name))


def shots(shown, name):
    """Return the shots of one pair of eyes."""
    at = shown["eyes"].index(name)
    return [each[at] for each in shown["shots"]]


def tables(shots):
    """Yield the table at each moment, as the page folds the shots."""
    table = {}
    for shot in shots:
        table |= shot
        yield dict(table)


def hand(table, seat):
    """Return the cards of a seat's hand, and how many of them are not seen."""
    place = table[f"place {seat} "]
    return sorted(place[3]), place[4]


@pytest.mark.parametrize(("game", "seats"), NATIVE)
def test_each_moment_shows_the_hands_that_the_rules_say(game, seats):
    """A film's differences, folded, are the game: all hands for one viewpoint, the own hand for each seat."""
    text = record(game, seats)
    shown = filmed(text)
    replay = Replay(text)
    states = [[sorted(replay.game.view(seat).hand) for seat in range(seats)]]
    states += [[sorted(replay.game.view(seat).hand) for seat in range(seats)] for _ in replay.steps()]
    states = [*states[2:], [sorted(replay.game.view(seat).hand) for seat in range(seats)]]
    after = [
        table for table, (_, _, seat) in zip(tables(shots(shown, "table")), shown["moments"], strict=True) if seat >= 0
    ]
    assert [[hand(table, seat)[0] for seat in range(seats)] for table in after] == states
    for seat, name in enumerate(NAMES[:seats]):
        for table in tables(shots(shown, name)):
            seen = [bool(hand(table, other)[0]) for other in range(seats) if other != seat]
            assert not any(seen) or " ouvert" in text
            assert hand(table, seat)[1] == 0


@pytest.mark.parametrize(("game", "seats"), NATIVE + PROGRAMS)
def test_what_a_seat_cannot_know_changes_nothing_in_its_picture(game, seats):
    """Two tables that differ only in what is hidden from a seat are drawn alike for it."""
    rng = Random(3)
    rules = games.find(game)
    table = rules(NAMES[:seats], rules.read_options({}), Dice(rng))
    differed = False
    for _ in range(40):
        if table.turn is None:
            break
        for seat in range(seats):
            other = world_of(table).determinize(seat, rng).game
            assert other.BROADCAST(other).picture(seat) == table.BROADCAST(table).picture(seat)
            differed |= other.BROADCAST(other).picture(None) != table.BROADCAST(table).picture(None)
        table.play(table.turn, table.sample(rng))
    assert differed


@pytest.mark.parametrize(("game", "seats"), [("hearts", 4), ("dominion", 2), ("recycle:whist", 4)])
def test_a_film_for_one_seat_holds_what_that_seat_sees_and_nothing_else(game, seats):
    """It is the whole film's part for that seat; of cards that never came to light there is no trace."""
    text = record(game, seats)
    whole, own = filmed(text), filmed(text, "bob")
    assert own["eyes"] == ["bob"]
    assert shots(own, "bob") == shots(whole, "bob")
    assert own["moments"] == whole["moments"]


def test_gifts_are_seen_by_giver_and_receiver():
    """Of three cards given away in Hearts the others see that they are given."""
    text = record("hearts", 4)
    shown = filmed(text)
    assert shots(shown, "table")[1]["said"][0].words.startswith("passes ")
    assert [shots(shown, name)[1]["said"][0].words == "passes" for name in NAMES] == [False, True, True, True]
    gift = shots(shown, "ada")[1]["place 0 gave"].cards
    received = [table for table in tables(shots(shown, "bob")) if table.get("place 1 received")]
    assert set(received[0]["place 1 received"].cards) == set(gift)  # left of ada sits bob
    assert not any(
        "gave" in key for shot in shots(shown, "cleo") for key in shot if key != "place 2 gave" and shot[key]
    )


def test_a_card_that_is_moved_unseen_is_not_named_to_who_moved_it():
    """In Golf a player puts away one of his face-down cards: one sees it when it lies open."""
    shown = filmed(record("recycle:golf", 2))
    moved = [
        (shown["players"][seat], at)
        for at, (_, _, seat) in enumerate(shown["moments"])
        if seat >= 0
        and any("puts a card on the pile" in said.words for said in shots(shown, NAMES[seat])[at].get("said", ()))
    ]
    assert moved
    for name, at in moved:
        own, full = (shots(shown, eyes)[at]["said"][0].words for eyes in (name, "table"))
        assert "puts a card on the pile" in own
        assert "puts a card" not in full


def test_the_last_trick_of_a_hand_lies_before_the_next_is_dealt():
    """With the play that ends a hand the next one is dealt; the page shows the trick first."""
    shown = filmed(record("hearts", 4, {"pass": "none", "score-to": 40}))
    dealt = [at for at, (level, _, _) in enumerate(shown["moments"]) if level == 2][1:-1]
    assert dealt
    folded = [*tables(shots(shown, "table"))]
    for at in dealt:
        assert len(folded[at - 1]["place None trick"].cards) == 4
        assert folded[at - 1]["place None trick"].winner is not None
        assert [hand(folded[at - 1], seat) for seat in range(4)] == [([], 0)] * 4
        assert len(hand(folded[at], 0)[0]) == 13


@pytest.mark.parametrize(("game", "seats", "together"), [("hearts", 4, 14), ("sedma", 4, 8), ("jass", 4, 10)])
def test_tricks_can_be_stepped_over(game, seats, together):
    """A step that is larger than a card ends where a trick does, and where the cards begin to be played."""
    shown = filmed(record(game, seats))
    assert sum(level == 1 for level, _, _ in shown["moments"]) == together


def test_nothing_tells_the_scores_before_the_last_play():
    """What is shown before the game is over knows nothing of how it ends."""
    text = record("dominion", 2)
    shown = filmed(text)
    scores = {name: str(score) for name, score in Replay(text).header and _scores(text).items()}
    assert [(NAMES[said.seat], said.words) for said in shots(shown, "table")[-1]["said"][1:]] == [*scores.items()]
    early = json.dumps(shown["shots"][:-2])
    assert "score" not in early
    assert "finished" not in early


def _scores(text):
    replay = Replay(text)
    for _ in replay.steps():
        pass
    return replay.scores


def test_a_fault_is_shown_with_its_exchange_to_its_player_alone():
    """The others learn what kind of fault it was."""
    text = record("hearts", 4, {"pass": "none"})
    head, mark, rest = text.partition("(play ")
    fault = '(fault ada illegal "h2 is not in the hand" "(request (secret))" "(play h2)")\n(stand-in ada)\n'
    shown = filmed(head + fault + mark + rest.partition("(score")[0])
    assert shots(shown, "table")[1]["fault"] == ["illegal", "h2 is not in the hand", "(request (secret))", "(play h2)"]
    assert "fault" in shots(shown, "ada")[1]
    assert all("fault" not in shots(shown, name)[1] for name in NAMES[1:])
    assert all(shots(shown, name)[1]["said"][0].words == "fault: illegal" for name in NAMES)
    assert "secret" not in json.dumps(filmed(head + fault, "bob"))


def test_a_record_that_is_no_game_is_shown_as_far_as_it_is_one():
    """The last moment names the line; the reason is for the viewpoint that sees all hands."""
    text = record("sedma", 4)
    lines = text.splitlines()
    place = next(at for at, line in enumerate(lines) if line.startswith("(play "))
    lines[place + 3] = lines[place]
    shown = filmed("\n".join(lines))
    assert not shown["valid"]
    assert len(shown["moments"]) == 5
    assert shots(shown, "table")[-1]["said"][0].words.startswith(f"not a game from line {place + 4} on: ")
    assert shots(shown, "cleo")[-1]["said"][0].words == f"not a game from line {place + 4} on"


def test_legal_plays_are_those_of_the_seat_on_turn():
    """A player who is not on turn is not shown what the other may play."""
    shown = filmed(record("skat", 3))
    for eyes, seat in [("table", None), ("ada", 0), ("bob", 1)]:
        for table in tables(shots(shown, eyes)):
            allowed = table["turn"] is not None and seat in {None, table["turn"]}
            assert (table["legal"] is not None) == allowed
    assert shots(shown, "table")[0]["legal"][0] == "bid 18"


def test_the_points_of_a_side_stand_beside_its_seats():
    """In Skat each view counts the points of its own side; the viewpoint that sees everything sees both."""
    played = (filmed(record("skat", 3, seed=seed)) for seed in "abcdefgh")
    shown = next(each for each in played if len(each["moments"]) > 30)
    *_, table = [table for table in tables(shots(shown, "table")) if len(table["place None trick"].cards) == 3][:-1]
    beside = [word for seat in range(3) for word in table[f"beside {seat}"] if "point" in word]
    assert len(beside) == 3
    assert len(set(beside)) == 2
    assert not any("points" in fact for fact in table["facts"])


def test_common_cards_of_a_program_are_said_as_they_are_drawn():
    """What a picture shows as the king of spades is that in words too; other cards keep their own."""
    whist, scopa = (filmed(record(f"recycle:{name}", seats)) for name, seats in (("whist", 4), ("scopa", 2)))
    first = shots(whist, "table")[1]
    [card] = first["place None trick"].cards
    assert first["said"][0].words == card
    assert "COINS" in json.dumps(shots(scopa, "table")[0])


def test_a_game_of_which_nothing_is_known_shows_its_fields():
    """A game from outside that says nothing of how it is drawn is told by what each seat knows."""
    rules = games.find("sedma")
    game = rules(NAMES, rules.read_options({}), Dice(Random(1)))
    every, own = (Broadcast(game).picture(seat) for seat in (None, 1))
    assert [len(words) > 0 for words in own.beside] == [False, True, False, False]
    assert every.beside[1] == own.beside[1]
    assert f"hand {' '.join(game.view(1).hand)}" in own.beside[1]
    assert not any("options" in words or "clock" in words for words in own.beside[1])


def test_a_full_trick_of_a_program_is_seen_before_it_is_swept():
    """The last card lies beside the others in a moment of its own, for every pair of eyes; then the trick is gone."""
    shown = filmed(record("recycle:whist", 4))
    for name in ("table", *NAMES):
        tricks = [table["place None trick"] for table in tables(shots(shown, name))]
        lying = [len(trick.cards) for trick in tricks]
        assert lying.count(4) == 13
        assert all(after == 0 for before, after in pairwise(lying) if before == 4)
        assert None not in [trick.winner for trick in tricks if len(trick.cards) == 4]


@pytest.mark.parametrize(("game", "seats"), [("recycle:whist", 4), ("recycle:agram", 4), ("recycle:briscola", 2)])
def test_every_trick_of_a_program_is_taken_by_somebody(game, seats):
    """The last one too, after which nobody leads: in Agram its winner is the winner of the game."""
    replay = Replay(record(game, seats))
    told = [said for [shot] in page_data(replay, seat=0)["shots"] for said in shot.get("said", ())]
    takers = [seat for seat, words in told if words.startswith("takes ")]
    held = len(Replay(record(game, seats)).game.view(0).visible)
    assert held
    if game == "recycle:agram":
        assert replay.scores[NAMES[takers[-1]]] == max(replay.scores.values())


@pytest.mark.parametrize(("game", "seats"), PROGRAMS)
def test_how_many_moments_there_are_tells_nobody_of_hidden_cards(game, seats):
    """One is added only where cards went that lay open to all."""
    shown = filmed(record(game, seats))
    for at, (before, after) in enumerate(
        pairwise(zip(*(tables(shots(shown, name)) for name in NAMES[:seats]), strict=True))
    ):
        level, line, seat = shown["moments"][at + 1]
        if line and seat < 0 and level != 2:
            gone = [open_to(one) - open_to(other) for one, other in zip(before, after, strict=True)]
            assert set.intersection(*gone)


def open_to(table):
    """Return which cards lie open where at a moment."""
    return {(key, card) for key, place in table.items() if key.startswith("place ") and place for card in place[3]}
