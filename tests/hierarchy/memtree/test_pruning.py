from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.hierarchy.memtree.pruning import Shrinking
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


def shrunk(*leaves: str) -> Shrinking:
    shrinking = Shrinking("root", TREE)
    for each in leaves:
        shrinking.remove(each)
    return shrinking


def test_leaf_under_the_root_leaves_nothing_else_changed() -> None:
    shrinking = shrunk("z")
    assert shrinking.stale() == []
    assert shrinking.rows({}, {}) == {
        "categories": [],
        "nested": [],
        "leaves": [],
        "gone": [],
        "detached": ["z"],
        "lifted": [],
    }


def test_last_sibling_takes_the_place_of_its_category() -> None:
    shrinking = shrunk("a")
    assert (shrinking.gone, shrinking.stale()) == (["B"], ["A"])
    assert shrinking.texts("A", {}) == ("b", "C")
    rows = shrinking.rows({"A": "new"}, {"A": "extract"})
    assert rows["leaves"] == [{"child": "b", "parent": "A", "position": 0}]
    assert rows["categories"] == [
        {"uuid": "A", "properties": {"layer": 1, "leaves": 3, "content": "new", "content_by": "extract"}}
    ]


def test_category_that_rises_is_lifted_with_its_new_layer() -> None:
    shrinking = shrunk("a", "b")
    assert sorted(shrinking.gone) == ["A", "B"]
    rows = shrinking.rows({}, {})
    assert rows["nested"] == [{"child": "C", "parent": None, "position": 0}]
    assert rows["lifted"] == [{"uuid": "C", "layer": 1}]
    assert shrinking.leaves("C") == 2


def test_whole_branch_goes_without_a_trace() -> None:
    shrinking = shrunk("a", "b", "c", "d")
    assert (sorted(shrinking.gone), shrinking.stale()) == (["A", "B", "C"], [])
    rows = shrinking.rows({}, {})
    assert (rows["nested"], rows["leaves"], rows["lifted"]) == ([], [], [])


def test_contents_are_made_anew_from_below() -> None:
    members = [*TREE, leaf("e", "B", 2)]
    shrinking = Shrinking("root", members)
    shrinking.remove("a")
    assert shrinking.stale() == ["B", "A"]
    assert shrinking.texts("B", {}) == ("b", "e")
    assert shrinking.texts("A", {"B": "made anew"}) == ("made anew", "C")


@pytest.mark.parametrize("unknown", ["nobody", "A1"])
def test_leaf_that_is_not_there_is_passed_over(unknown: str) -> None:
    assert shrunk(unknown).detached == []
    assert shrunk("a", "a").detached == ["a"]


@given(st.permutations("abcdz"), st.integers(0, 5))
def test_order_of_removal_does_not_matter(order: Sequence[str], count: int) -> None:
    gone = order[:count]
    one, other = shrunk(*gone), shrunk(*sorted(gone))
    assert sorted(one.gone) == sorted(other.gone)
    assert sorted(one.stale()) == sorted(other.stale())
    for name in one.stale():
        assert one.leaves(name) == other.leaves(name)
        assert len(one.texts(name, {})) >= 2
