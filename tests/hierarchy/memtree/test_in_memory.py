from collections.abc import Sequence

import numpy as np
import pytest

from mnemo.hierarchy.memtree.in_memory import InMemoryTree
from mnemo.hierarchy.memtree.insertion import InsertBatch, LeafSplit, TreeSlot, plan_insert
from mnemo.hierarchy.memtree.thresholds import DescentRule, min_cosines
from mnemo.models.hierarchy import Category, DescentStep, Leaf, Member

THRESHOLDS = min_cosines(DescentRule())


def unit(*values: float) -> np.ndarray:
    vector = np.array(values, np.float32)
    return vector / np.linalg.norm(vector)


class Loader:
    """Loads the memtree `((a b) c)` and records which parents were read."""

    def __init__(self) -> None:
        self.read: list[list[str]] = []

    async def __call__(self, parents: Sequence[str]) -> Sequence[Member]:
        self.read.append(list(parents))
        return [member for parent in parents for member in self._of(parent)]

    @staticmethod
    def _of(parent: str) -> list[Member]:
        if parent == "root":
            node = Category(uuid="ab", group="g", name="", content="a+b", layer=1, leaves=2)
            return [
                Member(parent=parent, node=node, position=0, vector=(0.95, 0.31, 0.0)),
                Member(
                    parent=parent, node=Leaf(uuid="c", text="see"), position=4, speaker="Ana", vector=(0.0, 0.0, 1.0)
                ),
            ]
        return [
            Member(parent=parent, node=Leaf(uuid="a", text="a"), position=0, vector=(1.0, 0.0, 0.0)),
            Member(parent=parent, node=Leaf(uuid="b", text="b"), position=1, vector=(0.8, 0.6, 0.0)),
        ]


async def test_route_reads_each_node_once_and_only_what_it_passes() -> None:
    load = Loader()
    copy = InMemoryTree("root", 7, load)
    assert [step.uuid for step in await copy.route(unit(0, 0, 1), THRESHOLDS)] == ["root", "c"]
    assert load.read == [["root"]]
    steps = await copy.route(unit(1, 0, 0), THRESHOLDS)
    assert [(step.uuid, step.depth, step.candidates) for step in steps] == [("root", 0, 2), ("ab", 1, 2), ("a", 2, 0)]
    await copy.route(unit(1, 0, 0), THRESHOLDS)
    assert load.read == [["root"], ["ab"]]


async def test_prefetch_reads_a_level_at_a_time() -> None:
    load = Loader()
    copy = InMemoryTree("root", 7, load)
    await copy.prefetch([unit(1, 0, 0), unit(0.8, 0.6, 0), unit(0, 0, 1)], THRESHOLDS)
    assert load.read == [["root"], ["ab"]]
    await copy.route(unit(0.8, 0.6, 0), THRESHOLDS)
    assert len(load.read) == 2


async def test_text_of_a_leaf_is_the_one_it_is_embedded_by() -> None:
    steps = await InMemoryTree("root", 7, Loader()).route(unit(0, 0, 1), THRESHOLDS)
    assert steps[-1].text == "Ana: see"


async def test_far_text_goes_after_the_last_position() -> None:
    steps = await InMemoryTree("root", 7, Loader()).route(unit(-1, 0, -1), THRESHOLDS)
    insert = plan_insert(steps, "new", "far", "unused")
    assert (insert.slot, insert.depth, insert.split) == (TreeSlot(parent="root", position=5), 1, None)


async def test_split_takes_the_leafs_slot_and_the_next_route_sees_it() -> None:
    copy = InMemoryTree("root", 7, Loader())
    vector = unit(0, 0.1, 1)
    insert = plan_insert(await copy.route(vector, THRESHOLDS), "new", "near c", "made")
    assert insert.split == LeafSplit(
        category="made", slot=TreeSlot(parent="root", position=4), depth=1, leaf="c", text="Ana: see"
    )
    copy.apply(insert, vector)
    steps = await copy.route(unit(0, 0.1, 1), THRESHOLDS)
    assert [step.uuid for step in steps] == ["root", "made", "new"]
    assert copy.children()["made"] == ("c", "new")
    assert copy.children()["root"] == ("ab", "made")


async def test_updated_content_moves_the_node() -> None:
    copy = InMemoryTree("root", 7, Loader())
    await copy.route(unit(1, 0, 0), THRESHOLDS)
    copy.update({"ab": "elsewhere"}, {"ab": unit(0, -1, 0)}, 8)
    assert copy.revision == 8
    steps = await copy.route(unit(0, -1, 0), THRESHOLDS)
    assert (steps[1].uuid, steps[1].text) == ("ab", "elsewhere")


@pytest.mark.parametrize("many", [1, 9, 40])
async def test_children_grow_and_ties_keep_the_first(many: int) -> None:
    async def nothing(_: Sequence[str]) -> Sequence[Member]:
        return ()

    copy = InMemoryTree("root", 0, nothing)
    for number in range(many):
        vector = np.zeros(64, np.float32)
        vector[number] = 1.0
        copy.apply(plan_insert(await copy.route(vector, THRESHOLDS), str(number), "text", "unused"), vector)
    assert len(copy.children()["root"]) == many
    even = np.full(64, 1 / 8, np.float32)
    assert [step.uuid for step in await copy.route(even, [0.0])][1] == "0"


def test_batch_counts_leaves_and_texts_of_every_ancestor_once() -> None:
    root = DescentStep(uuid="root", kind="root", depth=0, candidates=1, next_position=1)
    top = DescentStep(uuid="top", kind="category", depth=1, candidates=2, next_position=2, leaves=2, text="old")
    leaf = DescentStep(uuid="l", kind="leaf", depth=2, candidates=0, next_position=0, position=1, leaves=1, text="leaf")
    batch = InsertBatch("root")
    batch.add(plan_insert([root, top, leaf], "n1", "one", "made"))
    batch.add(plan_insert([root, top], "n2", "two", "unused"))
    growing = batch.growing
    assert (growing["top"].leaves, growing["top"].before, growing["top"].texts) == (4, 2, ["one", "two"])
    assert (growing["made"].leaves, growing["made"].content, growing["made"].texts) == (2, "leaf", ["one"])
    rows = batch.rows({"top": "t", "made": "m"}, "llm")
    assert rows["nested"] == [{"child": "made", "parent": "top", "position": 1}]
    assert {row["child"]: (row["parent"], row["position"]) for row in rows["leaves"]} == {
        "l": ("made", 0),
        "n1": ("made", 1),
        "n2": ("top", 2),
    }
    assert [row["properties"]["layer"] for row in rows["categories"]] == [1, 2]
    assert rows["inserts"] == 2
