"""The searching player: it samples what it cannot see, plays it out, and takes what came out best.

It is given the games to search; the rules are the server's.
"""

from croupier.agents.search.arguments import BadWords, Words
from croupier.agents.search.budget import Budget
from croupier.agents.search.player import Search

__all__ = ["BadWords", "Budget", "Search", "Words"]
