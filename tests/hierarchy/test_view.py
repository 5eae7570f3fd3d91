from datetime import UTC, datetime

from mnemo.hierarchy.html import page
from mnemo.hierarchy.view import branches, stats
from mnemo.models.hierarchy import Category, Hierarchy, Leaf, Member

ROOT = Hierarchy(
    uuid="r",
    group="g",
    kind="memtree",
    generation=1,
    revision=3,
    created_at=datetime(2026, 1, 1, tzinfo=UTC),
    calls=3,
    inserts=4,
)


def leaf(uuid: str, parent: str, position: int) -> Member:
    return Member(parent=parent, node=Leaf(uuid=uuid, text=f"text of {uuid} <b>"), position=position)


def category(uuid: str, parent: str, position: int, layer: int, leaves: int) -> Member:
    node = Category(uuid=uuid, group="g", name="", content=f"about {uuid}", layer=layer, leaves=leaves)
    return Member(parent=parent, node=node, position=position)


MEMBERS = [
    leaf("c", "A", 1),
    category("B", "A", 0, 2, 2),
    leaf("b", "B", 1),
    leaf("a", "B", 0),
    category("A", "r", 0, 1, 3),
    leaf("d", "r", 1),
]


def test_shape_of_a_memtree() -> None:
    found = stats(ROOT, MEMBERS)
    assert (found.leaves, found.categories, found.layers, found.root_children) == (4, 2, 3, 2)
    assert (found.depth_mean, found.branching_mean, found.branching_max) == (2.25, 2.0, 2)
    assert (found.calls, found.inserts) == (3, 4)


def test_bare_root_has_zeros() -> None:
    found = stats(ROOT, [])
    assert (found.leaves, found.layers, found.depth_mean, found.branching_mean) == (0, 0, 0, 0)


def test_entity_in_two_categories_counts_once_and_appears_twice() -> None:
    members = [category("A", "r", 0, 1, 1), category("B", "r", 1, 1, 1), leaf("e", "A", 0), leaf("e", "B", 0)]
    assert stats(ROOT, members).leaves == 1
    assert [[child.node.uuid for child in each.children] for each in branches(ROOT, members, 9)] == [["e"], ["e"]]


def test_branches_are_ordered_and_cut_at_the_depth() -> None:
    top = branches(ROOT, MEMBERS, 2)
    assert [branch.node.uuid for branch in top] == ["A", "d"]
    assert [branch.node.uuid for branch in top[0].children] == ["B", "c"]
    assert top[0].children[0].children == ()


def test_page_escapes_text_and_loads_nothing() -> None:
    text = page("g & h", "4 leaves", branches(ROOT, MEMBERS, 9))
    assert "text of a &lt;b&gt;" in text
    assert "<title>g &amp; h</title>" in text
    assert "<script" not in text
    assert "http" not in text.replace("http-equiv", "")
    assert text.count("<details") == 2
