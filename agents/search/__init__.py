"""The searching player: it samples what it cannot see, plays the samples out, and takes the best play.

It receives the games to search as objects, because the rules belong to the server.
"""

from croupier.agents.search.arguments import BadWords, Words
from croupier.agents.search.budget import Budget
from croupier.agents.search.player import Search

__all__ = ["BadWords", "Budget", "Search", "Words"]
