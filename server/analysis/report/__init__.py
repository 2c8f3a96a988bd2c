"""The page of an analysis: one game, or two side by side, in pictures."""

from croupier.server.analysis.report.page import page

__all__ = ["page"]
