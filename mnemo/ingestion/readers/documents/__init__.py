"""Documents: notes, web pages, PDF and Word files."""
