"""Tournaments: who plays whom on which deals, what is kept, and what it proves."""
