"""The viewer: a record as one page to step through; the page shows what our rules say, and knows none itself."""

from croupier.server.viewer.film import film
from croupier.server.viewer.page import page, policy

__all__ = ["film", "page", "policy"]
