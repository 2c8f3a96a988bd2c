"""A table: the referee, the words it speaks, the seats, and what follows from a fault."""
