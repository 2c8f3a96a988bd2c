"""Entering: the bots, the key and the schedule of a tournament, and what of that is fixed."""
