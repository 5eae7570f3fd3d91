"""Requests in plain words, by rules or by an LLM."""
