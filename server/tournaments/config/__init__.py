"""A tournament's configuration: its file, its settings, and the expansion of patterns."""
