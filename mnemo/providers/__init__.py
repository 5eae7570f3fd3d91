"""LLMs, embedders and rerankers behind small protocols."""

from mnemo.providers.factory import build_embedder, build_llm, build_reranker

__all__ = ["build_embedder", "build_llm", "build_reranker"]
