"""Answers without an LLM: which facts and messages answer a question, and whether any does."""
