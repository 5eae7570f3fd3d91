"""Embeddings by text: each text once, and lately seen ones not again."""

from collections import OrderedDict
from collections.abc import Iterable

from mnemo.providers.base import Embedder, Vectors

__all__ = ["VectorCache"]

CACHED = 4096
"""Vectors kept: names come back window after window."""


class VectorCache:
    """Embeds passages."""

    def __init__(self, embedder: Embedder, capacity: int = CACHED) -> None:
        """Keep the embedder, and up to `capacity` vectors."""
        self._embedder = embedder
        self._capacity = capacity
        self._kept: OrderedDict[str, Vectors] = OrderedDict()

    async def of(self, texts: Iterable[str]) -> dict[str, Vectors]:
        """Return the vector of each distinct text, each (dimensions,), all missing ones in one call.

        Raises:
            ProviderError: The embedder failed.
        """
        wanted = list(dict.fromkeys(texts))
        missing = [text for text in wanted if text not in self._kept]
        found = {text: self._kept[text] for text in wanted if text in self._kept}
        if missing:
            found.update(zip(missing, await self._embedder.passages(missing), strict=True))
        for text, vector in found.items():
            self._kept[text] = vector
            self._kept.move_to_end(text)
        while len(self._kept) > self._capacity:
            self._kept.popitem(last=False)
        return found
