"""Versioned trees in the database."""
