"""Laws: what every game must fulfil, whatever its rules, tried in random games. `LAWS` lists them, `judge` tries one.

A law is a function of a `Trial`; its docstring is its text. It raises `Broken` where the game breaks it, and `Untried`
where it cannot be tried.
"""

from croupier.server.laws.judging import LAWS, Judgement, examine, judge, sentence, tables
from croupier.server.laws.trial import Broken, Trial, Untried

__all__ = ["LAWS", "Broken", "Judgement", "Trial", "Untried", "examine", "judge", "sentence", "tables"]
