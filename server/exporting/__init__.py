"""Exporting games as tables of columns, for programs that study them."""
