"""A table: the referee, its messages, the seats, and the consequences of faults."""
