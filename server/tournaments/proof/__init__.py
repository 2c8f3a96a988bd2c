"""Proof: whether a tournament's folder is what it claims to be."""
