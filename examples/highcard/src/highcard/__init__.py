"""High card: two to four players choose one of five cards blind; the highest card of a round takes it."""
