"""Extraction without an LLM: spaCy and rules."""
