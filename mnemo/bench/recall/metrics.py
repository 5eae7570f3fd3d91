"""Metrics of a ranking against the annotated evidence. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["CUTOFFS", "Score", "mean", "score", "summary"]

CUTOFFS = (5, 10, 20, 50)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Metrics of one ranking."""

    category: int
    recall: Mapping[int, float]
    """By cutoff k: share of the evidence among the first k ids, 0 to 1."""
    complete: Mapping[int, bool]
    """By cutoff k: whether the first k ids contain all of the evidence."""
    reciprocal_rank: float
    """1 / rank of the first piece of evidence; 0 if none was found."""
    tokens: int
    """Tokens of the context."""


def score(
    category: int, evidence: Sequence[str], ranking: Sequence[str], tokens: int, cutoffs: Sequence[int] = CUTOFFS
) -> Score:
    """Score one ranking against its evidence.

    Args:
        category: Category of the question.
        evidence: Ids that answer the question, at least one.
        ranking: Ids found, best first; duplicates count once.
        tokens: Tokens of the context.
        cutoffs: Numbers of ids to consider, each at least 1.
    """
    ids = list(dict.fromkeys(ranking))
    relevant = frozenset(evidence)
    hits = {cutoff: len(relevant.intersection(ids[:cutoff])) for cutoff in cutoffs}
    first = next((rank for rank, found in enumerate(ids, 1) if found in relevant), None)
    return Score(
        category=category,
        recall={cutoff: hits[cutoff] / len(relevant) for cutoff in cutoffs},
        complete={cutoff: hits[cutoff] == len(relevant) for cutoff in cutoffs},
        reciprocal_rank=1 / first if first else 0.0,
        tokens=tokens,
    )


def mean(values: Sequence[float]) -> float:
    """Return the mean; 0 for no values."""
    return sum(values) / len(values) if values else 0.0


def summary(scores: Sequence[Score]) -> dict[str, float]:
    """Return the count `n` and the means of mrr, recall@k and all@k (in percent) and tokens."""
    cutoffs = scores[0].recall if scores else ()
    return {
        "n": float(len(scores)),
        "mrr": mean([each.reciprocal_rank for each in scores]),
        **{f"recall@{cutoff}": 100 * mean([each.recall[cutoff] for each in scores]) for cutoff in cutoffs},
        **{f"all@{cutoff}": 100 * mean([float(each.complete[cutoff]) for each in scores]) for cutoff in cutoffs},
        "tokens": mean([float(each.tokens) for each in scores]),
    }
