"""What a competitor subclasses and starts."""

from croupier.agents.agent import Agent, first
from croupier.agents.driver import drive

__all__ = ["Agent", "drive", "first"]
