"""What is kept of a tournament: its games, its chain and its folder."""
