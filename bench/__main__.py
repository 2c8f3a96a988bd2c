"""Run the measurements of this folder, one after another, each in a process of its own.

    python -m bench [NAME ...]

Without names all are run, with the analysis of every game and the statistics of simulated tournaments last. To compare
with other engines, run one by itself; its first lines say how.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
LAST = ("analyze", "coverage", "stopping")
WRITES = {"terminal", "rooms"}
"""They draw pictures for README and docs, and measure nothing."""


def benches() -> dict[str, str]:
    """Return each measurement's name with its purpose."""
    found = {}
    for path in sorted(HERE.glob("*.py"), key=lambda path: (path.stem in LAST, path.stem)):
        module = ast.parse(path.read_text("utf-8"))
        has_main = any(isinstance(part, ast.FunctionDef) and part.name == "main" for part in module.body)
        if has_main and path.stem not in WRITES | {"__main__"}:
            found[path.stem] = (ast.get_docstring(module) or "").partition("\n")[0]
    return found


def main() -> int:
    """Run the named measurements, or all; return how many failed."""
    known = benches()
    wanted = sys.argv[1:] or list(known)
    if strangers := [name for name in wanted if name not in known]:
        print(f"no bench is called {', '.join(strangers)}; they are: {', '.join(known)}")
        return 2
    failed = 0
    for name in wanted:
        print(f"\n{name}: {known[name]}", flush=True)
        failed += subprocess.run([sys.executable, "-m", f"bench.{name}"], cwd=HERE.parent, check=False).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
