"""Edit plans compared with a naive model that edits a copy of the tree node by node."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemo.errors import ArgumentError
from mnemo.models.tree import Spine, TreeNode
from mnemo.semxpath.trees.edit_plan import (
    EditPlan,
    NodeEdit,
    NodePlace,
    PlacedDelete,
    PlacedInsert,
    PlacedMove,
    PlacedReplace,
    PlacedUpdate,
    plan,
    touched,
)

TYPES = st.sampled_from(["A", "B"])
SHAPES = st.recursive(
    st.builds(TreeNode, type=TYPES),
    lambda inner: st.builds(TreeNode, type=TYPES, children=st.lists(inner, max_size=4).map(tuple)),
    max_leaves=12,
)


def stored(root: TreeNode, prefix: str = "n") -> TreeNode:
    """Return the tree with a uuid on each node that shows its place."""
    children = tuple(stored(child, f"{prefix}.{index}") for index, child in enumerate(root.children, start=1))
    return replace(root, uuid=prefix, key=prefix, children=children)


def places(node: TreeNode, above: NodePlace | None = None, position: int = 0) -> list[NodePlace]:
    uuids = (*(above.uuids if above else ()), str(node.uuid))
    own = NodePlace(uuids, (*above.positions, position) if above else (), str(node.uuid))
    found = [own]
    for index, child in enumerate(node.children, start=1):
        found += places(child, own, index)
    return found


def built(result: EditPlan, root: TreeNode) -> TreeNode:
    """Return the tree that a plan makes, applied as the database does."""
    by_uuid = {str(node.uuid): node for node in root.walk()}
    added = dict(result.added)
    states = {uuid: by_uuid[source] for uuid, source in result.copies} | dict(result.changed)
    kept = {row["parent"]: row for row in result.kept}

    def node_of(uuid: str) -> TreeNode:
        if uuid in added:
            return added[uuid]
        if uuid not in states:
            return by_uuid[uuid]
        row = kept[uuid]
        source = by_uuid[row["source"]]
        slots: dict[int, tuple[str, int]] = {}
        for position, child in enumerate(source.children, start=1):
            if all(item["position"] != position for item in row["removed"]):
                removed = [item["type"] for item in row["removed"] if item["position"] < position]
                arrived = [item["type"] for item in row["added"] if item["position"] <= position]
                slots[position - len(removed) + len(arrived)] = (str(child.uuid), 0)
        for link in result.links:
            if link["parent"] == uuid:
                assert link["position"] not in slots
                slots[link["position"]] = (link["child"], link["ordinal"])
        assert sorted(slots) == list(range(1, len(slots) + 1))
        children = tuple(node_of(slots[position][0]) for position in sorted(slots))
        for position in sorted(slots):
            ordinal = slots[position][1]
            if ordinal:
                own = children[position - 1].type
                assert ordinal == sum(child.type == own for child in children[:position])
        return replace(states[uuid], children=children)

    return node_of(result.root)


def shape(node: TreeNode) -> tuple:
    return node.type, dict(node.attributes), tuple(shape(child) for child in node.children)


class Naive:
    """Applies edits to nested lists; targets are resolved before the first edit."""

    def __init__(self, root: TreeNode) -> None:
        self.nodes: dict[str, list] = {}
        self.root = self.load(root)
        self.slots: dict[str, list[tuple[str, object]]] = {}

    def load(self, node: TreeNode) -> list:
        entry = [node.type, dict(node.attributes), [self.load(child) for child in node.children]]
        self.nodes[str(node.uuid)] = entry
        return entry

    def apply(self, edits: list[NodeEdit]) -> tuple:  # noqa: C901 - one case per edit
        lists = {uuid: list(entry[2]) for uuid, entry in self.nodes.items()}
        gaps: dict[tuple[str, int], list] = {}
        leave: set[int] = set()
        for edit in edits:
            match edit:
                case PlacedUpdate(place, attributes):
                    own = self.nodes[place.uuids[-1]][1]
                    own.update(attributes)
                    for name in [name for name, value in attributes.items() if value is None]:
                        del own[name]
                case PlacedDelete(place):
                    leave.add(id(self.nodes[place.uuids[-1]]))
                case PlacedInsert(parent, node, position):
                    self.arrive(gaps, lists, parent, position, self.load(replace(node, uuid=f"new{id(edit)}")))
                case PlacedReplace(place, node):
                    leave.add(id(self.nodes[place.uuids[-1]]))
                    parent = NodePlace(place.uuids[:-1], place.positions[:-1], "")
                    new = self.load(replace(node, uuid=f"new{id(edit)}"))
                    self.arrive(gaps, lists, parent, place.positions[-1], new)
                case PlacedMove(place, parent, position):
                    entry = self.nodes[place.uuids[-1]]
                    leave.add(id(entry))
                    self.arrive(gaps, lists, parent, position, entry)
        for uuid, children in lists.items():
            merged = []
            for index in range(1, len(children) + 2):
                merged += gaps.get((uuid, index), [])
                if index <= len(children) and id(children[index - 1]) not in leave:
                    merged.append(children[index - 1])
            self.nodes[uuid][2] = merged
        return self.frozen(self.root)

    def arrive(self, gaps: dict, lists: dict, parent: NodePlace, position: int | None, entry: list) -> None:
        count = len(lists[parent.uuids[-1]])
        at = count + 1 if position is None else position if position > 0 else count + 2 + position
        gaps.setdefault((parent.uuids[-1], at), []).append(entry)

    def frozen(self, entry: list) -> tuple:
        return entry[0], entry[1], tuple(self.frozen(child) for child in entry[2])


@st.composite
def cases(draw: st.DrawFn) -> tuple[TreeNode, list[NodeEdit]]:
    root = stored(draw(SHAPES))
    every = places(root)
    some = st.sampled_from(every)
    edits: list[NodeEdit] = []
    left: set[str] = set()
    for turn in range(draw(st.integers(1, 4))):
        place, parent = draw(some), draw(some)
        width = next(len(node.children) for node in root.walk() if node.uuid == parent.uuids[-1])
        position = draw(st.none() | st.integers(1, width + 1) | st.integers(-width - 1, -1))
        new = TreeNode(type=draw(TYPES), attributes={"new": turn})
        kind = draw(st.integers(0, 4))
        if kind == 0:
            edits.append(PlacedInsert(parent, new, position))
        elif kind == 1:
            edits.append(PlacedUpdate(place, {"x": turn, "y": None}))
        elif place.positions and place.uuids[-1] not in left:
            if kind == 4 and parent.uuids[: len(place.uuids)] == place.uuids:
                continue
            left.add(place.uuids[-1])
            edits.append(
                [PlacedDelete(place), PlacedReplace(place, new), PlacedMove(place, parent, position)][kind - 2]
            )
    return root, edits or [PlacedUpdate(every[0], {"x": 0})]


@given(cases())
def test_plan_makes_the_same_tree_as_editing_a_copy(case: tuple[TreeNode, list[NodeEdit]]) -> None:
    root, edits = case
    states = {
        str(node.uuid): Spine(
            type=node.type,
            key=str(node.key),
            attributes=node.attributes,
            layout=None,
            children=tuple(child.type for child in node.children),
        )
        for node in root.walk()
    }
    needed = set(touched(edits))
    naive = Naive(root)
    known = {uuid: state for uuid, state in states.items() if uuid in needed}
    if _cyclic(edits):
        with pytest.raises(ArgumentError, match="under itself"):
            plan(edits, known)
        return
    expected = naive.apply(edits)
    try:
        result = plan(edits, known)
    except ArgumentError as error:
        assert "under itself" in str(error)  # noqa: PT017 - longer cycles, which the naive model does not find
        return
    assert shape(built(result, root)) == expected
    depth = max(len(place.positions) for place in places(root))
    assert len(result.copies) + len(result.changed) <= 2 * len(edits) * (depth + 1)


def _cyclic(edits: list[NodeEdit]) -> bool:
    """Return whether two moves put their nodes under each other."""
    moves = [edit for edit in edits if isinstance(edit, PlacedMove)]
    return any(
        one is not other and one.place.uuids[-1] in other.parent.uuids and other.place.uuids[-1] in one.parent.uuids
        for one in moves
        for other in moves
    )


def test_single_edit_copies_only_the_path_to_it() -> None:
    root = stored(TreeNode(type="A", children=(TreeNode(type="A", children=(TreeNode(type="B"),) * 3),) * 3))
    target = places(root)[3]
    states = {
        str(node.uuid): Spine(
            type=node.type, key="k", attributes={}, layout=None, children=tuple(c.type for c in node.children)
        )
        for node in root.walk()
    }
    result = plan([PlacedUpdate(target, {"x": 1})], states)
    assert (len(result.copies), len(result.changed), result.added) == (2, 1, [])


def test_invalid_edits_are_refused() -> None:
    root = stored(TreeNode(type="A", children=(TreeNode(type="B"),)))
    top, child = places(root)
    states = {"n": Spine(type="A", key="n", attributes={}, layout=None, children=("B",))}
    states["n.1"] = Spine(type="B", key="n.1", attributes={}, layout=None, children=())
    for edits in (
        [PlacedDelete(top)],
        [PlacedMove(child, child)],
        [PlacedInsert(top, TreeNode(type="A"), 0)],
        [PlacedInsert(top, TreeNode(type="A"), 4)],
        [PlacedReplace(top, TreeNode(type="B"))],
        [PlacedDelete(child), PlacedReplace(child, TreeNode(type="B"))],
    ):
        try:
            plan(edits, states)
        except ArgumentError:
            continue
        raise AssertionError(edits)
