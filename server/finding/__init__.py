"""Finding games in many records: the conditions, the folders to search, and the contracts of games."""
