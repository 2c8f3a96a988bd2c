"""setup.py of setuptools, beside pyproject.toml: CROUPIER_COMPILED=1 asks for extension modules, which mypyc compiles.

It takes what a decision goes through as it stands; what is not listed runs as ever.
"""

import os

from setuptools import setup

MODULES = [
    "protocol/sexp.py",
    "protocol/dominion.py",
    "protocol/views/known.py",
    "server/deals.py",
    "server/games/game.py",
    "server/games/hands.py",
    "server/games/tricks.py",
    "server/games/sedma.py",
    "server/games/jass/contracts.py",
    "server/games/jass/weis.py",
    "server/games/jass/game.py",
    "server/games/doppelkopf/announcements.py",
    "server/games/doppelkopf/contracts.py",
    "server/games/doppelkopf/parties.py",
    "server/games/doppelkopf/plays.py",
    "server/games/doppelkopf/poverty.py",
    "server/games/doppelkopf/reservations.py",
    "server/games/doppelkopf/scoring.py",
    "server/games/doppelkopf/shown.py",
    "server/games/doppelkopf/game.py",
    "server/games/tricks_imagined.py",
    "server/games/hearts/game.py",
    "server/games/skat/bidding.py",
    "server/games/skat/contract.py",
    "server/games/skat/game.py",
    "server/games/skat/plays.py",
    "server/games/skat/shown.py",
    "server/games/skat/value.py",
    "server/games/dominion/game.py",
    "server/games/dominion/imagined.py",
    "server/games/dominion/legal.py",
    "server/games/dominion/luck.py",
    "server/games/dominion/player.py",
    "server/games/dominion/plays.py",
    "server/processes/bot_process.py",
    "server/table/channel.py",
    "server/table/clock.py",
    "server/table/luck.py",
    "server/table/process_seat.py",
    "server/table/referee.py",
    "server/table/seat.py",
    "server/table/talk.py",
]

if os.environ.get("CROUPIER_COMPILED"):
    from mypyc.build import mypycify

    setup(
        ext_modules=mypycify(
            ["--config-file=pyproject.toml", *[f"src/croupier/{name}" for name in MODULES]], opt_level="2"
        )
    )
else:
    setup()
