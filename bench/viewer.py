"""Photograph pages for the manual with a headless Chromium: games of bundled bots at one moment, a report, a season.

python bench/viewer.py docs/pictures     # viewer.png, dominion.png as a player saw it on a phone, verdict.png,
                                         # season.png and season-author.png of three nights, which takes half an hour
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKAT = ("skat", "ada=skat-club", "bob=skat-club", "cleo=skat-club")
DOMINION = ("dominion", "ada=miner", "bob=miner")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


CUP = ("dominion", "plan", "smithy", "big-money", "miner")
NARROW, WIDE = (500, 860), (1180, 760)


def draw_game(picture: Path, game: tuple[str, ...], moment: str, size: tuple[int, int]) -> None:
    """Play a game, write its page and photograph one moment of it."""
    with tempfile.TemporaryDirectory() as folder:
        croupier("play", *game, "--seed", "picture", "--record", folder)
        page = Path(folder, "game.html")
        croupier("replay", f"{folder}/deal-1.record", "--html", str(page))
        photograph(page.as_uri() + moment, picture, size)


def draw_report(picture: Path, cup: tuple[str, ...], size: tuple[int, int]) -> None:
    """Play a tournament and photograph the beginning of its report."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "cup")
        croupier("tournament", *cup, "--deals", "50", "--seed", "picture", "--out", str(folder))
        croupier("report", str(folder))
        photograph((folder / "report.html").as_uri(), picture, size)


def draw_season(pictures: Path, nights: int) -> None:
    """Play some nights of the example season, and photograph everybody's page and that of an author."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "season")
        subprocess.run([sys.executable, "examples/season/make.py", str(folder)], check=True)
        for _ in range(nights):
            croupier("season", str(folder))
        photograph((folder / "pages/index.html").as_uri(), pictures / "season.png", WIDE)
        photograph((folder / "pages/author-team-05.html").as_uri(), pictures / "season-author.png", (1180, 900))


def croupier(*words: str) -> None:
    """Call croupier; raise an error if it fails."""
    subprocess.run([sys.executable, "-m", "croupier", *words], check=True, stdout=subprocess.DEVNULL)


def photograph(address: str, picture: Path, size: tuple[int, int]) -> None:
    """Write what a browser shows of a page."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        sys.exit(f"this needs one of {', '.join(BROWSERS)}")
    with tempfile.TemporaryDirectory() as profile:
        how = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=5000"]
        how += [f"--window-size={size[0]},{size[1]}", f"--screenshot={picture.resolve()}", f"--user-data-dir={profile}"]
        subprocess.run([browser, *how, address], check=True, capture_output=True, timeout=120)


if __name__ == "__main__":
    pictures = Path(sys.argv[1])
    draw_game(pictures / "viewer.png", SKAT, "#16,table", WIDE)
    draw_game(pictures / "dominion.png", DOMINION, "#60,ada", NARROW)
    draw_report(pictures / "verdict.png", CUP, (1180, 720))
    draw_season(pictures, 3)
