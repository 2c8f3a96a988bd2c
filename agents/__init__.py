"""What a competitor subclasses and starts."""

from croupier.agents.agent import Agent
from croupier.agents.driver import drive

__all__ = ["Agent", "drive"]
