"""Reviewing a game: what each decision of it was worth, and what each player lost by its own."""
