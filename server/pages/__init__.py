"""Pages: the drawing kit of all HTML pages: elements, charts, and whole pages."""
