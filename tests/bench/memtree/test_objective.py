import numpy as np
import pytest

from mnemo.bench.memtree.objective import average_linkage, moseley_wang, random_tree, resolved, shape

VECTORS = {
    "a": np.array([1.0, 0.0], np.float32),
    "b": np.array([0.96, 0.28], np.float32),
    "c": np.array([0.0, 1.0], np.float32),
}
GOOD = {"root": ["ab", "c"], "ab": ["a", "b"]}


def test_objective_is_similarity_times_leaves_outside() -> None:
    total = 0.96 + 0.0 + 0.28
    assert moseley_wang(GOOD, "root", VECTORS) == pytest.approx(0.96 * 1 / (total * 1))


def test_star_scores_zero_and_a_bad_pair_little() -> None:
    assert moseley_wang({"root": ["a", "b", "c"]}, "root", VECTORS) == 0.0
    bad = {"root": ["ac", "b"], "ac": ["a", "c"]}
    assert moseley_wang(bad, "root", VECTORS) == pytest.approx(0.0, abs=1e-9)


def test_floor_shifts_every_similarity() -> None:
    floor = 0.2
    pairs = {"ab": (0.96 - floor) / 0.8, "ac": (0.0 - floor) / 0.8, "bc": (0.28 - floor) / 0.8}
    assert moseley_wang(GOOD, "root", VECTORS, floor) == pytest.approx(pairs["ab"] / sum(pairs.values()))


def test_resolved_star_is_average_linkage() -> None:
    binary = resolved({"root": ["a", "b", "c"]}, "root", VECTORS)
    assert moseley_wang(binary, "root", VECTORS) == pytest.approx(moseley_wang(GOOD, "root", VECTORS))


def test_average_linkage_merges_the_nearest_first() -> None:
    tree, root = average_linkage(list(VECTORS), np.stack(list(VECTORS.values())))
    assert sorted(tree["merge:0"]) == ["a", "b"]
    assert moseley_wang(tree, root, VECTORS) == pytest.approx(moseley_wang(GOOD, "root", VECTORS))


def test_average_linkage_beats_a_random_tree_on_clusters() -> None:
    drawn = np.random.default_rng(3)
    rows = np.repeat(drawn.standard_normal((6, 16)), 8, axis=0) + 0.3 * drawn.standard_normal((48, 16))
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    names = [str(number) for number in range(48)]
    vectors = dict(zip(names, rows, strict=True))
    linked, drawn_tree = average_linkage(names, rows), random_tree(names)
    assert moseley_wang(*linked, vectors, -1.0) > moseley_wang(*drawn_tree, vectors, -1.0) + 0.05


def test_shape_counts_nodes_depth_and_branching() -> None:
    found = shape({"root": ["ab", "c", "d"], "ab": ["a", "b"]}, "root")
    assert found == {
        "leaves": 4,
        "inner": 1,
        "depth_max": 2,
        "depth_mean": 1.5,
        "branching_mean": 2.0,
        "branching_max": 2,
        "root_children": 3,
    }
