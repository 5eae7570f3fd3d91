"""What System-2 reads: a layer's candidates, and what rests on chosen entities; a round trip each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mnemo.clock import DISTANT_FUTURE
from mnemo.store.driver import Database, Row
from mnemo.store.search import Gathered, Wanted, asked

__all__ = ["Evidence", "Option", "gather", "layer"]

_LAYER = "mnemo.system2.layer"
_GATHER = "mnemo.system2.gather"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A category or an entity that may be chosen."""

    uuid: str
    name: str
    tags: tuple[str, ...] = ()
    layer: int = 0
    """0 for an entity."""
    leaves: int = 1
    cosine: float | None = None
    """To the question; None where there was no vector."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What rests on chosen entities."""

    gathered: Gathered
    """Rows as of System-1's search, each with `chosen`: uuids of the chosen entities that lead to it."""
    under: tuple[str, ...]
    """All chosen entities, those under categories chosen whole among them, the nearest to the question first."""


async def layer(
    database: Database, wanted: Wanted, *, hierarchy: str, parents: Sequence[str], limit: int
) -> tuple[str, list[Option]]:
    """Return the generation and what some categories hold, shared ones once, the nearest to the question first.

    Args:
        database: Migrated.
        wanted: The question; with a time, only what was written of by then.
        hierarchy: Uuid of the generation that a walk is in; empty for the current one.
        parents: Uuids of categories; empty for the top layer.
        limit: Most options.
    """
    params: dict[str, Any] = {
        "group": wanted.group,
        "hierarchy": hierarchy,
        "parents": list(parents),
        "vector": wanted.bare_vector,
        "visible_until": wanted.filters.visible_until or DISTANT_FUTURE,
        "limit": limit,
    }
    if _LAYER in database.procedures:
        rows = await database.run("system2/layer_by_procedure", params=params)
    else:
        rows = await database.run("system2/layer", **params)
    return (rows[0]["hierarchy"] if rows else hierarchy), [_option(row) for row in rows]


async def gather(
    database: Database, wanted: Wanted, entities: Sequence[str], categories: Sequence[str], *, nodes: int, limit: int
) -> Evidence:
    """Return what rests on chosen entities and on all under categories chosen whole.

    Args:
        database: Migrated.
        wanted: The question.
        entities: Uuids.
        categories: Uuids.
        nodes: Most entities; the nearest to the question are kept.
        limit: Most episodes and most facts; the nearest are kept.
    """
    params = {
        **asked(wanted),
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
    gathered = Gathered(**{key: value for key, value in row.items() if key != "under"})
    return Evidence(gathered=gathered, under=tuple(row["under"]))


def _option(row: Row) -> Option:
    return Option(
        uuid=row["uuid"],
        name=row["name"] or "",
        tags=tuple(row["tags"]),
        layer=row["layer"],
        leaves=row["leaves"],
        cosine=row["cosine"],
    )
