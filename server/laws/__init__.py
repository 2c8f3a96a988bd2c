"""Laws: what every game keeps, whatever its rules, tried in random games; `LAWS` lists them and `judge` tries one.

A law is a function of a `Trial`; its docstring is what it says. It raises `Broken` where the game breaks it,
and `Untried` where it cannot be tried.
"""

from croupier.server.laws.judging import LAWS, Judgement, examine, judge, sentence, tables
from croupier.server.laws.trial import Broken, Trial, Untried

__all__ = ["LAWS", "Broken", "Judgement", "Trial", "Untried", "examine", "judge", "sentence", "tables"]
