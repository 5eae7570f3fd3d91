"""Who scores a text against a query: stored vectors by default, or anything that keeps this Protocol."""

import math
from collections import OrderedDict
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from mnemo.models.tree import Vector
from mnemo.providers.base import Embedder, Reranker

__all__ = ["CosineScorer", "RerankScorer", "Scorer"]

_CACHED = 50_000


class Scorer(Protocol):
    """Scores subjects against the text of a semantic match."""

    async def scores(self, text: str, subjects: Sequence[str]) -> Sequence[float]:
        """Return one relevance a subject, 0 to 1, input order.

        Raises:
            ProviderError: See its kinds.
        """
        ...


class CosineScorer:
    """(1 + cosine) / 2 of embeddings; those of subjects are kept for the next query."""

    def __init__(self, embedder: Embedder) -> None:
        """Score with an embedder's vectors."""
        self._embedder = embedder
        self._passages: OrderedDict[str, Vector] = OrderedDict()
        self._questions: OrderedDict[str, Vector] = OrderedDict()

    async def scores(self, text: str, subjects: Sequence[str]) -> Sequence[float]:
        """Return one score a subject, input order."""
        if not subjects:
            return []
        vectors = {subject: self._passages[subject] for subject in subjects if subject in self._passages}
        missing = [subject for subject in dict.fromkeys(subjects) if subject not in vectors]
        if missing:
            vectors.update(zip(missing, await self._embedder.passages(missing), strict=True))
            self._passages.update((subject, vectors[subject]) for subject in missing)
        while len(self._passages) > _CACHED:
            self._passages.popitem(last=False)
        matrix = np.stack([vectors[subject] for subject in subjects])
        cosines = matrix @ await self.question(text)
        return [float(score) for score in (1.0 + cosines.astype(np.float64)) / 2.0]

    async def question(self, text: str) -> Vector:
        """Return the vector of a query's text; the same text is embedded once."""
        vector = self._questions.get(text)
        if vector is None:
            vector = (await self._embedder.questions([text]))[0]
            self._questions[text] = vector
            while len(self._questions) > _CACHED:
                self._questions.popitem(last=False)
        return vector


class RerankScorer:
    """The logistic of a reranker's scores."""

    def __init__(self, reranker: Reranker) -> None:
        """Score with a reranker, such as a cross-encoder or an LLM."""
        self._reranker = reranker

    async def scores(self, text: str, subjects: Sequence[str]) -> Sequence[float]:
        """Return one score a subject, input order."""
        if not subjects:
            return []
        return [_logistic(float(score)) for score in await self._reranker.scores(text, subjects)]


def _logistic(score: float) -> float:
    return 1.0 / (1.0 + math.exp(-score)) if score >= 0 else math.exp(score) / (1.0 + math.exp(score))
