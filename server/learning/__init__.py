"""Learning: games as environments for programs that learn, and the way back from what they learned to a bot."""
