"""Reads for System-2: the options of a layer, and the evidence of chosen entities; one round trip each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mnemo.clock import DISTANT_FUTURE
from mnemo.store.driver import Database, Row
from mnemo.store.search import CandidateRows, SearchQuery, question_params

__all__ = ["EvidenceRows", "Option", "gather", "layer"]

_LAYER = "mnemo.system2.layer"
_GATHER = "mnemo.system2.gather"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A category or an entity that the selector may choose."""

    uuid: str
    name: str
    tags: tuple[str, ...] = ()
    layer: int = 0
    """0 for an entity."""
    leaves: int = 1
    cosine: float | None = None
    """To the question; None without a vector."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceRows:
    """Episodes, facts and neighbours of chosen entities."""

    rows: CandidateRows
    """Rows as System-1 has them, each with `chosen`: uuids of the chosen entities that lead to it."""
    under: tuple[str, ...]
    """All chosen entities, also those under categories chosen whole, nearest to the question first."""


async def layer(
    database: Database, query: SearchQuery, *, hierarchy: str, parents: Sequence[str], limit: int
) -> tuple[str, list[Option]]:
    """Return the generation and the children of some categories, each once, nearest to the question first.

    Args:
        database: Migrated.
        query: The question; with `visible_until`, only what an episode mentioned by then.
        hierarchy: Uuid of the walk's generation; empty for the current one.
        parents: Uuids of categories; empty for the top layer.
        limit: Most options.
    """
    params: dict[str, Any] = {
        "group": query.group,
        "hierarchy": hierarchy,
        "parents": list(parents),
        "vector": query.bare_vector,
        "visible_until": query.filters.visible_until or DISTANT_FUTURE,
        "limit": limit,
    }
    if _LAYER in database.procedures:
        rows = await database.run("system2/layer_by_procedure", params=params)
    else:
        rows = await database.run("system2/layer", **params)
    return (rows[0]["hierarchy"] if rows else hierarchy), [_option(row) for row in rows]


async def gather(
    database: Database,
    query: SearchQuery,
    entities: Sequence[str],
    categories: Sequence[str],
    *,
    nodes: int,
    limit: int,
) -> EvidenceRows:
    """Return the evidence of chosen entities and of all entities under categories chosen whole.

    Args:
        database: Migrated.
        query: The question.
        entities: Uuids.
        categories: Uuids.
        nodes: Most entities; the nearest to the question are kept.
        limit: Most episodes and most facts; the nearest are kept.
    """
    params = {
        **question_params(query),
        "entities": list(entities),
        "categories": list(categories),
        "nodes": nodes,
        "limit": limit,
    }
    if _GATHER in database.procedures:
        rows = await database.run("system2/gather_by_procedure", params=params)
    else:
        rows = await database.run("system2/gather", **params)
    row: Mapping[str, Any] = rows[0] if rows else {"under": []}
    found = CandidateRows(**{key: value for key, value in row.items() if key != "under"})
    return EvidenceRows(rows=found, under=tuple(row["under"]))


def _option(row: Row) -> Option:
    return Option(
        uuid=row["uuid"],
        name=row["name"] or "",
        tags=tuple(row["tags"]),
        layer=row["layer"],
        leaves=row["leaves"],
        cosine=row["cosine"],
    )
