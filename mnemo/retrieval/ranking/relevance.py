"""How likely an item answers a question, on one scale for all searches: pure.

The order of a result comes from signals that are standardised over the candidates of one question, which
says nothing about how good the best of them is. Relevance is absolute: it rests on the similarity to the
question above the embedding model's floor and on the share of the question's content words that the item
says, each word weighted by its rarity among the candidates.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mnemo.retrieval.candidates import Candidate
from mnemo.retrieval.question.analysis import Question
from mnemo.retrieval.ranking import term_overlap
from mnemo.retrieval.ranking.signals import Numbers

__all__ = ["descending", "relevance"]

_INTERCEPT, _SIMILARITY, _SHARE = -4.8, 5.4, 2.5
"""Logistic regression on the best 20 messages of 127 questions of LoCoMo: of messages that score 0.4 about 0.4 hold
evidence of the answer."""
_ANY_COSINE = 0.0
"""Cosine of a candidate without an embedding, above the floor."""


def relevance(question: Question, found: Sequence[Candidate[Any]], texts: Sequence[str], floor: float = 0.0) -> Numbers:
    """Return the relevance of each candidate.

    Args:
        question: What is asked.
        found: Candidates of one type.
        texts: What each of them says, in their order.
        floor: Cosine of unrelated texts under the embedding model, below 1.

    Returns:
        Numbers from 0 to 1 in the candidates' order: a logistic function of similarity and shared words.
    """
    similarity = np.array([_similarity(candidate, floor) for candidate in found], np.float64)
    said = term_overlap.shares(term_overlap.words(question.bare), [term_overlap.words(text) for text in texts])
    share = np.array([sum(each.values()) for each in said], np.float64)
    return np.asarray(1.0 / (1.0 + np.exp(-(_INTERCEPT + _SIMILARITY * similarity + _SHARE * share))), np.float64)


def descending(scores: Sequence[float]) -> list[float]:
    """Return scores that never rise along a ranked list, as close to the given ones as possible.

    Neighbours out of order share their mean (isotonic regression by pooling adjacent violators), so that the
    order of a list and its scores agree.

    Args:
        scores: In ranked order.
    """
    blocks: list[tuple[float, int]] = []
    for score in scores:
        total, size = float(score), 1
        while blocks and blocks[-1][0] / blocks[-1][1] < total / size:
            other, count = blocks.pop()
            total, size = total + other, size + count
        blocks.append((total, size))
    return [total / size for total, size in blocks for _ in range(size)]


def _similarity(candidate: Candidate[Any], floor: float) -> float:
    cosines = [cosine for cosine in (candidate.bare, candidate.whole) if cosine is not None]
    if not cosines:
        return _ANY_COSINE
    return max(0.0, (max(cosines) - floor) / (1.0 - floor))
