"""Clustering of vectors."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mnemo.hierarchy.categories.clustering import centre, cluster, medoid, order_by_similarity, split


def unit(*rows: tuple[float, ...]) -> np.ndarray:
    vectors = np.array(rows, np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_near_vectors_are_clustered_and_far_ones_left_out() -> None:
    vectors = unit((1, 0, 0), (0, 1, 0), (1, 0.1, 0), (0, 0, 1), (0.1, 1, 0))
    assert cluster(vectors, 0.9) == [[0, 2], [1, 4]]
    assert cluster(vectors, 0.9999) == []


def test_linkage_is_by_the_mean_so_that_no_chain_forms() -> None:
    angles = np.deg2rad([0, 25, 50])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    assert cluster(vectors, 0.9) == [[0, 1]]


def test_parts_hold_near_vectors_and_respect_the_limit() -> None:
    vectors = unit((1, 0), (0, 1), (1, 0.1), (0.1, 1))
    assert sorted(split(vectors, 2)) == [[0, 2], [1, 3]]
    assert split(vectors, 4) == [[0, 1, 2, 3]]


def test_medoid_is_nearest_to_the_mean() -> None:
    assert medoid(unit((1, 0), (1, 0.5), (1, 1))) == 1


def test_centring_removes_the_shared_direction() -> None:
    shared = unit((10, 1, 0), (10, 0, 1))
    moved = centre(shared, shared.mean(axis=0))
    assert round(float(moved[0] @ moved[1]), 3) == -1.0


@given(st.integers(0, 60), st.integers(1, 9), st.integers(0, 5))
def test_every_index_is_in_one_part(number: int, most: int, seed: int) -> None:
    vectors = np.random.default_rng(seed).standard_normal((number, 4)).astype(np.float32)
    parts = split(vectors, most) if number else []
    assert sorted(place for part in parts for place in part) == list(range(number))
    assert all(len(part) <= most for part in parts)
    assert sorted(order_by_similarity(vectors)) == list(range(number)) if number else True
