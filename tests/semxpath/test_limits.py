from datetime import UTC, datetime
from typing import Any

import pytest

from mnemo.errors import ArgumentError
from mnemo.models.tree import QueryOptions, TreeNode
from mnemo.semxpath.limits import MAX_DEPTH, attributes_violation, tree_violation
from mnemo.semxpath.trees.edit_plan import NodePlace, PlacedInsert
from mnemo.semxpath.trees.edits import Insert, Update, check_content, check_depth

ROOT = NodePlace(("r",), (), "/")


def chain(levels: int) -> TreeNode:
    node = TreeNode(type="A")
    for _ in range(levels - 1):
        node = TreeNode(type="A", children=(node,))
    return node


@pytest.mark.parametrize("name", ["", " ", "x" * 201, "a\nb", "a\x00"])
def test_blank_long_and_unprintable_names_are_refused(name: str) -> None:
    assert "printable" in str(tree_violation(TreeNode(type=name)))
    assert "printable" in str(tree_violation(TreeNode(type="A", attributes={name: 1})))


@pytest.mark.parametrize("name", ["日本 語🏛", "a`b", "TreeNode", "@x", "it's"])
def test_unusual_printable_names_are_accepted(name: str) -> None:
    assert tree_violation(TreeNode(type=name, attributes={name: "v"})) is None


def test_version_is_reserved_at_any_depth() -> None:
    assert "reserved" in str(tree_violation(TreeNode(type="A", children=(TreeNode(type="Version"),))))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (float("nan"), "finite"),
        (datetime(2026, 1, 1, tzinfo=UTC), "got a datetime"),
        ({1, 2}, "got a set"),
        ([{"k": b"x"}], "got a bytes"),
        ("\ud800", "surrogate"),
        ([10**5000], "whole numbers"),
    ],
)
def test_values_that_are_not_plain_data_are_refused(value: Any, words: str) -> None:
    assert words in str(attributes_violation({"v": value}))
    with pytest.raises(ArgumentError, match=words):
        check_content(Update(query="/A", attributes={"v": value}))
    with pytest.raises(ArgumentError, match=words):
        check_content(Insert(parent="/A", node=TreeNode(type="A", attributes={"v": value})))


def test_depth_counts_from_the_root_of_the_tree() -> None:
    assert tree_violation(chain(MAX_DEPTH)) is None
    assert "levels" in str(tree_violation(chain(MAX_DEPTH + 1)))
    check_depth([PlacedInsert(ROOT, chain(MAX_DEPTH - 1))])
    with pytest.raises(ArgumentError, match="levels"):
        check_depth([PlacedInsert(ROOT, chain(MAX_DEPTH))])


@pytest.mark.parametrize("options", [{"top_k": -1}, {"limit": -5}, {"threshold": float("nan")}])
def test_invalid_query_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match="must be"):
        QueryOptions(**options)
