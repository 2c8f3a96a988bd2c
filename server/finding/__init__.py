"""Finding games in many records: what is asked of them, the folders in which they lie, and their contracts."""
