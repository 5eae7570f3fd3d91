"""Pairwise F1 of two groupings."""

from hypothesis import given
from hypothesis import strategies as st

from mnemo.hierarchy.categories.drift import agreement

GROUPS = st.lists(st.lists(st.integers(0, 9), max_size=6), max_size=5)


def test_pairs_that_share_several_groups_are_counted_once() -> None:
    found = agreement([[0, 1, 2], [1, 2]], [[1, 2, 3]], 4)
    assert (found.pairs, found.others, found.shared) == (3, 3, 1)
    assert (found.precision, found.recall, found.f1) == (1 / 3, 1 / 3, 1 / 3)


def test_equal_groupings_agree_fully_and_disjoint_ones_not_at_all() -> None:
    assert agreement([[0, 1], [2, 3]], [[3, 2], [1, 0]], 4).f1 == 1.0
    assert agreement([[0, 1]], [[2, 3]], 4).f1 == 0.0


def test_no_pairs_on_either_side_is_full_agreement() -> None:
    assert agreement([[0], [1]], [], 2).f1 == 1.0


@given(GROUPS, GROUPS)
def test_agreement_is_symmetric_and_between_none_and_all(one: list[list[int]], other: list[list[int]]) -> None:
    there, back = agreement(one, other, 10), agreement(other, one, 10)
    assert there.f1 == back.f1
    assert 0.0 <= there.f1 <= 1.0
    assert there.shared <= min(there.pairs, there.others)
