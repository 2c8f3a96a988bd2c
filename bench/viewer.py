"""Photograph pages for the manual with a headless Chromium: games of bundled bots at one moment, reports, a season.

python bench/viewer.py docs/pictures

Pages of games are viewer.png, dominion.png (as a player saw it on a phone) and review.png. verdict.png, worst.png,
season.png and season-author.png are reports. The season's three nights take five minutes.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKAT = ("skat", "ada=skat-club", "bob=skat-club", "cleo=skat-club")
DOMINION = ("dominion", "ada=miner", "bob=miner")
HEARTS = ("hearts", "ada=duck", "bob=random", "cleo=random", "dan=duck")
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


def draw_review(game: Path, overview: Path, table: tuple[str, ...]) -> None:
    """Play some games and photograph the worst decision of the first, and the overview of all."""
    with tempfile.TemporaryDirectory() as folder:
        croupier("play", *table, "--seed", "picture", "--deals", "4", "--record", folder)
        page = Path(folder, "review.html")
        words = ("--playouts", "400", "--json", "--html", str(page))
        [found] = json.loads(croupier("review", f"{folder}/deal-1.record", *words))["games"]
        worst = max(found["decisions"], key=lambda each: each["loss"])
        photograph(f"{page.as_uri()}#{worst['moment']},table", game, (1280, 844))
        croupier("review", ".", *words, folder=folder)
        photograph(page.as_uri(), overview, (1280, 600))


def draw_season(pictures: Path, nights: int) -> None:
    """Play some nights of the example season, and photograph everybody's page and that of an author."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "season")
        subprocess.run([sys.executable, "examples/season/make.py", str(folder)], check=True)
        for _ in range(nights):
            croupier("season", str(folder))
        photograph((folder / "pages/index.html").as_uri(), pictures / "season.png", WIDE)
        photograph((folder / "pages/author-team-05.html").as_uri(), pictures / "season-author.png", (1180, 900))


def croupier(*words: str, folder: str | None = None) -> str:
    """Call croupier in a folder, and return what it prints; raise an error if it fails."""
    called = [sys.executable, "-m", "croupier", *words]
    return subprocess.run(called, check=True, stdout=subprocess.PIPE, text=True, cwd=folder).stdout


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
    draw_review(pictures / "review.png", pictures / "worst.png", HEARTS)
    draw_season(pictures, 3)
