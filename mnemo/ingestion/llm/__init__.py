"""Extraction and judging with an LLM."""
