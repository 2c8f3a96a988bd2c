"""The viewer: a record as one page to step through; the page shows what our rules say, and contains no rules itself."""

from croupier.server.viewer.page import page, policy
from croupier.server.viewer.page_data import page_data

__all__ = ["page", "page_data", "policy"]
