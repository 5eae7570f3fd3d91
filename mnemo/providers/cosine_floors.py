"""Typical cosine of unrelated texts for each embedding model; it counts as a similarity of 0."""

from collections.abc import Mapping

__all__ = ["COSINE_FLOORS", "cosine_floor"]

COSINE_FLOORS: Mapping[str, float] = {"local/e5-small-v2-q": 0.77}
"""1st percentile of the cosines between pairs of messages; 0 for models not listed."""


def cosine_floor(model: str) -> float:
    """Return the typical cosine of unrelated texts for a model, named as in `Embedder.model`."""
    return COSINE_FLOORS.get(model, 0.0)
