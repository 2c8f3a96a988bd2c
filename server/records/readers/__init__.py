"""Readers of other programs' logs: what they tell becomes records."""
