"""Brings a database to this version's schema: numbered files, each applied once, under a lock."""

import asyncio
import hashlib
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import Literal, cast

from mnemo.errors import EmbeddingMismatchError, SchemaError, StoreTransientError
from mnemo.store.driver import Database
from mnemo.store.queries import CypherQuery, all_queries

__all__ = [
    "Migration",
    "SchemaState",
    "begin_reembedding",
    "check",
    "finish_reembedding",
    "migrate",
    "migrations",
    "state",
]

_LEASE_S = 120
_RENEW_S = 30
_WAIT_S = 300
_POLL_S = 0.2
_ONLINE_S = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One numbered file."""

    number: int
    """Counted from 1, without gaps."""
    query: CypherQuery
    checksum: str
    """SHA-256 of the previous checksum and this statement without comments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaState:
    """The applied migrations and embedding model of a database."""

    checksums: tuple[str, ...]
    """Checksums of the applied migrations, from number 1 on."""
    model: str | None
    """Name of the embedding model; None before the first migration."""
    dimensions: int | None
    status: Literal["ready", "reembedding"] | None
    """`reembedding` while vectors of an older model are being replaced."""


async def migrate(db: Database, embedding: tuple[str, int]) -> SchemaState:
    """Bring the database up to date. If several processes call it at once, one does the work.

    A database that is up to date is only read, so a read-only server is fine.

    Args:
        db: Database to migrate.
        embedding: Name and dimensions of the embedding model.

    Raises:
        EmbeddingMismatchError: The memory uses another embedding model.
        SchemaError: An applied file was edited, the database is newer than this version, or stored data violates a
            constraint.
        StoreReadOnlyError: A migration must be applied and the server is read-only.
        StoreTransientError: Another process has held the lock for over 5 minutes.
    """
    current = await state(db)
    check(current, embedding)
    if len(current.checksums) == len(migrations()) and current.model:
        return current
    await db.run("meta/constraint")
    async with _locked(db) as owner:
        current = await state(db)
        check(current, embedding)
        await _apply(db, migrations()[len(current.checksums) :], embedding[1], owner)
        if not current.model:
            await _record_embedding(db, embedding, "ready")
        await db.run("meta/await_indexes", seconds=_ONLINE_S)
    return await state(db)


async def state(db: Database) -> SchemaState:
    """Read the database's state; works on an empty database.

    Raises:
        SchemaError: The applied migrations have gaps.
    """
    row = (await db.run("meta/state"))[0]
    if row["numbers"] != list(range(1, len(row["numbers"]) + 1)):
        message = "the migrations recorded in the database have gaps; restore its Migration nodes from a backup"
        raise SchemaError(message)
    return SchemaState(
        checksums=tuple(row["checksums"]), model=row["model"], dimensions=row["dimensions"], status=row["status"]
    )


def check(current: SchemaState, embedding: tuple[str, int]) -> None:
    """Check a database's state against this version and an embedding model.

    Raises:
        EmbeddingMismatchError: Its memory uses another embedding model.
        SchemaError: An applied file was edited, or the database is newer than this version.
    """
    _check_chain(current.checksums)
    if current.model and (current.model, current.dimensions) != embedding:
        message = (
            f"the memory is embedded by {current.model} ({current.dimensions} dimensions), the settings say "
            f"{embedding[0]} ({embedding[1]}); set that model, or run `mnemo reembed` to replace all vectors"
        )
        raise EmbeddingMismatchError(message)


async def begin_reembedding(db: Database, embedding: tuple[str, int]) -> None:
    """Switch the memory to another embedding model; from now on its vectors are written and searched.

    If the dimensions change, the vector indexes are recreated; old vectors stay stored, without an index, until they
    are replaced. Calling it again resumes.

    Raises:
        SchemaError: The database is not migrated to this version.
        StoreError: See its kinds.
    """
    async with _locked(db):
        current = await state(db)
        _check_chain(current.checksums)
        if len(current.checksums) < len(migrations()):
            message = "the database must be migrated first; run `mnemo up` or any command that opens it"
            raise SchemaError(message)
        await _record_embedding(db, embedding, "reembedding")
        if current.dimensions != embedding[1] or current.status == "reembedding":
            await _recreate_indexes(db, embedding[1])


async def finish_reembedding(db: Database, embedding: tuple[str, int]) -> None:
    """Record that all vectors are from this model.

    Raises:
        StoreError: See its kinds.
    """
    await _record_embedding(db, embedding, "ready")


@cache
def migrations() -> Sequence[Migration]:
    """Return this version's migrations in order.

    Raises:
        SchemaError: Numbers have gaps or a file name is invalid.
    """
    found: list[Migration] = []
    checksum = ""
    for number, query in enumerate((q for q in all_queries() if q.name.startswith("migrations/")), 1):
        if not query.name.startswith(f"migrations/V{number:04d}__") or query.mode != "schema":
            message = f"cypher/{query.name}.cypher must be migration {number:04d} with mode schema"
            raise SchemaError(message)
        checksum = hashlib.sha256(f"{checksum}\n{query.statement}".encode()).hexdigest()
        found.append(Migration(number=number, query=query, checksum=checksum))
    return tuple(found)


def _check_chain(applied: Sequence[str]) -> None:
    shipped = migrations()
    for checksum, migration in zip(applied, shipped, strict=False):
        if checksum != migration.checksum:
            message = f"cypher/{migration.query.name}.cypher was edited after it was applied; restore the file"
            raise SchemaError(message)
    if len(applied) > len(shipped):
        message = (
            f"the database's schema is version {len(applied)}, this mnemo knows up to {len(shipped)}; upgrade mnemo"
        )
        raise SchemaError(message)


async def _apply(db: Database, pending: Sequence[Migration], dimensions: int, owner: str) -> None:
    """Apply files in order, then record them together; after a crash they are applied again, which changes nothing.

    A write between two files would be planned again each time, since a schema change discards all query plans.
    """
    clock = asyncio.get_running_loop().time
    renewed = clock()
    for migration in pending:
        await _run_schema(db, migration.query, dimensions)
        if clock() - renewed > _RENEW_S:
            await _lock(db, owner)
            renewed = clock()
    rows = [{"number": each.number, "name": each.query.name, "checksum": each.checksum} for each in pending]
    await db.run("meta/record", migrations=rows)


async def _run_schema(db: Database, query: CypherQuery, dimensions: int) -> None:
    await db.run(query.name, **({"dimensions": dimensions} if query.param_names else {}))


async def _recreate_indexes(db: Database, dimensions: int) -> None:
    for migration in migrations():
        if "dimensions" in migration.query.param_names:
            index = migration.query.name.split("__", 1)[1]
            await db.run(f"meta/drop_{index}")
            await _run_schema(db, migration.query, dimensions)
    await db.run("meta/await_indexes", seconds=_ONLINE_S)


async def _record_embedding(db: Database, embedding: tuple[str, int], status: str) -> None:
    model, dimensions = embedding
    await db.run("meta/embedding", model=model, dimensions=dimensions, status=status)


@asynccontextmanager
async def _locked(db: Database) -> AsyncIterator[str]:
    """Hold the schema lock; it expires two minutes after a killed process last renewed it."""
    owner = str(uuid.uuid4())
    deadline = asyncio.get_running_loop().time() + _WAIT_S
    while await _lock(db, owner) != owner:
        if asyncio.get_running_loop().time() > deadline:
            message = f"another process has been changing the schema for over {_WAIT_S} s; try again later"
            raise StoreTransientError(message)
        await asyncio.sleep(_POLL_S)
    try:
        yield owner
    finally:
        await db.run("meta/unlock", owner=owner)


async def _lock(db: Database, owner: str) -> str:
    return cast("str", (await db.run("meta/lock", owner=owner, seconds=_LEASE_S))[0]["owner"])
