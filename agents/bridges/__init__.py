"""Bridges: bots of ours that speak the protocol on one side and a foreign player's language on the other.

Each bridge is one module here. Agents import the standard library and `croupier.protocol` alone. A bridge also imports
the libraries of its extra. So only `croupier bridge NAME` loads it, after a check that they are installed.
"""
