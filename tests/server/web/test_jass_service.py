"""A bot of ours as a player of jass-kit: it answers as at a table, and nothing that is asked breaks it."""

import json
import random
import sys
from copy import deepcopy

import pytest

pytest.importorskip("quart_trio", reason="needs the web extra")

import trio
from served_jass import ask, connect, request, served, served_program

from croupier.agents import bundled
from croupier.agents.agent import Agent
from croupier.agents.bridges.jass import JassKit
from croupier.agents.bridges.jass_observation import CARDS, observation
from croupier.protocol.notifications import JSON, NATIVE
from croupier.server import entries
from croupier.server.deals import Key
from croupier.server.games.jass import Jass
from croupier.server.table.referee import Referee, Terms
from croupier.server.table.seat import LocalSeat

NAMES = ("ada", "bea", "cleo", "dot")
SLEEPER = """from time import sleep
from croupier.agents import Agent, drive


class Sleeper(Agent):
    def tryBid(self, state):
        print("asked", flush=True)
        sleep(3600)


drive(Sleeper())
"""


def deal(number):
    """Return a deal."""
    return Key.from_seed("jass over http").deal(number)


def observations(number=1, choice=("trump", "h")):
    """Return what jass-kit would tell the player on turn at each moment of a game with a push, played at random."""
    game, rng = Jass(NAMES, {}, deal(number)), random.Random(number)
    told = []
    while game.turn is not None:
        told.append(observation(game.view(game.turn)))
        first = game.phase == "trump"
        game.play(game.turn, ("shift",) if first and len(told) == 1 else choice if first else game.sample(rng))
    return told


def record(make, number):
    """Return the record of a game between four agents, without times."""
    seats = [LocalSeat(name, make()) for name in NAMES]
    played = trio.run(Referee(Jass, {}, seats, deal(number), Terms()).play)
    assert not played.faults
    return [line for line in played.record if not line.startswith("(time ")]


@pytest.mark.parametrize("dialect", [NATIVE, JSON])
def test_a_bot_plays_over_http_as_at_a_table(dialect):
    """Our service answers our bridge: whole games are the same, play by play, in whichever dialect the bot is asked."""
    with served_program(entries.of_bundled("jass", dialect=dialect)) as (address, said):
        for number in range(4):
            assert record(lambda: JassKit(address), number) == record(lambda: bundled.make("jass"), number)
    assert not said


class Listener(Agent):
    """Plays the first legal play, and writes down all that it hears, by the player's place from its own."""

    def __init__(self):
        self.notes = []
        self.players = ()

    def started(self, state):
        """Begin a page."""
        self.notes, self.players = [("start", state.phase, state.hand)], state.players

    def heard(self, name, play):
        """Write it down."""
        self.notes.append((self.players.index(name) if name in self.players else name, play))

    def choose(self, state):
        """Write down all that was heard until now."""
        self.asked = [*self.notes]
        return next(iter(state.legal_plays()))


def test_a_bot_hears_the_game_from_its_beginning_at_each_question():
    """What others said and played, in order, as one does who sits at a table."""
    listeners = [Listener() for _ in NAMES]
    served_one, compared = Listener(), []

    class Both(Agent):
        """Compares what one who sits here has heard with what the served bot hears at the same question."""

        def __init__(self, mine):
            self.mine, self.started, self.heard = mine, mine.started, mine.heard

        def choose(self, state):
            status, _ = ask(address, observation(state))
            play = self.mine.choose(state)
            compared.append((status, served_one.asked == self.mine.asked))
            return play

    with served(LocalSeat("mine", served_one)) as (address, _):
        seats = [LocalSeat(name, Both(mine)) for name, mine in zip(NAMES, listeners, strict=True)]
        trio.run(Referee(Jass, {}, seats, deal(1), Terms()).play)
    assert len(compared) == 37
    assert set(compared) == {(200, True)}


HAND = ["D6", "D7", "HJ", "CA", "CK", "SA", "SK"]


def third_trick(*tricks):
    """Return an observation of South with that hand, after two tricks whose firsts and cards are given."""
    return {
        "version": "V0.2",
        "trump": 0,
        "dealer": (tricks[0][0] + 1) % 4,
        "currentPlayer": 2,
        "playerView": 2,
        "forehand": 1,
        "tricks": [{"first": first, "cards": cards.split()} for first, cards in tricks],
        "player": [{"hand": []}, {"hand": []}, {"hand": HAND}, {"hand": []}],
    }


@pytest.mark.parametrize("bot", ["jass", "random", "search"])
def test_a_bot_answers_after_plays_that_only_jass_kit_allows(bot):
    """There East may play a trump between two that lie in the trick, and have hearts; elsewhere that shows none."""
    told = third_trick((0, "S6 D10 DA DK"), (2, "HA H6 H9 H10"))
    with served_program(entries.of_bundled(bot, args=["--iterations", "4"] if bot == "search" else ())) as served_by:
        address, said = served_by
        status, answer = ask(address, told)
    assert (status, said) == (200, [])
    assert answer["card"] in HAND


@pytest.fixture(scope="module")
def player():
    """A bot that plays the first legal play."""
    with served(LocalSeat("mine", Listener())) as (address, said):
        yield address
    assert not said


def test_the_player_says_that_it_is_there(player):
    """And that nobody else is."""
    assert request(player, "GET") == (200, "mine plays here")
    assert request(player + "x", "GET")[0] == 404
    assert request(player + "x", "POST", "/action_trump", observations()[0])[0] == 404


def test_any_news_of_a_game_is_taken(player):
    """Also when it is over, and with what only later versions know."""
    for told in observations():
        assert request(player, "POST", "/game_info", told | {"gameId": 7}) == (200, "")
    over = observations()[-1]
    over["tricks"][-1]["cards"] = over["tricks"][0]["cards"]
    assert request(player, "POST", "/game_info", over | {"player": [{"hand": []}] * 4}) == (200, "")


@pytest.mark.parametrize("viewer", range(4))
def test_the_players_may_have_any_numbers(viewer, player):
    """The answer follows from the cards, wherever the viewer sits."""
    for told in observations():
        turned = deepcopy(told)
        for key in ("dealer", "currentPlayer", "playerView"):
            turned[key] = (told[key] + viewer) % 4
        for trick in turned["tricks"]:
            trick["first"] = (trick["first"] + viewer) % 4
        turned["player"] = told["player"][-viewer:] + told["player"][:-viewer] if viewer else told["player"]
        assert ask(player, turned) == ask(player, told)


def changed(path, value, at=20):
    """Return an observation of a card in which something was changed."""
    told = deepcopy(observations()[at])
    *way, last = path
    inner = told
    for step in way:
        inner = inner[step]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return told


def part(*way, at=20):
    """Return a part of that observation."""
    inner = observations()[at]
    for step in way:
        inner = inner[step]
    return inner


def beside(*way):
    """Return the number of the player next to one in that observation."""
    return (part(*way) + 1) % 4


BAD = {
    "nothing": (b"", "no observation of jass-kit: Input data was truncated"),
    "no JSON": (b"{", "no observation of jass-kit"),
    "no UTF-8": (b'{"version": "\xff"}', "no observation of jass-kit"),
    "nested deeply": (b'{"x":' + b"[" * 60_000, "no observation of jass-kit"),
    "an array": ([], "Expected `object`, got `array`"),
    "another version": (changed(["version"], "V0.1"), "Invalid enum value 'V0.1' - at `$.version`"),
    "no version": (changed(["version"], None), "missing required field `version`"),
    "another game": (changed(["jassTyp"], "HEARTS"), "at `$.jassTyp`"),
    "no such player": (changed(["dealer"], 4), "Expected `int` <= 3 - at `$.dealer`"),
    "true for a number": (changed(["dealer"], value=True), "Expected `int`, got `bool` - at `$.dealer`"),
    "a fraction": (changed(["dealer"], 0.5), "Expected `int`, got `float` - at `$.dealer`"),
    "many digits": (b'{"version": "V0.2", "trump": ' + b"9" * 6000 + b"}", "no observation of jass-kit"),
    "three players": (changed(["player"], [{"hand": []}] * 3), "at `$.player`"),
    "ten tricks": (changed(["tricks"], [{"first": 0}] * 10), "at `$.tricks`"),
    "five cards in a trick": (changed(["tricks", 0, "cards"], ["DA"] * 5), "at `$.tricks[0].cards`"),
    "no first": (changed(["tricks", 1, "first"], None), "missing required field `first` - at `$.tricks[1]`"),
    "a card of ours": (changed(["player", 0, "hand", 0], "dA"), "'dA' is no card: a card is a text such as H6"),
    "a long card": (changed(["player", 0, "hand", 0], "D" * 999), "'DDDDDDDDDDDDDDDDDDDD' is no card"),
    "a card twice": (changed(["player", 0, "hand", 0], part("player", 0, "hand", 1)), "a card is named twice"),
    "a card played and held": (
        changed(["tricks", 0, "cards", 0], part("player", 0, "hand", 0)),
        "a card is named twice",
    ),
    "a card too few": (changed(["player", 0, "hand", 0], None), "has had 8 cards, in hand and played, instead of 9"),
    "an open trick": (changed(["tricks", 0, "cards", 3], None), "has fewer than four cards"),
    "another first": (
        changed(["tricks", 0, "first"], beside("tricks", 0, "first")),
        "trick 1: by the rules its first is",
    ),
    "another winner": (
        changed(["tricks", 2, "first"], beside("tricks", 2, "first")),
        "trick 3: by the rules its first is",
    ),
    "another dealer": (changed(["dealer"], beside("dealer")), "trick 1: by the rules its first is"),
    "another viewer": (changed(["playerView"], 1), "currentPlayer is not playerView"),
    "no trump": (changed(["trump"], -1), "cards are played before trump is chosen"),
    "trump by nobody": (changed(["forehand"], -1), "trump 1 does not go with forehand -1"),
    "chosen, but what": (changed(["forehand"], 1, at=0), "trump -1 does not go with forehand 1"),
    "cards that no deal allows": (
        third_trick((2, "HA C6 C7 C8"), (2, "HK C9 C10 CJ")),  # seven hearts are in nobody's hand
        "by the rules nobody can have played these cards",
    ),
    "not on turn": (changed(["forehand"], 0, at=0), "is on turn"),
}
"""Observations that are none, and what the player says of them."""


@pytest.mark.parametrize("name", BAD)
def test_a_bad_observation_is_refused(name, player):
    """With a sentence about what is wrong with it."""
    body, why = BAD[name]
    action = "/action_trump" if isinstance(body, dict) and body.get("trump", 0) < 0 else None
    status, answer = request(player, "POST", action or "/action_play_card", body)
    assert (status, list(answer)) == (400, ["error"])
    assert why in answer["error"]


def test_what_is_not_asked_for_now_is_refused(player):
    """Trump after it was chosen, a card before, and anything after the last card."""
    first, *_, last = observations()
    status, answer = request(player, "POST", "/action_play_card", first)
    assert (status, answer["error"]) == (400, "trump is not chosen yet")
    status, answer = request(player, "POST", "/action_trump", last)
    assert (status, answer["error"]) == (400, "trump is chosen already")
    last["tricks"][-1]["cards"] += last["player"][0]["hand"]
    last["player"][0]["hand"] = []
    status, answer = request(player, "POST", "/action_play_card", last)
    assert (status, answer["error"]) == (400, "the hand is over: nobody is on turn")


def test_what_is_no_question_is_refused(player):
    """Each with a status of its own, and a sentence."""
    told = observations()[0]
    assert request(player, "POST", "/action_dance", told)[0] == 404
    assert request(player, "GET", "/action_trump")[0] == 405
    assert request(player, "POST", "/action_trump", told, Content_Type="text/plain")[0] == 415
    assert request(player, "POST", "/action_trump", b" " * 70_000)[0] == 413
    assert request(player, "POST", "/action_trump", told)[0] == 200


def program(tmp_path, text):
    """Return the entry of a program."""
    (tmp_path / "bot.py").write_text(text)
    return entries.of_command([sys.executable, str(tmp_path / "bot.py")], "bot")


def test_a_bots_fault_is_told_and_the_next_question_answered(tmp_path):
    """By a fresh process."""
    choosing, playing = observations()[0], observations()[20]
    with served_program(program(tmp_path, SLEEPER), seconds=0.2) as (address, said):
        status, answer = ask(address, choosing)
        assert (status, "the player failed: timeout: no whole answer within 200 ms" in answer["error"]) == (500, True)
        status, answer = ask(address, playing)
        assert (status, answer["card"] in CARDS) == (200, True)
    (line,) = said
    assert line.startswith("bot: timeout: no whole answer within 200 ms")


def test_an_illegal_play_is_a_fault(tmp_path):
    """It is not passed on."""
    text = SLEEPER.replace('print("asked", flush=True)', "return ('trump', 'x')")
    with served_program(program(tmp_path, text)) as (address, _):
        status, answer = ask(address, observations()[0])
    assert (status, answer["error"].startswith("the player failed: unknown: ")) == (500, True)


def test_a_client_that_leaves_does_not_spoil_the_next_question(tmp_path):
    """Its reply would be taken for that of the next; and nobody waits for it."""
    with served_program(program(tmp_path, SLEEPER)) as (address, said):
        assert ask(address, observations()[20])[0] == 200
        connection, path = connect(address)
        body = json.dumps(observations()[0])
        connection.request("POST", f"{path}/action_trump", body, {"Content-Type": "application/json"})
        connection.close()
        assert ask(address, observations()[20])[0] == 200
    assert not said
