"""Nodes of the base graph as models: pure.

A property that a person edited or deleted by hand makes no error: what is missing takes its default,
what is of another type is read as far as it can be. Moments come as datetimes or, from statements that
return many, as microseconds since 1970.
"""

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any, cast

from mnemo.clock import DISTANT_FUTURE, DISTANT_PAST
from mnemo.models.graph import Edge, Entity, Episode, EpisodeStatus, Precision, Role
from mnemo.store.values import from_database

__all__ = ["edge", "entity", "episode", "instant", "number", "optional", "text"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PAST, _FUTURE = ((moment - _EPOCH) // timedelta(microseconds=1) for moment in (DISTANT_PAST, DISTANT_FUTURE))


def episode(row: Mapping[str, Any]) -> Episode:
    """Return the episode from the properties of an Episode node."""
    return Episode(
        uuid=row["uuid"],
        group=row["group"],
        content=text(row, "content"),
        role=cast("Role", row.get("role") or "user"),
        speaker=optional(row, "speaker"),
        session=text(row, "session"),
        position=number(row, "position"),
        occurred_at=instant(row.get("occurred_at")),
        zone=optional(row, "zone"),
        source=optional(row, "source"),
        source_id=text(row, "source_id"),
        content_hash=text(row, "content_hash"),
        recorded_at=instant(row.get("recorded_at")) or DISTANT_PAST,
        status=cast("EpisodeStatus", row.get("status") or "pending"),
        reason=optional(row, "reason"),
        attempts=number(row, "attempts"),
        metadata=_metadata(row.get("metadata")),
    )


def entity(row: Mapping[str, Any]) -> Entity:
    """Return the entity from the properties of an Entity node."""
    return Entity(
        uuid=row["uuid"],
        group=row["group"],
        name=text(row, "name"),
        summary=text(row, "summary"),
        tags=_texts(row, "tags"),
        aliases=_texts(row, "aliases"),
        speaker=bool(row.get("speaker")),
    )


def edge(row: Mapping[str, Any]) -> Edge:
    """Return the fact from the properties of an Edge node; sentinels become None."""
    return Edge(
        uuid=row["uuid"],
        group=row["group"],
        fact=text(row, "fact"),
        relation=text(row, "relation"),
        subject=text(row, "subject"),
        object=optional(row, "object"),
        valid_from=instant(row.get("valid_from")),
        valid_to=instant(row.get("valid_to")),
        recorded_at=instant(row.get("recorded_at")) or DISTANT_PAST,
        retired_at=instant(row.get("retired_at")),
        when=optional(row, "when"),
        precision=cast("Precision", row.get("precision") or "unknown"),
        zone=optional(row, "zone"),
        certain=row.get("certain") is not False,
        event=row.get("event") is True,
        event_end=instant(row.get("event_end")),
        recurs="yearly" if row.get("recurs") == "yearly" else None,
    )


def instant(value: Any) -> datetime | None:
    """Return a stored moment as an aware datetime in UTC.

    Args:
        value: A datetime, microseconds since 1970, or what a person typed in: a day, or a time without a zone (both
            count as UTC), or a text in ISO format.

    Returns:
        None for an unknown one, for the distant ones, and for what is no moment at all.
    """
    if isinstance(value, int):
        return None if value in {_PAST, _FUTURE} else _EPOCH + timedelta(microseconds=value)
    found = _moment(from_database(value))
    return None if found in {None, DISTANT_PAST, DISTANT_FUTURE} else found


def _moment(value: Any) -> datetime | None:
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day, tzinfo=UTC)
    if not isinstance(value, datetime):
        return None
    return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


def text(row: Mapping[str, Any], name: str) -> str:
    """Return a property as text; empty where it is missing."""
    return optional(row, name) or ""


def optional(row: Mapping[str, Any], name: str) -> str | None:
    """Return a property as text; None where it is missing."""
    value = row.get(name)
    return value if value is None or isinstance(value, str) else str(value)


def number(row: Mapping[str, Any], name: str) -> int:
    """Return a property as a whole number; 0 where it is missing or none."""
    value = row.get(name)
    return value if isinstance(value, int) else 0


def _texts(row: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = row.get(name)
    several = value if isinstance(value, list | tuple) else [value]
    return tuple(str(each) for each in several if each is not None)


def _metadata(value: Any) -> dict[str, str]:
    try:
        found = json.loads(value or "{}")
    except (TypeError, ValueError):
        return {}
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}
