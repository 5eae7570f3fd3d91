"""Embeddings by text: one call for the texts of a window, none for texts seen recently."""

from collections.abc import Iterable

from cachetools import LRUCache

from mnemo.providers.base import Embedder, Vectors

__all__ = ["VectorCache"]

CACHED = 4096
"""Vectors kept: the same names come back window after window."""


class VectorCache:
    """Embeds passages and keeps the vectors used last."""

    def __init__(self, embedder: Embedder, capacity: int = CACHED) -> None:
        """Keep the embedder, and up to `capacity` vectors."""
        self._embedder = embedder
        self._kept: LRUCache[str, Vectors] = LRUCache(maxsize=capacity)

    async def of(self, texts: Iterable[str]) -> dict[str, Vectors]:
        """Return the vector of each distinct text, each (dimensions,), with one call for all missing ones.

        Raises:
            ProviderError: The embedder failed.
        """
        distinct = list(dict.fromkeys(texts))
        found = {text: self._kept[text] for text in distinct if text in self._kept}
        missing = [text for text in distinct if text not in found]
        if missing:
            found.update(zip(missing, await self._embedder.passages(missing), strict=True))
        self._kept.update((text, found[text]) for text in missing)
        return found
