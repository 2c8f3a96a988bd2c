"""The referee's side: the rules, the seats, tables, tournaments and the command line."""
