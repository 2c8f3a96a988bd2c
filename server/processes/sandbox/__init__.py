"""What a bot's process may access and use: the levels, and how a bot is started under one."""

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
