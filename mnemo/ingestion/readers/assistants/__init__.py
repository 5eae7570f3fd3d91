"""Exports of conversations with an LLM."""
