"""Vectors for trees of any size without a model: sums of one fixed random vector per word."""

import re
from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from mnemo.models.tree import Vector

__all__ = ["WordEmbedder"]

_WORD = re.compile(r"\w+")


class WordEmbedder:
    """Embeds texts with shared words near each other; equal texts get equal vectors in every run."""

    def __init__(self, model: str, dimensions: int) -> None:
        """Set the name and dimensions of the database's embedding model."""
        self.model = model
        self.dimensions = dimensions
        self._words: dict[str, NDArray[np.float32]] = {}

    async def passages(self, texts: Sequence[str]) -> Vector:
        """Return float32, (len(texts), dimensions), rows of unit length, input order."""
        sums = np.stack([np.sum([self._word(word) for word in _WORD.findall(text) or [""]], axis=0) for text in texts])
        return np.asarray(sums / np.linalg.norm(sums, axis=1, keepdims=True), dtype=np.float32)

    async def questions(self, texts: Sequence[str]) -> Vector:
        """Return the same as for passages."""
        return await self.passages(texts)

    async def close(self) -> None:
        """Do nothing."""

    def _word(self, word: str) -> NDArray[np.float32]:
        if word not in self._words:
            values = np.random.default_rng(crc32(word.encode())).standard_normal(self.dimensions)
            self._words[word] = values.astype(np.float32)
        return self._words[word]
