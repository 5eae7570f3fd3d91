"""Extraction and judging by an LLM."""
