"""Pages that croupier serves on this machine's loopback, each behind the same door; needs the extra ``web``."""
