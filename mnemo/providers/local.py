"""The built-in embedder: e5-small-v2 as int8 ONNX on the CPU; works offline once downloaded.

Each text is embedded in a batch of one, without padding. The model quantises its activations at run
time with one scale per tensor, so in a larger batch each text changes the vectors of the others:
over 2,760 chat turns, batches of 8 to 32, even of equal lengths, moved a vector to a cosine of 0.991
to 0.993 with its unbatched value. In a batch of one, the same text always gives the same bits; exports
and idempotent imports depend on this. A thread loses a quarter of its throughput (116 instead of 159
turns per CPU second), but running one text per thread on every core more than makes up for it.
"""

import asyncio
import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
from cachetools import LRUCache

from mnemo.providers.base import Vectors
from mnemo.providers.local_model import DIMENSIONS, NAME, LocalModel

__all__ = ["LocalEmbedder"]

_CHUNK = 8
"""Texts that a thread takes at a time, about 60 ms of work."""
_CACHED_CHARS = 2_000


class LocalEmbedder:
    """Embeds with e5-small-v2-q in worker threads; the model is downloaded once and loaded on first use.

    Questions have a separate thread, so they do not queue behind passages.
    """

    def __init__(self, cache_dir: Path, *, threads: int | None = None, cached: int = 4096) -> None:
        """Set where the model is stored.

        Args:
            cache_dir: The artifact cache; see `mnemo.artifacts`.
            threads: Passages embedded at a time; None means one per CPU.
            cached: Vectors cached for repeated texts, 1.5 kB each; 0 disables the cache.
        """
        self._cache_dir = cache_dir
        self._threads = threads or os.cpu_count() or 1
        self._cached = cached
        self._start()

    @property
    def model(self) -> str:
        """Return local/e5-small-v2-q."""
        return f"local/{NAME}"

    @property
    def dimensions(self) -> int:
        """Return 384."""
        return DIMENSIONS

    def preload(self) -> None:
        """Start to load the model in the background; the first question waits for what is left of it."""
        self._notice_fork()
        self._questions.submit(self._model)

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed the texts to search in: (len(texts), 384), unit length, input order.

        A text is cut off after 512 tokens, about 2,000 characters of English.

        Raises:
            ArtifactError: The model is not in the cache and cannot be downloaded.
        """
        self._notice_fork()
        return await self._embed(self._passages, self._threads, [f"passage: {text}" for text in texts])

    async def questions(self, texts: Sequence[str]) -> Vectors:
        """Embed search queries; same as `passages`."""
        self._notice_fork()
        return await self._embed(self._questions, 1, [f"query: {text}" for text in texts])

    async def close(self) -> None:
        """Stop the threads; texts in progress are finished, queued ones are dropped."""
        self._passages.shutdown(wait=False, cancel_futures=True)
        self._questions.shutdown(wait=False, cancel_futures=True)

    def _notice_fork(self) -> None:
        """Start anew in a process forked from the one that started the threads: they are not inherited."""
        if self._pid != os.getpid():
            self._start()

    def _start(self) -> None:
        self._pid = os.getpid()
        self._cache = _Cache(self._cached)
        self._lock = threading.Lock()
        self._loaded: LocalModel | None = None
        self._passages = ThreadPoolExecutor(self._threads, thread_name_prefix="mnemo-passages")
        self._questions = ThreadPoolExecutor(1, thread_name_prefix="mnemo-questions")

    async def _embed(self, pool: Executor, at_once: int, texts: list[str]) -> Vectors:
        vectors = np.empty((len(texts), DIMENSIONS), np.float32)
        chunks = iter(range(0, len(texts), _CHUNK))
        workers = min(at_once, -(-len(texts) // _CHUNK))
        await asyncio.gather(*(self._work(pool, chunks, texts, vectors) for _ in range(workers)))
        return vectors

    async def _work(self, pool: Executor, chunks: Iterator[int], texts: list[str], vectors: Vectors) -> None:
        loop = asyncio.get_running_loop()
        for start in chunks:
            end = start + _CHUNK
            await loop.run_in_executor(pool, self._fill, texts[start:end], vectors[start:end])

    def _fill(self, texts: list[str], rows: Vectors) -> None:
        for row, text in enumerate(texts):
            vector = self._cache.get(text)
            if vector is None:
                vector = self._model().vector(text)
                self._cache.put(text, vector)
            rows[row] = vector

    def _model(self) -> LocalModel:
        if self._loaded is None:
            with self._lock:
                if self._loaded is None:
                    self._loaded = LocalModel(self._cache_dir)
        return self._loaded


class _Cache:
    """Vectors of the most recently used texts; thread-safe."""

    def __init__(self, size: int) -> None:
        self._vectors: LRUCache[str, Vectors] = LRUCache(size)
        self._lock = threading.Lock()

    def get(self, text: str) -> Vectors | None:
        """Return the vector of a text, or None if it is not cached."""
        with self._lock:
            return self._vectors.get(text)

    def put(self, text: str, vector: Vectors) -> None:
        """Cache a vector, evicting the least recently used one if the cache is full."""
        if len(text) > _CACHED_CHARS or not self._vectors.maxsize:
            return
        with self._lock:
            self._vectors[text] = vector
