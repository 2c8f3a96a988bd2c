"""What crosses a pipe or lies in a record: text on one side, typed values on the other."""
