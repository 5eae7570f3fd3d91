from collections.abc import Sequence

import numpy as np
import pytest

from mnemo.hierarchy.memtree.in_memory import Mirror
from mnemo.hierarchy.memtree.insertion import Draft, Place, Split, plan
from mnemo.hierarchy.memtree.thresholds import Rule, cosines
from mnemo.models.hierarchy import Category, DescentStep, Leaf, Member

LEAST = cosines(Rule())


def unit(*values: float) -> np.ndarray:
    vector = np.array(values, np.float32)
    return vector / np.linalg.norm(vector)


class Loader:
    """A tree `((a b) c)` in a database: counts what is read."""

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
    mirror = Mirror("root", 7, load)
    assert [step.uuid for step in await mirror.route(unit(0, 0, 1), LEAST)] == ["root", "c"]
    assert load.read == [["root"]]
    steps = await mirror.route(unit(1, 0, 0), LEAST)
    assert [(step.uuid, step.depth, step.candidates) for step in steps] == [("root", 0, 2), ("ab", 1, 2), ("a", 2, 0)]
    await mirror.route(unit(1, 0, 0), LEAST)
    assert load.read == [["root"], ["ab"]]


async def test_prefetch_reads_a_level_at_a_time() -> None:
    load = Loader()
    mirror = Mirror("root", 7, load)
    await mirror.prefetch([unit(1, 0, 0), unit(0.8, 0.6, 0), unit(0, 0, 1)], LEAST)
    assert load.read == [["root"], ["ab"]]
    await mirror.route(unit(0.8, 0.6, 0), LEAST)
    assert len(load.read) == 2


async def test_text_of_a_leaf_is_what_it_is_embedded_by() -> None:
    steps = await Mirror("root", 7, Loader()).route(unit(0, 0, 1), LEAST)
    assert steps[-1].text == "Ana: see"


async def test_far_text_goes_behind_the_last_position() -> None:
    steps = await Mirror("root", 7, Loader()).route(unit(-1, 0, -1), LEAST)
    change = plan(steps, "new", "far", "unused")
    assert (change.place, change.depth, change.split) == (Place(parent="root", position=5), 1, None)


async def test_applied_split_takes_the_leafs_place_and_the_next_route_sees_it() -> None:
    mirror = Mirror("root", 7, Loader())
    vector = unit(0, 0.1, 1)
    change = plan(await mirror.route(vector, LEAST), "new", "near c", "made")
    assert change.split == Split(
        category="made", place=Place(parent="root", position=4), depth=1, leaf="c", text="Ana: see"
    )
    mirror.apply(change, vector)
    steps = await mirror.route(unit(0, 0.1, 1), LEAST)
    assert [step.uuid for step in steps] == ["root", "made", "new"]
    assert mirror.broods()["made"] == ("c", "new")
    assert mirror.broods()["root"] == ("ab", "made")


async def test_settled_content_moves_the_node() -> None:
    mirror = Mirror("root", 7, Loader())
    await mirror.route(unit(1, 0, 0), LEAST)
    mirror.settle({"ab": "elsewhere"}, {"ab": unit(0, -1, 0)}, 8)
    assert mirror.revision == 8
    steps = await mirror.route(unit(0, -1, 0), LEAST)
    assert (steps[1].uuid, steps[1].text) == ("ab", "elsewhere")


@pytest.mark.parametrize("many", [1, 9, 40])
async def test_brood_grows_and_ties_keep_the_first(many: int) -> None:
    async def nothing(_: Sequence[str]) -> Sequence[Member]:
        return ()

    mirror = Mirror("root", 0, nothing)
    for number in range(many):
        vector = np.zeros(64, np.float32)
        vector[number] = 1.0
        mirror.apply(plan(await mirror.route(vector, LEAST), str(number), "text", "unused"), vector)
    assert len(mirror.broods()["root"]) == many
    even = np.full(64, 1 / 8, np.float32)
    assert [step.uuid for step in await mirror.route(even, [0.0])][1] == "0"


def test_draft_counts_leaves_and_texts_of_every_ancestor_once() -> None:
    root = DescentStep(uuid="root", kind="root", depth=0, candidates=1, next_position=1)
    top = DescentStep(uuid="top", kind="category", depth=1, candidates=2, next_position=2, leaves=2, text="old")
    leaf = DescentStep(uuid="l", kind="leaf", depth=2, candidates=0, next_position=0, position=1, leaves=1, text="leaf")
    draft = Draft("root")
    draft.add(plan([root, top, leaf], "n1", "one", "made"))
    draft.add(plan([root, top], "n2", "two", "unused"))
    growing = draft.growing
    assert (growing["top"].leaves, growing["top"].before, growing["top"].texts) == (4, 2, ["one", "two"])
    assert (growing["made"].leaves, growing["made"].content, growing["made"].texts) == (2, "leaf", ["one"])
    rows = draft.rows({"top": "t", "made": "m"}, "llm")
    assert rows["nested"] == [{"child": "made", "parent": "top", "position": 1}]
    assert {row["child"]: (row["parent"], row["position"]) for row in rows["leaves"]} == {
        "l": ("made", 0),
        "n1": ("made", 1),
        "n2": ("top", 2),
    }
    assert [row["properties"]["layer"] for row in rows["categories"]] == [1, 2]
    assert rows["inserts"] == 2
