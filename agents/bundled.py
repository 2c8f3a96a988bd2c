"""The bots that come with the package, by name: in this process or as a process of their own."""

from __future__ import annotations

import sys

from croupier.agents.driver import drive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.agents.agent import Agent

ANY = "any"

# name: (game, module beside this one or its full name, class, description)
BUNDLED = {
    "random": (ANY, "random_bot", "Random", "any legal play, each as likely as the others"),
    "smithy": ("dominion", "dominion", "Smithy", "treasures and provinces, and a smithy now and then"),
    "miner": ("dominion", "dominion", "Miner", "villages, militias, smithies and mines in a chain"),
    "big-money": ("dominion", "dominion", "BigMoney", "treasures and provinces, no action at all"),
    "plan": ("dominion", "dominion_plan", "Plan", "heads for the decks that it wants early, midway and late"),
    "siege": ("dominion", "dominion_siege", "Siege", "keeps the others short of cards with two militias, buys markets"),
    "engine": ("dominion", "dominion_engine", "Engine", "draws its whole deck, then buys two provinces in one turn"),
    "skat-club": ("skat", "skat", "SkatClub", "bids what it expects to win, draws trumps, gives its partner points"),
    "duck": ("hearts", "hearts", "Duck", "ducks, dumps points on others, and hardly ever shoots the moon"),
    "doko": ("doppelkopf", "doppelkopf", "Doko", "plays for its party, announces when strong, alone when very strong"),
    "jass": ("jass", "jass", "TrumpCounter", "chooses by its hand, counts trumps, feeds its partner"),
    "sedma": ("sedma", "sedma", "SevenSaver", "takes points cheaply and saves its sevens for them"),
    "search": (ANY, "croupier.server.thinking", "Thinker", "plays out what may be; --ms 100 is how long it thinks"),
}
SEARCH = "search"
"""The bot that needs the rules, and so lives with them in the server; options may follow its name."""

_START = "from croupier.agents.bundled import start; start()"


class NoSuchBot(ValueError):
    """No bundled bot has this name."""


def make(name: str, words: Sequence[str] = ()) -> Agent:
    """Return a new agent of the bot called ``name``, made with the words after its name. Raise NoSuchBot."""
    if name not in BUNDLED:
        raise NoSuchBot(f"there is no bundled bot {name}; there are {', '.join(BUNDLED)}")
    _, module, kind, _ = BUNDLED[name]
    module = module if "." in module else f"croupier.agents.{module}"
    __import__(module)
    agent: Agent = getattr(sys.modules[module], kind)(*words)
    return agent


def names(game: str) -> list[str]:
    """List the bots that play a game; ``recycle:FILE`` counts as ``recycle``."""
    return [name for name, (played, *_) in BUNDLED.items() if played in {ANY, game.partition(":")[0]}]


def command(name: str, words: Sequence[str] = ()) -> list[str]:
    """Return the command line that starts the bot as a process.

    ``-c`` starts a third sooner than ``-m``; ``-P`` keeps a module in the current folder from hiding one of Python's.
    """
    return [sys.executable, "-P", "-c", _START, name, *words]


def start() -> None:
    """Drive the bot named by the command line's first argument; the other arguments are its words."""
    drive(make(sys.argv[1], sys.argv[2:]))
