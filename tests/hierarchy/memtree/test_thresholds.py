import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.config import MemtreeSettings
from mnemo.hierarchy.memtree.thresholds import (
    MAX_DEPTH,
    TOLERANCE,
    DescentRule,
    descent_rule,
    min_cosines,
    min_search_cosine,
    similarity,
    theta,
)


@pytest.mark.parametrize(("depth", "expected"), [(0, 0.4), (5, 0.4725), (15, 0.6595)])
def test_default_thresholds(depth: int, expected: float) -> None:
    assert theta(depth, DescentRule()) == pytest.approx(expected, abs=5e-5)


def test_published_formula_exceeds_one_at_depth_two() -> None:
    rule = DescentRule(normaliser=1.0)
    assert theta(2, rule) == pytest.approx(1.0873, abs=5e-5)
    assert len(min_cosines(rule)) == 2


def test_last_depth_is_where_the_threshold_is_still_one_or_less() -> None:
    assert len(min_cosines(DescentRule())) == 28
    assert len(min_cosines(DescentRule(rate=0.0))) == MAX_DEPTH
    assert min_cosines(DescentRule(base=1.0, rate=0.0, normaliser=1.0))[0] == 1.0 - TOLERANCE


def test_floor_moves_the_cosine_and_not_the_rule() -> None:
    rule = DescentRule(floor=0.75)
    assert min_cosines(rule)[0] == pytest.approx(0.85 - TOLERANCE)
    assert len(min_cosines(rule)) == len(min_cosines(DescentRule()))


def test_floor_is_the_measured_one_of_the_model_unless_one_is_set() -> None:
    assert descent_rule(MemtreeSettings(), "local/e5-small-v2-q").floor > 0
    assert descent_rule(MemtreeSettings(), "another").floor == 0.0
    assert descent_rule(MemtreeSettings(similarity_floor=0.0), "local/e5-small-v2-q").floor == 0.0


def test_minimum_cosine_is_scaled_by_the_floor() -> None:
    assert min_search_cosine(MemtreeSettings(similarity_floor=0.5, least_similarity=0.2), "m") == pytest.approx(0.6)


@given(
    st.floats(-1, 1),
    st.floats(0, 0.99),
    st.integers(0, 27),
)
def test_descending_by_cosine_equals_descending_by_similarity(cosine: float, floor: float, depth: int) -> None:
    rule = DescentRule(floor=floor)
    near = abs(similarity(cosine, rule) - theta(depth, rule)) * (1 - floor)
    if near > 2 * TOLERANCE:
        assert (cosine >= min_cosines(rule)[depth]) == (similarity(cosine, rule) >= theta(depth, rule))
