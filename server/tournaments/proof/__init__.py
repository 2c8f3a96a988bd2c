"""Whether a tournament's folder is what it claims to be."""
