"""The driver: real processes, whatever the cuts, the prints and the exceptions."""

import os
import subprocess
import sys

import pytest

REQUEST = "(request ((game war) (players ann bob) (phase play) (legal (play h9) (play sT))))"
START = "(update table (start ((game war) (players ann bob) (phase play))))"
BOT = """
import os
from croupier.agents import Agent, drive

print("before")

class Bot(Agent):
    def heard(self, name, play):
        print("heard", name, *play)

    def tryPlay(self, state):
        {body}

drive(Bot())
"""
BUFFERED = {**os.environ, "PYTHONUNBUFFERED": ""}


def run(body, *pieces):
    """Run a bot on the pieces, one write each; return its output, its errors and its exit status."""
    command = [sys.executable, "-c", BOT.format(body=body)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=BUFFERED) as process:
        for piece in pieces:
            process.stdin.write(piece)
            process.stdin.flush()
        output, errors = process.communicate(timeout=300)
    return output, errors, process.returncode


def test_every_request_is_answered_on_a_line_of_its_own():
    """Several messages in one read, with or without newlines, are answered one by one."""
    output, errors, status = run("return None", f"{START}{REQUEST}\r\n{REQUEST}(update bob (play c2)){REQUEST}")
    assert output == "(play h9)\n" * 3
    assert "heard bob play c2" in errors
    assert status == 0


def test_a_message_may_come_byte_by_byte():
    """No cut confuses the driver."""
    assert run("return ('play', 'sT')", *REQUEST, *REQUEST)[0] == "(play sT)\n" * 2


def test_json_is_answered_in_json():
    """In pieces and in heaps; what is heard is what s-expressions would say."""
    request = '{"type": "request", "state": {"game": "war", "players": ["ann"], "legal": [["play", "h9"]]}}\n'
    heard = '{"type": "update", "name": "bob", "play": ["play", "c2"]}\n{"type": "weather"}\n'
    output, errors, status = run("return None", *request, heard + request + request)
    assert output == '["play", "h9"]\n' * 3
    assert "heard bob play c2" in errors
    assert status == 0


def test_an_answer_does_not_wait_for_a_newline_or_the_end():
    """The reply is written as soon as the request's parentheses balance."""
    command = [sys.executable, "-c", BOT.format(body="return None")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=BUFFERED
    ) as process:
        process.stdin.write(REQUEST.encode())
        process.stdin.flush()
        assert process.stdout.readline() == b"(play h9)\n"
        process.stdin.close()
        assert process.wait(timeout=300) == 0


@pytest.mark.parametrize("body", ["print('noise'); return None", "os.system('echo noise'); return None"])
def test_stray_output_goes_to_standard_error(body):
    """What is printed before the game, in a hook, or by a child never reaches the wire."""
    output, errors, status = run(body, REQUEST)
    assert output == "(play h9)\n"
    assert "before" in errors
    assert "noise" in errors
    assert status == 0


def test_an_exception_ends_the_process_with_its_traceback():
    """A bug in a hook is shown and ends the bot with status 1, before anything is played."""
    output, errors, status = run("raise RuntimeError('out of ideas')", REQUEST)
    assert output == ""
    assert "Traceback" in errors
    assert "RuntimeError: out of ideas" in errors
    assert status == 1


@pytest.mark.parametrize("rest", ["", "   \n", "(request ((game w"])
def test_the_end_of_file_is_the_signal_to_leave(rest):
    """Between messages or within one, the end of standard input is no error."""
    output, errors, status = run("return None", rest)
    assert (output, errors.strip(), status) == ("", "before", 0)


def test_a_referee_who_has_gone_is_no_error():
    """Nobody reads the reply any more: the bot leaves as at the end of file."""
    command = [sys.executable, "-c", BOT.format(body="return None")]
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            command,
            input=REQUEST.encode(),
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
            timeout=300,
            env=BUFFERED,
        )
    finally:
        os.close(writing)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


def test_what_is_not_known_is_ignored():
    """A notification of a later version is passed over."""
    assert run("return None", f"(weather sunny) {REQUEST}")[0] == "(play h9)\n"
