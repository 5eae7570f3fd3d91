"""Cosines of unrelated texts, by embedding model: what a similarity of 0 is."""

from collections.abc import Mapping

__all__ = ["COSINE_FLOORS", "cosine_floor"]

COSINE_FLOORS: Mapping[str, float] = {"local/e5-small-v2-q": 0.77}
"""The 1st percentile of the cosines of pairs of messages; models that are not listed have 0."""


def cosine_floor(model: str) -> float:
    """Return the cosine of unrelated texts under a model, by its name as `Embedder.model` gives it."""
    return COSINE_FLOORS.get(model, 0.0)
