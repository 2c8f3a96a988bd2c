"""Draw the viewer for the manual: real games of bundled bots at one moment, photographed by a headless Chromium.

python bench/viewer.py docs/pictures     # viewer.png, and dominion.png as a player saw it on a phone
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKAT = ("skat", "ada=skat-club", "bob=skat-club", "cleo=skat-club")
DOMINION = ("dominion", "ada=miner", "bob=miner")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def draw(out: Path, game: tuple[str, ...], moment: str, width: int, height: int) -> None:
    """Play a game, write its page and photograph it."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        sys.exit(f"this needs one of {', '.join(BROWSERS)}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        page = folder / "game.html"
        play = ["play", *game, "--seed", "picture", "--record", name]
        for words in (play, ["replay", str(folder / "deal-1.record"), "--html", str(page)]):
            subprocess.run([sys.executable, "-m", "croupier", *words], check=True, stdout=subprocess.DEVNULL)
        how = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            f"--window-size={width},{height}",
        ]
        how += ["--virtual-time-budget=5000", f"--screenshot={out.resolve()}", f"--user-data-dir={folder / 'profile'}"]
        subprocess.run([browser, *how, page.as_uri() + moment], check=True, capture_output=True, timeout=120)


if __name__ == "__main__":
    pictures = Path(sys.argv[1])
    draw(pictures / "viewer.png", SKAT, "#16,table", 1180, 760)
    draw(pictures / "dominion.png", DOMINION, "#60,ada", 500, 860)
