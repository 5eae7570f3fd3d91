from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.hierarchy.memtree.pruning import Pruning
from mnemo.models.hierarchy import Category, Leaf, Member


def leaf(uuid: str, parent: str, position: int) -> Member:
    return Member(parent=parent, node=Leaf(uuid=uuid, text=uuid), position=position)


def inner(uuid: str, parent: str, position: int, layer: int, leaves: int) -> Member:
    node = Category(uuid=uuid, group="g", name="", content=uuid, layer=layer, leaves=leaves)
    return Member(parent=parent, node=node, position=position)


TREE = [
    inner("A", "root", 0, 1, 4),
    leaf("z", "root", 3),
    inner("B", "A", 0, 2, 2),
    inner("C", "A", 1, 2, 2),
    leaf("a", "B", 0),
    leaf("b", "B", 1),
    leaf("c", "C", 0),
    leaf("d", "C", 1),
]
"""((a b) (c d)) z"""


def pruned(*leaves: str) -> Pruning:
    pruning = Pruning("root", TREE)
    for each in leaves:
        pruning.remove(each)
    return pruning


def test_leaf_under_the_root_leaves_nothing_else_changed() -> None:
    pruning = pruned("z")
    assert pruning.stale() == []
    assert pruning.rows({}, {}) == {
        "categories": [],
        "nested": [],
        "leaves": [],
        "gone": [],
        "detached": ["z"],
        "lifted": [],
    }


def test_last_sibling_takes_the_place_of_its_category() -> None:
    pruning = pruned("a")
    assert (pruning.gone, pruning.stale()) == (["B"], ["A"])
    assert pruning.texts("A", {}) == ("b", "C")
    rows = pruning.rows({"A": "new"}, {"A": "extract"})
    assert rows["leaves"] == [{"child": "b", "parent": "A", "position": 0}]
    assert rows["categories"] == [
        {"uuid": "A", "properties": {"layer": 1, "leaves": 3, "content": "new", "content_by": "extract"}}
    ]


def test_category_that_moves_up_gets_its_new_layer() -> None:
    pruning = pruned("a", "b")
    assert sorted(pruning.gone) == ["A", "B"]
    rows = pruning.rows({}, {})
    assert rows["nested"] == [{"child": "C", "parent": None, "position": 0}]
    assert rows["lifted"] == [{"uuid": "C", "layer": 1}]
    assert pruning.leaves("C") == 2


def test_whole_branch_is_deleted() -> None:
    pruning = pruned("a", "b", "c", "d")
    assert (sorted(pruning.gone), pruning.stale()) == (["A", "B", "C"], [])
    rows = pruning.rows({}, {})
    assert (rows["nested"], rows["leaves"], rows["lifted"]) == ([], [], [])


def test_contents_are_rewritten_deepest_first() -> None:
    members = [*TREE, leaf("e", "B", 2)]
    pruning = Pruning("root", members)
    pruning.remove("a")
    assert pruning.stale() == ["B", "A"]
    assert pruning.texts("B", {}) == ("b", "e")
    assert pruning.texts("A", {"B": "rewritten"}) == ("rewritten", "C")


@pytest.mark.parametrize("unknown", ["nobody", "A1"])
def test_unknown_leaf_is_ignored(unknown: str) -> None:
    assert pruned(unknown).detached == []
    assert pruned("a", "a").detached == ["a"]


@given(st.permutations("abcdz"), st.integers(0, 5))
def test_order_of_removal_does_not_matter(order: Sequence[str], count: int) -> None:
    gone = order[:count]
    one, other = pruned(*gone), pruned(*sorted(gone))
    assert sorted(one.gone) == sorted(other.gone)
    assert sorted(one.stale()) == sorted(other.stale())
    for name in one.stale():
        assert one.leaves(name) == other.leaves(name)
        assert len(one.texts(name, {})) >= 2
