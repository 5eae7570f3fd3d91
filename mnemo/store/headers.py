"""Holds the headers of all `.cypher` files against what the database's planner says."""

from collections.abc import Iterable

from mnemo.errors import MnemoError, StoreVersionError
from mnemo.store.driver import Database
from mnemo.store.queries import Mode, CypherQuery, all_queries

__all__ = ["misfits"]

_TYPES: dict[Mode, frozenset[str]] = {
    "read": frozenset({"r", "s"}),  # the planner counts a call of a dbms procedure as s
    "write": frozenset({"rw", "w"}),
    "schema": frozenset({"s"}),
}


async def misfits(db: Database, queries: Iterable[CypherQuery] | None = None) -> list[str]:
    """Return one line for each header that does not fit its statement; none is well.

    Looked at: the statement compiles, its columns are those returned, in that order, and it reads,
    writes or changes the schema as the mode says. Parameters were held against the text on loading.

    Args:
        db: Migrated, so that the indexes that statements name are there; without the plugin,
            statements that call it are passed over.
        queries: Which; None is all that are shipped.

    Raises:
        SchemaError: A header cannot be read at all.
    """
    found = []
    for query in all_queries() if queries is None else queries:
        found.extend(await _misfit(db, query))
    return found


async def _misfit(db: Database, query: CypherQuery) -> list[str]:
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
