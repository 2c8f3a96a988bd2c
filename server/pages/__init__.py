"""Pages: the kit of which everything is made that croupier shows in a browser: elements, charts, whole pages."""
