"""Checks the headers of all `.cypher` files against the database's planner."""

from collections.abc import Iterable

from mnemo.errors import MnemoError, StoreVersionError
from mnemo.store.driver import Database
from mnemo.store.queries import CypherQuery, QueryMode, all_queries

__all__ = ["header_violations"]

_TYPES: dict[QueryMode, frozenset[str]] = {
    "read": frozenset({"r", "s"}),  # the planner reports calls of dbms procedures as s
    "write": frozenset({"rw", "w"}),
    "schema": frozenset({"s"}),
}


async def header_violations(db: Database, queries: Iterable[CypherQuery] | None = None) -> list[str]:
    """Return one line per header that does not match its statement; an empty list means all match.

    Checks that the statement compiles, that its columns are the stated ones in order, and that it reads, writes or
    changes the schema as its mode says. Parameters are checked when a query is loaded.

    Args:
        db: A migrated database, so that the indexes exist; without the plugin, statements that call it are skipped.
        queries: Queries to check; None checks all `.cypher` files.

    Raises:
        SchemaError: A header cannot be parsed.
    """
    found = []
    for query in all_queries() if queries is None else queries:
        found.extend(await _violations(db, query))
    return found


async def _violations(db: Database, query: CypherQuery) -> list[str]:
    try:
        columns, kind = await db.explain(query)
    except StoreVersionError as error:
        if "CALL mnemo." in query.statement and not db.has_plugin:
            return []
        return [f"cypher/{query.name}.cypher does not compile: {error}"]
    except MnemoError as error:
        return [f"cypher/{query.name}.cypher does not compile: {error}"]
    stated = tuple(column.name for column in query.returns)
    lines = []
    if columns != stated:
        lines.append(f"cypher/{query.name}.cypher returns {columns}, its header states {stated}")
    if kind not in _TYPES[query.mode]:
        lines.append(f"cypher/{query.name}.cypher is of type {kind!r}, its header states mode {query.mode}")
    return lines
