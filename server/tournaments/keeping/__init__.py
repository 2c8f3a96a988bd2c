"""Keeping: a tournament's games, its chain and its folder."""
