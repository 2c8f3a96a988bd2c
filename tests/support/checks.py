"""Checks of small bots that are written for a test."""

import sys

from misdeeds import START, TIME
from tables import children_left

from croupier.server import entries, games
from croupier.server.conformance import Asking, Demands, Examiner
from croupier.server.processes.sandbox import SandboxSettings

HASTY = Demands(positions=40, time=TIME, start=START, sandboxing=SandboxSettings("limits", memory="128M"), late=0.5)
LOOP = """
for line in sys.stdin:
    {0}
    if asked(line): print(listed(line)[0], flush=True)
    {1}
"""


def loop(before="", after=""):
    """Write the plain loop of a bot, with something more in it."""
    return LOOP.format(before, after)


async def examined(entry, game, folder, terms=HASTY, **options):
    found = await Examiner(Asking(entry, games.find(game), options, terms, folder)).run()
    assert children_left() == []
    return {finding.step.value: finding for finding in found}


def program(folder, text):
    """Write a Python bot that is all its own work; ``ask`` reads lines, ``listed`` finds the legal plays."""
    path = folder / "bot.py"
    path.write_text(
        "import re, sys, time\n"
        "def listed(line):\n"
        "    return re.findall(r'\\([^()]*\\)', line.partition('(legal ')[2]) or ['(give ' + ' '.join(\n"
        "        re.search(r'\\(hand ([^)]*)\\)', line)[1].split()[:3]) + ')']\n"
        "def asked(line):\n"
        "    return line.startswith(('(request', '(attacked'))\n" + text
    )
    return entries.of_command([sys.executable, str(path)], "bot")
