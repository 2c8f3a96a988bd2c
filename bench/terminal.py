"""Draw the README's picture: a real tournament's tables as a terminal shows them, as SVG without outside fonts.

python bench/terminal.py docs/pictures/tournament.svg
"""

import io
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from croupier.server.commands.tables import print_standings
from croupier.server.tournaments.keeping.store import Store
from croupier.server.tournaments.report.standing import standing

COMMAND = "croupier tournament dominion smithy plan big-money miner random --deals 50 --seed picture --out cup"


def main() -> None:
    """Play the tournament and write the picture."""
    with tempfile.TemporaryDirectory() as folder:
        words = COMMAND.split()[1:]
        subprocess.run([sys.executable, "-m", "croupier", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        table = standing(Store(Path(folder) / "cup", new=False))
    console = Console(record=True, width=96, force_terminal=True, file=io.StringIO())
    console.print(f"[bold]$[/bold] {COMMAND}\n", highlight=False)
    print_standings(table, {}, console)
    svg = console.export_svg(title="croupier", unique_id="croupier")
    Path(sys.argv[1]).write_text(re.sub(r"@font-face \{.*?\}\s*|<!--.*?-->\s*", "", svg, flags=re.DOTALL) + "\n")


if __name__ == "__main__":
    main()
