"""How much of the annotated evidence a ranking found: pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["CUTOFFS", "Score", "mean", "score", "summary"]

CUTOFFS = (5, 10, 20, 50)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How one ranking did on one question."""

    category: int
    recall: Mapping[int, float]
    """By cutoff: share of the evidence among the first so many, 0 to 1."""
    complete: Mapping[int, bool]
    """By cutoff: whether all of the evidence is among them."""
    reciprocal_rank: float
    """One over the rank of the first piece of evidence; 0 where none was found."""
    tokens: int
    """Of the context that was built."""


def score(
    category: int, evidence: Sequence[str], ranking: Sequence[str], tokens: int, cutoffs: Sequence[int] = CUTOFFS
) -> Score:
    """Score one ranking against its evidence.

    Args:
        category: Of the question.
        evidence: Ids that answer it, at least one.
        ranking: Ids found, best first; one that comes again counts once.
        tokens: Of the context.
        cutoffs: Numbers of first ids to look at, at least 1 each.
    """
    ids = list(dict.fromkeys(ranking))
    wanted = frozenset(evidence)
    hits = {cutoff: len(wanted.intersection(ids[:cutoff])) for cutoff in cutoffs}
    first = next((rank for rank, found in enumerate(ids, 1) if found in wanted), None)
    return Score(
        category=category,
        recall={cutoff: hits[cutoff] / len(wanted) for cutoff in cutoffs},
        complete={cutoff: hits[cutoff] == len(wanted) for cutoff in cutoffs},
        reciprocal_rank=1 / first if first else 0.0,
        tokens=tokens,
    )


def mean(values: Sequence[float]) -> float:
    """Return the mean; 0 for no values."""
    return sum(values) / len(values) if values else 0.0


def summary(scores: Sequence[Score]) -> dict[str, float]:
    """Return the means over questions: n, mrr, recall@k and all@k in percent, tokens; n alone is a count."""
    cutoffs = scores[0].recall if scores else ()
    return {
        "n": float(len(scores)),
        "mrr": mean([each.reciprocal_rank for each in scores]),
        **{f"recall@{cutoff}": 100 * mean([each.recall[cutoff] for each in scores]) for cutoff in cutoffs},
        **{f"all@{cutoff}": 100 * mean([float(each.complete[cutoff]) for each in scores]) for cutoff in cutoffs},
        "tokens": mean([float(each.tokens) for each in scores]),
    }
