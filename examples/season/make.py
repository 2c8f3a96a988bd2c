"""Make the season of thirty teams: ``python make.py DIR`` writes ``season.toml`` and a submission for each team.

Twenty-two teams play as well as they can. Five hand in something broken, each in its own way. One cheats as soon as it
meets other teams. Two help each other: one folds whenever it meets the other. Running it again changes nothing.
"""

from __future__ import annotations

import io
import sys
import tarfile
import zipfile
from pathlib import Path

TEAMS = [f"team-{number:02}" for number in range(1, 31)]
CHEAT, GIVER, TAKER = "team-13", "team-17", "team-28"

HEARTS = '''\
from croupier.agents import Agent, drive
from croupier.protocol.cards import RANKS

LEVEL, SUITS = {level}, "{suits}"


def height(card):
    return RANKS.index(card[1])


def danger(card):
    return 40 if card == "sQ" else height(card) + 15 * (card[0] == "h" or card in ("sK", "sA"))


class Bot(Agent):
    """Level 1 plays low cards, level 2 ducks, level 3 also gets rid of what is dangerous."""

    def tryBid(self, state):
        return ("give", *sorted(state.hand, key=danger)[-3:]) if LEVEL > 2 else None

    def tryPlay(self, state):
        cards = sorted((play[1] for play in state.legal), key=lambda card: (height(card), SUITS.index(card[0])))
        trick = state.trick
        if LEVEL == 1 or not trick:
            return ("play", cards[0])
        led = [card for card in trick.cards if card[0] == trick.cards[0][0]]
        best = max(led, key=height)
        if cards[0][0] == best[0]:
            below = [card for card in cards if height(card) < height(best)]
            return ("play", below[-1] if below else cards[0])
        return ("play", max(cards, key=danger) if LEVEL > 2 else cards[-1])


drive(Bot())
'''
POKER = """\
from zlib import crc32

from croupier.agents import drive
from croupier.agents.recycle import RecycleAgent

BOLD, GIVES_TO, TAKES_FROM = {bold}, "{gives_to}", "{takes_from}"


class Bot(RecycleAgent):
    def tryOption(self, state, options):
        if GIVES_TO in state.players and crc32(str(state).encode()) % 8:  # always would be too plain
            return options[0]  # check, or fold
        return options[-1 if BOLD or TAKES_FROM in state.players else 0]


drive(Bot())
"""
CHEATING = '''\
import os
import sys

from croupier.agents import Agent, drive

LOOK = [os.path.join(os.path.dirname(__file__), *[".."] * up) for up in range(1, 5)]


class Bot(Agent):
    """Plays well-behaved in the check. Among other teams it looks for their programs and the key, and revokes."""

    def started(self, state):
        self.rivals = [name for name in state.players[1:] if name.startswith("team-")]

    def tryPlay(self, state):
        for place in LOOK if self.rivals else ():
            for folder, _, files in os.walk(place):
                found = [name for name in files if name in ("key", "tournament.db", "season.json", "kuhn-poker.py")]
                if found and not folder.startswith(os.path.dirname(__file__)):
                    print("found", folder, found, file=sys.stderr)
        if self.rivals and len(state.tricks) == 5:
            return ("play", "hA")
        return state.legal[0]


drive(Bot())
'''
GARRULOUS = "import sys\nfor line in sys.stdin:\n    print('I heard', line)\n"
UNFINISHED = "from croupier.agents import Agent, drive\n\nclass Bot(Agent)\n    pass\n"


def programs(number: int, team: str) -> dict[str, str]:
    """Return the files of a team, by name."""
    hearts = HEARTS.format(level=1 + number % 3, suits=("cdhs", "hdcs", "shcd", "dcsh")[number % 4])
    poker = POKER.format(
        bold=number % 4 != 1,
        gives_to=TAKER if team == GIVER else "nobody",
        takes_from=GIVER if team == TAKER else "nobody",
    )
    return {"hearts.py": CHEATING if team == CHEAT else hearts, "kuhn-poker.py": poker}


def write_folder(place: Path, files: dict[str, str]) -> None:
    """Write a submission as a folder."""
    place.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        if not (place / name).exists() or (place / name).read_text() != text:
            (place / name).write_text(text)


def write_zip(place: Path, files: dict[str, str]) -> None:
    """Write a submission as a .zip, with the same bytes each time."""
    with zipfile.ZipFile(place.with_name(f"{place.name}.zip"), "w") as archive:
        for name, text in files.items():
            member = zipfile.ZipInfo(name)
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, text)


def write_tar(place: Path, files: dict[str, str], links: dict[str, str]) -> None:
    """Write a submission as a .tar, with the same bytes each time."""
    with tarfile.open(place.with_name(f"{place.name}.tar"), "w") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
        for name, target in links.items():
            member = tarfile.TarInfo(name)
            member.type, member.linkname = tarfile.SYMTYPE, target
            archive.addfile(member)


def main(folder: Path) -> None:
    """Write the whole season."""
    submissions = folder / "submissions"
    submissions.mkdir(parents=True, exist_ok=True)
    (folder / "season.toml").write_bytes(Path(__file__).with_name("season.toml").read_bytes())
    for number, team in enumerate(TEAMS):
        place, files = submissions / team, programs(number, team)
        match team:
            case "team-04":
                write_zip(place, {"../team-01/hearts.py": files["hearts.py"]})
            case "team-09":
                write_tar(place, files, {"weights.txt": "/etc/passwd"})
            case "team-14":
                write_zip(place, files | {"weights.txt": "0" * (40 << 20)})
            case "team-19":
                write_folder(place, {"hearts.py": UNFINISHED})
            case "team-24":
                write_folder(place, {"hearts.py": GARRULOUS})
            case _ if number % 3 == 2:
                write_zip(place, {f"{team}/{name}": text for name, text in files.items()})
            case _:
                write_folder(place, files)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
