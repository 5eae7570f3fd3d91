import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.errors import ArgumentError
from mnemo.retrieval.ranking.fusion import fuse, order, totals


def test_fusion_with_the_default_constant_prefers_being_in_both() -> None:
    assert fuse([["a", "b"], ["b", "c"]], limit=3) == [
        ("b", 1 / 62 + 1 / 61),
        ("a", 1 / 61),
        ("c", 1 / 62),
    ]


def test_plain_sum_of_reciprocal_ranks_prefers_two_and_one_over_one_and_three() -> None:
    fused = fuse([["x", "y", "z"], ["y", "z", "x"]], limit=3, damping=0)
    assert fused[0] == ("y", 1.5)
    assert fused[1] == ("x", pytest.approx(1.3333333))


def test_tie_keeps_first_seen_order() -> None:
    assert [found for found, _ in fuse([["a"], ["b"]], limit=2)] == ["a", "b"]


def test_limit_cuts() -> None:
    assert len(fuse([["a", "b", "c"]], limit=2)) == 2
    assert fuse([], limit=1) == []


@pytest.mark.parametrize(("limit", "damping"), [(0, 60), (1, -1)])
def test_invalid_arguments_are_rejected(limit: int, damping: int) -> None:
    with pytest.raises(ArgumentError, match="limit must be at least 1"):
        fuse([["a"]], limit=limit, damping=damping)


@given(st.lists(st.lists(st.integers(0, 9), unique=True), max_size=4), st.integers(0, 100))
def test_fusion_returns_each_id_once_best_first(rankings: list[list[int]], damping: int) -> None:
    fused = fuse(rankings, limit=100, damping=damping)
    assert {found for found, _ in fused} == {each for ranking in rankings for each in ranking}
    assert len(fused) == len({found for found, _ in fused})
    assert [score for _, score in fused] == sorted((score for _, score in fused), reverse=True)


def test_order_breaks_ties_by_id() -> None:
    assert order([1.0, 2.0, 1.0], ["c", "b", "a"]) == [1, 2, 0]


def test_totals_are_weighted_sums() -> None:
    signals = {"one": np.array([1.0, 2.0]), "two": np.array([0.5, 0.0]), "three": np.array([9.0, 9.0])}
    assert totals(signals, {"one": 2.0, "two": -2.0}).tolist() == [1.0, 4.0]
