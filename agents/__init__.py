"""The class that a competitor subclasses, the driver that runs it, and the bundled bots."""

from croupier.agents.agent import Agent, first
from croupier.agents.driver import drive

__all__ = ["Agent", "drive", "first"]
