"""Weights of signals, orders by weighted sums, and reciprocal rank fusion: pure.

The weights of episodes were fitted once: each message of evidence against all candidates of its
question that are none, by logistic loss over the best 80 of what a real database gathered for 760
questions of five conversations of LoCoMo (cut down to 50 hits of each index), squares held down by
0.0005, then rounded. Leaving each conversation out of the fit in turn gives recall@10 86.4 (multi-hop
60.7, temporal 94.9, open-domain 64.6, single-hop 94.3), recall@5 80.9, recall@20 90.6; the rounded
weights on all five, so in sample, 86.4. The signals themselves were chosen by the same measure, which
flatters it a little. Separate weights for kinds of questions (time, name, plural, yes or no, two people), and
fitting recall@10 itself, did not help. They hold for similarities
standardised over the candidates
(`mnemo.retrieval.ranking.signals`), not for one embedding model or one number of speakers. Those of edges and
entities are chosen by hand.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from mnemo.errors import ArgumentError
from mnemo.retrieval.ranking.signals import Signals

__all__ = ["EDGE_WEIGHTS", "ENTITY_WEIGHTS", "EPISODE_WEIGHTS", "RRF_DAMPING", "Weights", "fuse", "order", "totals"]

Id = TypeVar("Id")
Weights: TypeAlias = Mapping[str, float]

RRF_DAMPING = 60
"""The value of Cormack et al.; 0 gives the plain sum of 1 / rank of the Mnemis paper."""

EPISODE_WEIGHTS: Weights = {
    "date": 5.0,
    "said": 2.6,
    "time": 2.3,
    "speaker": 2.2,
    "name": 1.6,
    "said_session": 1.4,
    "opens": 0.95,
    "number": 0.9,
    "meaning_best": 0.6,
    "answers": 0.6,
    "meaning_window": 0.5,
    "asks": -0.45,
    "meaning": 0.45,
    "tells": 0.35,
    "self": 0.25,
    "whole": 0.25,
    "meaning_session": -0.25,
    "words_near": 0.1,
    "meaning_near": 0.09,
    "words": 0.08,
    "length": 0.07,
}
EDGE_WEIGHTS: Weights = {"whole": 1.0, "words": 0.5, "speaker": 1.0, "date": 1.0, "time": 0.5}
ENTITY_WEIGHTS: Weights = {"whole": 0.7, "words": 0.6, "named": 2.0}


def totals(signals: Signals, weights: Weights) -> NDArray[np.float64]:
    """Return the weighted sum of signals for each candidate; all weights name a signal."""
    return np.asarray(sum(weight * signals[name] for name, weight in weights.items()), np.float64)


def order(scores: Sequence[float] | NDArray[np.float64], ids: Sequence[str]) -> list[int]:
    """Return the places of candidates, best score first, ties by id, so that the order of rows does not matter."""
    return sorted(range(len(ids)), key=lambda place: (-float(scores[place]), ids[place]))


def fuse(rankings: Sequence[Sequence[Id]], *, limit: int, damping: int = RRF_DAMPING) -> list[tuple[Id, float]]:
    """Merge ranked ids by reciprocal rank fusion (Cormack et al., 2009).

    Args:
        rankings: One per searcher, best first, no id twice in one.
        limit: Most pairs returned, at least 1.
        damping: In ranks, at least 0; larger weighs the head less.

    Returns:
        Up to `limit` pairs of id and score, best first, ties in order of first appearance.
        A score is the sum over rankings of 1 / (damping + rank), ranks counted from 1.

    Raises:
        ArgumentError: `limit` is below 1 or `damping` below 0.
    """
    if limit < 1 or damping < 0:
        message = f"limit must be at least 1 and damping at least 0, got {limit} and {damping}"
        raise ArgumentError(message)
    scores: dict[Id, float] = {}
    for ranking in rankings:
        for rank, found in enumerate(ranking, 1):
            scores[found] = scores.get(found, 0.0) + 1.0 / (damping + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])[:limit]
