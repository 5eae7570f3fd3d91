import pytest

from mnemo.bench.recall.metrics import mean, score, summary


def test_recall_counts_distinct_evidence_within_each_cutoff() -> None:
    found = score(1, ["a", "b"], ["x", "a", "a", "y", "b"], 100, cutoffs=(1, 2, 4))
    assert found.recall == {1: 0.0, 2: 0.5, 4: 1.0}
    assert found.complete == {1: False, 2: False, 4: True}
    assert found.reciprocal_rank == 0.5


def test_nothing_found_scores_nothing() -> None:
    found = score(1, ["a"], [], 0, cutoffs=(5,))
    assert (found.recall[5], found.complete[5], found.reciprocal_rank) == (0.0, False, 0.0)


def test_summary_is_in_percent() -> None:
    scores = [score(1, ["a"], ["a"], 10, cutoffs=(5,)), score(1, ["a"], ["b"], 20, cutoffs=(5,))]
    assert summary(scores) == {"n": 2.0, "mrr": 0.5, "recall@5": 50.0, "all@5": 50.0, "tokens": 15.0}


def test_mean_of_nothing_is_zero() -> None:
    assert mean([]) == 0.0
    assert mean([1.0, 2.0]) == pytest.approx(1.5)
