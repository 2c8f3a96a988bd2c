"""Conformance: checks step by step, before a tournament does, whether a bot follows the protocol and the rules."""

from croupier.server.conformance.asking import Asking, Demands
from croupier.server.conformance.examiner import POSITIONS, Examiner
from croupier.server.conformance.steps import Failed, Finding, Step

__all__ = ["POSITIONS", "Asking", "Demands", "Examiner", "Failed", "Finding", "Step"]
