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
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
from cachetools import LRUCache

from mnemo.artifacts import artifact
from mnemo.providers.base import Vectors

__all__ = ["LocalEmbedder"]

_NAME = "e5-small-v2-q"
_DIMENSIONS = 384
_MAX_TOKENS = 512
_MAX_CHARS = 20_000
"""Characters to tokenise, far more than 512 tokens of any text; the rest would be cut off anyway."""
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
        self._cache = _Cache(cached)
        self._lock = threading.Lock()
        self._loaded: _Model | None = None
        self._passages = ThreadPoolExecutor(self._threads, thread_name_prefix="mnemo-passages")
        self._questions = ThreadPoolExecutor(1, thread_name_prefix="mnemo-questions")

    @property
    def model(self) -> str:
        """Return local/e5-small-v2-q."""
        return f"local/{_NAME}"

    @property
    def dimensions(self) -> int:
        """Return 384."""
        return _DIMENSIONS

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed the texts to search in: (len(texts), 384), unit length, input order.

        A text is cut off after 512 tokens, about 2,000 characters of English.

        Raises:
            ArtifactError: The model is not in the cache and cannot be downloaded.
        """
        return await self._embed(self._passages, self._threads, [f"passage: {text}" for text in texts])

    async def questions(self, texts: Sequence[str]) -> Vectors:
        """Embed search queries; same as `passages`."""
        return await self._embed(self._questions, 1, [f"query: {text}" for text in texts])

    async def close(self) -> None:
        """Stop the threads; texts in progress are finished, queued ones are dropped."""
        self._passages.shutdown(wait=False, cancel_futures=True)
        self._questions.shutdown(wait=False, cancel_futures=True)

    async def _embed(self, pool: Executor, at_once: int, texts: list[str]) -> Vectors:
        vectors = np.empty((len(texts), _DIMENSIONS), np.float32)
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

    def _model(self) -> "_Model":
        if self._loaded is None:
            with self._lock:
                if self._loaded is None:
                    self._loaded = _Model(artifact(self._cache_dir, _NAME))
        return self._loaded


class _Model:
    """Tokenizer and network, read directly from the jar; both are thread-safe."""

    def __init__(self, jar: Path) -> None:
        import onnxruntime  # noqa: PLC0415  # 0.2 s to import, and only needed for the first text
        from tokenizers import Tokenizer  # noqa: PLC0415  # only needed for the first text

        with zipfile.ZipFile(jar) as files:
            self._tokenizer = Tokenizer.from_str(files.read(f"{_NAME}-tokenizer.json").decode())
            network = files.read(f"{_NAME}.onnx")
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_MAX_TOKENS)
        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])

    def vector(self, text: str) -> Vectors:
        """Return the mean of the last layer over all tokens, scaled to unit length."""
        clean = text[:_MAX_CHARS].encode("utf-8", "replace").decode()
        ids = np.array([self._tokenizer.encode(clean).ids], np.int64)
        fed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        hidden: Vectors = self._session.run(["last_hidden_state"], fed)[0]
        mean = hidden[0].mean(axis=0, dtype=np.float64)
        vector: Vectors = (mean / np.linalg.norm(mean)).astype(np.float32)
        return vector


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
