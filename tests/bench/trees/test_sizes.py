import asyncio

import numpy as np
import pytest

from mnemo.bench.trees.sizes import build_tree, build_wide_tree
from mnemo.bench.trees.vectors import WordEmbedder


@pytest.mark.parametrize(("requested", "nodes"), [(100, 121), (1_000, 1_555), (10_000, 11_111)])
def test_trees_are_reproducible_and_about_as_large_as_requested(requested: int, nodes: int) -> None:
    root = build_tree(requested)
    assert sum(1 for _ in root.walk()) == nodes
    assert root == build_tree(requested)


def test_wide_tree_has_all_items_in_one_list() -> None:
    root = build_wide_tree(50)
    assert [len(node.children) for node in root.walk()][:3] == [1, 50, 0]


def test_vectors_depend_only_on_the_words() -> None:
    one, other = WordEmbedder("m", 64), WordEmbedder("m", 64)
    asyncio.run(other.questions(["another"]))
    first = asyncio.run(one.passages(["Item. topic: river", "Item. topic: garden", "Item. topic: river"]))
    again = asyncio.run(other.questions(["Item. topic: river"]))
    assert first.dtype == np.float32
    assert np.allclose(np.linalg.norm(first, axis=1), 1, atol=1e-6)
    assert np.array_equal(first[0], first[2])
    assert np.array_equal(first[0], again[0])
    assert 0 < float(first[0] @ first[1]) < 1
