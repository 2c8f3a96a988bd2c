"""Readers of other programs' logs, which turn them into records."""
