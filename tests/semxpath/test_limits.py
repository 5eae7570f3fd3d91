from datetime import UTC, datetime
from typing import Any

import pytest

from mnemo.errors import ArgumentError
from mnemo.models.tree import TreeNode
from mnemo.semxpath.compiler.core import QueryOptions
from mnemo.semxpath.limits import MAX_DEPTH, misfit, misfit_attributes
from mnemo.semxpath.trees.edit_plan import NodePlace, PlacedInsert
from mnemo.semxpath.trees.edits import Insert, Update, refuse_content, refuse_depth

ROOT = NodePlace(("r",), (), "/")


def chain(levels: int) -> TreeNode:
    node = TreeNode(type="A")
    for _ in range(levels - 1):
        node = TreeNode(type="A", children=(node,))
    return node


@pytest.mark.parametrize("name", ["", " ", "x" * 201, "a\nb", "a\x00"])
def test_names_that_nobody_can_read_do_not_fit(name: str) -> None:
    assert "printable" in str(misfit(TreeNode(type=name)))
    assert "printable" in str(misfit(TreeNode(type="A", attributes={name: 1})))


@pytest.mark.parametrize("name", ["日本 語🏛", "a`b", "TreeNode", "@x", "it's"])
def test_odd_names_fit(name: str) -> None:
    assert misfit(TreeNode(type=name, attributes={name: "v"})) is None


def test_version_is_reserved_at_any_depth() -> None:
    assert "reserved" in str(misfit(TreeNode(type="A", children=(TreeNode(type="Version"),))))


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
def test_values_that_are_no_plain_data_do_not_fit(value: Any, words: str) -> None:
    assert words in str(misfit_attributes({"v": value}))
    with pytest.raises(ArgumentError, match=words):
        refuse_content(Update(query="/A", attributes={"v": value}))
    with pytest.raises(ArgumentError, match=words):
        refuse_content(Insert(parent="/A", node=TreeNode(type="A", attributes={"v": value})))


def test_depth_counts_from_the_root_of_the_tree() -> None:
    assert misfit(chain(MAX_DEPTH)) is None
    assert "levels" in str(misfit(chain(MAX_DEPTH + 1)))
    refuse_depth([PlacedInsert(ROOT, chain(MAX_DEPTH - 1))])
    with pytest.raises(ArgumentError, match="levels"):
        refuse_depth([PlacedInsert(ROOT, chain(MAX_DEPTH))])


@pytest.mark.parametrize("cut", [{"top_k": -1}, {"limit": -5}, {"threshold": float("nan")}])
def test_cuts_that_make_no_sense_are_refused(cut: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match="wanted"):
        QueryOptions(**cut)
