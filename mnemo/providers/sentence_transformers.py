"""Embedder and cross-encoder of the sentence-transformers library (extra `sentence-transformers`).

A model is a name on the Hugging Face hub or a folder. A folder or a cached hub model needs no network.
Models load on first use and run in one worker thread.
"""

import asyncio
import hashlib
import importlib.util
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from mnemo.errors import ConfigError
from mnemo.providers.base import Vectors
from mnemo.providers.third_party import unit_rows

__all__ = ["DEFAULT_CROSS_ENCODER", "DEFAULT_MODEL", "SentenceTransformersEmbedder", "SentenceTransformersReranker"]

T = TypeVar("T")

DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
DEFAULT_CROSS_ENCODER = "cross-encoder/ms-marco-MiniLM-L6-v2"
_LIBRARY = "sentence_transformers"
_SPACE = "sentence-transformers"


class SentenceTransformersEmbedder:
    """Embeds with any sentence-transformers model, using the model's prompts for queries and documents."""

    def __init__(self, model: str = DEFAULT_MODEL, *, batch_size: int = 32) -> None:
        """Choose a model.

        Args:
            model: A hub name or a folder.
            batch_size: Texts per batch, at least 1.

        Raises:
            ConfigError: The extra is not installed.
        """
        self._worker = _Worker(lambda: _load("SentenceTransformer", model))
        self._name = _folder_name(Path(model)) if Path(model).is_dir() else model.removeprefix(f"{_SPACE}/")
        self._batch_size = batch_size

    @property
    def model(self) -> str:
        """Return the name of the vector space: the hub name, or the folder name and a hash of its weights."""
        return f"{_SPACE}/{self._name}"

    @property
    def dimensions(self) -> int:
        """Return the length of each vector; the first call loads the model, which takes seconds."""
        model = self._worker.model()
        size = getattr(model, "get_embedding_dimension", None) or model.get_sentence_embedding_dimension
        return int(size())

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed the texts to search in: (len(texts), dimensions), unit length, input order."""
        return await self._embed("encode_document", texts)

    async def questions(self, texts: Sequence[str]) -> Vectors:
        """Embed search queries; same as `passages`."""
        return await self._embed("encode_query", texts)

    async def close(self) -> None:
        """Stop the thread."""
        self._worker.close()

    async def _embed(self, method: str, texts: Sequence[str]) -> Vectors:
        def run(model: Any) -> Any:
            """Run the model in its thread."""
            encode = getattr(model, method)
            return encode(list(texts), batch_size=self._batch_size, show_progress_bar=False)

        dimensions = await self._worker.run(lambda _: self.dimensions)
        rows = await self._worker.run(run) if texts else []
        return unit_rows(rows, count=len(texts), dimensions=dimensions, source=self._name)


class SentenceTransformersReranker:
    """Scores with any cross-encoder of sentence-transformers."""

    def __init__(self, model: str = DEFAULT_CROSS_ENCODER, *, batch_size: int = 32) -> None:
        """Choose a model; arguments as for the embedder."""
        self._worker = _Worker(lambda: _load("CrossEncoder", model))
        self._batch_size = batch_size

    async def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one score per text, in input order; higher is better, the scale depends on the model."""
        if not texts:
            return []
        pairs = [(question, text) for text in texts]

        def run(model: Any) -> Any:
            """Run the model in its thread."""
            return model.predict(pairs, batch_size=self._batch_size, show_progress_bar=False)

        return [float(score) for score in await self._worker.run(run)]

    async def close(self) -> None:
        """Stop the thread."""
        self._worker.close()


class _Worker:
    """A thread that runs one model."""

    def __init__(self, load: Callable[[], Any]) -> None:
        if importlib.util.find_spec(_LIBRARY) is None:
            message = "the provider sentence_transformers needs an extra: pip install 'mnemo[sentence-transformers]'"
            raise ConfigError(message)
        self._load = load
        self._loaded: Any = None
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="mnemo-sentence-transformers")

    def model(self) -> Any:
        """Return the model, loading it on the first call."""
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    async def run(self, task: Callable[[Any], T]) -> T:
        """Run a task with the model in the thread."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, lambda: task(self.model()))

    def close(self) -> None:
        """Stop the thread."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _folder_name(folder: Path) -> str:
    """Return the folder name with a hash of its weights; hashing takes about a second per gigabyte."""
    digest = hashlib.sha256()
    for weights in sorted(folder.glob("*.safetensors")) or sorted(folder.glob("*.bin")):
        with weights.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return f"{folder.resolve().name}-{digest.hexdigest()[:8]}"


def _load(kind: str, model: str) -> Any:
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    import sentence_transformers  # noqa: PLC0415  # an extra that takes seconds to import

    try:
        return getattr(sentence_transformers, kind)(model)
    except (OSError, ValueError) as error:
        message = f"cannot load the model {model!r}: {type(error).__name__}; give a folder, or a hub name while online"
        raise ConfigError(message) from error
