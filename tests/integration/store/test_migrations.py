"""Migrations on the real server: each is applied once, in order and unedited, also by concurrent processes."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mnemo.errors import EmbeddingMismatchError, SchemaError
from mnemo.providers.local import LocalEmbedder
from mnemo.store.driver import Database
from mnemo.store.migrations import SchemaState, check, migrate, migrations, state
from mnemo.store.reembed import reembed, remaining, text_of
from support.cypher import cypher

if TYPE_CHECKING:
    from mnemo.models.progress import Progress


@asynccontextmanager
async def edited(database: Database, number: int, **properties: Any) -> AsyncIterator[None]:
    """Change a recorded migration, and restore it afterwards."""
    rows = await cypher(database, "MATCH (m:Migration {number: $n}) RETURN properties(m) AS old", n=number)
    await cypher(database, "MERGE (m:Migration {number: $n}) SET m += $new", n=number, new=properties)
    try:
        yield
    finally:
        if rows:
            await cypher(database, "MATCH (m:Migration {number: $n}) SET m = $old", n=number, old=rows[0]["old"])
        else:
            await cypher(database, "MATCH (m:Migration {number: $n}) DELETE m", n=number)


async def embedding_of(database: Database) -> tuple[str, int]:
    """Return the database's embedding model and dimensions."""
    current = await state(database)
    assert current.model
    assert current.dimensions
    return current.model, current.dimensions


async def test_all_migrations_are_applied_and_all_indexes_online(database: Database) -> None:
    current = await state(database)
    assert current.checksums == tuple(migration.checksum for migration in migrations())
    assert current.status == "ready"
    rows = await cypher(
        database, "SHOW INDEXES YIELD name, state, type WHERE type <> 'LOOKUP' RETURN name, state ORDER BY name"
    )
    indexes = {row["name"]: row["state"] for row in rows}
    assert {migration.query.name.split("__")[1] for migration in migrations()} <= set(indexes)
    assert set(indexes.values()) == {"ONLINE"}


async def test_migrating_again_writes_nothing(database: Database) -> None:
    before = await cypher(database, "MATCH (m:Migration) RETURN m.number AS n, m.applied_at AS at ORDER BY n")
    await migrate(database, await embedding_of(database))
    assert await cypher(database, "MATCH (m:Migration) RETURN m.number AS n, m.applied_at AS at ORDER BY n") == before


async def test_a_file_edited_after_it_was_applied_is_named(database: Database) -> None:
    async with edited(database, 3, checksum="0"):
        with pytest.raises(SchemaError, match=migrations()[2].query.name):
            await migrate(database, await embedding_of(database))


async def test_a_database_newer_than_the_code_is_refused(database: Database) -> None:
    async with edited(database, len(migrations()) + 1, checksum="0", name="later"):
        with pytest.raises(SchemaError, match="upgrade mnemo"):
            await migrate(database, await embedding_of(database))


async def test_records_with_gaps_are_refused(database: Database) -> None:
    async with edited(database, 999, checksum="0"):
        with pytest.raises(SchemaError, match="gaps"):
            await state(database)


async def test_unrecorded_migration_is_applied_again_by_one_of_two_processes(database: Database) -> None:
    last = len(migrations())
    await cypher(database, "MATCH (m:Migration {number: $n}) DELETE m", n=last)
    async with await Database.open(database.endpoint) as other:
        embedding = await embedding_of(database)
        first, second = await asyncio.gather(migrate(database, embedding), migrate(other, embedding))
    assert first == second
    rows = await cypher(database, "MATCH (m:Migration) RETURN count(m) AS all, max(m.number) AS last")
    assert rows == [{"all": last, "last": last}]


async def test_the_lock_of_a_killed_process_expires(database: Database) -> None:
    await cypher(database, "MATCH (m:Meta) SET m.owner = 'dead', m.until = datetime() + duration('PT1S')")
    await cypher(database, "MATCH (m:Migration {number: $n}) DELETE m", n=len(migrations()))
    await migrate(database, await embedding_of(database))
    rows = await cypher(database, "MATCH (m:Meta) RETURN m.owner AS owner, m.until AS until")
    assert rows == [{"owner": None, "until": None}]


async def test_other_model_or_dimensions_are_refused_before_any_write(database: Database) -> None:
    model, dimensions = await embedding_of(database)
    for other in (("other", dimensions), (model, dimensions + 1)):
        with pytest.raises(EmbeddingMismatchError, match="mnemo reembed"):
            await migrate(database, other)
    assert await embedding_of(database) == (model, dimensions)


class Stub:
    """Embeds a text by its length; fails after `calls` calls."""

    def __init__(self, model: str, dimensions: int, calls: int = 1_000_000) -> None:
        self.model, self.dimensions, self.calls = model, dimensions, calls

    async def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls -= 1
        if self.calls < 0:
            raise RuntimeError
        return np.array([[len(text), *range(1, self.dimensions)] for text in texts], dtype=np.float32)


async def test_reembedding_is_online_resumable_and_complete(
    database: Database, embedder: LocalEmbedder, group: str
) -> None:
    model, dimensions = await embedding_of(database)
    rows = [{"id": f"{group}-{number:04d}", "group": group} for number in range(600)]
    await cypher(
        database,
        "UNWIND $rows AS row CREATE (n:Edge {uuid: row.id, group: row.group, fact: 'a fact', embedding_model: $model}) "
        "WITH n CALL db.create.setNodeVectorProperty(n, 'embedding', $vector)",
        rows=rows,
        model=model,
        vector=[0.1] * dimensions,
    )
    try:
        with pytest.raises(RuntimeError):
            await reembed(database, Stub("stub", 8, calls=1))
        current = await state(database)
        assert (current.model, current.dimensions, current.status) == ("stub", 8, "reembedding")
        with pytest.raises(EmbeddingMismatchError):
            await migrate(database, (model, dimensions))
        assert (await migrate(database, ("stub", 8))).status == "reembedding"
        total, stale = await remaining(database, "stub")
        assert 0 < stale < total
        steps: list[Progress] = []
        assert await reembed(database, Stub("stub", 8), steps.append) == stale == steps[-1].done == steps[-1].total
        assert await remaining(database, "stub") == (total, 0)
        assert (await state(database)).status == "ready"
        found = await cypher(
            database,
            "CYPHER 25 MATCH (n:Edge) SEARCH n IN (VECTOR INDEX edge_embedding FOR $v WHERE n.group = $g LIMIT 5) "
            "RETURN size(n.embedding) AS size",
            v=[6.0, 1, 2, 3, 4, 5, 6, 7],
            g=group,
        )
        assert found == [{"size": 8}] * 5
    finally:
        await cypher(database, "MATCH (n:Edge {group: $group}) DETACH DELETE n", group=group)
        await reembed(database, embedder)


@pytest.mark.parametrize(
    ("label", "properties", "text"),
    [
        ("Episode", {"content": "hi", "speaker": "Ana"}, "Ana: hi"),
        ("Entity", {"name": "Ana", "summary": "a baker"}, "Ana: a baker"),
        ("Edge", {"fact": "Ana bakes"}, "Ana bakes"),
        ("Category", {"name": "Food", "content": "bread and cake"}, "bread and cake"),
        ("TreeNode", {"name": "x", "text": "Day 1"}, "Day 1"),
    ],
)
def test_text_to_embed_depends_on_the_label(label: str, properties: dict[str, str], text: str) -> None:
    empty = dict.fromkeys(("content", "speaker", "name", "summary", "fact", "text"))
    assert text_of(label, {**empty, **properties}) == text


def test_empty_database_accepts_any_model() -> None:
    check(SchemaState(checksums=(), model=None, dimensions=None, status=None), ("any", 3))
