"""Compatibility with the original engine, CardStock: its quirks, and the generations of its language."""
