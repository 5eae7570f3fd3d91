"""Imports, edits and deletions of many nodes are atomic, also when interrupted, and leave no orphaned nodes."""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from mnemo.bench.trees.sizes import build_tree
from mnemo.errors import ConflictError, NotFoundError
from mnemo.models.tree import TreeNode
from mnemo.semxpath.trees.edits import Insert, Update
from mnemo.semxpath.trees.memory import Trees
from mnemo.store.driver import Call, Database, Row
from mnemo.store.endpoint import Endpoint
from mnemo.store.trees import bulk
from mnemo.store.trees import nodes as store
from support.cypher import cypher
from support.embedders import HashEmbedder
from support.paths import CHILD_PATH

pytestmark = pytest.mark.slow

LARGE = 1_200
"""Number of nodes that takes three transactions."""


class CrashError(Exception):
    """Simulates the end of the process."""


class Crashing:
    """A database whose client crashes at the nth call of some queries, before the write or after it."""

    def __init__(self, database: Database, kinds: Sequence[str], at: int, when: str) -> None:
        self._database = database
        self._kinds = kinds
        self._at = at
        self._when = when
        self.writes = 0

    async def run(self, name: str, /, **params: Any) -> list[Row]:
        return await self._counted(name, self._database.run(name, **params))

    async def run_all(self, calls: Sequence[Call]) -> list[list[Row]]:
        return await self._counted(calls[0][0], self._database.run_all(calls))

    async def run_guarded(self, calls: Sequence[Call]) -> list[list[Row]]:
        return await self._counted(calls[0][0], self._database.run_guarded(calls))

    async def run_compiled(self, statement: str, params: Row) -> list[Row]:
        return await self._database.run_compiled(statement, params)

    async def _counted(self, name: str, running: Any) -> Any:
        if not name.startswith(tuple(self._kinds)):
            return await running
        self.writes += 1
        if self.writes == self._at and self._when == "before":
            running.close()
            raise CrashError(name)
        result = await running
        if self.writes == self._at:
            raise CrashError(name)
        return result


async def orphans(database: Database, group: str) -> int:
    """Return the number of stored nodes that are in no version of any tree."""
    rows = await cypher(database, "MATCH (node:TreeNode {group: $group}) RETURN node.uuid AS uuid", group=group)
    shown: set[str | None] = set()
    for tree in await store.list_trees(database, group):
        for version in await store.versions(database, group, tree.name):
            root = await store.read(database, group, tree.name, version.number)
            shown |= {node.uuid for node in root.walk()}
    return len({row["uuid"] for row in rows} - shown)


async def stages(database: Database, group: str) -> int:
    rows = await cypher(database, "MATCH (stage:TreeStage {group: $group}) RETURN count(*) AS n", group=group)
    return int(rows[0]["n"])


async def a_minute_passes(database: Database, group: str) -> None:
    statement = "MATCH (stage:TreeStage {group: $group}) SET stage.until = stage.until - duration({seconds: 60})"
    await cypher(database, statement, group=group)


def small() -> TreeNode:
    return TreeNode(type="Root", children=(TreeNode(type="Leaf", attributes={"name": "a"}),))


def crashing(database: Database, group: str, at: int, when: str) -> Trees:
    writes = ("tree/stage_open", "tree/stage_add", "tree/create", "tree/open_version")
    return Trees(Crashing(database, writes, at, when), HashEmbedder(), group)  # type: ignore[arg-type]  # a stand-in


@pytest.mark.parametrize("at", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("when", ["before", "after"])
async def test_crashed_import_is_invisible_and_swept_by_the_next_write(
    database: Database, group: str, at: int, when: str
) -> None:
    trees = Trees(database, HashEmbedder(), group)
    kept = trees.tree("kept")
    await kept.create(small())
    before = await trees.list()
    with pytest.raises(CrashError):
        await crashing(database, group, at, when).tree("large").create(build_tree(LARGE))
    whole = (at, when) == (6, "after")
    if whole:
        assert [tree.name for tree in await trees.list()] == ["kept", "large"]
        assert len(list((await trees.tree("large").show()).walk())) == 1_555
    else:
        assert await trees.list() == before
        with pytest.raises(NotFoundError):
            await trees.tree("large").show()
    loose = [0, 0, 500, 1_000, 1_500, 1_555, 0][at - 1 + (when == "after")]
    assert await orphans(database, group) == loose
    await a_minute_passes(database, group)
    await kept.edit([Update(query="/Leaf", attributes={"name": "b"})])
    assert await orphans(database, group) == 0
    assert await stages(database, group) == 0


async def test_second_import_of_a_name_takes_over_immediately(database: Database, group: str) -> None:
    trees = Trees(database, HashEmbedder(), group)
    with pytest.raises(CrashError):
        await crashing(database, group, 3, "after").tree("large").create(build_tree(LARGE))
    assert await orphans(database, group) == 1_000
    await trees.tree("large").create(build_tree(LARGE))
    assert await orphans(database, group) == 0
    assert await stages(database, group) == 0


async def test_only_one_of_two_concurrent_imports_of_a_name_is_stored(database: Database, group: str) -> None:
    trees = Trees(database, HashEmbedder(), group)
    done = await asyncio.gather(*(trees.tree("t").create(build_tree(LARGE)) for _ in range(3)), return_exceptions=True)
    assert sorted(type(each).__name__ for each in done) == ["ConflictError", "ConflictError", "Version"]
    assert await orphans(database, group) == 0
    assert await stages(database, group) == 0


async def test_running_import_is_not_swept(database: Database, group: str) -> None:
    trees = Trees(database, HashEmbedder(), group)
    kept = trees.tree("kept")
    await kept.create(small())

    async def edits() -> None:
        for turn in range(10):
            await kept.edit([Update(query="/Leaf", attributes={"name": str(turn)})])

    await asyncio.gather(trees.tree("large").create(build_tree(LARGE)), edits())
    assert len(list((await trees.tree("large").show()).walk())) == 1_555
    assert await orphans(database, group) == 0


async def test_taken_name_is_refused_before_anything_is_embedded(database: Database, group: str) -> None:
    embedder = HashEmbedder()
    trees = Trees(database, embedder, group)
    await trees.tree("t").create(small())
    count = embedder.texts
    with pytest.raises(ConflictError, match="already"):
        await trees.tree("t").create(small())
    assert embedder.texts == count


@pytest.mark.parametrize("at", [1, 3, 6])
@pytest.mark.parametrize("when", ["before", "after"])
async def test_crashed_large_edit_changes_nothing(database: Database, group: str, at: int, when: str) -> None:
    trees = Trees(database, HashEmbedder(), group)
    await trees.tree("t").create(small())
    insert = Insert(parent="/Root", node=build_tree(LARGE), position=1)
    with pytest.raises(CrashError):
        await crashing(database, group, at, when).tree("t").edit([insert])
    whole = (at, when) == (6, "after")
    assert [tree.active for tree in await trees.list()] == [2 if whole else 1]
    assert len(list((await trees.tree("t").show()).walk())) == (1_557 if whole else 2)
    await a_minute_passes(database, group)
    await trees.tree("other").create(small())
    assert await orphans(database, group) == 0
    await trees.tree("t").edit([Update(query="/Leaf", attributes={"name": "c"})])
    assert await stages(database, group) == 0


async def test_conflicting_large_edit_leaves_no_nodes(database: Database, group: str) -> None:
    trees = Trees(database, HashEmbedder(), group)
    tree = trees.tree("t")
    await tree.create(small())
    insert = Insert(parent="/Root", node=build_tree(LARGE))
    done = await asyncio.gather(*(tree.edit([insert]) for _ in range(2)), return_exceptions=True)
    assert sorted(type(each).__name__ for each in done) == ["ConflictError", "Version"]
    (version,) = [each for each in done if not isinstance(each, BaseException)]
    assert len(list((await tree.show(version=version.number)).walk())) == 1_557
    assert await orphans(database, group) == 0
    assert await stages(database, group) == 0


async def test_crashed_deletion_is_completed_by_the_next_write(database: Database, group: str) -> None:
    trees = Trees(database, HashEmbedder(), group)
    await trees.tree("t").create(build_tree(LARGE))
    await trees.tree("t").edit([Update(query="/Part[1]", attributes={"name": "other"})])
    await trees.tree("u").create(small())

    def dying(at: int, when: str) -> Database:
        return Crashing(database, ("tree/stage_sweep",), at, when)  # type: ignore[return-value]  # a stand-in

    with pytest.raises(CrashError):
        await bulk.delete_version(dying(1, "before"), group, "t", 1)
    assert len(list((await trees.tree("t").show()).walk())) == 1_555
    assert await orphans(database, group) == 2
    with pytest.raises(CrashError):
        await bulk.delete(dying(2, "after"), group, "t")
    with pytest.raises(CrashError):
        await bulk.sweep(dying(2, "after"), group)
    assert await orphans(database, group) > 0
    await trees.tree("u").edit([Update(query="/Leaf", attributes={"name": "b"})])
    assert await orphans(database, group) == 0
    assert await stages(database, group) == 0


async def test_deletion_counts_nodes_and_keeps_those_of_other_versions(database: Database, group: str) -> None:
    trees = Trees(database, HashEmbedder(), group)
    tree = trees.tree("t")
    await tree.create(build_tree(LARGE))
    await tree.edit([Update(query="/Part[1]/Chapter[1]", attributes={"name": "other"})])
    await tree.revert(1)
    await tree.delete_version(1)
    assert len(list((await tree.show(version=3)).walk())) == 1_555
    await tree.delete_version(2)
    assert await orphans(database, group) == 0
    assert await tree.delete() == 1_555
    assert await stages(database, group) == 0
    with pytest.raises(NotFoundError):
        await tree.delete()


@pytest.mark.parametrize("lines", [1, 3])
async def test_nodes_of_a_killed_import_are_swept_by_the_next_import(
    database: Database, group: str, server_endpoint: Endpoint, lines: int
) -> None:
    end = server_endpoint
    command = ("-m", "support.killable_import", end.uri, end.password, end.database, group, "3000")
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, stdout=asyncio.subprocess.PIPE, env={**os.environ, "PYTHONPATH": CHILD_PATH}
    )
    assert process.stdout is not None
    while lines:
        lines -= (await process.stdout.readline()).startswith(b"store")
    process.send_signal(signal.SIGKILL)
    await process.wait()
    trees = Trees(database, HashEmbedder(), group)
    assert await trees.list() == []
    assert await orphans(database, group) >= 500
    await trees.tree("large").create(small())
    assert await orphans(database, group) == 0
    assert await stages(database, group) == 0


async def test_concurrent_sweeps_do_not_interfere(database: Database, group: str) -> None:
    trees = Trees(database, HashEmbedder(), group)
    names = [f"t{number}" for number in range(6)]
    for name in names:
        await trees.tree(name).create(small())
    with pytest.raises(CrashError):
        await crashing(database, group, 5, "after").tree("large").create(build_tree(LARGE))
    await a_minute_passes(database, group)
    edit = Update(query="/Leaf", attributes={"name": "b"})
    await asyncio.gather(*(trees.tree(name).edit([edit]) for name in names))
    assert await orphans(database, group) == 0
    assert await stages(database, group) == 0
