"""Analysis: what kind of game is it? Many games between players of known strength, and their statistics."""
