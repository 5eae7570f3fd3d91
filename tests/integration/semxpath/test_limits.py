"""Invalid calls raise mnemo errors and change nothing, on the real server."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import pytest

from mnemo.errors import ArgumentError, MnemoError, NotFoundError
from mnemo.models.tree import QueryOptions, TreeNode
from mnemo.semxpath.trees.edits import Insert, Update
from mnemo.semxpath.trees.memory import TreeMemory, Trees
from mnemo.store.driver import Database
from support.embedders import HashEmbedder

HUGE = 2**70


@pytest.fixture
async def tree(database: Database, group: str) -> TreeMemory:
    tree = Trees(database, HashEmbedder(), group).tree("t")
    await tree.create(TreeNode(type="R", children=(TreeNode(type="A", attributes={"name": "a"}),)))
    return tree


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda tree: tree.xpath("/A", version=99), NotFoundError),
        (lambda tree: tree.xpath("/A", version=-1), NotFoundError),
        (lambda tree: tree.xpath("/A", version=HUGE), ArgumentError),
        (lambda tree: tree.xpath("/A", options=QueryOptions(limit=HUGE)), ArgumentError),
        (lambda tree: tree.show(version=HUGE), ArgumentError),
        (lambda tree: tree.diff(1, 99), NotFoundError),
        (lambda tree: tree.revert(0), NotFoundError),
        (lambda tree: tree.checkout(HUGE), NotFoundError),
        (lambda tree: tree.delete_version(HUGE), ArgumentError),
        (lambda tree: tree.edit([Insert(parent="/R", node=TreeNode(type="Version"))]), ArgumentError),
        (lambda tree: tree.edit([Update(query="/A", attributes={"": 1})]), ArgumentError),
        (
            lambda tree: tree.edit(
                [Insert(parent="/R", node=TreeNode(type="A", attributes={"at": datetime(2026, 1, 1, tzinfo=UTC)}))]
            ),
            ArgumentError,
        ),
        (lambda tree: tree.edit([Insert(parent="/R", node=TreeNode(type="A"), position=HUGE)]), ArgumentError),
    ],
)
async def test_invalid_call_is_refused_and_changes_nothing(
    tree: TreeMemory, call: Callable[[TreeMemory], Awaitable[object]], kind: type[MnemoError]
) -> None:
    with pytest.raises(kind):
        await call(tree)
    assert [version.number for version in await tree.log()] == [1]


async def test_unusual_names_and_values_are_stored_and_found(tree: TreeMemory) -> None:
    unusual = TreeNode(
        type="日本 語`🏛", attributes={"it's": "a\"b'c\\d", "uuid": "u", "@x": "", "n": 10**30, "nul": "\0"}
    )
    await tree.edit([Insert(parent="/R", node=unusual, position=1)])
    found = (await tree.xpath("/`日本 語``🏛`[@`it's` = 'a\"b\\'c\\\\d'][@`uuid` = 'u']")).matches
    assert [dict(match.attributes) for match in found] == [unusual.attributes]
    assert found[0].path == "/Version[2]/`日本 語``🏛`[1]"


async def test_empty_tree_answers_every_form_of_query(database: Database, group: str) -> None:
    empty = Trees(database, HashEmbedder(), group).tree("empty")
    await empty.create(TreeNode(type="R"))
    assert (await empty.xpath("//*")).matches == ()
    assert (await empty.xpath("//*[node ~= 'x'][1]")).matches == ()
    assert (await empty.xpath("(//*[node ~= 'x'])[-1]")).matches == ()
    assert [match.score for match in (await empty.xpath("/R[avg(//R[node ~= 'x'])]")).matches] == [0.0]
