"""LLMs, embedders and rerankers behind small protocols."""
