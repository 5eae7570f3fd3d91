"""Runs arbitrary Cypher statements in tests."""

from typing import Any

from neo4j import AsyncGraphDatabase

from mnemo.store.driver import Database, Row
from mnemo.store.values import from_database

__all__ = ["cypher"]


async def cypher(database: Database, statement: str, /, **params: Any) -> list[Row]:
    """Run a statement and return its rows as plain values."""
    end = database.endpoint
    async with AsyncGraphDatabase.driver(
        end.uri, auth=(end.username, end.password), notifications_min_severity="OFF"
    ) as driver:
        result = await driver.execute_query(statement, params, database_=end.database)  # type: ignore[arg-type]  # text from a test
        return [{key: from_database(value) for key, value in record.items()} for record in result.records]
