"""Nodes of the base graph as models: pure.

A property that a person edited or deleted by hand makes no error: what is missing takes its default.
Moments come as datetimes or, from statements that return many, as microseconds since 1970.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from mnemo.clock import DISTANT_FUTURE, DISTANT_PAST
from mnemo.models.graph import Edge, Entity, Episode, Precision, Role, Status

__all__ = ["edge", "entity", "episode", "instant"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PAST, _FUTURE = ((moment - _EPOCH) // timedelta(microseconds=1) for moment in (DISTANT_PAST, DISTANT_FUTURE))


def episode(row: Mapping[str, Any]) -> Episode:
    """Return the episode that the properties of an Episode node tell of."""
    return Episode(
        uuid=row["uuid"],
        group=row["group"],
        content=_text(row, "content"),
        role=cast("Role", row.get("role") or "user"),
        speaker=row.get("speaker"),
        session=_text(row, "session"),
        position=row.get("position") or 0,
        occurred_at=instant(row.get("occurred_at")),
        zone=row.get("zone"),
        source=row.get("source"),
        source_id=_text(row, "source_id"),
        content_hash=_text(row, "content_hash"),
        recorded_at=instant(row.get("recorded_at")) or DISTANT_PAST,
        status=cast("Status", row.get("status") or "pending"),
        reason=row.get("reason"),
        attempts=row.get("attempts") or 0,
        metadata=_metadata(row.get("metadata")),
    )


def entity(row: Mapping[str, Any]) -> Entity:
    """Return the entity that the properties of an Entity node tell of."""
    return Entity(
        uuid=row["uuid"],
        group=row["group"],
        name=_text(row, "name"),
        summary=_text(row, "summary"),
        tags=tuple(row.get("tags") or ()),
        aliases=tuple(row.get("aliases") or ()),
        speaker=bool(row.get("speaker")),
    )


def edge(row: Mapping[str, Any]) -> Edge:
    """Return the fact that the properties of an Edge node tell of; sentinels become None."""
    return Edge(
        uuid=row["uuid"],
        group=row["group"],
        fact=_text(row, "fact"),
        relation=_text(row, "relation"),
        subject=_text(row, "subject"),
        object=row.get("object"),
        valid_from=instant(row.get("valid_from")),
        valid_to=instant(row.get("valid_to")),
        recorded_at=instant(row.get("recorded_at")) or DISTANT_PAST,
        retired_at=instant(row.get("retired_at")),
        when=row.get("when"),
        precision=cast("Precision", row.get("precision") or "unknown"),
        zone=row.get("zone"),
    )


def _text(row: Mapping[str, Any], name: str) -> str:
    return row.get(name) or ""


def instant(value: datetime | int | None) -> datetime | None:
    """Return a stored moment as an aware datetime in UTC; None stands for an unknown one and for the distant ones."""
    if value is None or value in {DISTANT_PAST, DISTANT_FUTURE, _PAST, _FUTURE}:
        return None
    return _EPOCH + timedelta(microseconds=value) if isinstance(value, int) else value.astimezone(UTC)


def _metadata(text: str | None) -> dict[str, str]:
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}
