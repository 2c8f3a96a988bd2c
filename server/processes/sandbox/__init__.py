"""What a bot's process may touch and use up: the levels, and what starts a bot under one of them."""

from croupier.server.processes.sandbox.house import House, Level
from croupier.server.processes.sandbox.launch import TASKS, launch_order
from croupier.server.processes.sandbox.levels import NoSuchLevel, best, chosen, problem
from croupier.server.processes.sandbox.pen import Pen

__all__ = ["TASKS", "House", "Level", "NoSuchLevel", "Pen", "best", "chosen", "launch_order", "problem"]
