"""Structured output: JSON schemas for prompts, and replies read back into models."""
