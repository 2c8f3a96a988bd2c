"""Arrays: what a seat sees and may do, as numpy arrays of fixed shapes, derived from the fields of its page."""

from croupier.server.arrays.encoder import Encoder

__all__ = ["Encoder"]
