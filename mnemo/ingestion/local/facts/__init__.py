"""Builds facts from clauses, names and phrases."""
