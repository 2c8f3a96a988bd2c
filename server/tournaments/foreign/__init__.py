"""Results of games that were played elsewhere, from the tables that others write."""
