"""Let XSkat play against itself, judge its games by our rules, and print its figures beside those of our bots.

    xvfb-run python -m bench.xskat [GAMES [OURS]]

XSkat is a package of Debian's (``apt install xskat xvfb``); it wants an X display even where it draws nothing. Its
transcript is replayed: each play must be legal, and the winner of each trick and the declarer's card points the same.
The values of the games come from its list of results. Prints the table of docs/reference/games/skat.md, with OURS games
of each of our bots.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from croupier.server.records.readers import xskat
from croupier.server.records.readers.foreign import NoGame
from croupier.server.records.replay import Invalid, Replay

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from croupier.server.games.skat.value import HandResult

PROGRAM = "xskat"
A_RUN = 340
"""Games of one run: the list of results keeps about 349."""
BOTS = ("skat-club",)
GAMES = 100_000
OURS = 300


class Played:
    """What was seen of many games: how each ended, and the contract of each that was played."""

    def __init__(self) -> None:
        self.results: list[tuple[HandResult | None, tuple[str, ...]]] = []

    def note(self, game: Any) -> None:
        """Note a game of Skat that is over."""
        result = game.results[-1]
        self.results.append((result, (game.contract.game, *game.contract.words) if result else ()))

    def figures(self) -> Sequence[float]:
        """Return shares: passed in; of those played won, Grand, Null, from the hand; and the declarer's mean value."""
        played = [(result, words) for result, words in self.results if result]
        return (
            1 - len(played) / len(self.results),
            sum(result.won for result, _ in played) / len(played),
            *(sum(word in words for _, words in played) / len(played) for word in ("grand", "null", "hand")),
            sum(result.value for result, _ in played) / len(played),
        )


def runs(games: int, folder: Path) -> Iterator[tuple[str, list[int]]]:
    """Play; yield the transcript of each run and the values on its list, negative where the declarer lost."""
    log, listed = folder / "log", folder / "list"
    for first in range(0, games, A_RUN):
        log.unlink(missing_ok=True)
        listed.unlink(missing_ok=True)
        begun = int(time.time())
        count = str(min(A_RUN, games - first))
        subprocess.run([PROGRAM, "-auto", count, "-log", log, "-list", listed], check=True, stdout=subprocess.DEVNULL)
        lines = [line.split() for line in listed.read_text(encoding="ascii").splitlines()]
        values = [int(value) if won == "1" else -int(value) for kind, *_, value, won in lines if kind == "e"]
        yield log.read_text(encoding="ascii"), values
        while int(time.time()) == begun:  # its seed is the second
            time.sleep(0.1)


def judge(transcript: str, values: Sequence[int], played: Played) -> Iterator[str]:
    """Replay the games of a transcript; yield how each differs from what XSkat wrote."""
    games = list(xskat.read(transcript))
    if len(games) != len(values):
        yield f"{len(games)} games and {len(values)} results"
        return
    for game, value in zip(games, values, strict=True):
        if isinstance(game, NoGame):
            yield f"{game.title}: {game.why}"
            continue
        try:
            replay = Replay(game.record)
            for _ in replay.steps():
                pass
        except Invalid as problem:
            yield f"{game.title}: {problem.why}\n{game.record}"
            continue
        played.note(replay.game)
        yield from (f"{game.title}: {difference}\n{game.record}" for difference in game.differences(replay.game))
        ours = result.value if (result := played.results[-1][0]) else 0
        if ours != value:
            yield f"{game.title}: its value is {ours}, in the list {value}\n{game.record}"


def ours(bot: str, deals: int, folder: Path) -> Played:
    """Let three of one of our bots play each other."""
    command = [sys.executable, "-m", "croupier", "play", "skat", bot, bot, bot, "--deals", str(deals)]
    subprocess.run([*command, "--record", folder], check=True, stdout=subprocess.DEVNULL)
    played = Played()
    for record in sorted(folder.glob("*.record")):
        replay = Replay(record.read_text(encoding="ascii"))
        for _ in replay.steps():
            pass
        played.note(replay.game)
    return played


def main() -> None:
    """Print the differences, then the table as it comes."""
    games, deals = [int(word) for word in sys.argv[1:]] + [GAMES, OURS][len(sys.argv) - 1 :]
    with TemporaryDirectory() as kept:
        folder, xskats = Path(kept), Played()
        wrong = [line for run in runs(games, folder) for line in judge(*run, xskats)]
        print(*wrong, f"{len(xskats.results)} games, {len(wrong)} differences", "", sep="\n")
        print(
            "| players | games | passed in | declarer wins | Grand | Null | hand | declarer's mean |",
            "|---" * 8 + "|",
            sep="\n",
        )
        print(row("XSkat", xskats), flush=True)
        for bot in BOTS:
            print(row(f"`{bot}`", ours(bot, deals, folder / bot.replace(" ", ""))), flush=True)


def row(name: str, played: Played) -> str:
    """Write a row of the table."""
    *shares, mean = played.figures()
    cells = [f"{share:.1%}" for share in shares]
    return f"| {' | '.join([name, f'{len(played.results):,}', *cells, f'{mean:+.1f}'])} |"


if __name__ == "__main__":
    main()
