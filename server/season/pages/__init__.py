"""The pages of a season: one with all rankings, one for each game and one for each author."""
