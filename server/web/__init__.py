"""Pages that croupier serves on this machine's loopback, each behind the same site; needs the extra ``web``."""
