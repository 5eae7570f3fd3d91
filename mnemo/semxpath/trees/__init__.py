"""Versioned trees: queries, edits, versions."""
