"""Output of the command line: tables, trees, progress, JSON."""
