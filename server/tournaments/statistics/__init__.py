"""Statistics: what a tournament's games prove: intervals over sets, standings, strength, and when to stop."""
