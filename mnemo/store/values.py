"""Converts values to and from the database: aware datetimes, vectors, rows."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

import neo4j.time
import numpy as np
import pytz  # type: ignore[import-untyped]  # comes with the driver, without types
from neo4j.graph import Node
from neo4j.vector import Vector

from mnemo.errors import ArgumentError
from mnemo.models.arguments import check_moment, check_text

__all__ = ["from_database", "to_database"]

_LEAF = (str, int, float, bool, type(None))


def to_database(value: Any, kind: str = "ANY") -> Any:
    """Convert a parameter for the driver.

    Tuples and sets become lists; datetimes keep their zone. Arrays become float32 vectors, which take a quarter of
    the time and bytes of a list, unless the header says LIST<FLOAT>; lists become vectors only if it says VECTOR.

    Args:
        value: The caller's value.
        kind: The parameter's type in the query's header.

    Raises:
        ArgumentError: A datetime has no zone or is out of range, an integer does not fit 64 bits, or a text has half of
            a character.
    """
    if value is None:
        return None
    if kind in {"VECTOR", "LIST<VECTOR>"} or isinstance(value, np.ndarray):
        return _vectors(value, kind)
    if isinstance(value, Mapping):
        return {key: to_database(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_database(item) for item in value]
    return _scalar(value)


def _vectors(value: Any, kind: str) -> Any:
    array = np.asarray(value)
    if "FLOAT" in kind:
        return array.tolist()
    if kind == "LIST<VECTOR>" or array.ndim > 1:
        return [_vectors(row, "VECTOR") for row in value]
    return Vector.from_bytes(array.astype(">f4").tobytes(), "f32")


def _scalar(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        message = f"integers must fit 64 bits, got one with {value.bit_length()} bits"
        raise ArgumentError(message)
    if isinstance(value, str):
        check_text("text", value)
    return _aware(value) if isinstance(value, datetime) else value


def _aware(value: datetime) -> datetime:
    check_moment("a datetime", value)
    if isinstance(value.tzinfo, ZoneInfo):
        # The driver passes its own time class to the zone. ZoneInfo, in C, treats any object as a
        # datetime and reads past its end: wrong hours or a crash. Zones of pytz are plain Python.
        return value.astimezone(pytz.timezone(value.tzinfo.key))
    return value


def from_database(value: Any) -> Any:
    """Convert a result to plain Python: aware datetimes in their zone, nodes as their properties."""
    if isinstance(value, _LEAF):
        return value
    if isinstance(value, Mapping | Node):
        return {key: from_database(item) for key, item in value.items()}
    if isinstance(value, list):
        return value if value and isinstance(value[0], float) else [from_database(item) for item in value]
    if isinstance(value, neo4j.time.DateTime):
        return _datetime(value)
    return value.to_native() if isinstance(value, neo4j.time.Date | Vector) else value


def _datetime(value: neo4j.time.DateTime) -> datetime:
    """Convert a datetime, cut to microseconds; one without a zone (entered by hand) counts as UTC."""
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
