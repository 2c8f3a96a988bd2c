"""The bridge to player services of jass-kit: of all that one may do comes a play, or the seat's own fault, in time."""

import json
import socket
import sys
import threading
from contextlib import closing

import pytest
from command_line import croupier
from mock_jass import first_legal, http, plays, serving
from mock_model import WAIT

from croupier.agents.bridges.base import NoPlay
from croupier.agents.bridges.jass import MOST_BYTES, JassKit
from croupier.protocol import views
from croupier.protocol.sexp import parse

BRIDGE = [sys.executable, "-m", "croupier", "bridge", "jass", "--url"]
PATIENT = ("--start", "120000", "--time", "60000")
STATE = """((game jass) (options (trump choose)) (players bob carol dave alice)
 (tally (bob 0) (carol 0) (dave 0) (alice 0)) {fields} (clock {clock}) (legal {legal}))"""
FIRST = "(phase trump) (hand c6 c7 d9 dT h8 hA s7 sQ sK) (trick) (tricks)"
TRUMPS = "(trump c) (trump d) (trump h) (trump s) (trump o) (trump u)"
PLAYED = """(phase play) (hand c6 c7 d9 hA s7 sQ sK) (trick alice hK) (tricks (dave dA d6 dT dJ) (alice h6 h8 h9 h7))
 (contract d) (chosen-by {chooser})"""
CARDS = "(play d9) (play hA)"
BETWEEN = """(phase play) (hand c7 dK h9 sA) (trick carol c8 dA dT) (tricks (carol d6 d7 d8 dQ) (carol h6 h7 h8 hA)
 (bob s6 s7 s8 sT) (bob c6 c9 cT cA) (bob cJ cQ cK hT)) (contract d) (chosen-by carol)"""
"""Trumps are diamonds. The king of trumps lies between the ace and the ten, which is lower in a plain suit."""
PATIENCE = 60_000


def view(fields=PLAYED, legal=CARDS, clock=PATIENCE, chooser="dave"):
    """Return a position."""
    fields = fields.format(chooser=chooser) if fields == PLAYED else fields
    return views.read(parse(STATE.format(fields=fields, legal=legal, clock=clock)))


def ask(script, *more, at=None):
    """Return what a player says whose service follows these scripts, and the observations that it was sent."""
    state = at or view()
    with serving(script, *more) as server:
        player = JassKit(server.address)
        play = player.tryBid(state) if state.phase in state.BIDDING else player.tryPlay(state)
    return play, server.requests


def says(answer):
    """Return a script that says this."""
    return lambda observation: http(answer)


def hold(*pieces):
    """Return a script that sends these bytes and nothing more."""
    return lambda observation: [*pieces, WAIT]


def leave(*pieces):
    """Return a script that sends these bytes and leaves."""

    def script(observation):
        yield from pieces
        raise OSError

    return script


def drip(head, piece):
    """Return a script that sends a bit at a time, without end."""

    def script(observation):
        yield head
        while True:
            yield piece
            threading.Event().wait(0.01)

    return script


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000000\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
PAGE = b"<html>\x1b[31mback soon</html>"
WRONG = {
    "500": (lambda o: http({"error": "no \u001b[31mmodel"}, 500), "status 500: .*model"),
    "404": (lambda o: http({}, 404), "status 404"),
    "a redirect": (lambda o: http({}, 302, ["Location: http://127.0.0.1:9/"]), "status 302"),
    "204": (lambda o: b"HTTP/1.1 204 No Content\r\n\r\n", "status 204"),
    "a page": (lambda o: http(PAGE), "no JSON object: .*back soon"),
    "no body": (lambda o: http(b""), "no JSON object"),
    "half JSON": (lambda o: http(b'{"card": "D'), "no JSON object"),
    "an array": (says(["D9"]), "no JSON object"),
    "null": (lambda o: http(b"null"), "no JSON object"),
    "nested deeply": (lambda o: http(b"[" * 60_000), "no JSON object"),
    "a number of many digits": (lambda o: http(b'{"card": ' + b"9" * 10_000 + b"}"), "no JSON object"),
    "no UTF-8": (lambda o: http(b'{"card": "\xff\xfe"}'), "no JSON object"),
    "another key": (says({"trump": 1}), "has no card"),
    "a card that is none": (says({"card": "D11"}), "played D11: a card is a text"),
    "a card of ours": (says({"card": "d9"}), "played d9: a card is a text"),
    "a number for a card": (says({"card": 5}), "played 5: a card is a text"),
    "a list for a card": (says({"card": ["D9"]}), "a card is a text"),
    "a truncated body": (leave(HEAD, b'{"card": '), "no JSON object"),
    "truncated chunks": (leave(CHUNKED, b"5\r\n[1"), "cannot be asked: IncompleteRead"),
    "chunks of no size": (leave(CHUNKED, b"five\r\n[1, 2\r\n"), "cannot be asked"),
    "no HTTP": (leave(b"SSH-2.0-OpenSSH_9.7\r\n\r\n"), "cannot be asked: BadStatusLine"),
    "closed at once": (leave(), "cannot be asked: RemoteDisconnected"),
    "an endless body": (leave(HEAD, b" " * 2 * MOST_BYTES), "more than 65,536 bytes"),
    "an endless error": (leave(HEAD.replace(b"200 OK", b"500 No"), b" " * 2 * MOST_BYTES), "more than 65,536 bytes"),
    "an endless header": (leave(b"HTTP/1.1 200 OK\r\nX: ", b" " * 2 * MOST_BYTES), "cannot be asked: LineTooLong"),
    "endless headers": (leave(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 1000), "cannot be asked: HTTPException"),
}
"""What a service does wrong at a card, and the reason that the seat's fault has."""
NO_TRUMP = {
    "below": (says({"trump": -1}), "chose -1"),
    "above": (says({"trump": 6}), "chose 6: trump is a number from 0 to 5, or 10 to push"),
    "a suit": (says({"trump": "D"}), "chose D"),
    "true": (says({"trump": True}), "chose True"),
    "a fraction": (says({"trump": 1.0}), "chose 1.0"),
    "a card": (says({"card": "D9"}), "has no trump"),
}
STAGES = {
    "headers": hold(),
    "the end of headers": hold(b"HTTP/1.1 200 OK\r\nContent-Le"),
    "the body": hold(HEAD + b'{"card"'),
    "a chunk": hold(CHUNKED + b"50\r\n[1,"),
    "the body of an error": hold(HEAD.replace(b"200 OK", b"500 No")),
    "a header that drips": drip(b"HTTP/1.1 200 OK\r\nX: ", b"y"),
    "headers that drip": drip(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
    "statuses that drip": drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "a body that drips": drip(HEAD, b" "),
    "chunks that drip": drip(CHUNKED, b"1\r\n \r\n"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_answer_ends_the_decision_with_the_reason(name):
    """At the first question: a service that plays wrongly does so again."""
    script, why = WRONG[name]
    with pytest.raises(NoPlay, match=why):
        ask(script)


@pytest.mark.parametrize("name", NO_TRUMP)
def test_a_choice_that_is_none_ends_the_decision_with_the_reason(name):
    """Only the numbers of jass-kit are choices."""
    script, why = NO_TRUMP[name]
    with pytest.raises(NoPlay, match=why):
        ask(script, at=view(FIRST, f"{TRUMPS} (shift)"))


@pytest.mark.parametrize("stage", STAGES)
def test_a_service_that_hangs_or_drips_is_left_before_the_clock_runs_out(stage):
    """Wherever that is: the whole exchange has one deadline."""
    with pytest.raises(NoPlay, match=r"gave no whole answer within 0\.2 s|has more than 65,536|got more than"):
        ask(STAGES[stage], at=view(clock=300))


def test_a_service_that_is_not_there_is_named_as_such():
    """Nothing listens at the port."""
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        player = JassKit(f"http://127.0.0.1:{free.getsockname()[1]}/jass/players/none")
    with pytest.raises(NoPlay, match="action_play_card: the service cannot be asked: ConnectionRefusedError"):
        player.tryPlay(view())


@pytest.mark.parametrize(
    "script",
    [
        says({"card": "D9"}),
        says({"card": "D9", "confidence": 0.5, "trump": None}),
        lambda o: [CHUNKED, b'e\r\n{"card": "D9"}\r\n0\r\n\r\n'],
        leave(b'HTTP/1.0 200 OK\r\n\r\n{"card": "D9"}'),
    ],
)
def test_a_card_is_played(script):
    """However it is wrapped."""
    assert ask(script)[0] == ("play", "d9")


@pytest.mark.parametrize(("number", "play"), [(0, "d"), (1, "h"), (2, "s"), (3, "c"), (4, "o"), (5, "u")])
def test_a_choice_is_made(number, play):
    """Its numbers are those of jass-kit."""
    assert ask(says({"trump": number}), at=view(FIRST, f"{TRUMPS} (shift)"))[0] == ("trump", play)
    assert ask(says({"trump": 10}), at=view(FIRST, f"{TRUMPS} (shift)"))[0] == ("shift",)


def test_what_is_illegal_is_left_to_the_referee():
    """A card not held, one that does not follow suit, a push back: the referee's reason is the fault's."""
    assert ask(says({"card": "CA"}))[0] == ("play", "cA")
    assert ask(says({"card": "C6"}))[0] == ("play", "c6")
    assert ask(says({"trump": 10}), at=view(FIRST, TRUMPS))[0] == ("shift",)


def test_no_weis_is_shown_and_nobody_is_asked():
    """The service knows nothing of Weis."""
    with serving() as server:
        play = JassKit(server.address).tryBid(view(FIRST.replace("trump", "weis"), "(weis c6 c7 c8) (weis)"))
    assert (play, server.requests) == (("weis",), [])


def test_a_card_that_only_jass_kit_allows_is_asked_again_without_it(capsys):
    """Its rule has the fourth player beat the ten, which is lower than the ace in a plain suit."""
    legal = "(play c7)"
    play, sent = ask(says({"card": "DK"}), says({"card": "C7"}), at=view(BETWEEN, legal))
    assert play == ("play", "c7")
    assert [each["player"][0]["hand"] for each in sent] == [["DK", "H9", "SA", "C7"], ["H9", "SA", "C7"]]
    assert "asked again without DK: it undertrumps" in capsys.readouterr().err
    assert ask(says({"card": "DK"}), at=view(BETWEEN, legal))[0] == ("play", "dK")
    assert ask(says({"card": "H9"}), at=view(BETWEEN, legal))[0] == ("play", "h9")


def test_the_first_chooser_is_asked_to_choose_or_push():
    """The viewer is North; the dealer's next player, West of East, chooses and leads."""
    _, (sent,) = ask(says({"trump": 3}), at=view(FIRST, f"{TRUMPS} (shift)"))
    hand = ["D10", "D9", "HA", "H8", "SK", "SQ", "S7", "C7", "C6"]
    assert sent == {
        "version": "V0.2",
        "trump": -1,
        "dealer": 1,
        "currentPlayer": 0,
        "playerView": 0,
        "forehand": -1,
        "tricks": [],
        "player": [{"hand": hand}, {"hand": []}, {"hand": []}, {"hand": []}],
        "jassTyp": "SCHIEBER",
    }


def test_the_partner_is_told_that_it_was_pushed():
    """It may not push back."""
    _, (sent,) = ask(says({"trump": 3}), at=view(FIRST, TRUMPS))
    assert (sent["dealer"], sent["forehand"], sent["trump"]) == (3, 0, -1)


@pytest.mark.parametrize(("chooser", "forehand"), [("dave", 1), ("bob", 0)])
def test_tricks_have_who_led_who_won_and_the_points_of_the_cards(chooser, forehand):
    """A trick that has begun has neither winner nor points. Carol is West, dave South, alice East."""
    _, (sent,) = ask(says({"card": "D9"}), at=view(chooser=chooser))
    assert (sent["dealer"], sent["forehand"], sent["trump"]) == (3, forehand, 0)
    assert sent["tricks"] == [
        {"cards": ["DA", "D6", "D10", "DJ"], "points": 41, "win": 1, "first": 2},
        {"cards": ["H6", "H8", "H9", "H7"], "points": 0, "win": 1, "first": 1},
        {"cards": ["HK"], "first": 1},
    ]


def test_a_fixed_contract_counts_as_chosen_by_the_leader():
    """Nobody chose it, and the viewer is to lead."""
    fields = FIRST.replace("trump", "play") + " (contract o)"
    _, (sent,) = ask(says({"card": "D9"}), at=view(fields, "(play d9)"))
    assert (sent["dealer"], sent["forehand"], sent["trump"], sent["tricks"]) == (1, 1, 4, [{"first": 0}])


@pytest.mark.parametrize(
    "url",
    ["host:8888", "ftp://host/jass", "http://", "http:///x", "http://a b/", "http://user@host/", "http://h/?q"],
)
def test_an_address_that_is_none_is_refused(url):
    """Before anything is played, in one sentence."""
    out, errors = croupier("bridge", "jass", "--url", url, code=2)
    assert (out, errors.count("\n")) == ("", 1)
    assert "write a player's address such as http://" in errors


def table(script, tmp_path, *words):
    """Return the games that a service plays at a real table, where the others play on by themselves."""
    with serving(script) as server:
        bot = "service=" + " ".join([*BRIDGE, server.address])
        words = ("play", "jass", bot, "jass", "jass", "jass", "--network", "service", *PATIENT, *words, "--json")
        out, errors = croupier(*words, cwd=tmp_path)
    assert "Traceback" not in out + errors
    return json.loads(out)["games"]


def test_a_service_plays_games_to_their_end(tmp_path):
    """With Weis and Stöcke, of which it knows nothing, and with the rule on undertrumping that it does not have."""
    games = table(plays, tmp_path, "--deals", "3", "-o", "weis=yes", "-o", "stoeck=yes", "-o", "score-to=300")
    assert [(game["outcome"], game["faults"]) for game in games] == [("finished", [])] * 3


def card_not_held(observation):
    """Play a card of a trick that is over."""
    played = [card for trick in observation["tricks"][:-1] for card in trick["cards"]]
    return http({"card": played[0]} if played else first_legal(observation))


def pushes_always(observation):
    """Push, also as the partner."""
    return http({"trump": 10} if observation["trump"] < 0 else first_legal(observation))


FAULTS = {
    "status": (WRONG["500"][0], "crashed", "the service answered with status 500"),
    "no JSON": (WRONG["a page"][0], "crashed", "no JSON object"),
    "card not held": (card_not_held, "illegal", "is not in the hand"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_wrong_service_is_a_fault_of_its_seat_alone(name, tmp_path):
    """A stand-in plays on; the reason says what the service did."""
    script, kind, why = FAULTS[name]
    ((game,), fault) = (games := table(script, tmp_path, "--seed", "1")), games[0]["faults"][0]
    assert (game["outcome"], fault["player"], fault["kind"]) == ("finished", "service", kind)
    assert why in fault["why"]


def test_a_push_back_is_a_fault(tmp_path):
    """Two seats of a service that always pushes: the second one may not."""
    with serving(pushes_always) as server:
        bots = [f"{name}=" + " ".join([*BRIDGE, server.address]) for name in ("one", "two")]
        words = ("play", "jass", bots[0], "jass", bots[1], "jass", "--network", "one", "--network", "two")
        out, _ = croupier(*words, *PATIENT, "--json", cwd=tmp_path)
    (fault,) = json.loads(out)["games"][0]["faults"]
    assert (fault["player"], fault["kind"]) == ("two", "illegal")
    assert "has to choose" in fault["why"]


def test_another_game_is_refused_at_its_start(tmp_path):
    """The reason names it."""
    bot = "service=" + " ".join([*BRIDGE, "http://127.0.0.1:1/jass/players/none"])
    out, _ = croupier("play", "hearts", bot, "duck", "duck", "duck", *PATIENT, "--json", cwd=tmp_path)
    (fault,) = json.loads(out)["games"][0]["faults"]
    assert fault["why"].endswith("its last words: a player service of jass-kit plays jass, not hearts")
