"""Texts that are no conversation: notes, web pages, PDF and Word files."""
