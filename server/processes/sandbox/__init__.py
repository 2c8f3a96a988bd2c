"""What a bot's process may touch and use up: the levels, and what starts a bot under one of them."""

from croupier.server.processes.sandbox.groups import ControlGroup
from croupier.server.processes.sandbox.launch import launch_order
from croupier.server.processes.sandbox.levels import NoSuchLevel, best, choose_level, problem, shortfall
from croupier.server.processes.sandbox.settings import Level, SandboxSettings

__all__ = [
    "ControlGroup",
    "Level",
    "NoSuchLevel",
    "SandboxSettings",
    "best",
    "choose_level",
    "launch_order",
    "problem",
    "shortfall",
]
