"""Conformance: whether a bot keeps to the protocol and the rules, found out step by step before a tournament does."""

from croupier.server.conformance.asking import Asking, Demands
from croupier.server.conformance.examiner import POSITIONS, Examiner
from croupier.server.conformance.steps import Failed, Finding, Step

__all__ = ["POSITIONS", "Asking", "Demands", "Examiner", "Failed", "Finding", "Step"]
