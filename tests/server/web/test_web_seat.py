"""A person's seat behind its site: what it is sent, what it may send, and that it sees no more than its seat."""

import json
import re
import subprocess
import sys
import urllib.request

import pytest
import trio
import trio.testing
from click.testing import CliRunner

from croupier.agents import bundled
from croupier.server import extras, games
from croupier.server.cli import cli
from croupier.server.deals import Key
from croupier.server.records.replay import Replay
from croupier.server.table.referee import Referee, Terms
from croupier.server.table.seat import LocalSeat
from croupier.server.viewer import page_data
from croupier.server.viewer.page import policy, unpack
from croupier.server.web import finished_game, web_seat
from croupier.server.web.protected_site import ProtectedSite
from croupier.server.web.web_seat import WebSeat

ORIGIN = "http://127.0.0.1:8000"


@pytest.fixture
def person():
    site = ProtectedSite(print)
    site.open_at(8000)
    return WebSeat("ada", site)


def table(person, game="hearts", bots=("duck", "duck", "duck")):
    """Seat a person among bots."""
    seats = [person, *(LocalSeat(f"bot-{at}", bundled.make(bot)) for at, bot in enumerate(bots))]
    return Referee(games.find(game), {}, seats, Key.from_seed("web").deal(1), Terms())


def events(person, kind):
    return [json.loads(data) for each, data in person._events if each == kind]


async def sent(person, body, to="play"):
    """Send what a page may send; return the status."""
    headers = {"Host": "127.0.0.1:8000", "Origin": ORIGIN}
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    client = person.site.app.test_client()
    return (await client.post(f"/{person.site.token}/{to}", headers=headers, data=data)).status_code


async def clicks(person, stop):
    """Play the last play whenever there is a question, until the game is over."""
    while not stop.is_set():
        if person._plays is not None and not person._answered.is_set():
            asked = events(person, "ask")[-1]
            assert await sent(person, {"ask": asked["number"], "play": len(asked["plays"]) - 1}) == 200
        await trio.lowlevel.checkpoint()


@pytest.mark.parametrize(
    ("game", "bots"),
    [("hearts", ["duck"] * 3), ("skat", ["skat-club"] * 2), ("dominion", ["smithy"]), ("recycle:golf", ["random"])],
)
async def test_the_page_is_sent_what_the_seat_sees_and_nothing_else(person, game, bots):
    """Moment by moment the same as the film that is made of the record for that seat."""
    referee, over = table(person, game, bots), trio.Event()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(clicks, person, over)
        result = await referee.play()
        over.set()
    assert not result.faults
    [head] = events(person, "film")
    recorded = page_data(Replay("".join(f"{line}\n" for line in result.record)), seat=0)
    shots = [event["shot"] for event in events(person, "shot")]
    assert shots == json.loads(json.dumps([shot for [shot] in recorded["shots"]]))
    assert head["eyes"] == ["ada"]
    assert {key: recorded[key] for key in ("options", "together", "suits")} == {
        key: json.loads(json.dumps(head))[key] for key in ("options", "together", "suits")
    }
    assert [event["moment"][0] for event in events(person, "shot")] == [each[0] for each in recorded["moments"]]


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b"null", {"ask": 1}, {"ask": "1", "play": 0}, {"ask": 1, "play": True}),
        *({"ask": 1, "play": -1}, {"ask": 1, "play": 286}, {"ask": 1, "play": 0.0}, {"ask": 1, "play": [0]}),
    ],
)
async def test_what_is_no_play_is_refused(person, body):
    """And the question stands."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table(person).play)
        await trio.testing.wait_all_tasks_blocked()
        assert await sent(person, body) == 400
        assert not person._answered.is_set()
        nursery.cancel_scope.cancel()


async def test_a_question_is_answered_once(person):
    """What comes for another question, or again, plays no card."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table(person).play)
        await trio.testing.wait_all_tasks_blocked()
        assert await sent(person, {"ask": 2, "play": 0}) == 409
        assert await sent(person, {"ask": 1, "play": 0}) == 200
        await trio.testing.wait_all_tasks_blocked()
        assert await sent(person, {"ask": 1, "play": 1}) == 409
        assert [event["number"] for event in events(person, "ask")] == [1, 2]
        nursery.cancel_scope.cancel()


async def test_a_page_that_comes_again_gets_what_it_missed(person):
    """By the number of the last event that it has; one of another game, or none, begins with this game."""
    for kind in ("film", "shot", "film", "shot", "over"):
        person._begun = len(person._events) if kind == "film" else person._begun
        person._tell(kind, {})
    headers = {"Host": "127.0.0.1:8000"}
    for last, first in ((None, 2), ("2", 3), ("1", 2), ("0", 2), ("99", 2), ("x", 2), ("\u0662", 2), ("9" * 50, 2)):
        more = {} if last is None else {"Last-Event-ID": last.encode().decode("latin-1")}
        client = person.site.app.test_client()
        answer = await client.get(f"/{person.site.token}/events", headers=headers | more)
        text = await answer.get_data(as_text=True)
        assert text.startswith(f"event: past\ndata: {5 - first}\n\nid: {first}\n")
        assert text.endswith("event: over\ndata: {}\n\n")


@pytest.mark.parametrize("page", ["review", "judging"])
async def test_a_game_is_not_reviewed_while_it_is_played(person, page):
    """Neither its page nor what its plays are worth can be had."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table(person).play)
        await trio.testing.wait_all_tasks_blocked()
        answer = await person.site.app.test_client().get(
            f"/{person.site.token}/{page}", headers={"Host": "127.0.0.1:8000"}
        )
        assert (answer.status_code, await answer.get_data(as_text=True)) == (404, "no game is finished yet\n")
        nursery.cancel_scope.cancel()


async def test_a_finished_game_can_be_reviewed(person, monkeypatch):
    """With all hands open, as the viewer shows its record; on request with what each play was worth."""
    client, headers = person.site.app.test_client(), {"Host": "127.0.0.1:8000"}
    address = f"/{person.site.token}/review"
    judging = f"/{person.site.token}/judging"
    referee, over = table(person, "sedma", ["sedma"] * 3), trio.Event()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(clicks, person, over)
        result = await referee.play()
        over.set()
    person.keep(result, games.find("sedma"))
    answer = await client.get(address, headers=headers)
    page = await answer.get_data(as_text=True)
    film = unpack(re.search(r'<pre id="film" hidden>([^<]*)</pre>', page)[1])
    assert (film["title"], film["eyes"][0], film["valid"]) == (
        "Sedma · deal 1 · ada, bot-0, bot-1, bot-2",
        "table",
        True,
    )
    assert answer.headers["Content-Security-Policy"].startswith(policy())
    assert "review" not in film
    monkeypatch.setattr(finished_game, "MS", 1.0)
    said = ""
    async with client.request(judging, headers=headers) as stream:
        while not said.endswith("event: ready\ndata: {}\n\n"):
            said += (await stream.receive()).decode()
    page = await (await client.get(address, headers=headers)).get_data(as_text=True)
    film = unpack(re.search(r'<pre id="film" hidden>([^<]*)</pre>', page)[1])
    assert f'"done": {len(film["review"]["decisions"])}' in said
    assert film["review"]["budget"] == "1 ms a decision"


@pytest.mark.parametrize("wanted", [True, False])
async def test_another_deal_is_played_if_it_is_wanted(person, wanted):
    """What is neither yes nor no is refused."""
    decided = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(decide, person, decided)
        await trio.testing.wait_all_tasks_blocked()
        assert events(person, "last") == [{"another": True}]
        assert await sent(person, {"another": 1}, "another") == 400
        assert decided == []
        assert await sent(person, {"another": wanted}, "another") == 200
    assert decided == [wanted]


async def decide(person, decided):
    decided.append(await person.decide_on_another(possible=True))


async def test_a_person_whose_page_is_gone_wants_no_other_deal(person, monkeypatch):
    """So the table ends by itself."""
    monkeypatch.setattr(web_seat, "FAREWELL", 0.001)
    assert not await person.decide_on_another(possible=True)


def test_play_goes_on_as_long_as_another_deal_is_wanted():
    """Beyond the deals that were asked for, and not a deal longer."""
    words = ["play", "sedma", "ada=human", "sedma", "sedma", "sedma", "--web", "--json"]
    with subprocess.Popen([sys.executable, "-m", "croupier", *words], stdout=-1, stderr=-1, text=True) as playing:
        address = next(line for line in playing.stderr if " plays at " in line).split()[-1]
        wanted, kind = [True, False], ""
        with urllib.request.urlopen(f"{address}events") as stream:
            for line in map(bytes.decode, stream):
                name, _, text = line.strip().partition(": ")
                kind = text if name == "event" else kind
                if (name, kind) == ("data", "ask"):
                    post(address, "play", {"ask": json.loads(text)["number"], "play": 0})
                elif (name, kind) == ("data", "last"):
                    post(address, "another", {"another": wanted.pop(0)})
        played = json.loads(playing.stdout.read())
    assert [game["deal"] for game in played["games"]] == [1, 2]
    assert wanted == []


def post(address, name, document):
    origin = "/".join(address.split("/")[:3])
    asked = urllib.request.Request(f"{address}{name}", json.dumps(document).encode(), {"Origin": origin})
    urllib.request.urlopen(asked).close()


def test_web_needs_a_person(monkeypatch):
    """And what serves pages."""
    done = CliRunner().invoke(cli, ["play", "hearts", "duck", "duck", "duck", "duck", "--web"])
    assert (done.exit_code, "--web shows the table to a person: seat human" in done.output) == (2, True)
    monkeypatch.setitem(extras.EXTRAS, "web", ("nothing-of-this-name>=1",))
    done = CliRunner().invoke(cli, ["play", "hearts", "human", "duck", "duck", "duck", "--web"])
    assert (done.exit_code, "pip install" in done.output) == (2, True)
