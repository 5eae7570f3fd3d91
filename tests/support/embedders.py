"""Embedders for tests, whose vectors depend only on the text."""

import hashlib
from collections.abc import Sequence
from functools import cache

import numpy as np

from mnemo.models.tree import Vector


class HashEmbedder:
    """Returns random unit vectors seeded by the text, so only equal texts are similar."""

    model = "local/e5-small-v2-q"
    """The model that the test database is migrated for."""
    dimensions = 384

    def __init__(self) -> None:
        self.texts = 0

    async def passages(self, texts: Sequence[str]) -> Vector:
        self.texts += len(texts)
        return np.stack([vector(text) for text in texts])

    async def questions(self, texts: Sequence[str]) -> Vector:
        return await self.passages(texts)

    async def close(self) -> None:
        return None


@cache
def vector(text: str) -> Vector:
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    drawn = np.random.default_rng(seed).standard_normal(HashEmbedder.dimensions)
    return (drawn / np.linalg.norm(drawn)).astype(np.float32)


@cache
def cosine_score(subject: str, text: str) -> float:
    return float((1 + np.dot(vector(subject).astype(float), vector(text).astype(float))) / 2)
