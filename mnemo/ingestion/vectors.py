"""A cache of embeddings by text, filled with one call per window."""

from collections.abc import Iterable

from cachetools import LRUCache

from mnemo.providers.base import Embedder, Vectors

__all__ = ["VectorCache"]

CACHE_SIZE = 4096
"""Vectors cached by default; names recur from window to window."""


class VectorCache:
    """Embeds passages and caches the most recently used vectors."""

    def __init__(self, embedder: Embedder, capacity: int = CACHE_SIZE) -> None:
        """Store the embedder; cache up to `capacity` vectors."""
        self._embedder = embedder
        self._cache: LRUCache[str, Vectors] = LRUCache(maxsize=capacity)

    async def embed(self, texts: Iterable[str]) -> dict[str, Vectors]:
        """Return the vector of each distinct text, of shape (dimensions,); embeds all missing ones with one call.

        Raises:
            ProviderError: The embedder failed.
        """
        distinct = list(dict.fromkeys(texts))
        found = {text: self._cache[text] for text in distinct if text in self._cache}
        missing = [text for text in distinct if text not in found]
        if missing:
            found.update(zip(missing, await self._embedder.passages(missing), strict=True))
        self._cache.update((text, found[text]) for text in missing)
        return found
