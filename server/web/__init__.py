"""Pages that croupier serves on this machine's loopback, each protected by `ProtectedSite`; extra ``web``."""
