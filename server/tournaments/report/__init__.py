"""The report: one page that needs nothing else. What is in it is gathered first; writing it is pure."""
