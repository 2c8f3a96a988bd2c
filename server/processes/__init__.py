"""Bots' processes: started by a keeper, bounded by the kernel, and ended with all that came of them."""
