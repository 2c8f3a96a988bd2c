"""Draw the viewer for the manual: a real game of bundled bots at one moment, photographed by a headless Chromium.

python bench/viewer.py docs/pictures/viewer.png
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

GAME = ["play", "skat", "ada=skat-club", "bob=skat-club", "cleo=skat-club", "--seed", "picture", "--record"]
MOMENT = "#16,table"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def draw(out: Path) -> None:
    """Play a game, write its page and photograph it."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        sys.exit(f"this needs one of {', '.join(BROWSERS)}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        page = folder / "game.html"
        for words in ([*GAME, str(folder)], ["replay", str(folder / "deal-1.record"), "--html", str(page)]):
            subprocess.run([sys.executable, "-m", "croupier", *words], check=True, stdout=subprocess.DEVNULL)
        how = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1180,760"]
        how += ["--virtual-time-budget=5000", f"--screenshot={out.resolve()}", f"--user-data-dir={folder / 'profile'}"]
        subprocess.run([browser, *how, page.as_uri() + MOMENT], check=True, capture_output=True, timeout=120)


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
