"""Questions answered and judged by an LLM."""
