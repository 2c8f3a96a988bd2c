"""A season: authors' programs arrive as files in a folder, night after night, and play one tournament per game."""
