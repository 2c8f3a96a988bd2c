"""Serve jass-kit's random player at http://127.0.0.1:8888/random, or at another port.

python jass_kit.py [PORT]        needs: pip install jass-kit==2.0.5 flask
"""

import sys

from jass.agents.agent_random_schieber import AgentRandomSchieber
from jass.service.player_service_app import PlayerServiceApp

service = PlayerServiceApp("jass-kit")
service.add_player("random", AgentRandomSchieber())
service.run(port=int(sys.argv[1]) if sys.argv[1:] else 8888)
