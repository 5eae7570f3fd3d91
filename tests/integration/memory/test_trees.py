"""Trees of a memory: one executor per connection, and a synchronous tree for everything."""

from collections.abc import Sequence
from typing import Any

import pytest

from mnemo import AsyncMemory, Insert, Memory, NotFoundError, Progress, TreeNode
from mnemo.providers.base import Vectors
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from support.embedders import HashEmbedder
from support.memories import settings_of

TRIP = "<Trip><Day name='one'><Stop name='bakery'/></Day><Day name='two'><Stop name='harbour'/></Day></Trip>"


class CountingEmbedder(HashEmbedder):
    """Counts the questions it embeds."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def questions(self, texts: Sequence[str]) -> Vectors:
        self.asked.extend(texts)
        return await super().questions(texts)


@pytest.fixture
def settings(server_endpoint: Endpoint, database: Database) -> Any:
    assert database.version
    return settings_of(server_endpoint, memtree={"enabled": False})


async def test_a_query_text_is_embedded_once_for_all_trees_and_the_memory(settings: Any, group: str) -> None:
    embedder = CountingEmbedder()
    async with AsyncMemory(settings, group=group, embedder=embedder) as memory:
        await (await memory.tree("trip")).import_(TRIP, "xml")
        for _ in range(2):
            found = await (await memory.tree("trip")).xpath('//Stop[node ~= "something to eat"]')
            assert len(found.matches) == 2
        await memory.xpath('//Episode[node ~= "something to eat"]')
    assert embedder.asked == ["something to eat"]


async def test_a_tree_replaced_by_another_process_is_read_again(settings: Any, group: str) -> None:
    async with (
        AsyncMemory(settings, group=group, embedder=HashEmbedder()) as ours,
        AsyncMemory(settings, group=group, embedder=HashEmbedder()) as theirs,
    ):
        tree = await ours.tree("trip")
        await tree.import_(TRIP, "xml")
        assert len((await tree.xpath("/Trip/Day")).matches) == 2
        other = await theirs.tree("trip")
        await other.delete()
        await other.import_("<Plan><Day name='three'><Stop name='museum'/></Day></Plan>", "xml")
        assert [match.attributes["name"] for match in (await tree.xpath("/Plan/Day")).matches] == ["three"]
        await other.delete()
        await other.import_(TRIP, "xml")
        assert len((await tree.xpath("//Day")).matches) == 2


def test_sync_tree_matches_the_async_one(settings: Any, group: str) -> None:
    seen: list[Progress] = []
    with Memory(settings, group=group, embedder=HashEmbedder()) as memory:
        tree = memory.tree("trip")
        assert tree.name == "trip"
        tree.create(TreeNode(type="Trip", children=(TreeNode(type="Day"),)), on_progress=seen.append)
        assert {each.stage for each in seen} == {"embed"}
        edit = Insert(parent="/Trip/Day[1]", node=TreeNode(type="Stop", attributes={"name": "pier"}))
        base, planned = tree.rehearse([edit])
        assert (base, [change.kind for change in planned.changes]) == (1, ["added"])
        assert len(tree.log()) == 1
        assert tree.edit([edit]).number == 2
        assert len(tree.xpath("//Stop").matches) == 1
        tree.delete_version(1)
        assert [version.number for version in tree.log()] == [2]
        assert [summary.name for summary in memory.trees()] == ["trip"]
        tree.delete()
        with pytest.raises(NotFoundError):
            tree.log()
