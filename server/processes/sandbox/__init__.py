"""What a bot's process may touch and use up: the levels, and what starts a bot under one of them."""

from croupier.server.processes.sandbox.groups import ControlGroup
from croupier.server.processes.sandbox.launch import launch_order
from croupier.server.processes.sandbox.levels import NoSuchLevel, best, chosen, problem, shortfall
from croupier.server.processes.sandbox.settings import House, Level

__all__ = [
    "ControlGroup",
    "House",
    "Level",
    "NoSuchLevel",
    "best",
    "chosen",
    "launch_order",
    "problem",
    "shortfall",
]
