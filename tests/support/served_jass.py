"""A bot of ours that is served as a player of jass-kit, in this process, while a test asks it from another thread."""

import json
from contextlib import contextmanager
from http.client import HTTPConnection

import trio
from web_table import served_meanwhile

from croupier.server.processes.temporary_folder import temporary_folder
from croupier.server.table.table import Table
from croupier.server.web.jass_service import JassService


@contextmanager
def served(seat, seconds=3600.0, work=trio.sleep_forever):
    """Serve a seat; yield the player's address, and a list of what is said of its faults."""
    said = []
    with served_meanwhile(JassService(seat, seconds, "127.0.0.1", said.append), work) as address:
        yield address, said


@contextmanager
def served_program(entry, seconds=3600.0):
    """Serve a program."""
    with temporary_folder() as folder:
        table = Table([entry], folder, start=300.0)

        async def work():
            async with table:
                await trio.sleep_forever()

        with served(table.seats[0], seconds, work) as (address, said):
            yield address, said


def connect(address):
    """Return a connection to a player's server, and the player's path there."""
    server, path = address.removeprefix("http://").split("/", 1)
    return HTTPConnection(server, timeout=300), f"/{path}"


def request(address, method, action="", body=b"", **headers):
    """Send a request; return the status and the document of the answer."""
    connection, path = connect(address)
    data = body if isinstance(body, bytes) else json.dumps(body)
    named = {"Content-Type": "application/json"} | {key.replace("_", "-"): value for key, value in headers.items()}
    connection.request(method, path + action, data, named)
    response = connection.getresponse()
    found = response.status, json.loads(response.read())
    connection.close()
    return found


def ask(address, observation):
    """Ask for a decision."""
    action = "/action_trump" if observation["trump"] < 0 else "/action_play_card"
    return request(address, "POST", action, observation)
