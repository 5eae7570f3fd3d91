"""Values on their way into and out of the database: aware datetimes, vectors, rows; pure."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

import neo4j.time
import numpy as np
from neo4j.graph import Node
from neo4j.vector import Vector

from mnemo.errors import ArgumentError

__all__ = ["from_database", "to_database"]

_LEAF = (str, int, float, bool, type(None))


def to_database(value: Any) -> Any:
    """Return a parameter as the driver takes it.

    Arrays of numbers become lists of floats; tuples become lists; a datetime keeps its zone.

    Raises:
        ArgumentError: A datetime has no zone.
    """
    if isinstance(value, _LEAF):
        return value
    if isinstance(value, datetime):
        if value.tzinfo is None:
            message = "wanted datetimes with a zone, got one without"
            raise ArgumentError(message)
        return value
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: to_database(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        if value and isinstance(next(iter(value)), float):
            return list(value)
        return [to_database(item) for item in value]
    return value


def from_database(value: Any) -> Any:
    """Return a result as plain Python: aware datetimes in their zone, nodes as their properties."""
    if isinstance(value, _LEAF):
        return value
    if isinstance(value, neo4j.time.DateTime):
        return _datetime(value)
    if isinstance(value, neo4j.time.Date):
        return value.to_native()
    if isinstance(value, Vector):
        return value.to_native()
    if isinstance(value, Mapping | Node):
        return {key: from_database(item) for key, item in value.items()}
    if isinstance(value, list):
        if value and isinstance(value[0], float):
            return value
        return [from_database(item) for item in value]
    return value


def _datetime(value: neo4j.time.DateTime) -> datetime:
    """Return it in its zone, cut to microseconds; one without a zone (typed in by hand) counts as UTC."""
    return datetime(
        value.year,
        value.month,
        value.day,
        value.hour,
        value.minute,
        int(value.second),
        value.nanosecond // 1000,
        tzinfo=_zone(value),
        fold=_fold(value),
    )


def _fold(value: neo4j.time.DateTime) -> int:
    zone, offset = _zone(value), value.utcoffset()
    if not isinstance(zone, ZoneInfo) or offset is None:
        return 0
    naive = datetime(value.year, value.month, value.day, value.hour, value.minute, tzinfo=zone)
    return int(naive.utcoffset() != timedelta(seconds=offset.total_seconds()))


def _zone(value: neo4j.time.DateTime) -> tzinfo:
    zone = value.tzinfo
    name = getattr(zone, "key", None) or getattr(zone, "zone", None)
    if isinstance(name, str) and name not in {"UTC", "Z"}:
        return ZoneInfo(name)
    offset = value.utcoffset()
    return timezone(timedelta(seconds=offset.total_seconds())) if offset else UTC
