"""What a tournament is asked to be: its file, its settings, and what a word of them stands for."""
