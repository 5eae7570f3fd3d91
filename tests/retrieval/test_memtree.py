from mnemo.models.hierarchy import Category
from mnemo.retrieval.memtree import folded
from mnemo.store.hierarchy.memtree_search import MemtreeHit
from support.builders import episode


def leaf(number: int, cosine: float, *above: str) -> MemtreeHit:
    return MemtreeHit(node=episode(str(number), number), cosine=cosine, above=frozenset(above))


def inner(uuid: str, cosine: float, *above: str) -> MemtreeHit:
    return MemtreeHit(node=Category(uuid=uuid, group="g", name="", content=uuid), cosine=cosine, above=frozenset(above))


A, B = inner("A", 0.9), inner("B", 0.5, "A")
ONE, TWO, LONE = leaf(1, 0.8, "A", "B"), leaf(2, 0.7, "A"), leaf(3, 0.6)


def test_inner_node_above_a_result_is_reported_once_with_the_leaf() -> None:
    assert folded([A, ONE, LONE], 3) == [ONE, LONE]
    assert folded([ONE, A, B], 3) == [ONE]


def test_merged_node_makes_room_for_the_next() -> None:
    assert folded([A, ONE, TWO, LONE], 3) == [ONE, TWO, LONE]
    assert folded([A, ONE, TWO, LONE], 2) == [ONE, TWO]


def test_lower_inner_node_replaces_the_upper() -> None:
    assert folded([A, B], 2) == [B]


def test_inner_node_without_a_found_leaf_is_kept() -> None:
    assert folded([A, LONE], 2) == [A, LONE]


def test_fewer_results_than_requested_if_fewer_exist() -> None:
    assert folded([LONE], 5) == [LONE]
    assert folded([], 5) == []
