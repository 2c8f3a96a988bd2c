"""The report: one page that needs nothing else. What is in it is gathered first; writing it is pure."""

from croupier.server.tournaments.report.findings import Findings, gather
from croupier.server.tournaments.report.games import write_pages
from croupier.server.tournaments.report.page import page

__all__ = ["Findings", "gather", "page", "write_pages"]
