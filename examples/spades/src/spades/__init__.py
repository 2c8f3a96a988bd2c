"""Spades: two pairs bid what they will take, and spades are trumps."""
