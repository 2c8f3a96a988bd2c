"""A server of the OpenAI chat API on this machine's loopback, which plays any game, and misbehaves as it is told."""

import gzip
import json
import re
import socket
import threading
from contextlib import contextmanager

USAGE = {"prompt_tokens": 1000, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 800}}
KEY = "sk-a-key-that-nobody-may-read"


def mark_of(prompt):
    """Return the mark of the position that a message shows."""
    return re.search(r"^position (\w+)", prompt)[1]


def legal(prompt):
    """List the plays that a message offers: those of its field ``legal``, or a RECYCLE game's choices."""
    if found := re.search(r"^\((choices|legal) (.*)\)$", prompt, re.MULTILINE):
        forms = re.findall(r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", found[2])
        return [f"(choose {form[1:].split()[0]})" for form in forms] if found[1] == "choices" else forms
    hand = re.search(r"^\(hand ([^()]*)\)$", prompt, re.MULTILINE)[1].split()
    return [f"(give {' '.join(hand[:3])})"]


def answer(prompt, play=None):
    """Return what a model says that plays the first legal play, or another one."""
    return json.dumps({"position": mark_of(prompt), "play": play or legal(prompt)[0]})


def reply(content, **rest):
    """Return the document of a reply with this content."""
    message = {"role": "assistant", "content": content}
    return {"object": "chat.completion", "choices": [{"index": 0, "message": message} | rest], "usage": USAGE}


def http(body, status=200, headers=(), length=None):
    """Return the bytes of a response; ``body`` is bytes, or a document."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} Status", "Content-Type: application/json", *headers]
    lines.append(f"Content-Length: {len(data) if length is None else length}")
    return "\r\n".join([*lines, "", ""]).encode() + data


def packed(document):
    """Return a response that says that it is compressed, and is."""
    return http(gzip.compress(json.dumps(document).encode()), headers=["Content-Encoding: gzip"])


class MockModel:
    """The server. Each request meets the next of its ``scripts``, and the last one ever after.

    A script is a function of the prompt (the last message that shows a position) that returns the bytes of a response,
    or yields pieces of them; ``WAIT`` among these holds the connection until the client leaves it.
    """

    def __init__(self, *scripts):
        self.scripts = list(scripts) or [plays]
        self.requests = []
        self.heads = []
        self._lock = threading.Lock()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1"
        self._open = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                line, _ = self._socket.accept()
            except OSError:
                return
            self._open.add(line)
            threading.Thread(target=self._serve, args=[line], daemon=True).start()

    def _serve(self, line):
        try:
            with line, line.makefile("rb") as file:
                while request := self._read(file):
                    self._respond(line, request)
        except OSError:
            pass  # the client left
        finally:
            self._open.discard(line)

    def _read(self, file):
        head = b""
        while (row := file.readline()) not in {b"\r\n", b""}:
            head += row
        if not head:
            return None
        size = int(re.search(rb"content-length: (\d+)", head, re.IGNORECASE)[1])
        self.heads.append(head.decode())
        return json.loads(file.read(size))

    def _respond(self, line, request):
        with self._lock:
            self.requests.append(request)
            script = self.scripts.pop(0) if len(self.scripts) > 1 else self.scripts[0]
        response = script(self.question(request))
        for piece in [response] if isinstance(response, bytes) else response:
            if piece is WAIT:
                line.recv(1)
                raise OSError
            line.sendall(piece)

    def question(self, request):
        """Return what a script is given of a request."""
        return next(each["content"] for each in request["messages"] if each["content"].startswith("position "))

    def close(self):
        """Stop serving."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for line in list(self._open):
            line.close()


WAIT = object()


def plays(prompt):
    """Play as the rules want it."""
    return http(reply(answer(prompt)))


TRICKS = [
    lambda prompt: http({}, 429, ["Retry-After: 0.01"]),
    lambda prompt: http({}, 500),
    lambda prompt: http(b'{"choices": ['),
    lambda prompt: http({"choices": []}),
    lambda prompt: http(reply("I fold.")),
    lambda prompt: http(reply(answer(prompt, "(play x9)"))),
    lambda prompt: http(reply(f"{answer(prompt)} {answer(prompt, '(play x9)')}")),
]
"""What may go wrong, and is asked again."""


@contextmanager
def serving(*scripts):
    """Serve; yield the server."""
    server = MockModel(*scripts)
    try:
        yield server
    finally:
        server.close()
