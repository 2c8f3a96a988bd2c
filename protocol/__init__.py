"""Everything that crosses a pipe or is written to a record: text on one side, typed values on the other."""
