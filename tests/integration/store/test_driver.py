"""The driver on the real server: values, transactions, errors, logs."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from neo4j import AsyncGraphDatabase
from neo4j.exceptions import Neo4jError

from mnemo.clock import DISTANT_FUTURE, DISTANT_PAST
from mnemo.config import Neo4jSettings, Settings
from mnemo.errors import (
    ArgumentError,
    ConfigError,
    ConflictError,
    DiskError,
    MnemoError,
    StoreAuthError,
    StoreError,
    StoreReadOnlyError,
    StoreTransientError,
    StoreUnavailableError,
    StoreVersionError,
)
from mnemo.store.driver import Database
from mnemo.store.endpoint import Endpoint
from mnemo.store.failures import map_error
from support.cypher import cypher

AUCKLAND = ZoneInfo("Pacific/Auckland")
SECRET = "the swordfish sleeps"


async def store(database: Database, group: str, **properties: object) -> dict[str, object]:
    """Store one episode with some properties and return it as read back."""
    row = {"uuid": f"{group}-1", "group": group, "source_id": "1", **properties}
    await database.run(
        "ingestion/acknowledge", group=group, rows=[{"source_id": "1", "session": "s", "properties": row}]
    )
    return (await database.run("graph/get_episodes", group=group, uuids=[f"{group}-1"]))[0]["item"]


@pytest.mark.parametrize(
    "moment",
    [
        datetime(2023, 5, 8, 0, 30, tzinfo=AUCKLAND),
        datetime(2023, 4, 2, 2, 30, tzinfo=AUCKLAND, fold=0),
        datetime(2023, 4, 2, 2, 30, tzinfo=AUCKLAND, fold=1),
        datetime(2023, 5, 8, 13, 56, 7, 123456, tzinfo=UTC),
        datetime(1969, 7, 20, 20, 17, tzinfo=timezone(timedelta(hours=-4))),
        DISTANT_PAST,
        DISTANT_FUTURE,
    ],
)
async def test_moment_is_returned_in_its_zone(database: Database, group: str, moment: datetime) -> None:
    back = (await store(database, group, occurred_at=moment))["occurred_at"]
    assert isinstance(back, datetime)
    assert (back, back.utcoffset(), str(back)) == (moment, moment.utcoffset(), str(moment))


async def test_missing_or_unknown_parameter_is_refused(database: Database) -> None:
    with pytest.raises(ArgumentError, match=r"missing: \['group'\], unknown: \['grop'\]"):
        await database.run("graph/counts", grop="g")


async def test_run_all_is_atomic(database: Database, group: str) -> None:
    row = {"uuid": f"{group}-1", "group": group, "source_id": "1"}
    good = ("ingestion/acknowledge", {"group": group, "rows": [{"source_id": "1", "session": "s", "properties": row}]})
    bad = ("ingestion/acknowledge", {"group": group, "rows": [{"source_id": "2", "session": "s", "properties": row}]})
    with pytest.raises(ConflictError):
        await database.run_all([good, bad])
    assert (await database.run("graph/counts", group=group))[0]["episodes"] == 0


async def test_write_is_visible_to_the_next_read(database: Database, group: str) -> None:
    for number in range(20):
        await store(database, f"{group}-{number}", content=str(number))
        assert (await database.run("graph/counts", group=f"{group}-{number}"))[0]["episodes"] == 1


async def test_statement_is_run_again_if_another_transaction_deletes_what_it_read(
    database: Database, group: str
) -> None:
    root = f"{group}-root"
    await cypher(database, "CREATE (:TreeNode {uuid: $root, group: $group})", root=root, group=group)
    end = database.endpoint
    async with (
        AsyncGraphDatabase.driver(end.uri, auth=(end.username, end.password)) as driver,
        driver.session(database=end.database) as session,
        await session.begin_transaction() as deleting,
    ):
        await deleting.run("MATCH (root:TreeNode {uuid: $root}) DELETE root", {"root": root})
        tree, version = {"uuid": f"{group}-tree", "name": "notes"}, {"uuid": f"{group}-version"}
        params = {"group": group, "tree": tree, "version": version, "vector": [0.0] * 384, "root": root, "stage": ""}
        creating = asyncio.create_task(database.run("tree/create", **params))
        await until_a_transaction_waits(database)
        await deleting.commit()
    assert await creating == []


async def until_a_transaction_waits(database: Database) -> None:
    waiting: list[object] = []
    while not waiting:
        statement = "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN status"
        waiting.extend(await cypher(database, statement))


async def test_schema_change_in_a_transaction_is_refused(database: Database) -> None:
    with pytest.raises(ArgumentError, match="schema"):
        await database.run_all([("meta/constraint", {})])


async def test_errors_and_logs_never_contain_stored_data(
    database: Database, group: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    row = {"uuid": SECRET, "group": group, "content": SECRET}
    rows = [{"source_id": "1", "session": "s", "properties": {**row, "source_id": SECRET}}] * 2
    with pytest.raises(ConflictError) as caught:
        await database.run("ingestion/acknowledge", group=group, rows=rows)
    assert "ingestion/acknowledge" in str(caught.value)
    assert SECRET not in repr(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert SECRET not in caplog.text


async def test_wrong_password_closed_port_and_missing_database_are_distinct_errors(database: Database) -> None:
    good = database.endpoint
    wrong = Endpoint(uri=good.uri, username=good.username, password="not-" + good.password)
    with pytest.raises(StoreAuthError, match="NEO4J_PASSWORD"):
        await Database.open(wrong)
    with pytest.raises(StoreUnavailableError, match="check that it is running"):
        await Database.open(Endpoint(uri="bolt://127.0.0.1:1", password="x"))
    with pytest.raises(ConfigError, match="NEO4J_DATABASE"):
        await Database.open(Endpoint(uri=good.uri, username=good.username, password=good.password, database="nowhere"))


async def test_settings_can_disable_the_plugin(database: Database, tmp_path: Path) -> None:
    good = database.endpoint
    settings = Settings(
        home=tmp_path,
        neo4j=Neo4jSettings(uri=good.uri, username=good.username, password=good.password, plugin="never"),  # type: ignore[arg-type]  # pydantic takes a string for a secret
    )
    async with await Database.open(settings) as hidden:
        assert not hidden.has_plugin
        assert hidden.version == database.version
        assert not hidden.procedures


async def test_closed_database_raises(database: Database) -> None:
    opened = await Database.open(database.endpoint)
    await opened.close()
    await opened.close()
    with pytest.raises(StoreError):
        await opened.run("graph/counts", group="g")


async def test_vectors_are_stored_as_float32(database: Database, group: str) -> None:
    await store(database, group, status="done")
    vector = np.full(384, 0.1, dtype=np.float32)
    await database.run("reembed/write", label="Episode", model="m", rows=[{"uuid": f"{group}-1", "vector": vector}])
    total, _ = (await database.run("reembed/count", model="m"))[0].values()
    assert total >= 1


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("Neo.ClientError.Security.Unauthorized", StoreAuthError),
        ("Neo.ClientError.Security.Forbidden", StoreAuthError),
        ("Neo.TransientError.Transaction.DeadlockDetected", StoreTransientError),
        ("Neo.TransientError.General.DatabaseUnavailable", StoreUnavailableError),
        ("Neo.ClientError.General.ForbiddenOnReadOnlyDatabase", StoreReadOnlyError),
        ("Neo.ClientError.Statement.SyntaxError", StoreVersionError),
        ("Neo.ClientError.Procedure.ProcedureNotFound", StoreVersionError),
        ("Neo.ClientError.Schema.ConstraintValidationFailed", ConflictError),
        ("Neo.ClientError.Database.DatabaseNotFound", ConfigError),
        ("Neo.DatabaseError.General.UnknownError", StoreError),
    ],
)
def test_foreign_errors_are_mapped(code: str, kind: type[MnemoError]) -> None:
    error = Neo4jError._hydrate_neo4j(code=code, message=SECRET)
    found = map_error(error, "graph/counts")
    assert type(found) is kind
    assert code in str(found)
    assert SECRET not in str(found)


def test_full_disk_is_reported() -> None:
    error = Neo4jError._hydrate_neo4j(code="Neo.DatabaseError.General.UnknownError", message="No space left on device")
    assert type(map_error(error, "graph/counts")) is DiskError
