"""Run the command line: ``python -m croupier``."""

from croupier.server.cli import main

if __name__ == "__main__":
    main()
