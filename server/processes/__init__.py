"""Bots' processes: started by a keeper, limited by the kernel, and ended together with everything they started."""
