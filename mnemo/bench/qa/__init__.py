"""Questions answered and graded by an LLM."""
